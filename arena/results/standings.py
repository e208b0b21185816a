"""The standings of a run: a pure function of its outcomes, the same for any order of them.

All sums are of whole numbers or exactly rounded, so that the figures are the same to the last bit.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import structs

from arena.model import Outcome
from arena.results.complete import CompleteBlocks
from arena.results.ledger import Ledger
from arena.results.tables import Row, Standings

Order = Literal["share", "wins", "penalty"]


def standings(
    outcomes: Iterable[Outcome], rotations: Mapping[int, int], names: Iterable[str] = ()
) -> Standings:
    """Return the standings of ``outcomes``, ranked by share.

    ``rotations`` gives the matches of a complete block by table size; a block with fewer is
    listed as incomplete. ``names`` are bots that appear even without a match. The outcomes are
    taken one by one and not kept once their block is complete. Raise ValueError when a block has
    a rotation twice or more matches than rotations.
    """
    blocks = CompleteBlocks(outcomes, rotations)
    ledger = Ledger(rotations, names)
    for block in blocks:
        ledger.add_block(block)
    for missing in blocks.incomplete:
        ledger.add_names(missing.bots)
    table = structs.replace(ledger.close(), repeated=blocks.repeated, incomplete=blocks.incomplete)
    return reordered(table, "share")


def reordered(table: Standings, by: Order) -> Standings:
    """Return the standings ranked by share, wins or mean penalty, and the others after it."""
    rows = sorted(table.rows, key=lambda row: _sort_key(row, by))
    return structs.replace(
        table, rows=tuple(structs.replace(row, rank=n) for n, row in enumerate(rows, 1))
    )


def _sort_key(row: Row, by: Order) -> tuple[float | str, ...]:
    """Return the key by which the best row is first; differences of rounding are no differences."""
    keys = {
        "share": math.inf if row.share is None else -row.share,
        "wins": -row.wins,
        "penalty": math.inf if row.mean_penalty is None else row.mean_penalty,
    }
    return (round(keys.pop(by), 9), *(round(key, 9) for key in keys.values()), row.bot)

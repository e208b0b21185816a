"""The standings of a run: a pure function of its outcomes, the same for any order of them.

All sums are of whole numbers or exactly rounded, so that the figures are the same to the last bit.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import structs

from arena.model import Outcome
from arena.results.ledger import Ledger
from arena.results.tables import Incomplete, Row, Standings

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
    ledger = Ledger(rotations, names)
    pending: dict[str, list[Outcome]] = {}
    complete: set[str] = set()
    for outcome in outcomes:
        block = outcome.block_id
        matches = pending.setdefault(block, [])
        if block in complete or any(match.rotation == outcome.rotation for match in matches):
            raise ValueError(f"match {outcome.match} is one too many for its block {block}")
        matches.append(_slim(outcome))
        if len(matches) == rotations[len(outcome.seats)]:
            complete.add(block)
            ledger.add_block(pending.pop(block))
    incomplete = tuple(
        Incomplete(
            block=block,
            bots=tuple(sorted(matches[0].seats)),
            played=len(matches),
            rotations=rotations[len(matches[0].seats)],
        )
        for block, matches in sorted(pending.items())
    )
    for missing in incomplete:
        ledger.add_names(missing.bots)
    return reordered(ledger.close(incomplete), "share")


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


def _slim(outcome: Outcome) -> Outcome:
    """Return the outcome without what is long and does not count."""
    faults = tuple(structs.replace(fault, detail="", output="", log="") for fault in outcome.faults)
    return structs.replace(outcome, times=(), faults=faults)

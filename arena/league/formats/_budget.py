"""Plans of as many compositions or matches as the league file asks for, drawn in balance."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena.errors import OptionError
from arena.league.formats import _blocks
from arena.league.formats._balance import Counts, draw
from arena.league.formats._blocks import (
    Block,
    Bots,
    Listed,
    bots_of,
    check_whole,
    name_of,
    rotations,
)
from arena.league.formats._seating import Place, Played, turned
from arena.model import League, Outcome
from arena.seeds import Chance, Stream, derive
from arena.words import span

BUDGETS = ("compositions", "matches")
MOST = 100_000
"""The most compositions, matches or blocks of a budget: so many are planned in some seconds."""


def is_budgeted(options: Mapping[str, Any]) -> bool:
    """Return whether the options of a format have a budget."""
    return any(key in options for key in BUDGETS)


def checked(given: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """Return rotations, blocks and budget with defaults, and the options ``more``, unchecked.

    ``matches`` without ``blocks`` is spent on as many compositions as it has blocks for. Raise
    OptionError.
    """
    defaults = {"rotations": "all"} if "matches" in given else {"blocks": 10, "rotations": "all"}
    options = _blocks.checked(given, defaults, "blocks", *BUDGETS, *more)
    if all(key in options for key in BUDGETS):
        raise OptionError("matches", "cannot be there beside compositions: one of them is enough")
    for key in ("blocks", *BUDGETS):
        if key in options:
            check_whole(key, options[key])
    for key in BUDGETS:
        blocks = options.get("blocks", 1) if key == "compositions" else 1
        if key in options and options[key] * blocks > MOST:
            raise OptionError(key, f"{options[key]} is too large: at most {MOST // blocks}")
    return options


def check_enough(league: League) -> None:
    """Raise OptionError when the budget is not enough for a table of each size."""
    options, sizes = league.format_options, league.seats
    largest = max(rotations(options, size) for size in sizes) * options.get("blocks", 1)
    need = {"compositions": len(sizes), "matches": len(sizes) * largest}
    for key in BUDGETS:
        if key in options and options[key] < need[key]:
            raise OptionError(
                key, f"{options[key]} is too small: one table of each size needs {need[key]}"
            )


def played_before(league: League, outcomes: Iterable[Outcome]) -> Played:
    """Return what active bots had played when the current stage of the run began."""
    active = set(league.active)
    since = league.stages[-1].since if league.stages else 0
    played: dict[tuple[Bots, int], set[int]] = defaultdict(set)
    for outcome in itertools.islice(outcomes, since):
        if active.issuperset(outcome.identities):
            played[bots_of(outcome), outcome.block].add(outcome.rotation - 1)
    return played


def draw_blocks(
    league: League, pool: Sequence[str], others: int, kept: Iterable[tuple[Bots, int]]
) -> list[tuple[Bots, int]]:
    """Return compositions of the pool, each with the number of a block, in the order of play.

    ``others`` of the seats are left to bots that are not drawn. What is ``kept`` is among the
    blocks, and the rest evens it out.
    """
    options = league.format_options
    chance = Stream(derive(league.seed, "plan", league.terms.game, *map(name_of, pool)))
    numbers: dict[Bots, set[int]] = defaultdict(set)
    for bots, number in kept:
        numbers[bots].add(number)
    whole = range(1, options["blocks"] + 1) if "blocks" in options else None
    times = {bots: 1 if whole else len(blocks) for bots, blocks in numbers.items()}
    counts = Counts(bots for bots, count in times.items() for _ in range(count))
    blocks = []
    for size, total in _totals(options, league.seats):
        seats = size - others
        own = Counter({bots: count for bots, count in times.items() if len(bots) == seats})
        if whole:
            total = min(total, math.comb(len(pool), seats))
        _fill(own, total, pool, seats, counts, chance)
        for bots in chance.shuffled(own):
            blocks += [(bots, n) for n in whole or _numbers(numbers[bots], own[bots])]
    return sorted(blocks, key=lambda block: block[1])


def balanced(
    league: League, blocks: Sequence[Block], played: Played, pool: Sequence[str]
) -> Listed:
    """Return the plan of these blocks, seats as equally often as possible, and its balance.

    The balance is that of the bots of the pool.
    """
    seats: Counter[Place] = Counter()
    if any(rotations(league.format_options, size) < size for size in league.seats):
        blocks = turned(league, blocks, played, seats)
    counts = Counts(block.bots for block in blocks)
    pairs = [counts.pairs[frozenset(pair)] for pair in itertools.combinations(pool, 2)]
    text = f"each bot plays {_spread([counts.bots[bot] for bot in pool])} blocks"
    if any(pairs):
        text += f", each pair {_spread(pairs)} together"
    if seats:
        bots = {(name_of(bot), len(block.bots)) for block in blocks for bot in block.bots}
        each = [seats[name, size, seat] for name, size in bots for seat in range(size)]
        text += f", each bot in each seat {_spread(each)} times"
    return Listed(league, blocks, text)


def _totals(options: Mapping[str, Any], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each size of a table with the number of compositions, or blocks, to be drawn."""
    for index, size in enumerate(sizes):
        if "compositions" in options:
            share, more = divmod(options["compositions"], len(sizes))
            yield size, share + (index < more)
        else:
            each = rotations(options, size) * options.get("blocks", 1)
            yield size, options["matches"] // len(sizes) // each


def _fill(
    times: Counter[Bots],
    total: int,
    pool: Sequence[str],
    seats: int,
    counts: Counts,
    chance: Chance,
) -> None:
    """Raise the times that compositions are played to a total, as equally as possible."""
    most = math.comb(len(pool), seats)
    while (missing := total - times.total()) > 0:
        level = min(times.values()) if len(times) == most else 0
        taken = {bots for bots, count in times.items() if count > level}
        times.update(draw(pool, seats, min(missing, most - len(taken)), taken, counts, chance))


def _numbers(kept: set[int], count: int) -> list[int]:
    """Return ``count`` numbers of blocks: those kept and the lowest others."""
    others = (number for number in itertools.count(1) if number not in kept)
    return sorted([*kept, *itertools.islice(others, count - len(kept))])


def _spread(values: Sequence[int]) -> str:
    return span(min(values), max(values))

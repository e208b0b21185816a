"""Gauntlet: candidates, one at a table, against the other bots of the league, the field.

All candidates meet the same compositions of the field, so that their shares can be compared.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.errors import OptionError
from arena.league.formats import _budget
from arena.league.formats._blocks import (
    Block,
    Bots,
    Every,
    by_name,
    check_bots,
    check_rotations,
    name_of,
    rotations,
)
from arena.league.formats.base import Plan
from arena.model import League, Outcome


class Gauntlet:
    """Each candidate at a table with all compositions of the field, or a balanced subset."""

    key = "gauntlet"
    growing = ("blocks", *_budget.BUDGETS, "candidates")

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""
        options = _budget.checked(given, "candidates")
        if "candidates" not in options:
            raise OptionError("candidates", "is missing: the names of the bots to be tried, a list")
        names = options["candidates"]
        texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not texts or not names or len(set(names)) < len(names):
            raise OptionError(
                "candidates", f'{names!r} must be a list of different names, such as ["greedy"]'
            )
        return options

    def fit(self, league: League) -> None:
        """Raise OptionError when a candidate is no bot of the league, or the field too small."""
        check_bots("candidates", league.format_options["candidates"], league)
        _, field = _sides(league)
        if len(field) < max(league.seats) - 1:
            raise OptionError(
                "candidates",
                f"{len(field)} active bots are left for the field, and at a table of "
                f"{max(league.seats)} a candidate needs {max(league.seats) - 1}",
            )
        check_rotations(league)
        _budget.check_enough(league)

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""
        return rotations(options, seats)

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> Plan:
        """Return the plan of a run with these outcomes; a budget is that of each candidate."""
        candidates, field = _sides(league)
        if not _budget.is_budgeted(league.format_options):
            return _everything(league, candidates, field)
        played = _budget.played_before(league, outcomes)
        kept = {
            (opponents, number)
            for bots, number in played
            if len(opponents := _without(bots, candidates)) == len(bots) - 1
        }
        blocks = [
            Block(by_name((candidate, *opponents)), number)
            for opponents, number in _budget.draw_blocks(league, field, 1, sorted(kept))
            for candidate in candidates
        ]
        return _budget.balanced(league, blocks, played, field)


def _everything(league: League, candidates: Bots, field: Bots) -> Plan:
    """Return the plan of all compositions of one candidate and some of the field."""

    def compositions(size: int) -> Iterator[Bots]:
        for opponents in itertools.combinations(field, size - 1):
            for candidate in candidates:
                yield by_name((candidate, *opponents))

    def each(size: int) -> tuple[int, int]:
        of_candidate = math.comb(len(field), size - 1)
        of_opponent = math.comb(len(field) - 1, size - 2) * len(candidates)
        return min(of_candidate, of_opponent), max(of_candidate, of_opponent)

    return Every(
        league,
        compositions,
        number=lambda size: math.comb(len(field), size - 1) * len(candidates),
        each=each,
        meet=lambda bots: (
            set(bots) <= {*candidates, *field} and len(_without(bots, candidates)) == len(bots) - 1
        ),
    )


def _sides(league: League) -> tuple[Bots, Bots]:
    """Return the active candidates and the active bots of the field."""
    names = league.format_options["candidates"]
    candidates = tuple(bot for bot in league.active if name_of(bot) in names)
    return candidates, tuple(bot for bot in league.active if bot not in candidates)


def _without(bots: Bots, candidates: Bots) -> Bots:
    return tuple(bot for bot in bots if bot not in candidates)


PLUGIN = Gauntlet()

"""Round robin: every composition of the bots meets in the same number of blocks."""

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any

from arena.league.formats import _budget
from arena.league.formats._blocks import Block, Every, check_rotations, rotations
from arena.league.formats.base import Plan
from arena.model import League, Outcome


class RoundRobin:
    """All compositions of ``seats`` bots, or a balanced subset; ``blocks`` each."""

    key = "round-robin"
    growing = ("blocks", *_budget.BUDGETS)

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""
        return _budget.checked(given)

    def fit(self, league: League) -> None:
        """Raise OptionError for too many rotations, or too small a budget for the table sizes."""
        check_rotations(league)
        _budget.check_enough(league)

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""
        return rotations(options, seats)

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> Plan:
        """Return the plan of a run with these outcomes."""
        bots = league.active
        if _budget.is_budgeted(league.format_options):
            played = _budget.played_before(league, outcomes)
            blocks = [Block(*block) for block in _budget.draw_blocks(league, bots, 0, played)]
            return _budget.balanced(league, blocks, played, bots)
        return Every(
            league,
            compositions=lambda size: itertools.combinations(bots, size),
            number=lambda size: math.comb(len(bots), size),
            each=lambda size: (math.comb(len(bots) - 1, size - 1),) * 2,
            meet=set(bots).issuperset,
        )


PLUGIN = RoundRobin()

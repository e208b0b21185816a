"""The league of one match at one table, in which somebody has a chosen seat."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from arena.errors import OptionError
from arena.league.formats._blocks import Block, Listed, base_order
from arena.model import League, Outcome, Seat

KEY = f"{__name__}:PLUGIN"
"""The key of the format in a league."""


class Sitting:
    """One match: ``turn`` says how far the seats are turned from where they were drawn."""

    key = "sitting"
    growing = ()

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options, all of which must be given: ``turn``; raise OptionError."""
        if "turn" not in given:
            raise OptionError("turn", "is missing")
        return {"turn": given["turn"], "rotations": 1}

    def fit(self, league: League) -> None:
        """Accept any league: the command makes one that fits."""

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:  # noqa: ARG002
        """Return 1: one seating is played."""
        return 1

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> Listed:  # noqa: ARG002
        """Return the plan of the one match."""
        return Listed(league, [Block(league.active, 1, int(league.format_options["turn"]))])


def seated(league: League, name: str, seat: Seat) -> League:
    """Return a league of this format with its seats turned so that a bot has a seat."""
    _, order = base_order(league, Block(league.active, 1))
    turn = (order.index(name) - seat) % len(order)
    return replace(league, format_options=PLUGIN.check({"turn": turn}))


PLUGIN = Sitting()

"""The contract of a format: a generator of the fixtures of a league."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from arena.model import Fixture, League, Outcome


class Format(Protocol):
    """A way to pair bots. Its fixtures are a pure function of the league."""

    key: str

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""

    def count(self, league: League) -> int:
        """Return the number of fixtures."""

    def includes(self, league: League, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""

    def fixtures(self, league: League) -> Iterator[Fixture]:
        """Yield all fixtures in the order of play; their ids stay the same for ever."""

"""The contract of a format: a plan of the fixtures of a league."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from arena.model import Fixture, League, Outcome


class Extent(Struct, frozen=True):
    """How large a plan is: its compositions, blocks and matches, and the ``fewest`` and ``most``
    blocks of a bot. A table that meets again in another round counts as another composition.
    ``balance`` says in words how equal what could not be equal is."""

    compositions: int
    blocks: int
    matches: int
    fewest: int
    most: int
    balance: str = ""


class Plan(Protocol):
    """What a league plays, as far as its results so far determine it."""

    def extent(self) -> Extent:
        """Return the size of the whole league, with the fixtures that are not determined yet."""

    def includes(self, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""

    def fixtures(self) -> Iterator[Fixture]:
        """Yield the fixtures in the order of play; their ids stay the same for ever.

        Those of blocks that are closed may be left out. When all have been played, and the extent
        has more matches, a plan made anew from the results has the next ones.
        """


class Format(Protocol):
    """A way to pair bots."""

    key: str
    growing: tuple[str, ...]
    """Options that may be raised in a run that has begun."""

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""

    def fit(self, league: League) -> None:
        """Raise OptionError when the options do not fit the league's bots and table sizes."""

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> Plan:
        """Return the plan of a run with these outcomes, in the order in which they were recorded.

        It is a function of league and outcomes alone, and outcomes of its own fixtures do not
        change it, but that they determine what follows.
        """

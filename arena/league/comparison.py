"""The league of two versions of a bot: it is over as soon as one of them is known to be better.

A block is two matches. At a table with mates the old version and the new one play it with the
same mates, in the same seat, which is drawn, and with the same cards; that is all the pairing can
give, and more deals tell more than other seats at the same ones. Without mates they meet head to
head and change seats. As long as no answer is known more blocks are played, in stages of fixed
ends, so that a run is the same however often it was stopped.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.errors import OptionError
from arena.league.formats._blocks import Block, in_order, rotations
from arena.league.formats.base import Extent
from arena.model import Fixture, League, Outcome
from arena.results.versus import Verdict, Versus

KEY = f"{__name__}:PLUGIN"
"""The key of the format in a league."""
FIRST = 8
"""Blocks before an answer is looked for: fewer hardly ever give one."""
STEP = 4
GROWTH = 8
"""A stage has ``STEP`` blocks, or one for this many before it."""


class Comparison:
    """Blocks of ``old`` and ``new`` until the answer is clear, ``max_blocks`` at most."""

    key = "comparison"
    growing = ("max_blocks",)

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options, all of which must be given: ``old``, ``new``, ``margin``, ``alpha``,
        ``max_blocks``, and ``rotations``: 1 with mates, 2 without; raise OptionError."""
        for key in ("old", "new", "margin", "alpha", "max_blocks", "rotations"):
            if key not in given:
                raise OptionError(key, "is missing")
        return dict(given)

    def fit(self, league: League) -> None:
        """Accept any league: the command makes one that fits."""

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played."""
        return rotations(options, seats)

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> "Planned":
        """Return the plan of a run with these outcomes."""
        return Planned(league, outcomes)


class Planned:
    """The blocks up to the end of the stage in which a run is."""

    def __init__(self, league: League, outcomes: Iterable[Outcome]) -> None:
        self._league = league
        self._most = int(league.format_options["max_blocks"])
        self._tables = _tables(league)
        found = versus(league)
        ends = _ends(self._most)
        self._end = next(ends)
        for outcome in outcomes:
            if self.includes(outcome):
                found.add(outcome)
                while found.blocks >= self._end and found.verdict is Verdict.UNDECIDED:
                    following = next(ends, self._end)
                    if following == self._end:
                        break
                    self._end = following
        self._decided = found.blocks >= self._end and found.verdict is not Verdict.UNDECIDED

    def extent(self) -> Extent:
        """Return the size of the comparison: the most it can be, as long as it is undecided."""
        deals = self._end if self._decided else self._most
        blocks = deals * len(self._tables)
        return Extent(
            compositions=len(self._tables),
            blocks=blocks,
            matches=2 * deals,
            fewest=deals,
            most=blocks,
        )

    def includes(self, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""
        return (
            tuple(sorted(outcome.seats)) in self._tables
            and 1 <= outcome.block <= self._most
            and 1 <= outcome.rotation <= int(self._league.format_options["rotations"])
        )

    def fixtures(self) -> Iterator[Fixture]:
        """Yield the fixtures up to the end of the stage: of each stage first the old version's."""
        begin = 0
        for end in _ends(self._most):
            numbers = range(begin + 1, end + 1)
            blocks = [Block(bots, number) for bots in self._tables for number in numbers]
            yield from in_order(self._league, blocks)
            begin = end
            if end >= self._end:
                return


def versus(league: League) -> Versus:
    """Return what follows the comparison that a league is."""
    options = league.format_options
    return Versus(
        options["old"],
        options["new"],
        league.seats[0],
        apart=len(_tables(league)) > 1,
        margin=float(options["margin"]),
        alpha=float(options["alpha"]),
    )


def _tables(league: League) -> tuple[tuple[str, ...], ...]:
    """Return the compositions: that of the old version, then that of the new one, or both."""
    names = {entrant.name for entrant in league.entrants}
    if league.seats[0] == len(names):
        return (tuple(sorted(names)),)
    sides = (league.format_options["new"], league.format_options["old"])
    return tuple(tuple(sorted(names - {other})) for other in sides)


def _ends(most: int) -> Iterator[int]:
    """Yield after how many blocks an answer is looked for, at last after ``most``."""
    end = FIRST
    while end < most:
        yield end
        end += max(STEP, end // GROWTH)
    yield most


PLUGIN = Comparison()

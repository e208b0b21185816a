"""By how much a machine makes decisions look longer than they are, from calibration matches."""

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from arena.model import Lag, Level, Limits, MatchResult

FEW = 1000
"""Decisions below which one in a thousand says nothing."""


class Noise(Struct, frozen=True):
    """Milliseconds by which decisions were taken to be longer than the work in them."""

    decisions: int
    median: float
    p99: float
    p999: float
    longest: float


class Calibration(Struct, frozen=True):
    """What calibration bots met at a league's concurrency: those that answer at once, and those
    that work for ``work`` milliseconds of processor time first.

    ``workers``, ``pin``, ``sandbox`` and ``metered`` are those of the leagues that it is good for,
    on the ``machine`` of this name. ``cpu`` is the mean processor time of the decisions of both.
    """

    made: str
    machine: str
    workers: int
    pin: bool
    sandbox: Level
    metered: bool
    game: str
    seats: int
    work: float
    at_once: Noise
    working: Noise
    cpu: tuple[float, float] | None
    arena: Lag | None

    @property
    def floor(self) -> float:
        """The longest by which any decision looked longer than it was, in milliseconds."""
        return max(self.at_once.longest, self.working.longest)

    @property
    def least(self) -> int:
        """The least sensible limit of a decision in milliseconds.

        One decision in a thousand then loses a tenth of it, and none that was seen loses half.
        """
        rare = max(self.at_once.p999, self.working.p999)
        return math.ceil(max(10 * rare, 2 * self.floor, 1.0))

    @property
    def least_cpu(self) -> int:
        """The least sensible limit of a decision's processor time in milliseconds, 0 if unknown.

        What is not the work of a bot then takes a tenth of it, in the mean of all decisions.
        """
        if self.cpu is None:
            return 0
        at_once, working = self.cpu
        return math.ceil(max(10 * at_once, 10 * (working - self.work), 1.0))

    def within(self, limits: Limits) -> dict[str, tuple[int, int]]:
        """Return the limits of a decision that are less than is sensible, each with what is."""
        least = {"first_move": self.least, "move": self.least, "cpu_move": self.least_cpu}
        given = {key: getattr(limits, key) for key in least}
        return {key: (ms, least[key]) for key, ms in given.items() if 0 < ms < least[key]}


def excesses(results: Iterable[MatchResult], work: Mapping[str, float]) -> dict[float, list[float]]:
    """Return by how many milliseconds each decision took longer than the work of its bot.

    They are grouped by that work. The first decision of each seat in a match is left out: it has a
    limit of its own.
    """
    found: dict[float, list[float]] = {ms: [] for ms in work.values()}
    for result in results:
        begun = set()
        for deal in result.deals:
            for seat, _, ms in deal.actions:
                own = work[result.outcome.seats[seat]]
                if seat in begun and ms is not None:
                    found[own].append(max(ms - own, 0.0))
                begun.add(seat)
    return found


def noise(excess: Sequence[float]) -> Noise:
    """Return the distribution of at least one excess."""
    ordered = sorted(excess)

    def quantile(share: float) -> float:
        return round(ordered[math.ceil(share * len(ordered)) - 1], 2)

    return Noise(len(ordered), quantile(0.5), quantile(0.99), quantile(0.999), quantile(1.0))

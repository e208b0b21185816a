"""Is the new version of a bot better than the old one? The answer as soon as it is clear.

Both take the same seat in the same deals with the same table-mates, or meet head to head, in both
seatings. A block is two matches and gives one difference: the mean share of the new version less
that of the old one. Blocks are taken in the order of their numbers, so that the answer does not
depend on which match ended first.
"""

from enum import Enum

from arena.model import Outcome
from arena.results.betting import ConfidenceSequence
from arena.results.scoring import half_points

_MATCHES = 2
"""The matches of a block."""


class Verdict(Enum):
    """What a comparison has shown of the new version."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal within the margin"
    UNDECIDED = "undecided"


class Versus:
    """Follows a comparison of two bots.

    ``seats`` is the table size; ``apart`` says that the bots sit at tables of their own, with the
    same mates, and not head to head. ``margin`` is the difference of shares that does not matter;
    ``alpha`` bounds the chance that the interval is ever wrong.
    """

    def __init__(
        self, old: str, new: str, seats: int, *, apart: bool, margin: float, alpha: float
    ) -> None:
        self.old = old
        self.new = new
        self.margin = margin
        self.matches = 0
        self._sign = {old: -1, new: 1}
        self._whole = 2 * (seats - 1) * (1 if apart else 2)
        self._pending: dict[int, tuple[int, int]] = {}
        self._interval = ConfidenceSequence(alpha)

    def add(self, outcome: Outcome) -> None:
        """Take a match into account; its block counts once it and all before it are complete."""
        self.matches += 1
        played, halves = self._pending.get(outcome.block, (0, 0))
        gained = sum(
            self._sign.get(name, 0) * points
            for name, points in zip(outcome.seats, half_points(outcome.places), strict=True)
        )
        self._pending[outcome.block] = played + 1, halves + gained
        while self._pending.get(self.blocks + 1, (0, 0))[0] == _MATCHES:
            _, halves = self._pending.pop(self.blocks + 1)
            self._interval.add(halves / self._whole)

    @property
    def blocks(self) -> int:
        """The number of blocks that count."""
        return self._interval.count

    @property
    def difference(self) -> float:
        """The mean difference of the shares, new less old."""
        return self._interval.mean

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the true difference, valid however often it is looked at."""
        return self._interval.low, self._interval.high

    @property
    def verdict(self) -> Verdict:
        """What the interval shows; what it has shown once stays."""
        low, high = self.interval
        if low > 0.0:
            return Verdict.BETTER
        if high < 0.0:
            return Verdict.WORSE
        return Verdict.EQUAL if max(-low, high) <= self.margin else Verdict.UNDECIDED

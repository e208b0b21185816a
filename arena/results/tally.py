"""A running count for the live display. Its figures are never final ones."""

from collections import Counter

from msgspec import Struct

from arena.model import FaultKind, Outcome
from arena.results.scoring import half_points


class TallyRow(Struct, frozen=True):
    """A bot so far: the mean of its shares over ``matches``, blocks complete or not."""

    bot: str
    matches: int
    share: float


class Tally:
    """Counts outcomes as they come in."""

    def __init__(self) -> None:
        self.matches = 0
        self.faults: Counter[FaultKind] = Counter()
        self._shares: dict[str, tuple[int, float]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count one more outcome."""
        self.matches += 1
        self.faults.update(fault.kind for fault in outcome.faults)
        most = 2 * (len(outcome.seats) - 1)
        for name, halves in zip(outcome.seats, half_points(outcome.places), strict=True):
            matches, share = self._shares.get(name, (0, 0.0))
            self._shares[name] = matches + 1, share + halves / most

    def top(self, n: int) -> tuple[TallyRow, ...]:
        """Return the ``n`` bots with the highest share so far, best first."""
        rows = (
            TallyRow(name, matches, share / matches)
            for name, (matches, share) in self._shares.items()
        )
        return tuple(sorted(rows, key=lambda row: (-row.share, row.bot))[:n])

"""The matches of a league that are worth a look, and the faults that stand for all of them."""

import heapq
from collections import Counter

from msgspec import Struct

from arena.model import Fault, FaultKind, Outcome

CLOSE = 5
"""How many of the closest matches are chosen."""
SAME = 2
"""How many faults of one kind of the same bot are kept."""
MOST = 100
"""How many faults are kept in all."""


class Chosen(Struct, frozen=True):
    """A match and why it was chosen, in a word or two; ``fault`` is the one it was chosen for."""

    outcome: Outcome
    why: str
    fault: Fault | None = None


class Highlights:
    """Chooses from the outcomes of a league, in the order in which they are added."""

    def __init__(self) -> None:
        self.faults: list[tuple[Outcome, Fault]] = []
        self._kinds = Counter[tuple[str, FaultKind]]()
        self._first: Outcome | None = None
        self._last: Outcome | None = None
        self._close: list[tuple[tuple[int, int, int], Outcome]] = []
        self._count = 0

    def add(self, outcome: Outcome) -> None:
        """Consider one more outcome."""
        self._first = self._first or outcome
        self._last = outcome
        for fault in outcome.faults:
            kind = outcome.seats[fault.seat], fault.kind
            self._kinds[kind] += 1
            if self._kinds[kind] <= SAME and len(self.faults) < MOST:
                self.faults.append((outcome, fault))
        if not outcome.forfeited and outcome.deals:
            self._compare(outcome)

    def _compare(self, outcome: Outcome) -> None:
        """Keep a match if it is one of the closest; of those alike, the earlier one."""
        best, second, *_, worst = *sorted(outcome.totals)[:2], max(outcome.totals)
        self._count += 1
        entry = (best - second, best - worst, -self._count), outcome
        if len(self._close) < CLOSE:
            heapq.heappush(self._close, entry)
        else:
            heapq.heappushpop(self._close, entry)

    @property
    def chosen(self) -> tuple[Chosen, ...]:
        """The first match and the last, the closest, and one for each bot's kind of fault."""
        ends = [(self._first, "first"), (self._last, "last")]
        close = [(outcome, "close") for _, outcome in sorted(self._close, reverse=True)]
        reasons = [Chosen(outcome, why) for outcome, why in ends + close if outcome]
        told = set[tuple[str, FaultKind]]()
        for outcome, fault in self.faults:
            kind = outcome.seats[fault.seat], fault.kind
            if kind not in told:
                told.add(kind)
                reasons.append(Chosen(outcome, "fault", fault))
        found = dict[str, Chosen]()
        for chosen in reasons:
            found.setdefault(chosen.outcome.match, chosen)
        return tuple(found.values())

"""The time limits of one seat in one match, with injected sources of both times.

Wall time is that of a monotonic clock. Processor time is that of all processes of the bot; it is
counted for the decision in which it is used, and apart from that while the bot is not asked:
exactly if limits depend on it.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from arena.model import Limits, Spent
from arena.play.spending import Spending

NO_LIMITS = Limits(0, 0, 0, 0)
"""What stands for limits, and is told of them, where there are none."""
OFF_TURN_SHARE = 0.1
"""Processor time that a bot may use while it is not asked, as a share of that time."""


class Taken(NamedTuple):
    """What a decision took: milliseconds, those of processor time (None where it is not measured),
    whether it was late, and which limit of processor time it broke, if any."""

    ms: float
    cpu: float | None
    late: bool
    excess: str


class Clock:
    """Time one seat's decisions: the first-move limit, the move limit, and the bank.

    ``now`` returns seconds of a monotonic clock, ``used`` the seconds of processor time that the
    bot has used, on ``cores`` of the machine at most. A decision may take its limit and, beyond it,
    what is left of the bank, which lasts for the whole match. Without limits nothing is ever late
    or too much. The match begins when the clock is made. ``asked`` and ``stopped`` are when the
    last decision began and ended.
    """

    def __init__(
        self,
        limits: Limits | None,
        now: Callable[[], float],
        used: Callable[[], float] | None = None,
        cores: int = 1,
    ) -> None:
        self._now = now
        self._limits = limits or NO_LIMITS
        self._metered = self._limits.metered
        self._bank = limits.bank / 1000 if limits else math.inf
        self._limit = self._limits.first_move / 1000
        self._move = self._limits.move / 1000
        self._cpu_limit = 0
        self.asked = 0.0
        self.stopped = now() if used else 0.0
        self._waiting = 0.0
        self._spending = Spending(used, self.stopped, exact=self._metered, cores=cores)

    @property
    def allowed_ms(self) -> int:
        """Milliseconds that the next decision may take, bank included; 0 for no limit."""
        allowed = self._limit + self._bank
        return 0 if math.isinf(allowed) else round(allowed * 1000)

    def start(self) -> float:
        """Begin to time a decision; return the moment at which it is late, in ``now``'s time."""
        self.asked = self._now()
        if self.asked > self._spending.due:
            self._spending.begin(self.asked)
            self.asked = self._now()
        self._waiting += self.asked - self.stopped
        return self.asked + self._limit + self._bank

    def stop(self) -> Taken:
        """End the decision and return what it took."""
        self.stopped = self._now()
        taken = self.stopped - self.asked
        cpu = None
        if taken > self._spending.long:
            cpu = self._spending.end(self.stopped, taken) * 1000
        else:
            self._spending.unread += taken
        over = taken - self._limit
        late = over > self._bank
        excess = self._excess(cpu or 0.0, 0.0) if self._metered else ""
        if over > 0:
            self._bank = max(self._bank - over, 0.0)
        self._limit = self._move
        self._cpu_limit = self._limits.cpu_move
        return Taken(taken * 1000, cpu, late, excess)

    def burning(self) -> str:
        """Return which limit of processor time the open decision has broken, empty if none."""
        if not self._metered:
            return ""
        open_ms = self._spending.open() * 1000
        return self._excess(open_ms, open_ms)

    def end(self) -> Spent | None:
        """End the match; return what was spent in it, None where that is not measured."""
        if not self._spending.known:
            return None
        self._spending.close()
        self._waiting += self._now() - self.stopped
        figures = (self._spending.on_turn, self._spending.off_turn, self._waiting)
        return Spent(*(round(seconds * 1000, 2) for seconds in figures))

    def _excess(self, decision: float, uncounted: float) -> str:
        """Return which limit is broken by a decision, in milliseconds of processor time."""
        most = self._limits.cpu_match
        match = (self._spending.on_turn + self._spending.off_turn) * 1000 + uncounted
        if self._cpu_limit and decision > self._cpu_limit:
            return f"used {decision:.1f} ms of processor time, cpu_move allows {self._cpu_limit} ms"
        if most and match > most:
            return f"used {match:.0f} ms of processor time in the match, cpu_match allows {most} ms"
        return self._pondered() if self._limits.off_turn == "fault" else ""

    def _pondered(self) -> str:
        """Return by how much the bot has used too much while it was not asked, empty if not."""
        used, waited = self._spending.off_turn * 1000, self._waiting * 1000
        allowed = self._limits.off_turn_ms + waited * OFF_TURN_SHARE
        if used <= allowed:
            return ""
        return (
            f"used {used:.0f} ms of processor time in the {waited:.0f} ms for which it was not "
            f"asked, off_turn allows {allowed:.0f} ms"
        )

"""The time limits of one seat in one match, with an injected time source."""

import math
from collections.abc import Callable

from arena.model import Limits


class Clock:
    """Time one seat's decisions: the first-move limit, the move limit, and the bank.

    ``now`` returns seconds of a monotonic clock. A decision may take its limit and, beyond it,
    what is left of the bank, which lasts for the whole match. Without limits nothing is ever late.
    """

    def __init__(self, limits: Limits | None, now: Callable[[], float]) -> None:
        self._now = now
        self._bank = limits.bank / 1000 if limits else math.inf
        self._limit = limits.first_move / 1000 if limits else 0.0
        self._move = limits.move / 1000 if limits else 0.0
        self._asked = 0.0

    @property
    def allowed_ms(self) -> int:
        """Milliseconds that the next decision may take, bank included; 0 for no limit."""
        allowed = self._limit + self._bank
        return 0 if math.isinf(allowed) else round(allowed * 1000)

    def start(self) -> float:
        """Begin to time a decision; return the moment at which it is late, in ``now``'s time."""
        self._asked = self._now()
        return self._asked + self._limit + self._bank

    def stop(self) -> tuple[float, bool]:
        """End the decision; return the milliseconds it took and whether it was late."""
        taken = self._now() - self._asked
        over = taken - self._limit
        late = over > self._bank
        self._bank -= min(max(over, 0.0), self._bank) if math.isfinite(self._bank) else 0.0
        self._limit = self._move
        return taken * 1000, late

"""The time for which the arena itself was awake: what limits of wall time are measured in."""

import time
from collections.abc import Callable

LOOK = 0.25
"""Seconds after which the arena looks at the time again while it waits for a bot."""
ASLEEP = 1.0
"""Seconds without a look after which it counts as having been stopped."""


class Awake:
    """A monotonic clock that stands still while the arena is stopped.

    That happens to all processes at once when a container is paused, a virtual machine is moved
    or a user stops them: when they go on, an answer that lies in the socket is not late. A machine
    that sleeps has no need of it, its monotonic clock sleeps too.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen = now()
        self._lost = 0.0

    def __call__(self) -> float:
        """Return the seconds of a monotonic clock, without those in which nobody could call."""
        now = self._now()
        gap = now - self._seen
        if gap > ASLEEP:
            self._lost += gap - LOOK
        self._seen = now
        return now - self._lost

    def leave_out(self, seconds: float) -> None:
        """Leave out a time that the arena has taken for something of its own."""
        self._seen = self._now()
        self._lost += seconds

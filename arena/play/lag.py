"""The arena's own part in the time of a match: its work, and its waits for a processor.

A frame that is there before the arena looks at it cannot be seen. What can be is how long threads
of this process were ready to run while others had the processor: the kernel counts that.
"""

import contextlib
import os
from collections.abc import Callable

from arena.model import Lag

FRESH_SECONDS = 0.01
"""How old a reading of waits may be."""
LONG_SECONDS = 0.001
"""A decision in less has had no wait that matters."""


class Waits:
    """Reads for how long the threads of this process have waited for a processor."""

    def __init__(self) -> None:
        """Open what the kernel tells of the threads that there are now."""
        self._files: list[int] = []
        with contextlib.suppress(OSError):
            for thread in os.listdir("/proc/self/task"):
                path = f"/proc/self/task/{thread}/schedstat"
                self._files.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))

    def reader(self) -> Callable[[], float] | None:
        """Return what reads the seconds waited by all together; None where nothing is told."""
        return self._read if self._files else None

    def _read(self) -> float:
        waited = 0
        for file in self._files:
            with contextlib.suppress(OSError):
                waited += int(os.pread(file, 64, 0).split()[1])
        return waited / 1e9

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())


class Stopwatch:
    """Takes the lag of one match: between decisions and during them.

    ``waited`` returns the seconds for which the arena has waited for a processor; it is read as
    often as something can come of it. All times are seconds, moments those of one clock.
    """

    def __init__(self, waited: Callable[[], float] | None) -> None:
        self._waited = waited
        self._begun = self._seen = waited() if waited else 0.0
        self._seen_at = 0.0
        self._answered = 0.0
        self._decisions = 0
        self._work = self._longest_work = self._longest_wait = 0.0

    def after(self, asked: float, answered: float) -> None:
        """A question was asked, and something came of it."""
        self._decisions += 1
        if self._answered:
            work = asked - self._answered
            self._work += work
            if work > self._longest_work:
                self._longest_work = work
        self._answered = answered
        taken = answered - asked
        if self._waited and (taken > LONG_SECONDS or answered - self._seen_at > FRESH_SECONDS):
            seen, self._seen, self._seen_at = self._seen, self._waited(), answered
            if taken > LONG_SECONDS:
                self._longest_wait = max(self._longest_wait, min(self._seen - seen, taken))

    def skip(self) -> None:
        """What is done until the next question is not of the arena's usual work."""
        self._answered = 0.0

    def end(self) -> Lag | None:
        """Return the lag of the match, None if nothing was asked in it."""
        if not self._decisions:
            return None
        return Lag(
            self._decisions,
            _ms(self._work),
            _ms(self._longest_work),
            _ms(self._waited() - self._begun) if self._waited else None,
            _ms(self._longest_wait) if self._waited else None,
        )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)

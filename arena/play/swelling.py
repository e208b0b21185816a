"""A message without end: libzmq keeps its frames until the last has come, without a bound.

What bounds it is the memory of this process. When that has grown by much, the bot is looked for
without which it stops growing.
"""

import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable

from arena.play.process import BotProcess

ROOM = 256 << 20
"""Bytes by which this process may grow before anybody is suspected."""
STEP = 512 << 10
"""Bytes that a sender of such a message sends at least in ``LOOK_SECONDS``."""
LOOK_SECONDS = 0.03
_UNIT = 1 if sys.platform == "darwin" else 1024


class Swelling:
    """Ends bots that make this process swell; ``processes`` returns those to be suspected."""

    def __init__(self, processes: Callable[[], Iterable[BotProcess]]) -> None:
        self._processes = processes
        self._bound = _peak() + ROOM

    def look(self) -> None:
        """Find out, if this process has grown by much, which bot it was, and end it."""
        if _peak() < self._bound:
            return
        for process in self._processes():
            if _feeds(process):
                process.kill("it sent a message without end")
        self._bound = _peak() + ROOM


def _feeds(process: BotProcess) -> bool:
    """Return whether this process grows, does not while the bot is stopped, and does after it."""
    if not _grows():
        return False
    process.signal(signal.SIGSTOP)
    try:
        time.sleep(LOOK_SECONDS)
        still = _grows()
    finally:
        process.signal(signal.SIGCONT)
    return not still and _grows()


def _grows() -> bool:
    before = _peak()
    time.sleep(LOOK_SECONDS)
    return _peak() > before + STEP


def _peak() -> int:
    """Return the most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

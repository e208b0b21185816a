"""A message without end: libzmq keeps its frames until the last has come, without a bound.

What bounds it is the memory of this process. When that has grown by much, the bot is looked for
without which it stops growing. If none is found, bots are asked while all others are stopped, and
each answers for what this process grows by meanwhile.
"""

import contextlib
import resource
import secrets
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.play.awake import Awake
from arena.play.process import BotProcess

ROOM = 256 << 20
"""Bytes by which this process may grow before anybody is suspected."""
SHARE = 32 << 20
"""Bytes by which it may grow then while one bot is asked, in all."""
STEP = 512 << 10
"""Bytes that a sender of such a message sends at least in ``LOOK_SECONDS``."""
LOOK_SECONDS = 0.03
STOPS = 8
"""Times at which a bot is stopped or not, at random: others cannot send just as if they were it."""
SETTLE_SECONDS = 0.002
"""How long this process does not grow before nothing more is on its way."""
SETTLES = 50
"""How often that is waited for."""
_UNIT = 1 if sys.platform == "darwin" else 1024


class Swelling:
    """Ends bots that make this process swell.

    ``processes`` returns those to be suspected, ``awake`` is the clock of their limits.
    """

    def __init__(self, processes: Callable[[], Iterable[BotProcess]], awake: Awake) -> None:
        _forget_peak()
        self._processes = processes
        self._awake = awake
        self._bound = _peak() + ROOM
        self._wary = False
        self._grown: defaultdict[int, int] = defaultdict(int)
        self._asked: BotProcess | None = None
        self._others: list[BotProcess] = []
        self._before = 0

    def look(self) -> None:
        """Find out, if this process has grown by much, which bot it was, and end it."""
        if self._asked:
            self._charge(self._asked)
        elif _peak() >= self._bound:
            begun = time.monotonic()
            guilty = [process for process in self._processes() if _feeds(process)]
            self._settle(guilty)
            self._awake.leave_out(time.monotonic() - begun)

    def begin(self, process: BotProcess) -> None:
        """A bot is about to be asked: stop all others, if one of the bots has to be found."""
        if not self._wary:
            return
        self._others = [other for other in self._processes() if other is not process]
        for other in self._others:
            other.signal(signal.SIGSTOP)
        if _settles():
            self._asked, self._before = process, _peak()

    def end(self) -> None:
        """The bot has been asked."""
        if self._asked:
            self._charge(self._asked)
            self._asked = None
        while self._others:
            self._others.pop().signal(signal.SIGCONT)

    def _charge(self, process: BotProcess) -> None:
        peak = _peak()
        self._grown[process.pid] += peak - self._before
        self._before = peak
        if self._grown[process.pid] > SHARE:
            self._grown.clear()
            self._settle([process])

    def _settle(self, guilty: Iterable[BotProcess]) -> None:
        """End the bots that were found; if there are none, be wary from now on."""
        self._wary = True
        for process in guilty:
            process.kill("it sent a message without end")
            self._wary = False
        self._bound = _peak() + ROOM


def _feeds(process: BotProcess) -> bool:
    """Return whether this process grows just when the bot is not stopped."""
    if not _grows():
        return False
    runs = [secrets.choice((True, False)) for _ in range(STOPS)]
    try:
        for running in (False, *runs, True):
            process.signal(signal.SIGCONT if running else signal.SIGSTOP)
            if _grows() is not running:
                return False
    finally:
        process.signal(signal.SIGCONT)
    return True


def _grows(seconds: float = LOOK_SECONDS, step: int = STEP) -> bool:
    before = _peak()
    time.sleep(seconds)
    return _peak() > before + step


def _settles() -> bool:
    """Wait until what stopped bots had sent is here; return False if it does not end."""
    return any(not _grows(SETTLE_SECONDS, 0) for _ in range(SETTLES))


def _forget_peak() -> None:
    """Let the peak be what is held now: a process that held more before would not seem to grow.
    Linux can do that, elsewhere the peak stays."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """Return the most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

"""End a run by a signal or after a time: one descriptor that becomes readable."""

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType

from arena.errors import Interrupted

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Whether a run is to end, and why; ``descriptor`` is readable once it is."""

    def __init__(self, descriptor: int, write_end: int) -> None:
        self.descriptor = descriptor
        self.signal: signal.Signals | None = None
        self.time_over = False
        self._write_end = write_end

    @property
    def asked(self) -> bool:
        """Whether the run is to end."""
        return self.signal is not None or self.time_over

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Take a signal: ask the run to end."""
        if number == signal.SIGALRM:
            self.time_over = True
        else:
            self.signal = signal.Signals(number)
        with contextlib.suppress(BlockingIOError):
            os.write(self._write_end, b"x")

    def interrupt(self) -> None:
        """Raise Interrupted, which says what ends the run."""
        raise Interrupted(f"stopped by {self.signal.name}" if self.signal else "stopped")


@contextlib.contextmanager
def stopping(seconds: float | None) -> Iterator[Stop]:
    """Take over SIGINT, SIGTERM and SIGHUP, and end the run after ``seconds`` if given.

    A signal that was ignored before, as SIGHUP under nohup, stays ignored.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    stop = Stop(read_end, write_end)
    taken = [s for s in SIGNALS if signal.getsignal(s) is not signal.SIG_IGN]
    before = {s: signal.signal(s, stop.handle) for s in [*taken, signal.SIGALRM]}
    if seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield stop
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(read_end)
        os.close(write_end)

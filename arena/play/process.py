"""A bot as a process: start it, notice that it has ended, stop it with all its children."""

import contextlib
import errno
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence

from arena.errors import BotError
from arena.model import Entrant
from arena.play.cell import Cell
from arena.play.launcher import Forked, Launcher
from arena.play.log import BotLog
from arena.play.meter import Meter, can_measure
from arena.play.zygote import peek

BYE_SECONDS = 0.8
"""How long a bot has to exit by itself after ``bye``."""
TERM_SECONDS = 0.3
"""How long it has after SIGTERM, before SIGKILL."""
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""Errors that say that this machine has run out of something."""


class BotProcess:
    """A running bot in a session and process group of its own.

    Its standard input is a pipe that nobody writes to, so its end tells the bot that the arena is
    gone; its output goes to a log file.
    """

    def __init__(
        self,
        entrant: Entrant,
        environment: Mapping[str, str],
        log: BotLog,
        cell: Cell | None = None,
        *,
        inherited: Sequence[int] = (),
        launcher: Launcher | None = None,
    ) -> None:
        """Start the bot in a cell of its own, by default one without walls, by a fork of the
        ``launcher`` if it has asked for that and the cell allows it.

        It gets the ``inherited`` descriptors. Raise BotError when its command cannot be run, and
        OSError when this machine has no descriptors, memory or processes left, which is no fault
        of the bot. The cell is closed then, and by ``reap``.
        """
        self.log = log
        self._meter: Meter | None = None
        self._verdict = ""
        self._cell = cell or Cell(entrant)
        self._popen: subprocess.Popen[bytes] | Forked
        try:
            self._start(entrant, environment, inherited, launcher)
        except BaseException:
            self._cell.close()
            raise

    def _start(
        self,
        entrant: Entrant,
        environment: Mapping[str, str],
        inherited: Sequence[int],
        launcher: Launcher | None,
    ) -> None:
        environment = self._cell.environment() | dict(environment)
        confinement = self._cell.confinement()
        if confinement and launcher and launcher.launches(entrant) and _has_pidfd():
            self._popen = launcher.start(entrant, environment, self.log.descriptor, confinement)
            read_end = None
        else:
            self._popen, read_end = self._spawn(entrant.folder, environment, inherited)
        self._cell.started()
        self.pid = self._popen.pid
        self.watch = os.pidfd_open(self.pid) if read_end is None else read_end
        """A descriptor that becomes readable when the process has ended."""

    def _spawn(
        self, folder: str, environment: Mapping[str, str], inherited: Sequence[int]
    ) -> tuple[subprocess.Popen[bytes], int | None]:
        """Return the process, and without descriptors of processes the end of a pipe that it
        keeps open."""
        command = self._cell.command()
        read_end, write_end = (None, None) if _has_pidfd() else os.pipe()
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=self.log.descriptor,
                stderr=self.log.descriptor,
                start_new_session=True,
                pass_fds=(
                    *self._cell.descriptors,
                    *inherited,
                    *(() if write_end is None else (write_end,)),
                ),
            )
        except OSError as error:
            _close(read_end)
            if error.errno in EXHAUSTED:
                raise
            raise BotError(f"cannot be started: {error}") from error
        finally:
            _close(write_end)
        return process, read_end

    def ending(self) -> str | None:
        """Return how the process ended, None while it runs; its id stays taken until ``reap``."""
        code = self._popen.returncode
        if code is None and hasattr(os, "waitid") and isinstance(self._popen, subprocess.Popen):
            code = peek(self.pid)
        elif code is None:
            code = self._popen.poll()
        return None if code is None else self._cell.ending(code) + self._verdict

    @property
    def lost(self) -> bool:
        """Whether the process, which ``ending`` says has ended, did so with what it was forked
        from, and by no doing of its own."""
        return isinstance(self._popen, Forked) and self._popen.lost

    def close_stdin(self) -> None:
        """Tell the bot by the end of its standard input that it should exit."""
        if self._popen.stdin:
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the bot and to all processes of its group."""
        self._cell.signal(self.pid, number)

    def meter(self, *, exact: bool) -> Meter | None:
        """Return what measures the processor time of the process, None where nothing can.

        What is asked for first counts: an exact one costs more.
        """
        if self._meter is None and can_measure():
            self._meter = self._cell.meter(self.pid, exact=exact)
        return self._meter

    def kill(self, reason: str) -> None:
        """End the process at once; the reason is told with how it ended."""
        self._verdict = f"; {reason}"
        self.signal(signal.SIGKILL)

    def look(self) -> None:
        """Keep the process within its limits; to be called now and then."""
        self.log.trim()
        self._cell.watch(self.pid)
        if self._meter:
            self._meter.look()

    def reap(self) -> None:
        """End what is left of the process and of its cell, and free all descriptors."""
        self.signal(signal.SIGKILL)
        self.close_stdin()
        self._popen.wait()
        _close(self.watch)
        self.log.close()
        if self._meter:
            self._meter.close()
        self._cell.close()


def stop_all(processes: Iterable[BotProcess], bye_seconds: float = BYE_SECONDS) -> None:
    """Stop processes together: end of input, then SIGTERM, then SIGKILL; then reap them all.

    The input ends halfway through the time to go: at once, it would overtake the last messages.
    """
    group = list(processes)
    hearing = min(bye_seconds, BYE_SECONDS) / 2
    alive = wait(group, hearing)
    for process in alive:
        process.close_stdin()
    alive = wait(alive, bye_seconds - hearing)
    for process in alive:
        process.signal(signal.SIGTERM)
        process.signal(signal.SIGCONT)
    for process in wait(alive, TERM_SECONDS):
        process.signal(signal.SIGKILL)
    for process in group:
        process.reap()


def wait(processes: Iterable[BotProcess], seconds: float) -> list[BotProcess]:
    """Wait until all have ended or the time is over; return those still running."""
    deadline = time.monotonic() + seconds
    alive = {process.watch: process for process in processes if process.ending() is None}
    poll = select.poll()
    for watch in alive:
        poll.register(watch, select.POLLIN)
    while alive and (left := deadline - time.monotonic()) > 0:
        for watch, _ in poll.poll(left * 1000):
            poll.unregister(watch)
            del alive[watch]
    return list(alive.values())


def _has_pidfd() -> bool:
    """Whether there are descriptors of processes here; Python may know them, the kernel not."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)

"""A bot as a process: start it, notice that it has ended, stop it with all its children."""

import contextlib
import errno
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping

from arena.errors import BotError
from arena.model import Entrant
from arena.play.log import BotLog

BYE_SECONDS = 0.8
"""How long a bot has to exit by itself after ``bye`` and the end of its standard input."""
TERM_SECONDS = 0.3
"""How long it has after SIGTERM, before SIGKILL."""
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""Errors that say that this machine has run out of something."""


class BotProcess:
    """A running bot in a session and process group of its own.

    Its standard input is a pipe that nobody writes to, so its end tells the bot that the arena is
    gone; its output goes to a log file.
    """

    def __init__(self, entrant: Entrant, environment: Mapping[str, str], log: BotLog) -> None:
        """Start the bot; raise BotError when its command cannot be run, and OSError when this
        machine has no descriptors, memory or processes left, which is no fault of the bot."""
        self.log = log
        read_end, write_end = (None, None) if _has_pidfd() else os.pipe()
        try:
            self._popen = subprocess.Popen(
                entrant.command,
                cwd=entrant.folder,
                env=_clean_environment() | entrant.env | dict(environment),
                stdin=subprocess.PIPE,
                stdout=log.descriptor,
                stderr=log.descriptor,
                start_new_session=True,
                pass_fds=() if write_end is None else (write_end,),
            )
        except OSError as error:
            _close(read_end)
            if error.errno in EXHAUSTED:
                raise
            raise BotError(f"cannot be started: {error}") from error
        finally:
            _close(write_end)
        self.pid = self._popen.pid
        self.watch = os.pidfd_open(self.pid) if read_end is None else read_end
        """A descriptor that becomes readable when the process has ended."""

    def ending(self) -> str | None:
        """Return how the process ended, None while it runs; its id stays taken until ``reap``."""
        code = self._popen.returncode
        if code is None and hasattr(os, "waitid"):
            code = _peek(self.pid)
        elif code is None:
            code = self._popen.poll()
        return None if code is None else exit_text(code)

    def close_stdin(self) -> None:
        """Tell the bot by the end of its standard input that it should exit."""
        if self._popen.stdin:
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the bot and to all processes of its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def reap(self) -> None:
        """End what is left of the group and free all descriptors."""
        self.signal(signal.SIGKILL)
        self.close_stdin()
        self._popen.wait()
        _close(self.watch)
        self.log.close()


def _peek(pid: int) -> int | None:
    """Return the return code of a child that has ended, without reaping it."""
    result = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if result is None:
        return None
    return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status


def exit_text(code: int) -> str:
    """Return how a process ended, in words, from the return code of ``subprocess``."""
    if code >= 0:
        return f"exited with status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def stop_all(processes: Iterable[BotProcess], bye_seconds: float = BYE_SECONDS) -> None:
    """Stop processes at once: end of input, then SIGTERM, then SIGKILL; then reap them all."""
    group = list(processes)
    for process in group:
        process.close_stdin()
    alive = _wait(group, bye_seconds)
    for process in alive:
        process.signal(signal.SIGTERM)
        process.signal(signal.SIGCONT)
    for process in _wait(alive, TERM_SECONDS):
        process.signal(signal.SIGKILL)
    for process in group:
        process.reap()


def _wait(processes: Iterable[BotProcess], seconds: float) -> list[BotProcess]:
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


def _clean_environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return own | {"PYTHONUNBUFFERED": "1"}


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

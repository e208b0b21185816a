"""A worker process as those see it who started it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

from arena.league.executors import _messages as wire
from arena.league.executors.base import Event
from arena.model import Fixture
from arena.play import cgroup, wary

STOP_SECONDS = 1.6
"""How long workers have to stop their bots before all of them are killed."""
QUICK_SECONDS = 1.0
"""A worker whose matches are shorter than this has its next one waiting."""
_LOG_END = 1 << 14
"""Bytes of the end of a log in which its last lines are looked for."""
_PROGRAM = "arena.league.executors._worker"


class Worker:
    """A worker process with one table, and the fixtures that it has been given."""

    def __init__(self, setup: wire.Setup) -> None:
        self.label = setup.label
        self.fixtures: deque[Fixture] = deque()
        self._bots: tuple[int, ...] = ()
        self._since = time.monotonic()
        self._quick = False
        self._log = Path(setup.logs) / f"worker-{setup.label}.log"
        self._log.parent.mkdir(parents=True, exist_ok=True)
        self.pipe, theirs = Pipe()
        with _appended(self._log) as log:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", _PROGRAM, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        theirs.close()
        self._send(setup)

    @property
    def room(self) -> int:
        """How many more fixtures the worker should have at hand."""
        return (2 if self._quick else 1) - len(self.fixtures)

    def assign(self, fixture: Fixture, suspended: tuple[str, ...]) -> None:
        if not self.fixtures:
            self._since = time.monotonic()
        self.fixtures.append(fixture)
        self._send(wire.Play(fixture, suspended))

    def read(self) -> Event:
        """Return what the worker reports; raise EOFError when it is gone."""
        report = wire.decode_report(self.pipe.recv_bytes())
        if isinstance(report, wire.Running):
            self._bots = report.pids
            return None
        self.fixtures.popleft()
        now = time.monotonic()
        self._quick = now - self._since < QUICK_SECONDS
        self._since = now
        return report.result if isinstance(report, wire.Finished) else report.void

    def wake(self) -> None:
        """Let the worker go on where somebody, such as a bot, has stopped it."""
        self._popen.send_signal(signal.SIGCONT)

    def dismiss(self) -> None:
        """Ask the worker to end, by the end of its orders; what it reports can still be read."""
        with socket.socket(fileno=os.dup(self.pipe.fileno())) as end, contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_WR)

    def join(self, seconds: float) -> None:
        """Wait for the worker to end; kill it and its bots when it does not, or not well."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(max(seconds, 0))
        if self._popen.returncode != 0:
            self.kill()
        self.pipe.close()
        with contextlib.suppress(OSError):
            if self._log.stat().st_size == 0:
                self._log.unlink()

    def kill(self) -> str:
        """Kill the worker and its bots; return how it ended, with its last lines."""
        self._popen.kill()
        code = self._popen.wait()
        self._read_last_reports()
        for pid in self._bots:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        cgroup.end_groups_of(self._popen.pid)
        last = []
        with contextlib.suppress(OSError), wary.opened(self._log) as log:
            os.lseek(log, -min(_LOG_END, os.fstat(log).st_size), os.SEEK_END)
            last = os.read(log, _LOG_END).decode("utf-8", "replace").splitlines()[-20:]
        return "\n".join([f"worker {self.label} ended with code {code}", *last])

    def _read_last_reports(self) -> None:
        """Learn which bots a worker that is gone had started, up to the end of its pipe."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                report = wire.decode_report(self.pipe.recv_bytes())
                if isinstance(report, wire.Running):
                    self._bots = report.pids

    def _send(self, order: wire.ToWorker) -> None:
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(wire.encode(order))


@contextlib.contextmanager
def _appended(path: Path) -> Iterator[int]:
    """Open a log to append to it; whatever else a bot has put there is replaced."""
    flags = os.O_WRONLY | os.O_APPEND
    with contextlib.ExitStack() as held:
        try:
            file = held.enter_context(wary.opened(path, flags | os.O_CREAT))
        except OSError:
            file = wary.create(path, flags)
            held.callback(os.close, file)
        yield file

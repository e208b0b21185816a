"""Play fixtures on this machine: one worker process a core, each with one table."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

from arena.league import places
from arena.league.executors import _messages as wire
from arena.league.executors.base import TICK_SECONDS, Event, Job
from arena.model import Fixture, Void
from arena.play import cgroup
from arena.play.meter import available_cores

STOP_SECONDS = 1.6
"""How long workers have to stop their bots before all of them are killed."""
QUICK_SECONDS = 1.0
"""A worker whose matches are shorter than this has its next one waiting."""


class _Worker:
    """A worker process as the runner sees it."""

    def __init__(self, setup: wire.Setup) -> None:
        self.label = setup.label
        self.fixtures: deque[Fixture] = deque()
        self._bots: tuple[int, ...] = ()
        self._since = time.monotonic()
        self._quick = False
        self._log = Path(setup.logs) / f"worker-{setup.label}.log"
        self._log.parent.mkdir(parents=True, exist_ok=True)
        self.pipe, theirs = Pipe()
        with self._log.open("ab") as log:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", _WORKER, str(theirs.fileno())],
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
        with contextlib.suppress(OSError):
            last = self._log.read_text("utf-8", "replace").splitlines()[-20:]
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


_WORKER = "arena.league.executors._worker"


class _Session:
    """Workers that live as long as the league."""

    def __init__(self, job: Job, cores: list[int | None]) -> None:
        self._job = job
        self._woken = time.monotonic()
        self._workers = {}
        for number, core in enumerate(cores):
            worker = _Worker(self._setup(str(number), core))
            self._workers[worker.pipe] = worker
        self._cores = dict(zip((str(n) for n in range(len(cores))), cores, strict=True))

    def _setup(self, label: str, core: int | None) -> wire.Setup:
        league = self._job.league
        return wire.Setup(
            terms=league.terms,
            entrants=league.entrants,
            sockets=str(self._job.sockets),
            logs=str(self._job.logs),
            label=label,
            core=core,
        )

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Event]:
        """Play fixtures until there are no more or ``stop`` is readable."""
        coming = iter(fixtures)
        again: deque[Fixture] = deque()
        while True:
            self._assign(coming, again)
            busy = [worker.pipe for worker in self._workers.values() if worker.fixtures]
            if not busy:
                return
            ready = wait([*busy, self._job.stop], TICK_SECONDS)
            if self._job.stop in ready:
                return
            self._wake()
            if not ready:
                yield None
            for pipe in ready:
                assert isinstance(pipe, Connection)
                event = self._read(self._workers[pipe], again)
                if event:
                    self._assign(coming, again)
                    yield event

    def _wake(self) -> None:
        """Wake all workers now and then, however busy some of them keep this process."""
        now = time.monotonic()
        if now >= self._woken + TICK_SECONDS:
            self._woken = now
            for worker in self._workers.values():
                worker.wake()

    def _assign(self, coming: Iterator[Fixture], again: deque[Fixture]) -> None:
        """Give each worker what it has room for, first those that have nothing to do."""
        for worker in sorted(self._workers.values(), key=lambda worker: -worker.room):
            for _ in range(worker.room):
                fixture = again.popleft() if again else next(coming, None)
                if fixture is None:
                    return
                worker.assign(fixture, self._job.suspended())

    def _read(self, worker: _Worker, again: deque[Fixture]) -> Event:
        playing = worker.fixtures[0]
        try:
            event = worker.read()
        except (EOFError, OSError):
            event = Void(playing.id, worker.kill())
            again.extend(worker.fixtures)
            del self._workers[worker.pipe]
            worker.pipe.close()
            successor = _Worker(self._setup(worker.label, self._cores[worker.label]))
            self._workers[successor.pipe] = successor
            return event
        if isinstance(event, Void):
            again.append(playing)
        return event

    def close(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        for worker in self._workers.values():
            worker.dismiss()
        for worker in self._workers.values():
            worker.join(deadline - time.monotonic())


class Local:
    """Worker processes on this machine, pinned to cores of their own where that is possible."""

    key = "local"

    @contextlib.contextmanager
    def open(self, job: Job) -> Iterator[_Session]:
        """Start the workers; on leaving, stop them and all their bots."""
        count = job.league.workers or available_cores()
        with places.cores(count, pin=job.league.pin) as (cores, notice):
            if notice:
                job.notice(notice)
            session = _Session(job, cores)
            try:
                yield session
            finally:
                session.close()


PLUGIN = Local()

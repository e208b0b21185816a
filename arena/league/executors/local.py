"""Play fixtures on this machine: one worker process a core, each with one table."""

import contextlib
import time
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait

from arena.errors import OptionError
from arena.league import places
from arena.league.executors import _messages as wire
from arena.league.executors._process import STOP_SECONDS, Worker
from arena.league.executors.base import TICK_SECONDS, Event, Job
from arena.model import Fixture, Void
from arena.play.meter import available_cores


class _Session:
    """Workers that live as long as the league."""

    def __init__(self, job: Job, cores: list[int | None]) -> None:
        self._job = job
        self._woken = time.monotonic()
        self._workers = {}
        for number, core in enumerate(cores):
            worker = Worker(self._setup(str(number), core))
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

    def _read(self, worker: Worker, again: deque[Fixture]) -> Event:
        playing = worker.fixtures[0]
        try:
            event = worker.read()
        except (EOFError, OSError):
            event = Void(playing.id, worker.kill())
            again.extend(worker.fixtures)
            del self._workers[worker.pipe]
            worker.pipe.close()
            successor = Worker(self._setup(worker.label, self._cores[worker.label]))
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
    elsewhere = False

    def check(self, scheduler: str) -> None:
        """Raise OptionError when there is a scheduler."""
        if scheduler:
            raise OptionError("scheduler", 'is of use to the executor "dask" alone')

    @contextlib.contextmanager
    def open(self, job: Job) -> Iterator[_Session]:
        """Start the workers, no more than matches; on leaving, stop them and all their bots."""
        count = min(job.league.workers or available_cores(), job.missing)
        with places.cores(count, pin=job.league.pin) as (cores, notice):
            if notice:
                job.notice(notice)
            session = _Session(job, cores)
            try:
                yield session
            finally:
                session.close()


PLUGIN = Local()

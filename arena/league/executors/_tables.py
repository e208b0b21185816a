"""The tables of a station: a worker process at each, and what it and its bots have printed."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from pathlib import Path

from msgspec import Struct

from arena.league.executors import _messages as wire
from arena.league.executors._process import STOP_SECONDS, Worker
from arena.league.executors.base import TICK_SECONDS
from arena.model import MatchResult, Void
from arena.play import wary
from arena.play.log import CAP, is_log_of

LOG_SECONDS = 5.0
"""How often what bots print travels to the runner, unless they are at fault."""


class Unwanted(Exception):
    """The runner holds on to this no longer."""


class Log(Struct, frozen=True):
    """A log file as it is now."""

    name: str
    data: bytes


class Played(Struct, frozen=True):
    """What came of a fixture, and how long it took; neither result nor void where the station is
    gone."""

    result: MatchResult | None = None
    void: Void | None = None
    seconds: float = 0.0
    logs: tuple[Log, ...] = ()


class Table:
    """A worker process with its logs; it is started when it is first needed, and anew after it
    died."""

    def __init__(self, setup: wire.Setup) -> None:
        self._setup = setup
        self._worker: Worker | None = None
        self._sent: dict[str, tuple[int, int]] = {}
        self._sent_at = 0.0

    def play(self, order: wire.Play, wanted: Callable[[], bool], end: int) -> Played:
        """Play a fixture; raise Unwanted, without a process left, when nobody waits for it."""
        worker = self._worker = self._worker or Worker(self._setup)
        worker.assign(order.fixture, order.suspended)
        begun, event = time.monotonic(), None
        while event is None:
            ready = wait([worker.pipe, end], TICK_SECONDS)
            if end in ready or not wanted():
                self.close()
                raise Unwanted
            worker.wake()
            if ready:
                try:
                    event = worker.read()
                except (EOFError, OSError):
                    event = Void(order.fixture.id, worker.kill())
                    worker.pipe.close()
                    self._worker = None
        if isinstance(event, Void):
            return Played(void=event, logs=self.logs())
        now = time.monotonic()
        due = event.outcome.faults or now >= self._sent_at + LOG_SECONDS
        return Played(event, seconds=now - begun, logs=self.logs() if due else ())

    def close(self) -> None:
        """Stop the process with its bots."""
        if self._worker:
            self._worker.dismiss()
            self._worker.join(STOP_SECONDS)
            self._worker = None

    def logs(self) -> tuple[Log, ...]:
        """Return the logs that have changed since they were last returned."""
        self._sent_at = time.monotonic()
        return tuple(self._changed())

    def _changed(self) -> Iterator[Log]:
        own = f"worker-{self._setup.label}.log"
        for path in sorted(Path(self._setup.logs).glob("*.log")):
            bots = self._setup.entrants
            if path.name != own and not any(is_log_of(bot.name, path.name) for bot in bots):
                continue  # a bot has put it there
            with contextlib.suppress(OSError), wary.opened(path) as file:
                status = os.fstat(file)
                state = (status.st_size, status.st_mtime_ns)
                if status.st_size and self._sent.get(path.name) != state:
                    self._sent[path.name] = state
                    yield Log(path.name, os.read(file, 2 * CAP))

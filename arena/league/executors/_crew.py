"""The workers of a dask scheduler as the runner sees them: who there is, who plays what.

All of it happens in one event loop, which runs only while the runner waits for an event.
"""

import asyncio
import contextlib
import os
import pkgutil
import secrets
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import msgspec
from distributed import Client, Future
from distributed.scheduler import KilledWorker

from arena import __version__
from arena.errors import ArenaError, ConfigError
from arena.league.executors import _messages as wire
from arena.league.executors import _station as station
from arena.league.executors._process import QUICK_SECONDS
from arena.league.executors._tables import Log, Played
from arena.league.executors.base import TICK_SECONDS, Event, Job
from arena.model import Fixture, Void
from arena.play import wary

LOOK_SECONDS = 0.5
"""How often the runner asks the scheduler for its workers."""
PATIENCE_SECONDS = 10.0
"""How long the scheduler has to answer."""
ABSENCE_SECONDS = 300.0
"""How long a run waits for a scheduler that is gone."""
CLOSE_SECONDS = 5.0
"""How long the workers have to stop their bots at the end."""
LOSSES = 5
"""A fixture that was lost with its worker so often is void: it may be what ends them."""

_LOST = (OSError, TimeoutError, CancelledError, KilledWorker)
"""What is raised where something was asked of a worker, or of a scheduler, that is gone."""
Connect = Callable[[], Awaitable[Client]]


class _Member:
    """A dask worker with a station of the run."""

    def __init__(self, address: str, tables: int, mark: Future[Any]) -> None:
        self.address = address
        self.mark = mark
        self.playing: dict[asyncio.Task[None], Fixture] = {}
        self._tables = tables
        self.quick = False

    @property
    def room(self) -> int:
        """How many more fixtures the worker should have at hand."""
        return self._tables * (2 if self.quick else 1) - len(self.playing)


class Crew:
    """The members of a run, and the fixtures that they play.

    ``archives`` holds the bots' files by digest. ``connect`` returns a connected client, and raises
    OSError when the scheduler cannot be reached.
    """

    def __init__(
        self, job: Job, setting: station.Setting, archives: Mapping[str, bytes], connect: Connect
    ) -> None:
        self._job = job
        self._setting = setting
        self._archives = archives
        self._connect = connect
        self._client: Client | None = None
        self._members: dict[str, _Member] = {}
        self._joining: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, str] = {}
        self._coming: Iterator[Fixture] = iter(())
        self._again: deque[Fixture] = deque()
        self._losses: Counter[str] = Counter()
        self._events: asyncio.Queue[Event | Exception] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._all_given = True
        self._stopped = False

    async def open(self) -> None:
        """Connect to the scheduler; raise OSError when that cannot be done."""
        self._client = await self._connect()
        asyncio.get_running_loop().add_reader(self._job.stop, self._stop)
        self._spawn(self._watch())

    async def close(self) -> None:
        """Stop all that is being played, everywhere, and leave the scheduler."""
        asyncio.get_running_loop().remove_reader(self._job.stop)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._dismiss(self._client), CLOSE_SECONDS)
            await _leave(self._client)

    async def begin(self, fixtures: Iterator[Fixture]) -> None:
        """Take over fixtures to be played."""
        self._coming, self._all_given = fixtures, False
        self._assign()

    async def event(self) -> tuple[bool, Event]:
        """Return whether more is to come, and what has happened, None for nothing in a while.

        Raise ConfigError when none of the workers can take part.
        """
        if self._events.empty() and self._all_given and not self._busy:
            return False, None
        with contextlib.suppress(TimeoutError):
            found = await asyncio.wait_for(self._events.get(), TICK_SECONDS)
            if isinstance(found, Exception):
                raise found
            return not self._stopped, None if self._stopped else found
        return not self._stopped, None

    @property
    def _busy(self) -> bool:
        return bool(self._again) or any(member.playing for member in self._members.values())

    def _stop(self) -> None:
        asyncio.get_running_loop().remove_reader(self._job.stop)
        self._stopped = True
        self._events.put_nowait(None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._events.put_nowait(error)

    async def _watch(self) -> None:
        """Keep up with who there is; find the scheduler again when it is gone."""
        told = False
        while True:
            threads = await self._threads()
            if threads is None:
                await self._reconnect()
                continue
            if not threads and not told:
                self._job.notice("the scheduler has no workers yet; waiting for some")
            told = told or not threads
            self._update(threads)
            await asyncio.sleep(LOOK_SECONDS)

    async def _threads(self) -> Mapping[str, int] | None:
        """Return the threads of all workers by address, None when the scheduler is gone."""
        assert self._client
        if self._client.status != "running":
            return None
        try:
            return dict(await asyncio.wait_for(self._client.nthreads(), PATIENCE_SECONDS))
        except (OSError, TimeoutError):
            return None

    async def _reconnect(self) -> None:
        self._job.notice("the scheduler is gone; waiting for it")
        assert self._client
        for address in [*self._members, *self._joining]:
            self._drop(address, lost=False)
        self._refused.clear()
        await _leave(self._client)
        deadline = time.monotonic() + ABSENCE_SECONDS
        while True:
            try:
                self._client = await self._connect()
            except OSError:
                if time.monotonic() > deadline:
                    raise ArenaError(
                        f"the scheduler has been gone for {ABSENCE_SECONDS:.0f} s; "
                        "what was played is in the journal, the same command goes on"
                    ) from None
                await asyncio.sleep(LOOK_SECONDS)
            else:
                self._job.notice("the scheduler is there again")
                return

    def _update(self, threads: Mapping[str, int]) -> None:
        for address in [a for a in (*self._members, *self._joining) if a not in threads]:
            self._drop(address, lost=True)
        self._refused = {a: why for a, why in self._refused.items() if a in threads}
        for address, count in threads.items():
            if address not in {*self._members, *self._joining, *self._refused}:
                self._joining[address] = self._spawn(self._join(address, count))

    def _drop(self, address: str, *, lost: bool) -> None:
        """Go on without a worker; what it was playing is played elsewhere."""
        if joining := self._joining.pop(address, None):
            joining.cancel()
        member = self._members.pop(address, None)
        if not member:
            return
        for task, fixture in member.playing.items():
            if task is not asyncio.current_task():
                task.cancel()
            self._again.append(fixture)
            self._losses[fixture.id] += lost
            if self._losses[fixture.id] >= LOSSES:
                del self._losses[fixture.id]
                reason = f"{LOSSES} workers were lost while they played it, {address} the last"
                self._events.put_nowait(Void(fixture.id, reason))
        if lost:
            count = len(member.playing)
            matches = "1 match is" if count == 1 else f"{count} matches are"
            self._job.notice(f"worker {address} is gone; {matches} played elsewhere")
        member.playing.clear()
        member.mark.release()
        self._assign()

    async def _join(self, address: str, tables: int) -> None:
        """Make a dask worker a member, or refuse it."""
        try:
            why_not = await self._version_fault(address)
            if not why_not:
                why_not = await self._set_up(address, tables)
        except _LOST:
            why_not = ""
        self._joining.pop(address, None)
        if why_not:
            self._refused[address] = why_not
            self._job.notice(f"worker {address} cannot take part: {why_not}")
            if not self._members and not self._joining:
                raise ConfigError(f"none of the workers can take part; {address}: {why_not}")

    async def _version_fault(self, address: str) -> str:
        """Return why the arena of a worker is none for this one, empty if it is the same."""
        try:
            version = await self._ask(address, pkgutil.resolve_name, "arena:__version__")
        except (ImportError, AttributeError) as error:
            return f"it has no arena to import ({error}); install arena {__version__} there"
        if version == __version__:
            return ""
        return f"it has arena {version}, and this is arena {__version__}; install the same"

    async def _set_up(self, address: str, tables: int) -> str:
        """Set up the station of a worker; return why that cannot be done, empty if it was."""
        setting = station.encode(msgspec.structs.replace(self._setting, tables=tables))
        archives: dict[str, bytes] = {}
        while True:
            mark = self._submit(address, station.prepare, setting, archives)
            prepared = station.decode_prepared(await mark)
            if not prepared.missing:
                break
            mark.release()
            archives = {digest: self._archives[digest] for digest in prepared.missing}
        if prepared.unfit:
            return prepared.unfit
        for notice in prepared.notices:
            self._job.notice(f"worker {address}: {notice}")
        self._members[address] = _Member(address, tables, mark)
        self._assign()
        return ""

    def _assign(self) -> None:
        """Give each member what it has room for, first those that have nothing to do."""
        for member in sorted(self._members.values(), key=lambda member: -member.room):
            for _ in range(member.room):
                fixture = self._again.popleft() if self._again else next(self._coming, None)
                if fixture is None:
                    self._all_given = True
                    return
                task = self._spawn(self._play(member, fixture))
                member.playing[task] = fixture

    async def _play(self, member: _Member, fixture: Fixture) -> None:
        """Have a fixture played by a member; drop it where it cannot be reached any more."""
        order = station.encode(wire.Play(fixture, self._job.suspended()))
        try:
            answer = await self._ask(member.address, station.play, member.mark.key, order)
            played = station.decode_played(answer)
        except _LOST:
            played = Played()
        event = played.result or played.void
        if event is None:
            self._drop(member.address, lost=False)
            return
        member.playing = {t: f for t, f in member.playing.items() if f is not fixture}
        member.quick = played.seconds < QUICK_SECONDS
        self._keep(played.logs)
        if played.void:
            self._again.append(fixture)
        self._assign()
        self._events.put_nowait(event)

    def _submit(self, address: str, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Have a function called by one worker and no other."""
        assert self._client
        key = f"arena-{secrets.token_hex(6)}"
        return self._client.submit(
            function, *args, key=key, workers=[address], allow_other_workers=False, pure=False
        )

    async def _ask(self, address: str, function: Callable[..., Any], *args: Any) -> Any:
        """Return what a function returns when it is called by a worker."""
        future = self._submit(address, function, *args)
        try:
            return await future
        finally:
            future.release()

    async def _dismiss(self, client: Client) -> None:
        """Close all stations, and keep the logs of bots that have not travelled yet."""
        marks = [str(member.mark.key) for member in self._members.values()]
        answers = await client.run(
            station.dismiss, marks, workers=list(self._members), on_error="ignore"
        )
        for logs in answers.values():
            self._keep(station.decode_log(log) for log in logs)

    def _keep(self, logs: Iterable[Log]) -> None:
        for log in logs:
            self._job.logs.mkdir(exist_ok=True)
            path = self._job.logs / Path(log.name).name
            if path.suffix != ".log":
                continue
            with os.fdopen(wary.create(path), "wb") as file:
                file.write(log.data)


async def _leave(client: Client) -> None:
    with contextlib.suppress(Exception):
        await asyncio.wait_for(client.close(), CLOSE_SECONDS)

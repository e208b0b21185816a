"""What the dask executor has its workers do: keep a station for a run, and play fixtures at it.

A station has the bots of a league, built, and worker processes with a table each, as many as the
dask worker has threads. It lives as long as its mark: the task that set it up, which dask keeps as
long as the runner holds on to it, and drops when the runner, or the scheduler, is gone.
"""

import asyncio
import contextlib
import functools
import os
import queue
import tarfile
import threading
import time
import traceback
from collections.abc import Callable, Collection

import msgspec
from distributed import Worker as DaskWorker
from distributed import get_worker
from msgspec import Struct

from arena import plugins
from arena.errors import ArenaError, BuildError
from arena.league import places
from arena.league.executors import _messages as wire
from arena.league.executors._parcels import Parcel, Unfit, arrived, unpack
from arena.league.executors._tables import Log, Played, Table, Unwanted
from arena.league.executors.base import TICK_SECONDS
from arena.model import Entrant, Terms, Void
from arena.play.build import build
from arena.play.interrupt import Interrupt
from arena.play.meter import check_measurable
from arena.play.sandbox import settled

_WANTED = frozenset({"executing", "long-running", "memory"})
_LEAVING = frozenset({"stopping", "stopped", "closing", "closed", "failed"})


class Setting(Struct, frozen=True):
    """What a station has to know: how many ``tables`` it has, and what is played at them."""

    terms: Terms
    pin: bool
    tables: int
    parcels: tuple[Parcel, ...]


class Prepared(Struct, frozen=True):
    """How setting up a station went: what archives are ``missing``, or why the machine is
    ``unfit``; it is ready where there is neither."""

    missing: tuple[str, ...] = ()
    unfit: str = ""
    notices: tuple[str, ...] = ()


encode = msgspec.msgpack.Encoder().encode
decode_prepared = msgspec.msgpack.Decoder(Prepared).decode
decode_log = msgspec.msgpack.Decoder(Log).decode
decode_played = msgspec.msgpack.Decoder(Played).decode
_decode_setting = msgspec.msgpack.Decoder(Setting).decode
_decode_play = msgspec.msgpack.Decoder(wire.Play).decode

_stations: dict[str, "_Station"] = {}
"""The stations of this process by mark: tasks of dask have no other place to meet."""


class _Missing(Exception):
    """An archive is neither here nor came along; the text is its digest."""


class _Attention(Interrupt):
    """Looks, while something is built, whether anybody still wants it."""

    def __init__(self, descriptor: int, wanted: Callable[[], bool]) -> None:
        super().__init__(descriptor, lambda: None)
        self._wanted = wanted

    def look(self) -> None:
        if not self._wanted():
            raise Unwanted


class _Station:
    """The bots and the tables of one run on one dask worker."""

    def __init__(
        self,
        mark: str,
        setting: Setting,
        archives: dict[str, bytes],
        wanted: Callable[[], bool],
    ) -> None:
        self.mark = mark
        self.notices: list[str] = []
        self._setting = setting
        self._wanted = wanted
        self._end, self._write_end = os.pipe()
        self._closing = threading.Lock()
        self._closed = False
        self._held = contextlib.ExitStack()
        self._free: queue.SimpleQueue[Table] = queue.SimpleQueue()
        self._tables: list[Table] = []
        try:
            self._set_up(archives)
        except BaseException:
            self.close()
            raise

    def _set_up(self, archives: dict[str, bytes]) -> None:
        terms = self._setting.terms
        settled(terms.sandbox)
        check_measurable(terms.limits, "[limits] ")
        plugins.load("games", terms.game)
        if absent := [path for path in terms.sandbox.read if not os.path.exists(path)]:
            raise Unfit(f"[sandbox] read: there is nothing at {absent[0]}")
        self._folder = self._held.enter_context(places.held_folder("station"))
        entrants = self._entrants(archives)
        self._build(entrants)
        cores, notice = self._held.enter_context(
            places.cores(self._setting.tables, pin=self._setting.pin)
        )
        self.notices += [notice] if notice else []
        for number, core in enumerate(cores):
            table = Table(self._setup(entrants, number, core))
            self._tables.append(table)
            self._free.put(table)

    def _entrants(self, archives: dict[str, bytes]) -> tuple[Entrant, ...]:
        """Unpack the bots; raise _Missing with the digests of those whose archives are missing."""
        found, missing = [], []
        for parcel in self._setting.parcels:
            fill = functools.partial(unpack, digest=parcel.digest, archives=archives)
            try:
                folder = self._held.enter_context(
                    places.shared_folder(f"bot-{parcel.digest}", fill)
                )
            except KeyError:
                missing.append(parcel.digest)
            else:
                found.append(arrived(parcel, folder))
        if missing:
            raise _Missing(*missing)
        return tuple(found)

    def _build(self, entrants: Collection[Entrant]) -> None:
        interrupt = _Attention(self._end, self._wanted)
        sandbox, notice = self._setting.terms.sandbox, self.notices.append
        for entrant in {bot.folder: bot for bot in entrants if bot.build}.values():
            build(entrant, interrupt, notice, sandbox=sandbox, scratch=self._folder)

    def _setup(self, entrants: tuple[Entrant, ...], number: int, core: int | None) -> wire.Setup:
        logs = self._folder / str(number) / "logs"
        logs.mkdir(parents=True)
        return wire.Setup(
            terms=self._setting.terms,
            entrants=entrants,
            sockets=str(self._folder / f"s{number}"),
            logs=str(logs),
            label=f"{self.mark[-6:]}_{number}",
            core=core,
        )

    def play(self, order: wire.Play, wanted: Callable[[], bool]) -> Played:
        """Play a fixture at a table that is free; raise Unwanted when nobody waits for it."""
        table = None
        while table is None:
            with contextlib.suppress(queue.Empty):
                table = self._free.get(timeout=TICK_SECONDS)
            if self._closed or not wanted():
                if table:
                    self._free.put(table)
                raise Unwanted
        try:
            return table.play(order, wanted, self._end)
        finally:
            self._free.put(table)

    def watch(self) -> None:
        """Close when nobody wants the station any more."""
        while self._wanted() and not self._closed:
            time.sleep(TICK_SECONDS)
        self.close()

    def close(self) -> list[Log]:
        """Stop all tables and remove the files; return the logs that have not travelled."""
        with self._closing:
            if self._closed:
                return []
            self._closed = True
            os.write(self._write_end, b"x")
            tables = [self._free.get() for _ in self._tables]
            with contextlib.ExitStack() as closed:
                for table in tables:
                    closed.callback(table.close)
            logs = [log for table in tables for log in table.logs()]
            self._held.close()
            os.close(self._write_end)
            os.close(self._end)
            _stations.pop(self.mark, None)
            return logs


def prepare(setting: bytes, archives: dict[str, bytes]) -> bytes:
    """Set up a station, with the key of this task as its mark; return a ``Prepared``."""
    mark = _own_key()
    wanted = _wanted(get_worker(), mark)
    try:
        station = _Station(mark, _decode_setting(setting), archives, wanted)
    except _Missing as error:
        return encode(Prepared(missing=tuple(map(str, error.args))))
    except BuildError as error:
        return encode(Prepared(unfit="\n    ".join([str(error), *error.output.splitlines()])))
    except (ArenaError, Unfit, OSError, tarfile.TarError) as error:
        return encode(Prepared(unfit=str(error)))
    except Unwanted:
        return encode(Prepared(unfit="the runner is gone"))
    _stations[mark] = station
    threading.Thread(target=station.watch, name=mark, daemon=True).start()
    return encode(Prepared(notices=tuple(station.notices)))


def play(mark: str, order: bytes) -> bytes:
    """Play a fixture at the station with a mark; return a ``Played``."""
    station, fixture = _stations.get(mark), _decode_play(order)
    try:
        wanted = _wanted(get_worker(), _own_key())
        return encode(station.play(fixture, wanted) if station else Played())
    except Unwanted:
        return encode(Played())
    except Exception:
        return encode(Played(void=Void(fixture.fixture.id, traceback.format_exc())))


async def dismiss(marks: Collection[str]) -> list[bytes]:
    """Close the stations with these marks; return the logs that have not travelled, encoded."""
    leaving = [_stations[mark] for mark in marks if mark in _stations]
    closed = await asyncio.gather(*(asyncio.to_thread(station.close) for station in leaving))
    return [encode(log) for logs in closed for log in logs]


def _own_key() -> str:
    return str(get_worker().get_current_task())


def _wanted(worker: DaskWorker, key: str) -> Callable[[], bool]:
    """Return what tells whether somebody holds on to a task still."""

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state in _WANTED and worker.status.name not in _LEAVING

    return wanted

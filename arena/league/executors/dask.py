"""Play fixtures on many machines, with dask.distributed; ``DASK.md`` beside this file says how."""

import asyncio
import contextlib
import importlib.util
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING

from arena.errors import ConfigError, OptionError, installing
from arena.league.executors._parcels import pack
from arena.league.executors.base import Event, Job
from arena.model import Fixture
from arena.play.meter import available_cores

if TYPE_CHECKING:
    from distributed import Client

    from arena.league.executors._crew import Crew

CONNECT_SECONDS = 5.0
"""How long the scheduler has to answer at the beginning of a run."""
_DEAF = "import signal; signal.signal(signal.SIGINT, lambda *_: None)"
"""Lets workers leave Ctrl-C to the runner, which stops them in order."""


class _Session:
    """A crew at work, whose event loop runs while an event is waited for."""

    def __init__(self, runner: asyncio.Runner, crew: "Crew") -> None:
        self._runner = runner
        self._crew = crew

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Event]:
        """Play fixtures until there are no more or ``stop`` is readable."""
        self._runner.run(self._crew.begin(iter(fixtures)))
        while True:
            more, event = self._runner.run(self._crew.event())
            if not more:
                return
            yield event


class Dask:
    """Workers of a dask scheduler, or of a cluster on this machine where none is named."""

    key = "dask"
    elsewhere = True

    def check(self, scheduler: str) -> None:
        """Raise ConfigError when dask is not installed, OptionError for no address."""
        if not all(importlib.util.find_spec(name) for name in ("distributed", "cryptography")):
            raise ConfigError(f"the executor dask needs dask.distributed: {installing('dask')}")
        if scheduler:
            _check_address(scheduler)

    @contextlib.contextmanager
    def open(self, job: Job) -> Iterator[_Session]:
        """Join the scheduler's workers; on leaving, stop all that the run has there."""
        from arena.league.executors._crew import Crew
        from arena.league.executors._station import Setting

        _silence()
        league = job.league
        parcels, archives = pack(league.entrants)
        setting = Setting(league.terms, league.pin, 0, parcels)
        with asyncio.Runner() as runner, contextlib.ExitStack() as held:
            held.enter_context(_large_bots())
            cluster = contextlib.AsyncExitStack()
            held.callback(lambda: runner.run(cluster.aclose()))
            where = league.scheduler or runner.run(cluster.enter_async_context(_cluster(job)))
            crew = Crew(job, setting, archives, lambda: _connected(where))
            try:
                runner.run(crew.open())
            except OSError as error:
                raise ConfigError(f"{where} cannot be reached: {error}") from None
            held.callback(lambda: runner.run(crew.close()))
            yield _Session(runner, crew)


async def _connected(scheduler: "str | Client") -> "Client":
    from distributed import Client

    client: Client = await Client(
        scheduler, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False
    )
    return client


@contextlib.asynccontextmanager
async def _cluster(job: Job) -> AsyncIterator["str"]:
    """Start a scheduler and workers on this machine that nobody else can speak to."""
    from distributed import LocalCluster
    from distributed.security import Security

    async with LocalCluster(
        n_workers=job.league.workers or available_cores(),
        threads_per_worker=1,
        processes=True,
        asynchronous=True,
        memory_limit=0,
        dashboard_address=None,
        security=Security.temporary(),
        local_directory=str(job.sockets / "dask"),
        silence_logs=logging.CRITICAL,
        preload=[_DEAF],
    ) as cluster:
        yield cluster


def _check_address(scheduler: str) -> None:
    """Raise OptionError unless the text is the address of a scheduler."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import backends

    try:
        scheme, place = parse_address(scheduler, strict=True)
        if scheme in ("tcp", "tls"):
            parse_host_port(place)
        known = scheme in backends
    except ValueError:
        known = False
    if not known:
        raise OptionError("scheduler", f"{scheduler!r} is no address such as tcp://host:8786")


def _large_bots() -> contextlib.AbstractContextManager[object]:
    """Let archives of bots travel without a warning of their size."""
    import dask

    return dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"})


def _silence() -> None:
    """Let dask log nothing on the user's terminal: what matters is told as notices."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


PLUGIN = Dask()

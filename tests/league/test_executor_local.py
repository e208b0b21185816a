"""The local executor: workers on cores of their own, and matches that outlive a killed worker."""

import contextlib
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator, Mapping

import pytest
from leftovers import state
from running import LIMIT_SECONDS, MARK, REPOSITORY, Place, has_ended

from arena.config import load_league
from arena.league import places
from arena.league.executors.base import Event, Job, Session
from arena.league.executors.local import PLUGIN
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.model import FaultKind, Fixture, League, MatchResult, Void

pytestmark = pytest.mark.process

TELLS_ITS_CORES = """
import os
from pathlib import Path
from arena.bot import run
cores = sorted(os.sched_getaffinity(0))
Path("cores-" + str(os.getpid())).write_text(",".join(map(str, cores)))
run(lambda observation, legal: legal[0])
"""
KILLS_ITS_WORKER = """
import os, signal
from pathlib import Path
from arena.bot import run

def choose(observation, legal):
    killed = Path("killed")
    if not killed.exists():
        killed.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()
    return legal[0]

run(choose)
"""

IGNORES_ITS_END = """
import os, signal
from pathlib import Path
if not Path("pid").exists():
    Path("pid").write_text(str(os.getpid()))
    os.close(0)
    os.open("/dev/zero", os.O_RDONLY)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""

FREEZES_ITS_WORKER = """
import os, signal
from pathlib import Path
from arena.bot import run

def choose(observation, legal):
    os.kill(os.getppid(), signal.SIGSTOP)
    Path("told").write_text(str(os.getpid()))
    signal.pause()

run(choose)
"""

KILLS_ITS_WORKER_AT_THE_END = """
import os, signal, time
from arena.bot import run
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
run(lambda observation, legal: legal[0])
os.kill(os.getppid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def _own_environment(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(place.temporary))
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv(MARK, place.environment[MARK])


@pytest.fixture
def stop() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


class Executed:
    """A league played by the executor alone."""

    def __init__(self, place: Place, stop: tuple[int, int]) -> None:
        self._place = place
        self._stop = stop
        self.notices: list[str] = []

    def events(self, league: League) -> Iterator[Event]:
        with self.session(league) as session:
            yield from session.play(self.fixtures(league))

    @contextlib.contextmanager
    def session(self, league: League) -> Iterator[Session]:
        logs = self._place.folder / "logs"
        logs.mkdir(exist_ok=True)
        with places.socket_folder(self._place.folder) as sockets:
            job = Job(
                league=league,
                missing=ROUND_ROBIN.plan(league).extent().matches,
                sockets=sockets,
                logs=logs,
                suspended=tuple,
                notice=self.notices.append,
                stop=self._stop[0],
            )
            with PLUGIN.open(job) as session:
                yield session
        assert not self._place.processes(2)
        assert not self._place.left_behind()

    def fixtures(self, league: League) -> Iterator[Fixture]:
        return ROUND_ROBIN.plan(league).fixtures()


@pytest.fixture
def executed(place: Place, stop: tuple[int, int]) -> Executed:
    return Executed(place, stop)


def tellers(place: Place, workers: int) -> League:
    bots: list[Mapping[str, str]] = [place.bot(name, TELLS_ITS_CORES) for name in ("a", "b", "c")]
    return load_league(place.league(*bots, run={"workers": workers}))


def cores_told(place: Place) -> set[str]:
    return {path.read_text() for path in place.folder.glob("bots/*/cores-*")}


def finished(events: Iterator[Event]) -> list[str]:
    return [event.outcome.match for event in events if isinstance(event, MatchResult)]


needs_pinning = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="this system cannot pin processes"
)


@needs_pinning
def test_each_worker_and_its_bots_have_a_core_of_their_own(
    place: Place, executed: Executed
) -> None:
    own = sorted(os.sched_getaffinity(0))[:2]
    league = tellers(place, len(own))
    played = finished(executed.events(league))
    assert sorted(played) == sorted(fixture.id for fixture in executed.fixtures(league))
    assert cores_told(place) == {str(core) for core in own}
    assert executed.notices == []


@needs_pinning
def test_workers_are_not_pinned_beside_another_arena(place: Place, executed: Executed) -> None:
    own = sorted(os.sched_getaffinity(0))
    with places.cores(len(own), pin=True):
        finished(executed.events(tellers(place, len(own))))
    assert cores_told(place) == {",".join(map(str, own))}
    assert executed.notices == ["another arena is using the same cores; workers are not pinned"]


@needs_pinning
def test_more_workers_than_cores_are_not_pinned(place: Place, executed: Executed) -> None:
    own = sorted(os.sched_getaffinity(0))
    finished(executed.events(tellers(place, len(own) + 1)))
    assert cores_told(place) == {",".join(map(str, own))}
    assert executed.notices == [
        f"{len(own) + 1} workers for {len(own)} cores: workers are not pinned"
    ]


def test_no_more_workers_are_started_than_there_are_matches(
    place: Place, executed: Executed
) -> None:
    bots = ("first", "greedy", "random")
    few = place.league(*bots, format={"blocks": 1, "rotations": 2}, run={"workers": 40})
    with executed.session(load_league(few)) as session:
        workers = [what for what in place.processes().values() if "executors._worker" in what]
        assert len(workers) == 2
        assert len(finished(session.play(executed.fixtures(load_league(few))))) == 2


def test_the_match_of_a_killed_worker_is_void_and_played_again(
    place: Place, executed: Executed
) -> None:
    league = load_league(
        place.league(place.bot("killer", KILLS_ITS_WORKER), "first", "random", run={"workers": 1})
    )
    events = executed.events(league)
    void = next(event for event in events if event)
    assert isinstance(void, Void)
    assert void.match == next(executed.fixtures(league)).id
    assert "worker 0 ended with code -9" in void.reason
    rest = list(events)
    assert not any(isinstance(event, Void) for event in rest)
    results = [event for event in rest if isinstance(event, MatchResult)]
    ids = [result.outcome.match for result in results]
    assert sorted(ids) == sorted(fixture.id for fixture in executed.fixtures(league))
    assert not any(result.outcome.faults for result in results)


def test_the_bots_of_a_killed_worker_are_killed(place: Place, executed: Executed) -> None:
    bot = place.bot("killer", IGNORES_ITS_END + KILLS_ITS_WORKER)
    league = load_league(place.league(bot, "first", "random", run={"workers": 1}))
    events = executed.events(league)
    assert isinstance(next(event for event in events if event), Void)
    pid = int((place.folder / "bots/killer/pid").read_text())
    gone = has_ended(pid, 2)
    events.close()
    assert gone


def test_when_told_to_stop_it_plays_no_more_and_leaves_nothing(
    place: Place, executed: Executed, stop: tuple[int, int]
) -> None:
    league = tellers(place, 2)
    events = executed.events(league)
    assert next(event for event in events if event)
    os.write(stop[1], b"x")
    assert len(finished(events)) < ROUND_ROBIN.plan(league).extent().matches - 1
    assert not list((place.folder / "logs").iterdir())


def test_no_bot_of_a_worker_that_does_not_stop_is_left_though_it_was_not_heard_of(
    place: Place, executed: Executed, stop: tuple[int, int]
) -> None:
    bot = place.bot("freezer", IGNORES_ITS_END + FREEZES_ITS_WORKER)
    league = load_league(place.league(bot, "first", "random", run={"workers": 1}))
    pipe = place.folder / "bots/freezer/told"
    os.mkfifo(pipe)
    told = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.write(stop[1], b"x")
    with executed.session(league) as session:
        assert not list(session.play(executed.fixtures(league)))
        assert select.select([told], [], [], LIMIT_SECONDS)[0]
        pid = int(os.read(told, 20))
    os.close(told)
    assert has_ended(pid, 2)


def test_the_bots_of_a_worker_that_dies_while_it_stops_are_killed(
    place: Place, executed: Executed
) -> None:
    killer = place.bot("killer", KILLS_ITS_WORKER_AT_THE_END)
    league = load_league(
        place.league(killer, "first", "random", run={"workers": 1, "restart": "never"})
    )
    assert len(finished(executed.events(league))) == ROUND_ROBIN.plan(league).extent().matches


def test_a_bot_that_stops_its_worker_does_not_stop_the_league(
    place: Place, executed: Executed
) -> None:
    league = load_league(
        place.league(
            place.bot("freezer", FREEZES_ITS_WORKER),
            "first",
            "random",
            format={"blocks": 1, "rotations": 1},
            limits={"first_move": 300},
            run={"workers": 1},
        )
    )
    results = [event for event in executed.events(league) if isinstance(event, MatchResult)]
    faults = [fault for result in results for fault in result.outcome.faults]
    assert [fault.kind for fault in faults] == [FaultKind.TIMEOUT]


def test_a_stopped_worker_is_woken_though_another_one_always_has_something_to_report(
    place: Place, executed: Executed
) -> None:
    league = load_league(
        place.league("first", "greedy", "random", format={"blocks": 20}, run={"workers": 2})
    )
    events = executed.events(league)
    assert next(event for event in events if event)
    stopped = next(pid for pid, command in place.processes().items() if "_worker" in command)
    os.kill(stopped, signal.SIGSTOP)
    for _ in range(4):
        time.sleep(0.3)
        assert next(event for event in events if event)
    woken = state(stopped) != "T"
    events.close()
    assert woken


def test_folders_that_are_removed_while_it_plays_are_made_anew(
    place: Place, executed: Executed
) -> None:
    league = load_league(
        place.league("first", "greedy", "random", run={"workers": 1, "restart": "match"})
    )
    events = executed.events(league)
    assert next(event for event in events if event)
    shutil.rmtree(place.folder / "logs")
    for sockets in places.private_folder().glob("*-*/"):
        shutil.rmtree(sockets)
    rest = [event for event in events if event]
    assert isinstance(rest[-1], MatchResult)


def test_modules_in_the_current_folder_are_not_taken_for_the_library_s(
    place: Place, executed: Executed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.folder / "random.py").write_text("raise SystemExit('this is not the library')")
    monkeypatch.chdir(place.folder)
    league = load_league(place.league("first", "greedy", "miser"))
    assert len(finished(executed.events(league))) == ROUND_ROBIN.plan(league).extent().matches

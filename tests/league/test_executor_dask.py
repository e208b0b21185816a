"""The dask executor: real schedulers and workers on the loopback, some of them killed."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster
from running import LIMIT_SECONDS, STUBBORN, Place

from arena.config import load_league
from arena.errors import ConfigError, installing
from arena.league import places, tournament
from arena.league.executors import dask
from arena.league.executors.base import Job
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.journal import Journal
from arena.model import Fixture
from arena.views.progress import Progress

pytestmark = pytest.mark.process

BOTS = ("first", "greedy", "random")
SLOW_START = """
import time
from arena.bot import run
run(lambda observation, legal: time.sleep(0.02) or legal[0])
"""
CRASHES = """
import sys
from arena.bot import run
def choose(observation, legal):
    print("it is over", file=sys.stderr)
    sys.exit(7)
run(choose)
"""
IS_BUILT = """
from pathlib import Path
from arena.bot import run
from built import WHO
run(lambda observation, legal: legal[0])
"""
BUILD = 'echo WHO = 1 > built.py; echo x >> "$COUNT"; mkdir -p bin; ln -sf ../main.py bin/bot'


def played(place: Place, run: str) -> list[str]:
    """Return the ids of the matches in a journal."""
    journal = Journal.read(place.folder / run)
    found = [outcome.match for outcome in journal.outcomes()]
    journal.close()
    return found


def standings(place: Place, run: str) -> Any:
    return json.loads((place.folder / run / "standings.json").read_text())


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def has_matches(place: Place, run: str, count: int) -> Callable[[], bool]:
    def look() -> bool:
        with contextlib.suppress(ConfigError):
            return len(played(place, run)) >= count
        return False

    return look


def to(cluster: Cluster) -> tuple[str, ...]:
    return ("--executor", "dask", "--scheduler", cluster.address)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, err = process.communicate(timeout=2 * LIMIT_SECONDS)
    return process.returncode, err


def test_a_cluster_of_its_own_gives_the_standings_of_a_local_run(place: Place) -> None:
    league = place.league(*BOTS)
    assert place.arena("tournament", league, "--out", "here", "-q").returncode == 0
    there = place.arena(
        "tournament", league, "--out", "there", "--executor", "dask", "--workers", "2"
    )
    assert there.returncode == 0, there.stderr
    assert standings(place, "there") == standings(place, "here")
    assert sorted(played(place, "there")) == sorted(played(place, "here"))
    assert place.arena("verify", "there").returncode == 0
    assert not place.processes(2)
    assert not place.left_behind()


@pytest.mark.slow
def test_ctrl_c_ends_a_cluster_of_its_own_in_order(place: Place) -> None:
    league = place.league(*BOTS, format={"blocks": 50})
    words = ("--executor", "dask", "--workers", "1")
    run = place.start("tournament", league, "--out", "there", *words, start_new_session=True)
    until(has_matches(place, "there", 1))
    os.killpg(run.pid, signal.SIGINT)
    code, err = ended(run)
    assert (code, "Traceback" in err) == (130, False), err
    assert not place.processes(2)
    assert not place.left_behind()


def test_what_a_killed_worker_played_is_played_elsewhere_and_counts_once(
    place: Place, cluster: Cluster
) -> None:
    league = place.league(*BOTS, format={"blocks": 8})
    cluster.keep(2)
    run = place.start("tournament", league, "--out", "there", *to(cluster))
    until(has_matches(place, "there", 3))
    cluster.workers[0].kill()
    until(has_matches(place, "there", len(played(place, "there")) + 2))
    cluster.workers[1].kill()
    cluster.start_worker()
    code, err = ended(run)
    assert code == 0, err
    assert "is gone; " in err
    assert place.arena("tournament", league, "--out", "here", "-q").returncode == 0
    assert standings(place, "there") == standings(place, "here")
    assert len(played(place, "there")) == len(set(played(place, "there"))) == 24
    assert place.arena("verify", "there").returncode == 0


@pytest.mark.slow
def test_no_more_fixtures_are_drawn_than_a_worker_has_at_hand(
    place: Place, cluster: Cluster
) -> None:
    path = place.league(*BOTS, format={"blocks": 8})
    league = load_league(path, executor="dask", scheduler=cluster.address)
    cluster.keep(1)
    drawn: list[Fixture] = []
    fixtures = (drawn.append(fixture) or fixture for fixture in ROUND_ROBIN.plan(league).fixtures())
    ends = os.pipe()
    with places.socket_folder(place.folder) as sockets:
        job = Job(league, 24, sockets, place.folder / "logs", tuple, lambda _: None, ends[0])
        with dask.PLUGIN.open(job) as session:
            for played, _ in enumerate(filter(None, session.play(fixtures)), start=1):
                assert len(drawn) <= played + 4
    assert len(drawn) == played == 24
    for end in ends:
        os.close(end)


@pytest.mark.slow
def test_bots_are_built_once_a_worker_and_what_they_print_comes_back(
    place: Place, cluster: Cluster
) -> None:
    count = place.folder / "builds"
    built, crasher = place.bot("built", IS_BUILT), place.bot("crasher", CRASHES)
    with (Path(built["path"]) / "bot.toml").open("a") as file:
        file.write(f'build = ["sh", "-c", {json.dumps(BUILD)}]\n')
        file.write(f"env = {{ COUNT = {json.dumps(str(count))} }}\n")
    cluster.keep(1)
    league = place.league("first", crasher, built, format={"blocks": 1})
    run = place.arena("tournament", league, "--out", "there", *to(cluster))
    assert run.returncode == 0, run.stderr
    assert count.read_text() == "x\n"
    assert not (Path(built["path"]) / "built.py").exists()
    rows = {row["bot"]: row for row in standings(place, "there")["rows"]}
    assert [rows[bot]["forfeits"] for bot in ("first", "built", "crasher")] == [0, 0, 3]
    assert "    it is over\n    log: there/logs/crasher-" in run.stderr
    logs = list((place.folder / "there/logs").glob("crasher-*.log"))
    assert logs
    assert all("it is over" in log.read_text() for log in logs)


@pytest.mark.slow
def test_nothing_is_left_when_the_runner_is_killed_or_the_scheduler_is_gone(
    place: Place, cluster: Cluster
) -> None:
    league = place.league("first", place.bot("stubborn", STUBBORN), place.bot("slow", SLOW_START))
    words = ("tournament", league, *to(cluster), "--out")
    cluster.keep(1)
    run = place.start(*words, "one")
    until(has_matches(place, "one", 1))
    run.kill()
    ended(run)
    assert not cluster.bots(4)
    assert cluster.workers[0].poll() is None
    with (place.folder / "said").open("w") as said:
        run = place.start(*words, "two", stderr=said)
    until(has_matches(place, "two", 1))
    cluster.kill_scheduler()
    assert not cluster.bots(4)
    until(lambda: "waiting for it" in (place.folder / "said").read_text())
    run.send_signal(signal.SIGINT)
    assert ended(run)[0] == 130


@pytest.mark.slow
def test_a_worker_with_another_arena_is_refused(place: Place, cluster: Cluster) -> None:
    other = place.folder / "other" / "arena"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text('__version__ = "0.0.7"\n')
    cluster.start_worker(PYTHONPATH=str(other.parent))
    run = place.arena("tournament", place.league(*BOTS), "--out", "there", *to(cluster))
    assert run.returncode == 2
    assert "it has arena 0.0.7, and this is arena 0.1.0; install the same" in run.stderr


def test_a_scheduler_that_is_not_there_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "CONNECT_SECONDS", 0.2)
    nobody = "tcp://127.0.0.1:9"
    league = load_league(place.league(*BOTS), executor="dask", scheduler=nobody)
    with pytest.raises(ConfigError, match=f"{nobody} cannot be reached: "):
        tournament.play(league, place.folder / "there", Progress(place.folder, sys.stderr))


@pytest.mark.parametrize("scheduler", ["here", "tcp://here", "http://here:80", "tcp://here:x"])
def test_an_address_that_is_none_is_refused(place: Place, scheduler: str) -> None:
    with pytest.raises(ConfigError, match=r"--scheduler: '.*' is no address such as tcp://host"):
        load_league(place.league(*BOTS), executor="dask", scheduler=scheduler)


def test_a_scheduler_is_of_no_use_to_the_local_executor(place: Place) -> None:
    with pytest.raises(ConfigError, match=r"scheduler: is of use to the executor \"dask\" alone"):
        load_league(place.league(*BOTS, run={"scheduler": "tcp://here:8786"}))


def test_without_the_extra_the_message_says_how_to_install_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=f"--executor: .* {re.escape(installing('dask'))}"):
        load_league(place.league(*BOTS), executor="dask")


def test_nothing_but_the_executor_imports_dask(place: Place) -> None:
    code = "import sys, arena.cli, arena.commands.run, arena.config; print('dask' in sys.modules)"
    words = [sys.executable, "-c", code]
    printed = subprocess.run(words, env=place.environment, capture_output=True, text=True)
    assert printed.stdout == "False\n"

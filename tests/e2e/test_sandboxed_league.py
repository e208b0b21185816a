"""A league in a sandbox: what is said, what is refused, and that nothing outlives the arena."""

import os
import signal
from pathlib import Path

import pytest
from needed import needed
from running import Place

from arena.errors import ConfigError
from arena.model import Sandbox
from arena.play.cgroup import hierarchy
from arena.play.sandbox import settled

pytestmark = pytest.mark.process

BOTS = ("first", "greedy", "random")
LEAVES_A_CHILD = """
import os, time
from arena.bot import run
if os.fork() == 0:
    os.setsid()
    time.sleep(3600)
run(lambda observation, legal: legal[0])
"""
SLOW = """
import time
from arena.bot import run

def choose(observation, legal):
    time.sleep(0.3)
    return legal[0]

run(choose)
"""


@pytest.fixture
def _full() -> None:
    try:
        settled(Sandbox("full"))
    except ConfigError as error:
        needed(str(error))


@pytest.fixture
def without_bubblewrap(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH with what a league needs of the system, but bubblewrap."""
    programs = place.folder / "programs"
    programs.mkdir()
    for name in ("sh", "rm", "setpriv"):
        for folder in os.environ["PATH"].split(os.pathsep):
            if (found := Path(folder, name)).exists() and not (programs / name).exists():
                (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))


@pytest.mark.usefixtures("_full")
def test_what_is_in_force_is_printed_and_journalled(place: Place) -> None:
    league = place.league(*BOTS, sandbox={"level": "full", "memory": "1G"})
    done = place.arena("tournament", league, "--out", "run")
    assert done.returncode == 0, done.stderr
    text = "sandbox: full; own folder only, no network; 1G of memory, 128 threads"
    assert f"arena: {text}" in done.stderr
    assert "0 faults" in done.stderr
    assert f"\n{text}" in place.arena("verify", "run").stdout


@pytest.mark.usefixtures("without_bubblewrap")
def test_a_level_that_cannot_be_had_is_refused(place: Place) -> None:
    league = place.league(*BOTS, sandbox={"level": "full"})
    refused = place.arena("tournament", league, "--out", "run")
    why = '[sandbox] level = "full" cannot be had here: there is no program bwrap'
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert f"{league}: {why}" in refused.stderr
    assert not (place.folder / "run").exists()
    refused = place.arena("match", "leaves", *BOTS, "--sandbox", "full")
    assert refused.returncode == 2
    assert '--sandbox = "full" cannot be had here: there is no program bwrap' in refused.stderr


@pytest.mark.usefixtures("without_bubblewrap")
def test_auto_is_the_strongest_level_that_works(place: Place) -> None:
    league = place.league(*BOTS, sandbox={"level": "auto"})
    done = place.arena("tournament", league, "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "arena: sandbox: limits; 512M of memory, 128 threads" in done.stderr
    assert "0 faults" in done.stderr


@pytest.mark.parametrize("level", ["limits", "full"])
def test_nothing_outlives_a_killed_arena_once_the_next_one_begins(place: Place, level: str) -> None:
    if level == "limits" and not hierarchy():
        needed("control groups that can be written to")
    try:
        settled(Sandbox("full"))
    except ConfigError as error:
        needed(str(error))
    bots = [place.bot("parent", LEAVES_A_CHILD), place.bot("slow", SLOW), "first"]
    league = place.league(*bots, sandbox={"level": level}, run={"workers": 1})
    run = place.start("tournament", league, "--out", "run")
    assert run.stderr
    while "sandbox" not in run.stderr.readline():
        pass
    while not [line for line in place.processes().values() if "parent/main.py" in line]:
        assert run.poll() is None
    workers = [pid for pid, line in place.processes().items() if "_worker" in line]
    for pid in (run.pid, *workers):
        os.kill(pid, signal.SIGKILL)
    other = place.league("first", "greedy", "random")
    assert place.arena("tournament", other, "--out", "other").returncode == 0
    assert not place.processes(3.0)

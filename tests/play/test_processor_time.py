"""Limits of processor time: kept with real bots, whichever way they use it, at two levels."""

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from needed import needed
from rooms import LIMITS, TERMS, entrant, room

from arena.errors import ConfigError
from arena.model import FaultKind, Level, Limits, MatchResult, Sandbox
from arena.play import cgroup, clock, meter
from arena.play.meter import GroupMeter, ProcessMeter, check_measurable
from arena.play.sandbox import settled

pytestmark = pytest.mark.process

PATIENT = replace(LIMITS, first_move=20_000, move=20_000)
CHILD = """
import os, sys, time
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
def say(word):
    print(word, flush=True)
    sys.stdin.readline()
say("begun")
burn(0.1)
say("burnt")
if os.fork() == 0:
    burn(0.2)
    say("child")
    os._exit(0)
os.wait()
say("reaped")
"""


@pytest.fixture(params=["none", "full"])
def level(request: pytest.FixtureRequest) -> Level:
    return available(request.param)


def available(level: Level) -> Level:
    if not meter.can_measure():
        needed("clocks of other processes")
    try:
        return settled(Sandbox(level)).level
    except ConfigError as error:
        needed(str(error))


def play(level: Level, limits: Limits, switch: str, mate: str = "Bot", **env: str) -> MatchResult:
    with room(replace(TERMS, limits=limits, sandbox=Sandbox(level, read=env_paths(env)))) as own:
        return own.play(entrant(switch, **env), entrant(mate, "mate", **env))


def env_paths(env: dict[str, str]) -> tuple[str, ...]:
    return tuple(str(Path(value).parent) for key, value in env.items() if key == "DONE")


@pytest.mark.parametrize("switch", ["Burns", "BurnsInChild", "BurnsInThreads"])
def test_a_decision_that_uses_too_much_is_a_fault(level: Level, switch: str) -> None:
    result = play(level, replace(PATIENT, cpu_move=100), switch, BURN="0.25")
    (fault,) = result.outcome.faults
    assert (fault.seat, fault.kind) == (0, FaultKind.CPU)
    assert "ms of processor time, cpu_move allows 100 ms; it " in fault.detail
    assert fault.cpu is not None
    assert fault.cpu > 100
    assert result.outcome.places == (2, 1)


@pytest.mark.parametrize("grouped", [True, False])
def test_at_full_no_process_gets_away(grouped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    available("full")
    if not grouped:
        monkeypatch.setattr(cgroup, "hierarchy", lambda: None)
    result = play("full", replace(PATIENT, cpu_move=100), "BurnsInOrphan", BURN="0.25")
    (fault,) = result.outcome.faults
    assert fault.kind == FaultKind.CPU
    assert fault.cpu is not None
    assert fault.cpu > 100


@pytest.mark.parametrize("switch", ["Burns", "BurnsInChild"])
def test_what_is_used_in_a_match_is_told(level: Level, switch: str) -> None:
    result = play(level, PATIENT, switch, BURN="0.25")
    assert result.outcome.faults == ()
    own, mate = result.outcome.spent
    assert own is not None
    assert mate is not None
    assert own.asked >= 200
    assert mate.asked < own.asked
    assert mate.waiting >= 250


def test_the_processor_time_of_a_match_has_a_limit(level: Level) -> None:
    result = play(level, replace(PATIENT, cpu_match=150), "Burns", BURN="0.25")
    (fault,) = result.outcome.faults
    assert fault.kind == FaultKind.CPU
    assert "in the match, cpu_match allows 150 ms" in fault.detail


def test_a_bot_that_burns_on_is_not_waited_for(level: Level) -> None:
    result = play(level, replace(PATIENT, cpu_move=100), "BurnsAndHangs", BURN="0.25")
    (fault,) = result.outcome.faults
    assert fault.kind == FaultKind.CPU
    assert fault.detail.endswith("cpu_move allows 100 ms; it has not answered")
    assert fault.ms is not None
    assert fault.ms < PATIENT.move


def test_a_bot_that_used_too_much_and_is_late_too_is_late(level: Level) -> None:
    result = play(level, replace(PATIENT, move=200, cpu_move=1), "BurnsAndHangs", BURN="2")
    (fault,) = result.outcome.faults
    assert fault.kind == FaultKind.TIMEOUT
    assert fault.cpu is not None
    assert fault.cpu > 1


@pytest.mark.parametrize("switch", ["Hangs", "StopsItself", "AnswersLate"])
def test_a_late_bot_that_did_nothing_is_told_from_one_that_was_busy(
    level: Level, switch: str
) -> None:
    result = play(level, replace(LIMITS, move=500, cpu_move=400), switch)
    (fault,) = result.outcome.faults
    assert fault.kind == FaultKind.TIMEOUT
    assert fault.cpu is not None
    assert fault.cpu < 100
    said = re.search(r"^no answer within 500 ms; it used ([\d.]+) ms of processor", fault.detail)
    assert said
    assert float(said[1]) == pytest.approx(fault.cpu, abs=0.1)


@pytest.mark.parametrize("policy", ["report", "fault"])
def test_a_bot_that_thinks_while_others_do_is_found(
    tmp_path: Path, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    available("none")
    monkeypatch.setattr(clock, "OFF_TURN_SHARE", 0.0)  # what it has of a busy machine may be less
    limits = replace(PATIENT, off_turn=policy, off_turn_ms=10)
    env = {"BURN": "0.5", "DONE": str(tmp_path / "done")}
    outcome = play("none", limits, "Ponders", "WaitsForDone", **env).outcome
    ponderer, mate = outcome.spent
    assert ponderer is not None
    assert mate is not None
    assert ponderer.off_turn >= 450
    assert mate.off_turn < 100
    assert [fault.kind for fault in outcome.faults] == [FaultKind.CPU] * (policy == "fault")
    if policy == "fault":
        assert "for which it was not asked, off_turn allows" in outcome.faults[0].detail


@pytest.fixture
def child() -> Iterator["subprocess.Popen[str]"]:
    available("none")
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def until(process: "subprocess.Popen[str]", word: str) -> None:
    """Let the child go on until it says a word."""
    assert process.stdout
    assert process.stdin
    if word != "begun":
        process.stdin.write("\n")
        process.stdin.flush()
    assert process.stdout.readline() == f"{word}\n"


@pytest.mark.parametrize("exact", [True, False])
def test_a_meter_counts_children_while_they_live_and_after(
    child: "subprocess.Popen[str]", exact: bool
) -> None:
    until(child, "begun")
    own = ProcessMeter(child.pid, exact=exact)
    begun = own.read()
    until(child, "burnt")
    assert own.read() - begun == pytest.approx(0.1, abs=0.05)
    until(child, "child")
    own.look()
    assert own.read() - begun >= 0.3
    until(child, "reaped")
    own.look()
    told = own.read()
    assert told - begun >= 0.3
    child.kill()
    child.wait()
    assert own.read() == told


def test_a_group_counts_what_has_left_the_tree_of_processes() -> None:
    found = cgroup.hierarchy()
    if found is None or found.processor is None:
        needed("control groups that count processor time")
    group = cgroup.Group(found, 1 << 30, 100)
    assert group.processor
    script = "(sh -c 'while :; do :; done' & ) ; sleep 60"
    enter = " && ".join(f"echo $$ >{path}" for path in group.entrances)
    with subprocess.Popen(["/bin/sh", "-c", f"{enter} && {script}"]) as process:
        own = GroupMeter(group.processor)
        while own.read() < 0.1:
            assert not select.select([os.pidfd_open(process.pid)], [], [], 0.01)[0]
        own.close()
        group.end()


@contextlib.contextmanager
def busy(sessions: int) -> Iterator[GroupMeter]:
    """Busy processes in sessions of their own, in a group; yield what measures it."""
    found = cgroup.hierarchy()
    if found is None or found.processor is None or found.shares is None:
        needed("control groups that share processor time")
    group = cgroup.Group(found, 1 << 30, 100)
    assert group.processor
    enter = " && ".join(f"echo $$ >{path}" for path in group.entrances)
    script = f"{enter}\n" + "setsid sh -c 'while :; do :; done' & " * sessions + "wait"
    with subprocess.Popen(["/bin/sh", "-c", script]):
        own = GroupMeter(group.processor)
        while own.read() < 0.05:
            time.sleep(0.01)
        yield own
        own.close()
        group.end()


def test_many_sessions_of_a_bot_get_no_more_time_than_one_of_another() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with busy(40) as many, busy(1) as one:
            many_before, one_before = many.read(), one.read()
            while (used := many.read() - many_before) < 0.4:
                time.sleep(0.01)
            assert one.read() - one_before > used / 3
    finally:
        os.sched_setaffinity(0, cores)


def test_the_files_of_both_versions_of_groups_are_read(tmp_path: Path) -> None:
    (tmp_path / "cpuacct.usage").write_text("1500000000\n")
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\nsystem_usec 2\n")
    for name in ("cpuacct.usage", "cpu.stat"):
        own = GroupMeter(tmp_path / name)
        assert own.read() == 1.5
        own.close()


def test_what_cannot_be_measured_cannot_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "can_measure", lambda: False)
    check_measurable(Limits(), "league.toml: [limits] ")
    for limits, key in (
        (Limits(cpu_move=5), "cpu_move = 5"),
        (Limits(cpu_match=7), "cpu_match = 7"),
        (Limits(off_turn="fault"), "off_turn = 'fault'"),
    ):
        with pytest.raises(ConfigError, match=rf"^league.toml: \[limits\] {key} cannot be kept"):
            check_measurable(limits, "league.toml: [limits] ")

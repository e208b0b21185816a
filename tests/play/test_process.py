"""A process: its surroundings, how its end is noticed, and how it is stopped."""

import errno
import os
import select
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import leftovers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rooms import descriptors

from arena.errors import BotError
from arena.model import Entrant
from arena.play.cell import exit_text
from arena.play.log import BotLog
from arena.play.process import BYE_SECONDS, TERM_SECONDS, BotProcess, stop_all

Start = Callable[..., BotProcess]
STUBBORN = "trap '' TERM; echo ready; while :; do sleep 3600; done"
process_test = pytest.mark.process


@pytest.fixture(params=["pidfd", "kernel without pidfd", "neither pidfd nor waitid"])
def watching(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The ways to watch a process; systems without some of them are played."""

    def refuse(_pid: int) -> int:
        raise OSError("not here")

    if request.param == "pidfd" and not hasattr(os, "pidfd_open"):
        pytest.skip("this system has no pidfd")
    if request.param == "kernel without pidfd":
        monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    if request.param == "neither pidfd nor waitid":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
        monkeypatch.delattr(os, "waitid", raising=False)
    return str(request.param)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a shell script as a bot; whatever runs at the end of the test is stopped."""
    started: list[BotProcess] = []
    before = descriptors()

    def run(script: str, **env: str) -> BotProcess:
        log = BotLog(tmp_path / f"{len(started)}.log")
        bot = Entrant("bot", ("/bin/sh", "-c", script), str(tmp_path), env)
        started.append(BotProcess(bot, {"ARENA_TOKEN": "secret"}, log))
        return started[-1]

    yield run
    for process in started:
        if process.log.path.exists() and process.ending() is None:
            stop_all([process], 0)
    assert descriptors() <= before


def ended(process: BotProcess, seconds: float = 5.0) -> str | None:
    """Return how a process ended, waiting for it in the way that a table does."""
    poll = select.poll()
    poll.register(process.watch, select.POLLIN)
    assert poll.poll(seconds * 1000), "its end was not noticed"
    deadline = time.monotonic() + seconds
    while process.ending() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    return process.ending()


def printed(process: BotProcess, text: str, seconds: float = 5.0) -> str:
    """Return the log once the text stands in it."""
    deadline = time.monotonic() + seconds
    while text not in process.log.tail():
        assert time.monotonic() < deadline, f"{text!r} was never printed"
        time.sleep(0.002)
    return process.log.tail()


@process_test
@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("exit 0", "exited with status 0"),
        ("exit 7", "exited with status 7"),
        ("kill -KILL $$", "was ended by SIGKILL"),
        ("kill -TERM $$", "was ended by SIGTERM"),
    ],
)
@pytest.mark.usefixtures("watching")
def test_the_end_of_a_process_is_noticed_and_named(start: Start, script: str, ending: str) -> None:
    process = start(script)
    assert ended(process) == ending
    assert process.ending() == ending
    process.reap()


@process_test
@pytest.mark.usefixtures("watching")
def test_a_running_process_has_no_ending(start: Start) -> None:
    process = start("echo ready; cat")
    printed(process, "ready")
    assert process.ending() is None
    assert not select.select([process.watch], [], [], 0)[0]
    stop_all([process], 5)


@process_test
@pytest.mark.usefixtures("watching")
def test_the_end_of_standard_input_lets_a_bot_exit_by_itself(start: Start) -> None:
    process = start("cat; echo the arena is gone")
    stop_all([process], 5)
    assert process.log.tail() == "the arena is gone"


@process_test
@pytest.mark.usefixtures("watching")
def test_a_bot_hears_its_last_messages_before_its_input_ends(start: Start) -> None:
    process = start("exec 3<&0; (cat <&3; kill -9 $$) & echo ready; sleep 0.1; echo last words")
    printed(process, "ready")
    stop_all([process], 5)
    assert process.log.tail().endswith("last words")


@process_test
@pytest.mark.usefixtures("watching")
def test_a_bot_that_stays_gets_sigterm(start: Start) -> None:
    process = start("trap 'echo asked to go; exit' TERM; echo ready; while :; do sleep 0.01; done")
    printed(process, "ready")
    stop_all([process], 0.05)
    assert process.log.tail().endswith("asked to go")


@process_test
@pytest.mark.usefixtures("watching")
def test_many_bots_that_ignore_sigterm_are_stopped_together(start: Start) -> None:
    mark = uuid.uuid4().hex
    stubborn = [start(STUBBORN, MARK=mark) for _ in range(5)]
    for process in stubborn:
        printed(process, "ready")
    began = time.monotonic()
    stop_all(stubborn)
    one_by_one = len(stubborn) * (BYE_SECONDS + TERM_SECONDS)
    assert time.monotonic() - began < one_by_one / 2
    if leftovers.can_look():
        assert not leftovers.remaining("MARK", mark)


@process_test
@pytest.mark.usefixtures("watching")
def test_a_stopped_process_is_ended(start: Start) -> None:
    mark = uuid.uuid4().hex
    process = start("trap 'exit 0' TERM; echo ready; kill -STOP $$; sleep 3600", MARK=mark)
    printed(process, "ready")
    stop_all([process], 0)
    if leftovers.can_look():
        assert not leftovers.remaining("MARK", mark)


@process_test
@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("script", ["sleep 3600 & echo ready", "(sleep 3600 &) ; echo ready; cat"])
def test_children_of_a_bot_end_with_it(start: Start, script: str) -> None:
    mark = uuid.uuid4().hex
    process = start(script, MARK=mark)
    printed(process, "ready")
    stop_all([process], 0.2)
    if leftovers.can_look():
        assert not leftovers.remaining("MARK", mark)


@process_test
def test_the_end_of_a_bot_whose_child_lives_on_is_known(start: Start) -> None:
    process = start("sleep 3600 & exit 3")
    assert ended(process) == "exited with status 3"
    process.reap()


@process_test
def test_a_bot_has_a_session_of_its_own_and_its_folder(start: Start, tmp_path: Path) -> None:
    process = start("pwd; cat")
    printed(process, tmp_path.name)
    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
    stop_all([process], 5)


@process_test
def test_a_bot_sees_its_own_variables_and_no_others_of_the_arena(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SECRET", "of the runner")
    monkeypatch.setenv("COMMON", "for all")
    process = start("env", LEVEL="2", ARENA_TOKEN="guess")
    ended(process)
    lines = process.log.path.read_text().splitlines()
    process.reap()
    assert "LEVEL=2" in lines
    assert "COMMON=for all" in lines
    assert "PYTHONUNBUFFERED=1" in lines
    assert [line for line in lines if line.startswith("ARENA_")] == ["ARENA_TOKEN=secret"]


@process_test
@pytest.mark.usefixtures("watching")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors cannot be seen")
def test_a_bot_inherits_no_descriptor_of_the_arena(start: Start, watching: str) -> None:
    with open(os.devnull, "rb") as secret:
        os.set_inheritable(secret.fileno(), True)
        process = start("ls -l /proc/$$/fd")
        ended(process)
        text = process.log.path.read_text()
        process.reap()
    assert secret.name not in text.replace(f"0 -> {secret.name}", "")
    assert text.count("->") == (3 if watching == "pidfd" else 4)


@process_test
@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("command", [("/no/such/program",), ("/",)])
def test_a_command_that_cannot_be_run_leaves_nothing_open(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    before = descriptors()
    log = BotLog(tmp_path / "bot.log")
    with pytest.raises(BotError, match=f"cannot be started: .*{command[0]}"):
        BotProcess(Entrant("bot", command, str(tmp_path)), {}, log)
    log.close()
    assert descriptors() == before


@process_test
@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN])
def test_a_machine_that_has_run_out_of_something_is_no_fault_of_the_bot(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, "exhausted")

    before = descriptors()
    log = BotLog(tmp_path / "bot.log")
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(OSError, match="exhausted"):
        BotProcess(Entrant("bot", ("true",), str(tmp_path)), {}, log)
    log.close()
    assert descriptors() == before


def test_a_bot_has_well_under_two_seconds_to_go() -> None:
    assert BYE_SECONDS + TERM_SECONDS <= 1.5


@process_test
def test_stopping_a_process_that_has_ended_is_harmless(start: Start) -> None:
    process = start("exit 0")
    ended(process)
    stop_all([process])
    stop_all([])


@given(st.integers(0, 255))
def test_a_status_is_named(code: int) -> None:
    assert exit_text(code) == f"exited with status {code}"


@given(st.sampled_from(signal.Signals))
def test_a_signal_is_named(number: signal.Signals) -> None:
    assert exit_text(-number) == f"was ended by {number.name}"


def test_a_signal_without_a_name_has_its_number() -> None:
    assert exit_text(-200) == "was ended by signal 200"
    assert sys.platform != "linux" or signal.SIGRTMIN + 1 not in set(signal.Signals)

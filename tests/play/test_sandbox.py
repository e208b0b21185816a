"""The cells of a sandbox from inside: what a process finds there, and how its end is told."""

import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from needed import needed
from rooms import LIMITS, TERMS, entrant, room

from arena.errors import BotError, ConfigError
from arena.model import Entrant, FaultKind, Level, Sandbox
from arena.play import cgroup, sandbox, usage
from arena.play.build import build
from arena.play.interrupt import Interrupt
from arena.play.log import BotLog
from arena.play.process import BotProcess, stop_all
from arena.play.sandbox import Jail, settled

pytestmark = pytest.mark.process

PATIENT = replace(LIMITS, move=6_000)
BOUND: tuple[Level, ...] = ("limits", "full")
Run = Callable[..., tuple[str, str]]


@pytest.fixture(params=BOUND)
def level(request: pytest.FixtureRequest) -> Level:
    return available(request.param)


def available(level: Level) -> Level:
    try:
        settled(Sandbox(level))
    except ConfigError as error:
        needed(str(error))
    return level


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The folder of a bot, in which there is more than the bot."""
    folder = tmp_path / "bots" / "mine"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text("")
    return folder


@pytest.fixture
def run(bot: Path, tmp_path: Path) -> Iterator[Run]:
    """Run a shell script in a cell; return what it printed and how it ended."""
    with tempfile.TemporaryDirectory(prefix="a-") as private:

        def started(
            script: str, jailed: Sandbox, *hidden: Path, **changes: object
        ) -> tuple[str, str]:
            own = replace(Entrant("mine", ("/bin/sh", "-c", script), str(bot)), **changes)
            log = BotLog(tmp_path / "log")
            cell = Jail(jailed, Path(private), hidden).cell(own)
            process = BotProcess(own, {"ARENA_TOKEN": "secret"}, log, cell)
            assert select.select([process.watch], [], [], 20)[0]
            while (ending := process.ending()) is None:
                pass
            stop_all([process])
            assert not os.listdir(private)
            return log.tail(100), ending

        yield started


def test_the_environment_is_clean(run: Run, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalr")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    said, _ = run("env", Sandbox(level), env={"LEVEL": "3"})
    lines = set(said.splitlines())
    assert {"ARENA_TOKEN=secret", "LC_ALL=C.UTF-8", "LEVEL=3", "PYTHONUNBUFFERED=1"} <= lines
    assert "wJalr" not in said
    assert f"HOME={Path.home()}" not in lines


def test_the_scratch_folder_is_empty_and_private(run: Run, level: Level) -> None:
    script = 'ls -A "$HOME" | grep -v root; cd "$TMPDIR" && echo note >note && cat note && umask'
    said, ending = run(script, Sandbox(level))
    assert said.splitlines()[-2] == "note"
    assert ending == "exited with status 0"


def test_no_descriptor_but_the_three_is_inherited(run: Run, level: Level) -> None:
    with open(os.devnull, "rb") as secret:
        os.set_inheritable(secret.fileno(), True)
        said, _ = run("ls /proc/$$/fd", Sandbox(level))
    assert said.split()[:3] == ["0", "1", "2"]
    assert all(int(number) < 3 or int(number) >= 10 for number in said.split()[3:])


def test_limits_are_set(run: Run, level: Level) -> None:
    said, _ = run("ulimit -c; ulimit -f; ulimit -n", Sandbox(level, files=8 << 20))
    core, files, descriptors = said.split()
    assert (core, int(files) * 512) == ("0", 8 << 20)
    assert int(descriptors) <= 1024


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("exit 3", "exited with status 3"),
        ("kill -KILL $$", "was ended by SIGKILL"),
        ("kill -SEGV $$", "was ended by SIGSEGV"),
        ("exit 255", "exited with status 255"),
    ],
)
def test_the_end_is_told_as_without_a_sandbox(
    run: Run, level: Level, script: str, ending: str
) -> None:
    assert run(script, Sandbox(level))[1] == ending


def test_no_bot_is_run_when_the_arena_was_killed_meanwhile(
    level: Level, bot: Path, tmp_path: Path
) -> None:
    own = Entrant("mine", ("/bin/echo", "ran"), str(bot))
    later = ("/bin/sh", "-c", '"$@"; exit', "sh")
    for parent, said in (((), "ran\n"), (later, "")):
        cell = Jail(Sandbox(level), tmp_path).cell(own)
        words = (*parent, *cell.command())
        out = subprocess.run(words, stdout=subprocess.PIPE, pass_fds=cell.descriptors, text=True)
        cell.close()
        assert out.stdout == said


def test_a_setpriv_that_cannot_tie_a_bot_to_the_arena_is_done_without(
    run: Run, level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "programs" / "setpriv"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho unrecognized option >&2\nexit 1\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{other.parent}{os.pathsep}{os.environ['PATH']}")
    assert run("echo ran", Sandbox(level)) == ("ran", "exited with status 0")


def test_a_program_that_is_not_there_is_named(run: Run, level: Level) -> None:
    with pytest.raises(BotError, match=r"cannot be started: there is no program '/no/such'"):
        run("", Sandbox(level), command=("/no/such",))


def test_without_control_groups_a_bot_is_watched(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not usage.is_watchable():
        needed("/proc")
    monkeypatch.setattr(cgroup, "hierarchy", lambda: None)
    jailed = Sandbox(level, memory=64 << 20)
    assert "(watched, there are no control groups to use)" in sandbox.in_force(jailed)
    with room(replace(TERMS, limits=PATIENT, sandbox=jailed)) as own:
        (fault,) = own.play(entrant("Hoards"), entrant(name="ann")).outcome.faults
    assert fault.kind == FaultKind.EXITED
    assert "was ended by SIGKILL; it used more than 64M of memory" in fault.detail


class TestFull:
    """What is seen from a box."""

    @pytest.fixture(autouse=True)
    def _available(self) -> None:
        available("full")

    def test_a_bot_sees_its_folder_and_not_the_one_beside_it(self, run: Run, bot: Path) -> None:
        (bot / "own").touch()
        other = bot.parent / "other"
        other.mkdir()
        said, _ = run(f"ls; ls {bot.parent}; touch own2 || echo refused", Sandbox("full"), other)
        assert said.split()[:3] == ["bot.toml", "own", "mine"]
        assert said.endswith("refused")

    def test_a_bot_that_is_hidden_from_others_sees_itself(self, run: Run, bot: Path) -> None:
        assert run("ls", Sandbox("full"), bot)[0] == "bot.toml"

    def test_a_command_sees_the_folder_of_its_files_without_what_is_hidden(
        self, run: Run, bot: Path
    ) -> None:
        (bot / "bot.toml").unlink()
        for name in ("main.sh", "other/main.sh", "run/journal.sqlite"):
            (bot / name).parent.mkdir(exist_ok=True)
            (bot / name).write_text("cat other/main.sh run/journal.sqlite; cat main.sh")
        hidden = (bot / "other", bot / "run")
        said, _ = run("", Sandbox("full"), *hidden, command=("/bin/sh", "main.sh"))
        assert said.count("No such file") == 2
        assert said.endswith("cat main.sh")

    def test_a_program_elsewhere_is_refused_and_shown_where_a_league_allows_it(
        self, run: Run, tmp_path: Path
    ) -> None:
        program = tmp_path / "elsewhere" / "program"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\necho here\n")
        program.chmod(0o755)
        with pytest.raises(BotError, match=r"is outside the bot's folder .* \[sandbox\] read"):
            run("", Sandbox("full"), command=(str(program),))
        allowed = Sandbox("full", read=(str(program.parent),))
        assert run("", allowed, command=(str(program),))[0] == "here"

    def test_only_the_scratch_folders_can_be_written_to_up_to_their_size(self, run: Run) -> None:
        script = "touch /x /dev/x /usr/x /etc/x; head -c 9M /dev/zero >/tmp/a; stat -c %s /tmp/a"
        said, _ = run(script, Sandbox("full", files=8 << 20))
        assert said.count("touch: cannot touch") == 4
        assert said.endswith(str(8 << 20)) or "File size limit" in said

    def test_a_bot_is_nobody_alone(self, run: Run) -> None:
        script = "id -u; hostname; ls -d /proc/[0-9]* | wc -l; cat /proc/self/status | grep CapEff"
        user, host, processes, _, capabilities = run(script, Sandbox("full"))[0].split()
        assert user == ("65534" if os.getuid() == 0 or user != str(os.getuid()) else user)
        assert (host, capabilities) == ("arena", "0" * 16)
        assert int(processes) <= 6

    def test_the_home_folder_of_its_user_is_the_scratch_folder(self, run: Run) -> None:
        said, _ = run('grep "x:$(id -u):" /etc/passwd; echo $HOME; ls -A $HOME', Sandbox("full"))
        user, home, *_ = said.splitlines()
        assert user.split(":")[5] == home == "/tmp"

    def test_a_bot_that_speaks_tcp_has_a_network_of_its_own(self) -> None:
        with (
            room(replace(TERMS, sandbox=Sandbox("full"))) as own,
            socket.create_server(("127.0.0.1", 0)) as machine,
        ):
            port = str(machine.getsockname()[1])
            lonely = replace(entrant("CallsTheMachine", PORT=port), transport="tcp")
            result = own.play(lonely, entrant(name="ann"))
            assert result.outcome.faults == ()
            assert list(own.sockets.glob("scratch-*"))
            (log,) = (own.folder / "logs").glob("CallsTheMachine-*")
            assert "Connection refused" in log.read_text()

    def test_a_build_writes_to_its_folder_and_sees_no_other(self, bot: Path) -> None:
        other = bot.parent / "other"
        other.mkdir()
        (other / "secret").touch()
        script = f"ls {other}; echo >made; echo >>$HOME/kept; [ $HOME = $PWD/.arena-build/home ]"
        for _ in range(2):
            build_at_full(bot, "sh", "-c", script)
        assert (bot / "made").exists()
        assert (bot / ".arena-build/home/kept").read_text() == "\n\n"
        assert "secret" not in (bot / ".arena-build/log").read_text()

    def test_a_build_reaches_the_network(self, bot: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as machine:
            call = f"import socket; socket.create_connection({machine.getsockname()})"
            build_at_full(bot, sys.executable, "-c", call)
            machine.settimeout(1)
            machine.accept()[0].close()


def build_at_full(bot: Path, *command: str) -> None:
    builder = Entrant("mine", ("/bin/sh",), str(bot), build=command)
    read_end, write_end = os.pipe()
    try:
        interrupt = Interrupt(read_end, lambda: None)
        build(builder, interrupt, lambda _: None, sandbox=Sandbox("full"), always=True)
    finally:
        os.close(read_end)
        os.close(write_end)

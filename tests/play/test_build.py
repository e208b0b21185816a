"""Builds: when they run, what they leave, and how they fail."""

import contextlib
import fcntl
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import leftovers
import pytest

from arena.entrants import load_bot
from arena.errors import BuildError
from arena.model import Entrant
from arena.play.build import FOLDER, build, is_stale
from arena.play.interrupt import Interrupt

pytestmark = pytest.mark.process

COMPILE = "echo compiling >&2; mkdir -p bin; cp main.c bin/mine; chmod +x bin/mine"


class Stopped(Exception):
    """Somebody has stopped the arena."""


class Builder:
    """Builds a bot's folder; ``said`` is what the user is told, ``stop`` what a signal does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.has_said = threading.Event()
        self._read_end, self._write_end = os.pipe()
        self._interrupt = Interrupt(self._read_end, self._raise)

    def write(self, script: str, command: str = "bin/mine") -> None:
        words = f'["sh", "-c", {script!r}]'
        (self.folder / "bot.toml").write_text(f'command = ["{command}"]\nbuild = {words}\n')

    @property
    def entrant(self) -> Entrant:
        return load_bot(".", base=self.folder)

    def build(self, **settings: bool | float) -> None:
        build(self.entrant, self._interrupt, self._hear, **settings)  # type: ignore[arg-type]

    def refusal(self, **settings: float) -> BuildError:
        with pytest.raises(BuildError) as caught:
            self.build(**settings)
        return caught.value

    def stop(self) -> None:
        os.write(self._write_end, b"x")

    def _hear(self, text: str) -> None:
        self.said.append(text)
        self.has_said.set()

    def _raise(self) -> None:
        raise Stopped

    def close(self) -> None:
        os.close(self._read_end)
        os.close(self._write_end)


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Builder]:
    folder = tmp_path / "my bot"
    folder.mkdir()
    (folder / "main.c").write_text("#!/bin/sh\n")
    builder = Builder(folder)
    builder.write(COMPILE)
    yield builder
    builder.close()


def test_a_build_makes_the_program_and_is_not_needed_again(bot: Builder) -> None:
    assert is_stale(bot.entrant)
    bot.build()
    assert not is_stale(bot.entrant)
    bot.build()
    assert bot.said[0] == f"building my bot: sh -c '{COMPILE}'"
    assert bot.said[1].startswith("built my bot in ")
    assert len(bot.said) == 2
    assert (bot.folder / FOLDER / "log").read_text() == "compiling\n"
    assert os.access(bot.entrant.command[0], os.X_OK)


def test_a_bot_without_a_build_is_never_stale(bot: Builder) -> None:
    (bot.folder / "bot.toml").write_text('python = "main.c"\n')
    assert not is_stale(bot.entrant)


def test_a_build_that_was_asked_for_runs_in_any_case(bot: Builder) -> None:
    bot.build()
    bot.build(always=True)
    assert len(bot.said) == 4


def test_a_build_does_not_change_the_fingerprint(bot: Builder) -> None:
    before = bot.entrant.fingerprint
    bot.build()
    assert bot.entrant.fingerprint == before


def add(folder: Path) -> None:
    (folder / "more.c").write_text("")


def edit(folder: Path) -> None:
    """Change a file within the second of its building."""
    status = (folder / "main.c").stat()
    (folder / "main.c").write_text("#!/bin/sh\n:\n")
    os.utime(folder / "main.c", ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        edit,
        add,
        lambda folder: (folder / "bin" / "mine").unlink(),
        lambda folder: (folder / "node_modules").rmdir(),
        lambda folder: (folder / FOLDER / "stamp").write_bytes(b"\xff"),
        lambda folder: (folder / FOLDER / "stamp").unlink(),
    ],
    ids=["edited", "added", "no program", "no modules", "broken", "no stamp"],
)
def test_what_changed_or_is_gone_is_built_anew(
    bot: Builder, change: Callable[[Path], object]
) -> None:
    bot.write(f"{COMPILE}; mkdir -p node_modules")
    bot.build()
    assert not is_stale(bot.entrant)
    change(bot.folder)
    assert is_stale(bot.entrant)
    bot.build()
    assert not is_stale(bot.entrant)


def test_a_touched_file_that_is_the_same_is_not_built_anew(bot: Builder) -> None:
    bot.build()
    (bot.folder / "main.c").touch()
    assert not is_stale(bot.entrant)


def test_a_program_beside_its_sources_is_no_source(bot: Builder) -> None:
    bot.write("cp main.c mine; chmod +x mine; touch main.o Main.class Cargo.lock", "./mine")
    before = bot.entrant.fingerprint
    bot.build()
    assert not is_stale(bot.entrant)
    assert bot.entrant.fingerprint == before


def test_a_failed_build_shows_its_end_and_its_log(bot: Builder) -> None:
    bot.build()
    bot.write("seq 30; exit 3")
    error = bot.refusal()
    assert str(error) == "my bot: sh -c 'seq 30; exit 3' exited with status 3"
    assert error.output.splitlines() == [str(number) for number in range(11, 31)]
    assert error.log == str(bot.folder / FOLDER / "log")
    assert Path(error.log).read_text().startswith("1\n2\n")
    assert error.exit_code == 1
    bot.write(COMPILE)
    assert is_stale(bot.entrant)


def test_a_build_that_makes_no_program_is_no_build(bot: Builder) -> None:
    bot.write("true")
    assert str(bot.refusal()) == (
        f"my bot: sh -c true went well, but there is no program {bot.folder}/bin/mine"
    )


def test_a_missing_toolchain_is_named(bot: Builder) -> None:
    (bot.folder / "bot.toml").write_text('command = ["./mine"]\nbuild = ["no-such-compiler"]\n')
    assert str(bot.refusal()) == (
        "my bot cannot be built: there is no program 'no-such-compiler' "
        f"in {bot.folder} or on PATH; install it"
    )


def test_a_build_that_is_no_program_is_told(bot: Builder) -> None:
    script = bot.folder / "make.sh"
    script.write_text("#!/no/such/shell\n")
    script.chmod(0o755)
    (bot.folder / "bot.toml").write_text('command = ["./mine"]\nbuild = ["make.sh"]\n')
    assert str(bot.refusal()).startswith("my bot cannot be built: make.sh cannot be started: ")


def test_a_build_runs_in_the_bot_s_folder_with_its_environment_and_no_input(bot: Builder) -> None:
    bot.write(f'pwd; echo "$LEVEL"; cat; {COMPILE}')
    text = (bot.folder / "bot.toml").read_text()
    (bot.folder / "bot.toml").write_text(f'{text}env = {{ LEVEL = "2" }}\n')
    bot.build()
    assert (bot.folder / FOLDER / "log").read_text() == f"{bot.folder}\n2\ncompiling\n"


def test_a_build_that_takes_too_long_is_ended_with_its_children(bot: Builder) -> None:
    bot.write("BUILD_OF_A_TEST=slow sleep 60 & echo waiting; wait")
    error = bot.refusal(limit=0.3)
    assert "took longer than 0.3 s" in str(error)
    assert error.output == "waiting"
    assert not leftovers.remaining("BUILD_OF_A_TEST", "slow")


def test_a_stopped_build_is_ended_with_its_children_and_is_run_again(bot: Builder) -> None:
    bot.build()
    bot.write("BUILD_OF_A_TEST=stopped sleep 60 & echo waiting; wait")
    bot.stop()
    with pytest.raises(Stopped):
        bot.build()
    assert not leftovers.remaining("BUILD_OF_A_TEST", "stopped")
    bot.write(COMPILE)
    assert is_stale(bot.entrant)


def test_a_second_arena_waits_for_the_first_and_does_not_build(bot: Builder) -> None:
    bot.build()
    (bot.folder / "main.c").write_text("#!/bin/sh\n:\n")
    other = Builder(bot.folder)
    with (bot.folder / FOLDER / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = threading.Thread(target=other.build)
        waiting.start()
        assert other.has_said.wait(20)
        fresh = (bot.folder / FOLDER / "stamp").read_text().splitlines()
        fresh[0] = bot.entrant.fingerprint
        (bot.folder / FOLDER / "stamp").write_text("\n".join(fresh))
    waiting.join(20)
    assert not waiting.is_alive()
    other.close()
    assert other.said == ["waiting for another build of my bot to end"]


def test_what_a_build_leaves_running_does_not_keep_the_next_one_waiting(bot: Builder) -> None:
    bot.write(f"BUILD_OF_A_TEST=daemon setsid sleep 60 & {COMPILE}")
    try:
        bot.build()
        bot.build(always=True)
        assert [text.split()[0] for text in bot.said] == ["building", "built"] * 2
    finally:
        for pid in leftovers.running("BUILD_OF_A_TEST", "daemon"):
            os.kill(pid, signal.SIGKILL)


def test_an_arena_that_waits_for_another_can_be_stopped(bot: Builder) -> None:
    bot.build()
    bot.stop()
    with (bot.folder / FOLDER / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Stopped):
            bot.build(always=True)


def test_a_folder_that_cannot_be_written_to_was_built_by_its_owner(
    bot: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bot.folder / "bin").mkdir()
    (bot.folder / "bin" / "mine").touch(0o755)
    assert is_stale(bot.entrant)
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    assert not is_stale(bot.entrant)
    (bot.folder / "bin" / "mine").unlink()
    assert is_stale(bot.entrant)


def test_a_folder_where_nothing_can_be_written_is_named(bot: Builder) -> None:
    (bot.folder / FOLDER).write_text("")
    assert str(bot.refusal()) == (
        f"my bot cannot be built: [Errno 17] File exists: '{bot.folder / FOLDER}'"
    )


@pytest.mark.parametrize("name", ["", "log", "stamp", "lock", ".gitignore"])
def test_a_bot_cannot_have_the_arena_write_elsewhere(
    bot: Builder, name: str, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    if name:
        elsewhere.write_text("mine")
        (bot.folder / FOLDER).mkdir()
    else:
        elsewhere.mkdir()
    (bot.folder / FOLDER / name).symlink_to(elsewhere)
    assert "is a link, which the arena does not follow" in str(bot.refusal())
    assert (elsewhere.read_text() == "mine") if name else not list(elsewhere.iterdir())


def test_a_build_cannot_do_so_either(bot: Builder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    bot.write(f"{COMPILE}; ln -s {elsewhere} {FOLDER}/stamp")
    assert "is a link" in str(bot.refusal())
    assert elsewhere.read_text() == "mine"


@pytest.mark.parametrize("part", [".gitignore", "lock", "log", "stamp"])
def test_a_pipe_in_the_arena_s_folder_is_not_waited_for(bot: Builder, part: str) -> None:
    (bot.folder / FOLDER).mkdir()
    os.mkfifo(bot.folder / FOLDER / part)

    def build() -> None:
        with contextlib.suppress(BuildError):
            bot.build()

    building = threading.Thread(target=build, daemon=True)
    building.start()
    building.join(20)
    assert not building.is_alive()


def test_a_build_may_remove_the_arena_s_folder(bot: Builder) -> None:
    bot.write(f"{COMPILE}; rm -r {FOLDER}")
    bot.build()
    assert not is_stale(bot.entrant)


def test_a_lock_that_was_removed_is_taken_anew(bot: Builder) -> None:
    bot.build()
    lock = bot.folder / FOLDER / "lock"
    with lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = threading.Thread(target=bot.build)
        waiting.start()
        lock.unlink()
    waiting.join(20)
    assert not waiting.is_alive()
    assert lock.exists()

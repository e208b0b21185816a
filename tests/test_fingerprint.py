"""What tells one version of a bot from another."""

import os
import shutil
from pathlib import Path

import pytest

from arena import fingerprint

UPTIME = Path("/proc/uptime")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "main.py").write_text("import lib\n")
    (folder / "lib" / "moves.py").write_text("MOVES = 1\n")
    return folder


def of(folder: Path) -> str:
    return fingerprint.of_folder(folder, ("python3", str(folder / "main.py")))


def test_a_fingerprint_is_the_same_wherever_the_bot_lies(bot: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(bot, tmp_path / "elsewhere" / "copy")
    assert of(copy) == of(bot)


@pytest.mark.parametrize("change", ["main.py", "lib/moves.py", "new.txt"])
def test_a_fingerprint_changes_with_any_file(bot: Path, change: str) -> None:
    before = of(bot)
    (bot / change).write_text("MOVES = 2\n")
    assert of(bot) != before


def test_a_fingerprint_changes_with_a_file_s_name(bot: Path) -> None:
    before = of(bot)
    (bot / "lib" / "moves.py").rename(bot / "lib" / "plays.py")
    assert of(bot) != before


def test_a_file_may_have_a_name_that_is_no_text(bot: Path) -> None:
    before = of(bot)
    (bot / os.fsdecode(b"\xff")).write_text("x")
    assert of(bot) != before


@pytest.mark.parametrize(
    "path",
    ["__pycache__/x.pyc", ".git/HEAD", "node_modules/a/b.js", ".env", "lib/A.class", "Cargo.lock"],
)
def test_what_is_built_or_hidden_does_not_count(bot: Path, path: str) -> None:
    before = of(bot)
    (bot / path).parent.mkdir(parents=True, exist_ok=True)
    (bot / path).write_text("x")
    assert of(bot) == before


@pytest.mark.parametrize("program", ["main.py", "lib/../main.py"])
def test_the_program_of_a_bot_that_is_built_does_not_count(bot: Path, program: str) -> None:
    def of_built() -> str:
        return fingerprint.of_folder(bot, (str(bot / program),), built=True)

    before = of_built()
    (bot / "main.py").write_text("built anew")
    assert of_built() == before
    (bot / "lib" / "moves.py").write_text("MOVES = 2\n")
    assert of_built() != before


def test_a_fingerprint_changes_with_the_command(bot: Path) -> None:
    assert fingerprint.of_folder(bot, ("python3", "main.py", "-O")) != of(bot)


def test_a_command_s_fingerprint_is_that_of_its_files(bot: Path) -> None:
    before = fingerprint.of_command(bot, ("node", "main.py", "--fast"))
    assert fingerprint.of_command(bot, ("node", "main.py", "--slow")) != before
    (bot / "lib" / "moves.py").write_text("MOVES = 2\n")
    assert fingerprint.of_command(bot, ("node", "main.py", "--fast")) == before
    (bot / "main.py").write_text("import other\n")
    assert fingerprint.of_command(bot, ("node", "main.py", "--fast")) != before


@pytest.mark.skipif(not UPTIME.exists(), reason="there are no files of the kernel")
def test_a_link_to_a_file_of_the_kernel_adds_nothing_of_it(bot: Path) -> None:
    (bot / "model").symlink_to(UPTIME)
    before, uptime = of(bot), UPTIME.read_text()
    while UPTIME.read_text() == uptime:
        pass
    assert of(bot) == before


def test_a_link_in_a_circle_is_not_followed(bot: Path) -> None:
    before = of(bot)
    (bot / "again").symlink_to(bot)
    assert of(bot) == before

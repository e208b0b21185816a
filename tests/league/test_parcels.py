"""Bots that travel: what an archive holds, and how a bot is started where it has arrived."""

import os
import sys
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import load_bot
from arena.errors import ConfigError
from arena.league.executors._parcels import Parcel, Unfit, arrived, pack, unpack
from arena.model import Entrant


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "lib" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "mine"\npython = "main.py"\n')
    (folder / "main.py").write_text("print(1)\n")
    (folder / "lib" / "deep" / "tool").write_text("#!/bin/sh\n")
    (folder / "lib" / "deep" / "tool").chmod(0o755)
    (folder / ".npmrc").write_text("")
    (folder / "secret").symlink_to("/etc/hostname")
    for made in (".git", "__pycache__", ".arena-build", "target"):
        (folder / made).mkdir()
        (folder / made / "file").write_text("made")
    return folder


def travelled(entrant: Entrant, folder: Path) -> tuple[Parcel, list[str]]:
    """Unpack a bot in a folder; return its parcel and its files."""
    folder.mkdir()
    (parcel,), archives = pack([entrant])
    unpack(folder, parcel.digest, archives)
    root = folder / "files"
    paths = [path for path in root.rglob("*") if path.is_symlink() or path.is_file()]
    return parcel, sorted(path.relative_to(root).as_posix() for path in paths)


def test_a_folder_travels_without_what_is_nobody_s_business(bot: Path, tmp_path: Path) -> None:
    entrant = load_bot(str(bot), base=tmp_path)
    _, files = travelled(entrant, tmp_path / "there")
    own = [".npmrc", "bot.toml", "lib/deep/tool", "main.py", "secret"]
    assert files == [*own, "target/file"]
    assert os.access(tmp_path / "there/files/lib/deep/tool", os.X_OK)
    assert os.readlink(tmp_path / "there/files/secret") == "/etc/hostname"
    _, files = travelled(replace(entrant, build=("make",)), tmp_path / "built")
    assert files == own


def test_an_archive_is_named_by_what_is_in_it_alone(bot: Path, tmp_path: Path) -> None:
    def digest() -> str:
        return pack([load_bot(str(bot), base=tmp_path)])[0][0].digest

    first = digest()
    os.utime(bot / "main.py", (1, 1))
    assert digest() == first
    moved = bot.rename(tmp_path / "elsewhere")
    bot.symlink_to(moved)
    assert digest() == first
    (moved / "main.py").write_text("print(2)\n")
    assert digest() != first


def test_a_bot_that_has_arrived_is_started_there(bot: Path, tmp_path: Path) -> None:
    parcel, _ = travelled(load_bot(str(bot), base=tmp_path), tmp_path / "there")
    here = tmp_path / "there" / "files"
    entrant = arrived(replace(parcel, python="/runner/python"), tmp_path / "there")
    assert entrant.command == (sys.executable, str(here / "main.py"))
    assert (entrant.folder, entrant.fingerprint) == (str(here), parcel.entrant.fingerprint)


def test_a_command_travels_with_the_files_among_its_words(tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "my.sh").write_text("exit 0")
    (tmp_path / "league" / "other.txt").write_text("not mine")
    (tmp_path / "data").write_text("0")
    words = ("/bin/sh", "my.sh", str(tmp_path / "data"))
    parcel, files = travelled(Entrant("it", words, str(tmp_path / "league")), tmp_path / "there")
    assert files == ["my.sh"]
    assert arrived(parcel, tmp_path / "there").command == words
    (tmp_path / "data").unlink()
    with pytest.raises(Unfit, match=f"it cannot play there: there is no file {words[2]}"):
        arrived(parcel, tmp_path / "there")


def test_a_program_is_looked_for_by_its_name_where_its_path_is_another(tmp_path: Path) -> None:
    entrant = Entrant("it", ("/runner/bin/sh", "-c", "exit"), str(tmp_path))
    parcel, _ = travelled(entrant, tmp_path / "there")
    assert Path(arrived(parcel, tmp_path / "there").command[0]).name == "sh"
    lost = replace(parcel, entrant=replace(entrant, command=("/runner/no-such-program",)))
    with pytest.raises(Unfit, match="there is no program 'no-such-program' on PATH"):
        arrived(lost, tmp_path / "there")


def test_an_archive_that_did_not_come_along_is_missed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(KeyError):
        unpack(tmp_path / "there", "0", {})


def test_an_archive_that_is_not_the_one_that_was_sent_is_refused(bot: Path, tmp_path: Path) -> None:
    (parcel,), archives = pack([load_bot(str(bot), base=tmp_path)])
    other = zlib.compress(zlib.decompress(archives[parcel.digest]) + b"more")
    there = tmp_path / "there"
    there.mkdir()
    with pytest.raises(Unfit, match=f"{parcel.digest} of a bot has not arrived as it was sent"):
        unpack(there, parcel.digest, {parcel.digest: other})
    assert not list(there.iterdir())


def test_files_that_do_not_go_through_memory_do_not_travel(bot: Path, tmp_path: Path) -> None:
    entrant = load_bot(str(bot), base=tmp_path)
    with (bot / "table").open("wb") as large:
        large.truncate(3 << 30)
    reason = r"mine: its files have 3\S* .* no more than 1\S* travel .* \[sandbox\] read"
    with pytest.raises(ConfigError, match=reason):
        pack([entrant])


def test_odd_names_travel_and_what_is_no_file_does_not(bot: Path, tmp_path: Path) -> None:
    odd = [b"\xff", b"a\nb", b"..c", b"~", b"-rf *", "\u202e".encode(), b"\\..\\x"]
    for name in odd:
        (bot / os.fsdecode(name)).write_bytes(name)
    os.mkfifo(bot / "pipe")
    (bot / "up").symlink_to("..")
    (bot / "hard").hardlink_to(bot / "main.py")
    _, files = travelled(load_bot(str(bot), base=tmp_path), tmp_path / "there")
    root = tmp_path / "there" / "files"
    assert {*map(os.fsdecode, odd), "up", "hard"} < set(files)
    assert "pipe" not in files
    assert all((root / os.fsdecode(name)).read_bytes() == name for name in odd)
    assert (root / "up").is_symlink()
    assert (root / "hard").read_text() == (root / "main.py").read_text() == "print(1)\n"

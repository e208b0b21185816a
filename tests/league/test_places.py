"""Private places: short paths that only the user can enter, and cores that one arena holds."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.league import places
from arena.play.meter import available_cores


@pytest.fixture(autouse=True)
def temporary(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    tmp_path_factory.getbasetemp()
    with tempfile.TemporaryDirectory(prefix="a-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_the_private_folder_is_the_user_s_alone(temporary: Path) -> None:
    folder = places.private_folder()
    assert folder == temporary / f"arena-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert places.private_folder() == folder


def test_a_private_folder_that_others_can_enter_is_refused(temporary: Path) -> None:
    (temporary / f"arena-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(ArenaError, match="must be a folder that only you can enter; remove it"):
        places.private_folder()


def test_a_link_in_the_place_of_the_private_folder_is_refused(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (temporary / f"arena-{os.getuid()}").symlink_to(elsewhere)
    with pytest.raises(ArenaError, match="must be a folder that only you can enter"):
        places.private_folder()


def test_a_folder_is_not_tried_out_with_a_file_that_a_kill_could_leave(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    really = os.open

    def noting(path: str, *how: int, dir_fd: int | None = None) -> int:
        opened.append(Path(path))
        return really(path, *how, dir_fd=dir_fd)

    monkeypatch.setattr(tempfile, "tempdir", None)
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", noting)
        folder = places.private_folder()
        with places.held_folder("match") as held:
            pass
    assert folder.parent == temporary
    assert set(opened) >= {folder, held}
    assert {path for path in opened if path.parent == temporary} == {folder}


def test_a_temporary_folder_that_is_not_there_is_passed_over(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(temporary / "missing"))
    monkeypatch.setenv("TEMP", "")
    monkeypatch.setenv("TMP", str(temporary))
    assert places.temporary_folder() == temporary


def test_where_no_temporary_folder_can_be_written_to_it_is_said(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ArenaError, match=f"can be written to, of {temporary}, .*; set TMPDIR to"):
        places.temporary_folder()


def test_a_socket_folder_is_private_short_and_goes_with_its_run(
    temporary: Path, tmp_path: Path
) -> None:
    with places.socket_folder(tmp_path / ("long" * 50)) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        own = len(str(folder)) - len(str(temporary))
        assert len("/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T") + own < places.LONGEST_FOLDER
        (folder / "0-1").touch()
    assert not folder.exists()


def test_what_a_killed_run_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    with places.socket_folder(tmp_path / "other") as other:
        leaving = places.socket_folder(tmp_path / "run")
        left = leaving.__enter__()
        (left / "0-1").touch()
        with places.socket_folder(tmp_path / "run") as folder:
            assert folder != left
            assert not left.exists()
            assert other.exists()
        leaving.__exit__(None, None, None)


@pytest.mark.parametrize("use", ["check", "build", "match", "0123abcd"])
def test_what_another_arena_left_is_cleared_and_what_it_holds_is_not(
    temporary: Path, use: str
) -> None:
    parent = places.private_folder()
    left = parent / f"{use}-left"
    (left / "logs").mkdir(parents=True)
    (left / "logs" / "first-0-1.log").touch()
    with places.held_folder(use) as held:
        assert not left.exists()
        with places.socket_folder(temporary):
            assert held.is_dir()
    assert not list(parent.iterdir())


def test_what_bots_printed_in_a_match_is_kept() -> None:
    parent = places.private_folder()
    told = parent / "match-before" / "logs" / "first-0-1.log"
    told.parent.mkdir(parents=True)
    told.write_text("something")
    (told.parent / "first-0-2.log").touch()
    with places.held_folder("match", end=places.tidy) as folder:
        printed = folder / "logs" / "first-0-1.log"
        printed.parent.mkdir()
        printed.write_text("more")
    assert {path for path in parent.rglob("*") if path.is_file()} == {told, printed}


def test_a_temporary_folder_too_long_for_sockets_is_named(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = temporary / ("x" * 80)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    with (
        pytest.raises(ArenaError, match="is too long for the path of a socket; set TMPDIR to"),
        places.socket_folder(temporary),
    ):
        pytest.fail("a socket could not be made there")


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {7, 3}, raising=False)
    monkeypatch.setattr(os, "sched_setaffinity", lambda *_: None, raising=False)


@pytest.mark.usefixtures("two_cores")
def test_each_worker_gets_a_core_of_those_this_process_may_use() -> None:
    with places.cores(2, pin=True) as (cores, notice):
        assert (cores, notice) == ([3, 7], "")
    with places.cores(1, pin=True) as (cores, notice):
        assert (cores, notice) == ([3], "")
    assert available_cores() == 2


@pytest.mark.usefixtures("two_cores")
def test_two_arenas_take_different_cores_as_long_as_there_are_any() -> None:
    with places.cores(1, pin=True) as (first, _), places.cores(1, pin=True) as (second, notice):
        assert (first, second, notice) == ([3], [7], "")


@pytest.mark.usefixtures("two_cores")
def test_an_arena_that_finds_no_free_cores_runs_unpinned_and_holds_none() -> None:
    taken = "another arena is using the same cores; workers are not pinned"
    with places.cores(1, pin=True), places.cores(2, pin=True) as (cores, notice):
        assert (cores, notice) == ([None, None], taken)
        with places.cores(1, pin=True) as (cores, notice):
            assert (cores, notice) == ([7], "")
    with places.cores(2, pin=True) as (cores, _):
        assert cores == [3, 7]


@pytest.mark.usefixtures("two_cores")
def test_more_workers_than_cores_are_not_pinned() -> None:
    with places.cores(3, pin=True) as (cores, notice):
        assert cores == [None] * 3
        assert notice == "3 workers for 2 cores: workers are not pinned"


@pytest.mark.usefixtures("two_cores")
def test_without_pinning_no_core_is_held() -> None:
    with places.cores(2, pin=False) as (cores, notice):
        assert (cores, notice) == ([None, None], "")
        with places.cores(2, pin=True) as (cores, _):
            assert cores == [3, 7]


def test_a_system_that_cannot_pin_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert available_cores() == 5
    with places.cores(2, pin=True) as (cores, notice):
        assert cores == [None, None]
        assert notice == "this system cannot pin processes to cores; workers are not pinned"


def test_a_shared_folder_is_filled_once_and_goes_with_the_last_who_shares_it() -> None:
    filled = []

    def fill(folder: Path) -> None:
        if not (folder / "file").exists():
            (folder / "file").touch()
            filled.append(folder)

    first = places.shared_folder("bot-1", fill)
    folder = first.__enter__()
    with places.shared_folder("bot-1", fill) as again:
        first.__exit__(None, None, None)
        places.clear()
        assert (again / "file").exists()
    assert (filled, folder.exists()) == ([folder], False)

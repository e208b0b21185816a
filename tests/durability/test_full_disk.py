"""Leagues on a disk that is full or cannot be written to: they say so, and go on later."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaign import Campaign, Run
from needed import needed
from running import Place

pytestmark = pytest.mark.process

LEAGUE: dict[str, Any] = {"format": {"blocks": 4}, "limits": {"first_move": 30_000, "move": 30_000}}
NOISY = """
import sys
from arena.bot import run

def choose(observation, legal):
    print("x" * 4000, file=sys.stderr)
    return legal[0]

run(choose)
"""
FILLS = """
import os
from arena.bot import run

try:
    with open(os.environ["TMPDIR"] + "/filler", "wb", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))
except OSError:
    pass
run(lambda observation, legal: legal[0])
"""
"""A bot that takes all the room that there is for temporary files."""


class Disk:
    """A small disk of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def set(self, options: str) -> None:
        """Mount the disk anew, in place, with other options.

        It is busy until the kernel has closed the files of processes that were just killed.
        """
        words = ["mount", "-o", f"remount,{options}", self.folder]
        deadline = time.monotonic() + 5
        while (done := subprocess.run(words, capture_output=True, text=True)).returncode:
            assert time.monotonic() < deadline, done.stderr
            time.sleep(0.01)

    def fill(self) -> None:
        """Leave no room on the disk."""
        with self._filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                return

    def clear(self) -> None:
        """Give back the room that ``fill`` took."""
        self._filler.unlink()


@pytest.fixture
def disk(place: Place) -> Iterator[Disk]:
    folder = place.folder / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        needed("right to mount a small disk")
    yield Disk(folder)
    place.clear()
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_league_that_fills_its_disk_goes_on_when_there_is_room(place: Place, disk: Disk) -> None:
    def fills(run: Run) -> None:
        said = run.ended(1)
        run.look()
        assert run.seen
        assert said.startswith(f"arena: {run.folder}/journal.sqlite: ")
        assert said.endswith(
            f"; make room in {run.folder} and go on: all matches that were finished are kept"
        )
        disk.set("size=8m")

    disk.set("size=160k")
    Campaign(place, place.league("first", "greedy", "random", **LEAGUE)).disturb(
        "disk/run", [fills]
    )


@pytest.mark.slow
def test_a_bot_that_cannot_print_on_a_full_disk_has_not_failed(place: Place, disk: Disk) -> None:
    """The journal is on another disk, or there is room in it still."""

    def fills(run: Run) -> None:
        run.until(lambda: run.seen)
        disk.fill()
        said = run.ended(1)
        assert said.endswith(f"the last time: bots cannot print: {run.folder}/logs has no room")
        disk.clear()

    league = place.league("first", "greedy", place.bot("noisy", NOISY), **LEAGUE)
    (place.folder / "run").mkdir()
    (place.folder / "run" / "logs").symlink_to(disk.folder)
    Campaign(place, league).disturb("run", [fills])


def test_standings_that_cannot_be_written_leave_the_old_ones(place: Place, disk: Disk) -> None:
    run = disk.folder / "run"
    words = ("tournament", place.league("first", "greedy", "random"), "--out", run)
    assert place.arena(*words).returncode == 0
    before = {path: path.read_bytes() for path in run.glob("*.*")}
    disk.fill()
    done = place.arena(*words)
    assert done.returncode == 1
    said = f"arena: [Errno 28] No space left on device: '{run}/standings.csv'"
    assert done.stderr.splitlines()[-1] == said
    assert {path: path.read_bytes() for path in run.glob("*.*")} == before
    assert not list(run.glob(".*"))
    disk.clear()
    assert place.arena(*words).returncode == 0


def test_a_run_cannot_begin_on_a_full_disk(place: Place, disk: Disk) -> None:
    league = place.league("first", "greedy", "random")
    disk.fill()
    done = place.arena("tournament", league, "--out", disk.folder / "run")
    assert done.returncode == 1
    assert done.stderr == f"arena: {disk.folder}/run/lock: No space left on device\n"
    disk.clear()
    assert place.arena("tournament", league, "--out", disk.folder / "run").returncode == 0


@pytest.mark.slow
def test_a_bot_that_fills_the_disk_of_temporary_files_hurts_nobody(
    place: Place, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = place.league(
        "first", "greedy", place.bot("filler", FILLS), sandbox={"level": "limits"}, **LEAGUE
    )
    monkeypatch.setattr(place, "temporary", disk.folder)
    Campaign(place, league).disturb("run", [])


def test_a_run_that_cannot_be_written_to_can_be_read_and_goes_on_later(
    place: Place, disk: Disk
) -> None:
    """It was killed: what is written ahead is still in a file of its own."""

    def protect(run: Run) -> None:
        run.until(lambda: len(run.seen) >= 2)
        assert run.process
        run.process.kill()
        run.ended()
        run.look()
        assert not place.processes(2)
        disk.set("ro")
        done = place.arena("tournament", league, "--out", run.folder)
        assert done.returncode == 1
        assert done.stderr == f"arena: [Errno 30] Read-only file system: '{run.folder}/lock'\n"
        exported = place.arena("export", run.folder)
        assert len(exported.stdout.splitlines()) == len(run.seen)
        disk.set("rw")

    league = place.league("first", "greedy", "random", **LEAGUE)
    Campaign(place, league).disturb("disk/run", [protect])

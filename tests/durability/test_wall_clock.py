"""A wall clock that jumps while a league is played changes nothing: no time is taken by it."""

import itertools
import subprocess
import sys
import time
from pathlib import Path

import pytest
from campaign import Campaign, Run
from needed import needed
from running import Place

pytestmark = pytest.mark.process

JUMPS = ("+1h", "-1d", "+400d", "+0", "-30y", "+10")
"""Where the clock stands, from the true time, one after the other."""
OFTEN = 0.05
"""Seconds between two jumps."""
SLEEPS = """
import select, time
time.sleep = lambda seconds: select.select([], [], [], seconds)
"""
"""For Python from 3.11 on, whose own way to sleep libfaketime 0.9.10 breaks (its issue 426)."""


class WallClock:
    """The wall clock of what is started from now on; the monotonic clock is left alone."""

    def __init__(self, folder: Path, library: Path) -> None:
        self._file = folder / "offset"
        self.jump("+0")
        (folder / "sitecustomize.py").write_text(SLEEPS)
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": str(folder),
        }

    def jump(self, offset: str) -> None:
        draft = self._file.with_suffix(".draft")
        draft.write_text(offset)
        draft.replace(self._file)

    def keep_jumping(self, run: Run) -> None:
        """Let the clock jump until the run has ended."""
        for offset in itertools.cycle(JUMPS):
            self.jump(offset)
            run.until(lambda: False, OFTEN)
            assert run.process
            if run.process.poll() is not None:
                break


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WallClock:
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if not library:
        needed("libfaketime, of the package faketime")
    folder = tmp_path / "clock"
    folder.mkdir()
    clock = WallClock(folder, library)
    for name, value in clock.environment.items():
        monkeypatch.setenv(name, value)
    return clock


def test_a_clock_that_jumps_takes_no_time_and_gives_none(place: Place, clock: WallClock) -> None:
    league = place.league(
        "first",
        "greedy",
        "random",
        format={"blocks": 10},
        limits={"first_move": 2000, "move": 2000},
    )
    Campaign(place, league).disturb("run", [clock.keep_jumping])


def test_the_time_for_a_league_is_not_that_of_the_wall_clock(
    place: Place, clock: WallClock
) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1000})
    process = place.start("tournament", league, "--out", "run", "--for", "2s")
    assert process.stderr
    process.stderr.readline()
    since = time.monotonic()
    for offset in ("+1h", "-1h"):
        clock.jump(offset)
        time.sleep(0.5)
    _, err = process.communicate(timeout=60)
    assert "the time is over" in err
    assert time.monotonic() - since > 1.5


def test_the_clock_of_these_tests_jumps(place: Place, clock: WallClock) -> None:
    tell = "import time; print(time.time(), time.monotonic())"
    clock.jump("+1h")
    words = [sys.executable, "-c", tell]
    out = subprocess.run(words, env=place.environment, stdout=subprocess.PIPE, check=True).stdout
    wall, monotonic = map(float, out.split())
    assert wall == pytest.approx(time.time() + 3600, abs=60)
    assert monotonic == pytest.approx(time.monotonic(), abs=60)

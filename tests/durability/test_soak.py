"""Long leagues: what runner and workers hold does not grow with the matches they have played."""

import itertools
import os
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from campaign import WORKER
from running import Place
from vitals import Vitals, children, growth, vitals

from arena.league.journal import FILE

pytestmark = pytest.mark.process

KEPT = int(os.environ.get("ARENA_SOAK_KEPT", "50000"))
"""Matches of the long soak with kept processes."""
FRESH = int(os.environ.get("ARENA_SOAK_FRESH", "2000"))
"""Matches of the long soak with fresh ones."""
GIVEN_BACK = ("MALLOC_MMAP_THRESHOLD_", str(1 << 17))
"""Lets glibc give large blocks back when they are freed. Else one of a megabyte, such as Python's
table of names that is made anew now and then, looks like growth once it lies among small ones."""
SAMPLES = 100
WARM = 0.2
"""The part of a league after which nothing should grow any more."""
RUNNER_MORE, WORKER_MORE = 2048, 512
"""KiB by which the least memory of a process may grow after that: SQLite has a cache of 2 MiB."""
MORE_DESCRIPTORS = 10
"""Descriptors that a worker may have more: at the moment of a sample a bot starts or ends."""


class Sample(NamedTuple):
    """What a process holds after so many matches of the league."""

    matches: int
    held: Vitals


class Soak:
    """A league of quick bots that is played to its end, and what its processes held meanwhile."""

    def __init__(self, place: Place, restart: str, matches: int) -> None:
        self._place = place
        self._matches = matches
        self._folder = place.folder / "run"
        self._samples: dict[str, list[Sample]] = {}
        league = place.league(
            "first",
            "greedy",
            "random",
            options={"variant": "basic", "hand_size": 4},
            format={"blocks": matches // 3},
            limits={"start": 60_000, "first_move": 30_000, "move": 30_000},
            run={"restart": restart, "workers": 2},
            sandbox={"level": "auto"},
        )
        since = time.monotonic()
        self._play(league)
        self._seconds = time.monotonic() - since

    def _play(self, league: Path) -> None:
        process = self._place.start("tournament", league, "--out", self._folder, "--quiet")
        due = 0
        while process.poll() is None:
            played = self._played()
            if played >= due:
                due = played + max(self._matches // SAMPLES, 1)
                self._sample(process.pid, played)
            time.sleep(0.02)
        _, err = process.communicate()
        assert process.returncode == 0, err

    def _played(self) -> int:
        try:
            db = sqlite3.connect(f"file:{self._folder / FILE}?mode=ro", uri=True)
            try:
                return int(db.execute("SELECT max(number) FROM results").fetchone()[0] or 0)
            finally:
                db.close()
        except sqlite3.OperationalError:
            return 0

    def _sample(self, runner: int, matches: int) -> None:
        pids = {"runner": runner, **self._workers(runner)}
        for name, pid in pids.items():
            if held := vitals(pid):
                self._samples.setdefault(name, []).append(Sample(matches, held))

    def _workers(self, runner: int) -> dict[str, int]:
        found: dict[str, int] = {}
        try:
            for pid in children(runner):
                if WORKER in Path(f"/proc/{pid}/cmdline").read_text():
                    found[f"worker {len(found)}"] = pid
        except OSError:
            pass
        return found

    def table(self) -> str:
        """Return what each process held when it was warm, and at the end."""
        lines = [f"{self._matches} matches in {self._seconds:.0f} s"]
        for name in self._samples:
            warm = self._warm(name)
            memory = [sample.held.memory for sample in warm]
            lines += [f"{name}: {self._line(warm[0])}", f"{name}: {self._line(warm[-1])}"]
            lines += [f"{name}: the least rises by {growth(memory):+}, most {max(memory)} KiB"]
        return "\n".join(lines)

    def _line(self, sample: Sample) -> str:
        memory, descriptors, threads, zombies = sample.held
        return (
            f"after {sample.matches} matches {memory} KiB, {descriptors} descriptors, "
            f"{threads} threads, {len(zombies)} zombies"
        )

    def _warm(self, name: str) -> list[Sample]:
        return [s for s in self._samples[name] if s.matches >= WARM * self._matches]

    def judge(self, *, memory: bool = True) -> None:
        """Fail when something grows, or is left; ``memory`` is whether that must be flat too."""
        assert {"runner", "worker 0", "worker 1"} == set(self._samples)
        for name in self._samples:
            warm = self._warm(name)
            held = [sample.held for sample in warm]
            early, late = held[: len(held) // 2], held[len(held) // 2 :]
            rise = growth([one.memory for one in held])
            assert not memory or rise < (RUNNER_MORE if name == "runner" else WORKER_MORE), name
            most = max(vitals.descriptors for vitals in early)
            assert max(vitals.descriptors for vitals in late) <= most + MORE_DESCRIPTORS, name
            assert max(v.threads for v in late) <= max(v.threads for v in early), name
            for one, next_one in itertools.pairwise(held):
                assert not one.zombies & next_one.zombies, name
        assert not self._place.processes()
        assert not self._place.left_behind()


@pytest.mark.slow
def test_a_short_league_holds_no_more_at_its_end(place: Place) -> None:
    """Its memory says nothing: what measures the coverage of tests takes more with each match."""
    Soak(place, "match", 30).judge(memory=False)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize(("restart", "matches"), [("never", KEPT), ("match", FRESH)])
def test_a_long_league_holds_no_more_at_its_end(
    place: Place,
    restart: str,
    matches: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(*GIVEN_BACK)
    soak = Soak(place, restart, matches)
    with capsys.disabled():
        print(f"\nprocesses replaced: {restart}; {soak.table()}")
    soak.judge()

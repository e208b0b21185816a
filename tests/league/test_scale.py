"""Long leagues: planned lazily, and no match of them costs more than one of a short league."""

import itertools
import subprocess
import sys
import tracemalloc
from pathlib import Path

import bench_scale
import pytest

from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.journal import Journal

MEGABYTE = 1 << 20
BLOCK = 280


def test_a_league_of_a_million_matches_is_planned_as_it_is_played() -> None:
    tracemalloc.start()
    plan = ROUND_ROBIN.plan(bench_scale.league_of(1_000_000))
    some = sum(1 for _ in itertools.islice(plan.fixtures(), 500))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (plan.extent().matches >= 1_000_000, some) == (True, 500)
    assert peak < MEGABYTE


def calls(matches: int, folder: Path) -> int:
    """Return how many calls it takes to play a league of made-up matches."""
    count = itertools.count()
    sys.setprofile(lambda _frame, event, _arg: event.endswith("call") and next(count))
    try:
        bench_scale.play(matches, folder)
    finally:
        sys.setprofile(None)
    return next(count)


def test_matches_of_a_long_league_take_no_more_calls_than_those_of_a_short_one(
    tmp_path: Path,
) -> None:
    none, short, long = (calls(n * BLOCK, tmp_path / f"run-{n}") for n in (1, 2, 6))
    assert (long - short) / 4 == pytest.approx(short - none, rel=0.1)


def test_going_on_with_a_finished_league_plays_nothing_and_changes_nothing(tmp_path: Path) -> None:
    bench_scale.play(BLOCK, tmp_path)
    heads = []
    for _ in range(2):
        bench_scale.play(BLOCK, tmp_path)
        journal = Journal.read(tmp_path)
        heads.append((journal.head(), len(journal.played())))
        journal.close()
    assert heads[0] == heads[1]
    assert heads[0][1] == BLOCK


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_time_and_memory_grow_with_the_matches_and_no_faster(tmp_path: Path) -> None:
    script = str(Path(bench_scale.__file__))
    words = [sys.executable, script, "--most", "100000", "--plot", str(tmp_path), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "matches" in (tmp_path / "scale.svg").read_text()

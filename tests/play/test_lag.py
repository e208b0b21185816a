"""The arena's own lag, with made-up times, and as the kernel counts it."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from needed import needed
from rooms import entrant, room

from arena.model import Lag
from arena.play.lag import Stopwatch, Waits

CROWDED = """
import os, subprocess, sys, time
from arena.play.lag import Waits
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
waits = Waits()
read = waits.reader()
begun, until = read(), time.process_time() + 0.2
while time.process_time() < until:
    pass
print(read() - begun)
other.kill()
other.wait()
waits.close()
"""


def waiting(*seconds: float) -> Iterator[float]:
    return iter(seconds)


def test_the_work_between_decisions_is_taken() -> None:
    watch = Stopwatch(None)
    for asked, answered in ((1.0, 1.5), (1.625, 2.0), (2.25, 3.0)):
        watch.after(asked, answered)
    assert watch.end() == Lag(3, 375.0, 250.0, None, None)


def test_what_is_no_usual_work_is_left_out() -> None:
    watch = Stopwatch(None)
    watch.after(1.0, 1.5)
    watch.skip()
    watch.after(9.0, 9.5)
    assert watch.end() == Lag(2, 0.0, 0.0, None, None)


def test_the_longest_wait_within_a_decision_is_taken() -> None:
    readings = waiting(5.0, 5.25, 5.75, 5.875, 6.0)
    watch = Stopwatch(lambda: next(readings))
    watch.after(1.0, 1.0005)
    watch.after(1.0005, 2.0)
    watch.after(2.0, 2.0005)
    watch.after(2.0005, 2.1)
    assert watch.end() == Lag(4, 0.0, 0.0, 1_000.0, 500.0)


def test_a_wait_is_no_longer_than_the_decision_and_what_came_before_does_not_count() -> None:
    readings = waiting(0.0, 9.0, 10.0)
    watch = Stopwatch(lambda: next(readings))
    watch.after(1.0, 1.25)
    lag = watch.end()
    assert lag
    assert (lag.wait, lag.longest_wait) == (10_000.0, 250.0)


def test_a_match_without_a_question_has_no_lag() -> None:
    assert Stopwatch(None).end() is None


def test_waits_that_are_not_told_are_not_read() -> None:
    waits = Waits()
    waits.close()
    assert waits.reader() is None


@pytest.mark.process
def test_a_busy_core_is_seen_in_the_waits() -> None:
    can_read()
    done = subprocess.run([sys.executable, "-c", CROWDED], capture_output=True, check=True)
    assert float(done.stdout) > 0.05


@pytest.mark.process
def test_a_match_has_the_lag_of_all_its_decisions() -> None:
    with room() as own:
        outcome = own.play(entrant(name="ann"), entrant("Hangs"), entrant(name="bob")).outcome
    lag = outcome.lag
    assert lag
    assert lag.decisions == sum(sum(times.values()) for times in outcome.times) + 1
    assert 0 < lag.longest_work <= lag.work < 1_000
    can_read()
    assert lag.wait is not None
    assert lag.longest_wait is not None
    assert 0 <= lag.longest_wait <= lag.wait


def can_read() -> None:
    """Skip a test where the kernel does not tell of waits."""
    waits = Waits()
    known = waits.reader()
    waits.close()
    if not known:
        needed("count of waits for a processor")

"""Leagues whose processes are stopped for a while, as in a paused container, lose nothing."""

import contextlib
import os
import random
import signal
import time
from collections.abc import Iterable

import pytest
from campaign import Campaign, Run
from leftovers import state
from running import Place

pytestmark = pytest.mark.process

LIMIT_MS = 2000
LIMITS = {"first_move": LIMIT_MS, "move": LIMIT_MS}
LONGER = 3.0
"""Seconds: more than a bot has for a decision."""
SOON = 1.0
"""Seconds within which the runner wakes a worker."""


def campaign(place: Place, blocks: int) -> Campaign:
    league = place.league(
        "first", "greedy", "random", format={"blocks": blocks}, limits=LIMITS, run={"workers": 2}
    )
    return Campaign(place, league)


def playing(run: Run) -> None:
    """Wait until some more matches have been played."""
    enough = len(run.seen) + 3
    run.until(lambda: len(run.seen) >= enough)
    assert not run.finished


def send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def stop(pids: list[int], seconds: float) -> None:
    """Stop processes for a time; they go on in any order."""
    send(pids, signal.SIGSTOP)
    time.sleep(seconds)
    send(random.sample(pids, len(pids)), signal.SIGCONT)


def stop_all(run: Run) -> None:
    playing(run)
    stop([pid for pids in run.processes() for pid in pids], LONGER)


def stop_the_runner(run: Run) -> None:
    playing(run)
    stop(run.processes().runners, LONGER)


def stop_a_bot_briefly(run: Run) -> None:
    playing(run)
    stop(run.processes().others[:1], LIMIT_MS / 4000)


def stop_a_worker(run: Run) -> None:
    """The runner wakes it, however busy the other one is."""
    playing(run)
    stopped = run.processes().workers[0]
    send([stopped], signal.SIGSTOP)
    run.until(lambda: state(stopped) != "T", SOON)
    assert state(stopped) != "T"


def stop_a_bot(run: Run) -> None:
    """It is late, with an answer or with its hello, and its next match has a fresh process."""
    playing(run)
    run.victims, run.cause = 1, " within "
    send(run.processes().others[:1], signal.SIGSTOP)


@pytest.mark.slow
def test_processes_that_are_stopped_for_a_while_lose_nothing(place: Place) -> None:
    stops = (stop_a_worker, stop_the_runner, stop_a_bot_briefly, stop_all, stop_a_bot)
    campaign(place, 40).disturb("run", stops)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_league_that_is_stopped_again_and_again_loses_nothing(place: Place) -> None:
    campaign(place, 100).disturb("run", [stop_all] * 10)

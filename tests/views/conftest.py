"""A small league that all views show: five bots at tables of three, one of them at fault."""

import itertools
import random

import pytest

from arena.games.base import rank
from arena.model import Fault, FaultKind, Lag, Outcome, Spent, bucket
from arena.results.standings import standings
from arena.results.tables import Standings

NAMES = ("counter", "first", "greedy", "miser", "random")
LATE = Fault(
    seat=0,
    deal=2,
    action=3,
    kind=FaultKind.TIMEOUT,
    ms=1000.25,
    detail="no answer in 1000 ms\nit slept",
    output="=1+1\n",
    log="logs/random-1.log",
    cpu=3.5,
)


@pytest.fixture(scope="session")
def outcomes() -> tuple[Outcome, ...]:
    """Two blocks of each composition; the last match is missing."""
    matches = [
        match(seats[turn:] + seats[:turn], block, turn + 1)
        for seats in itertools.combinations(NAMES, 3)
        for block in (1, 2)
        for turn in range(3)
    ]
    return tuple(matches[:-1])


@pytest.fixture(scope="session")
def table(outcomes: tuple[Outcome, ...]) -> Standings:
    return standings(outcomes, {3: 3}, ["日本語"])


def match(seats: tuple[str, ...], block: int, rotation: int) -> Outcome:
    composition = "-".join(sorted(seats))
    rng = random.Random(f"{composition}{block}{rotation}")
    totals = tuple(NAMES.index(name) * 2 + rng.randrange(6) for name in seats)
    late = seats[0] == "random" and block == 2
    places = rank([(late and seat == 0, total) for seat, total in enumerate(totals)])
    return Outcome(
        match=f"{composition}-{block}-{rotation}",
        composition=composition,
        block=block,
        rotation=rotation,
        seats=seats,
        totals=totals,
        places=places,
        deals=2,
        forfeited=(0,) if late else (),
        faults=(LATE,) if late else (),
        ended="complete",
        times=tuple({bucket(NAMES.index(name) + 1.0): 5} for name in seats),
        stale=(1, 0, 0) if late else (0, 0, 0),
        lag=Lag(15, 1.5, 0.25, 0.3, 0.125),
        spent=tuple(Spent(4.0, 12.0 * (name == "miser"), 40.0) for name in seats),
    )

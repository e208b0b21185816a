"""The noise of a machine, from matches of which the work is known."""

import pytest
from msgspec.structs import replace

from arena.model import DealRecord, Limits, MatchResult, Outcome
from arena.results.noise import Calibration, Noise, excesses, noise

QUIET = Noise(5000, 0.1, 0.5, 1.0, 4.0)
CALIBRATION = Calibration(
    "2026-01-01 12:00", "here", 2, True, "none", False, "leaves", 4, 5.0, QUIET, QUIET, None, None
)


def played(*actions: tuple[int, str, float | None]) -> MatchResult:
    outcome = Outcome(
        "m", "c", 1, 1, ("at-once", "works"), (0, 0), (1, 1), 1, (), (), "complete", ({}, {})
    )
    half = len(actions) // 2
    deals = [DealRecord({}, part, (0, 0), False) for part in (actions[:half], actions[half:])]
    return MatchResult(outcome, "leaves", {}, "", tuple(deals))


def test_an_excess_is_what_a_decision_took_beyond_its_work() -> None:
    result = played((0, "a", 90.0), (1, "a", 95.0), (0, "a", 0.25), (1, "a", 7.5), (0, "a", None))
    assert excesses([result, result], {"at-once": 0.0, "works": 5.0}) == {
        0.0: [0.25, 0.25],
        5.0: [2.5, 2.5],
    }


def test_a_decision_is_not_shorter_than_its_work() -> None:
    result = played((1, "a", 95.0), (1, "a", 4.99))
    assert excesses([result], {"at-once": 0.0, "works": 5.0})[5.0] == [0.0]


def test_the_distribution_has_the_least_values_that_cover_their_parts() -> None:
    assert noise([ms / 100 for ms in range(1, 2001)]) == Noise(2000, 10.0, 19.8, 19.98, 20.0)
    assert noise([3.0]) == Noise(1, 3.0, 3.0, 3.0, 3.0)


@pytest.mark.parametrize(
    ("rare", "longest", "least"), [(1.0, 4.0, 10), (1.01, 4.0, 11), (1.0, 7.2, 15), (0.01, 0.02, 1)]
)
def test_the_least_limit_keeps_away_from_rare_and_from_longest_noise(
    rare: float, longest: float, least: int
) -> None:
    worse = replace(QUIET, p999=rare, longest=longest)
    small = replace(QUIET, p999=rare / 2, longest=longest / 2)
    for one, other in ((worse, small), (small, worse)):
        found = replace(CALIBRATION, at_once=one, working=other)
        assert (found.floor, found.least) == (longest, least)


def test_limits_that_are_less_are_within_the_noise() -> None:
    assert CALIBRATION.least == 10
    assert CALIBRATION.within(Limits(first_move=10, move=10)) == {}
    assert CALIBRATION.within(Limits(first_move=10, move=9)) == {"move": (9, 10)}
    both = {"first_move": (1, 10), "move": (1, 10)}
    assert CALIBRATION.within(Limits(first_move=1, move=1)) == both


@pytest.mark.parametrize(
    ("cpu", "least"),
    [(None, 0), ((0.17, 5.1), 2), ((0.25, 5.72), 8), ((0.01, 5.0), 1), ((0.3, 4.9), 3)],
)
def test_a_limit_of_processor_time_is_held_against_what_is_not_the_bot_s_work(
    cpu: tuple[float, float] | None, least: int
) -> None:
    found = replace(CALIBRATION, cpu=cpu)
    assert found.least_cpu == least
    assert found.within(Limits(cpu_move=0)) == found.within(Limits(cpu_move=least)) == {}
    within = {"cpu_move": (least - 1, least)} if least > 1 else {}
    assert found.within(Limits(cpu_move=max(least - 1, 0))) == within

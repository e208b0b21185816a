"""Time limits with an injected time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model import Limits
from arena.play.clock import Clock


class Time:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def decide(clock: Clock, time: Time, ms: float) -> tuple[float, bool]:
    clock.start()
    time.seconds += ms / 1000
    return clock.stop()


def test_the_first_decision_has_a_limit_of_its_own() -> None:
    time = Time()
    clock = Clock(Limits(first_move=500, move=100), time)
    assert clock.allowed_ms == 500
    assert decide(clock, time, 499) == (pytest.approx(499), False)
    assert clock.allowed_ms == 100
    assert decide(clock, time, 101) == (pytest.approx(101), True)


def test_the_deadline_is_in_the_time_of_the_source() -> None:
    time = Time()
    clock = Clock(Limits(first_move=500, move=100, bank=1000), time)
    assert clock.start() == pytest.approx(101.5)


def test_the_bank_is_used_up_by_decisions_that_run_over() -> None:
    time = Time()
    clock = Clock(Limits(first_move=100, move=100, bank=250), time)
    assert not decide(clock, time, 200)[1]
    assert clock.allowed_ms == 250
    assert not decide(clock, time, 100)[1]
    assert clock.allowed_ms == 250
    assert not decide(clock, time, 200)[1]
    assert clock.allowed_ms == 150
    assert decide(clock, time, 200)[1]
    assert clock.allowed_ms == 100


def test_time_saved_is_not_put_into_the_bank() -> None:
    time = Time()
    clock = Clock(Limits(first_move=100, move=100, bank=50), time)
    decide(clock, time, 1)
    assert clock.allowed_ms == 150


def test_without_limits_nothing_is_late() -> None:
    time = Time()
    clock = Clock(None, time)
    assert clock.allowed_ms == 0
    assert math.isinf(clock.start())
    assert decide(clock, time, 1e9) == (pytest.approx(1e9), False)
    assert clock.allowed_ms == 0


@given(
    limits=st.builds(Limits, st.just(1), *(st.integers(0, 1000) for _ in range(3))),
    spent=st.lists(st.integers(0, 2000), max_size=20),
)
def test_the_time_in_all_is_never_more_than_limits_and_bank_before_one_is_late(
    limits: Limits, spent: list[int]
) -> None:
    time = Time()
    clock = Clock(limits, time)
    bank = float(limits.bank)
    for number, ms in enumerate(spent):
        limit = limits.move if number else limits.first_move
        assert clock.allowed_ms == pytest.approx(limit + bank, abs=1)
        _, late = decide(clock, time, ms)
        if abs(ms - limit - bank) > 1e-3:
            assert late == (ms > limit + bank)
        bank = max(0.0, bank - max(0, ms - limit))

"""Time limits with an injected time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model import Limits, Spent
from arena.play.clock import Clock, Taken


class Time:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Processor(Time):
    """Processor time that is used only when it is told to."""

    def use(self, ms: float) -> None:
        self.seconds += ms / 1000


def decide(clock: Clock, time: Time, ms: float) -> tuple[float, bool]:
    clock.start()
    time.seconds += ms / 1000
    taken = clock.stop()
    return taken.ms, taken.late


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


METERED = Limits(first_move=500, move=400, cpu_move=100, cpu_match=1_000)


class Seat:
    """A clock with both times; ``ponder`` passes the time before a decision."""

    def __init__(self, limits: Limits) -> None:
        self.time, self.processor = Time(), Processor()
        self.processor.use(7_000)
        self.clock = Clock(limits, self.time, self.processor)

    def ponder(self, ms: float, cpu: float) -> None:
        self.time.seconds += ms / 1000
        self.processor.use(cpu)

    def decide(self, ms: float, cpu: float) -> Taken:
        self.clock.start()
        self.ponder(ms, cpu)
        return self.clock.stop()


def test_processor_time_is_counted_apart_while_the_bot_is_asked_and_while_it_is_not() -> None:
    seat = Seat(METERED)
    seat.ponder(10, 1)
    assert seat.decide(300, 200).cpu == pytest.approx(200)
    seat.ponder(1_000, 30)
    assert seat.decide(50, 2).cpu == pytest.approx(2)
    seat.ponder(5, 4)
    assert seat.clock.end() == Spent(asked=202.0, off_turn=35.0, waiting=1_015.0)


def test_nothing_is_told_of_processor_time_that_is_not_measured() -> None:
    clock = Clock(METERED, Time())
    clock.start()
    assert clock.burning() == ""
    assert clock.stop() == Taken(0.0, None, False, "")
    assert clock.end() is None


def test_each_decision_but_the_first_has_a_limit_of_processor_time() -> None:
    seat = Seat(METERED)
    assert seat.decide(400, 300).excess == ""
    assert seat.decide(200, 100 - 1e-6).excess == ""
    said = "used 101.0 ms of processor time, cpu_move allows 100 ms"
    assert seat.decide(200, 101).excess == said
    assert not seat.decide(300, 50).excess


def test_the_processor_time_of_a_match_is_all_that_was_used_in_it() -> None:
    seat = Seat(METERED)
    seat.decide(100, 90)
    seat.ponder(5_000, 820)
    assert seat.decide(100, 89).excess == ""
    said = "used 1009 ms of processor time in the match, cpu_match allows 1000 ms"
    assert seat.decide(100, 10).excess == said
    assert seat.decide(1, 0).excess == said


def test_a_decision_that_goes_on_is_found_to_use_too_much() -> None:
    seat = Seat(METERED)
    seat.decide(100, 90)
    seat.clock.start()
    seat.ponder(100, 99)
    assert seat.clock.burning() == ""
    seat.ponder(100, 2)
    assert seat.clock.burning().startswith("used 101.0 ms of processor time, cpu_move")
    assert seat.clock.stop().cpu == pytest.approx(101)


def test_off_turn_allows_a_budget_and_a_tenth_of_the_time() -> None:
    ponderer = Limits(off_turn="fault", off_turn_ms=50)
    seat = Seat(ponderer)
    seat.ponder(1_000, 149)
    assert seat.decide(100, 100).excess == ""
    seat.ponder(1_000, 102)
    assert seat.decide(100, 1).excess == (
        "used 251 ms of processor time in the 2000 ms for which it was not asked, "
        "off_turn allows 250 ms"
    )


def test_off_turn_is_no_fault_unless_the_league_says_so() -> None:
    seat = Seat(Limits(off_turn_ms=1))
    seat.ponder(1_000, 1_000)
    assert seat.decide(100, 100).excess == ""

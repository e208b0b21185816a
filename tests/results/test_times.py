"""Decision times from histograms."""

import pytest
from msgspec.structs import replace

from arena.model import Fault, FaultKind, Lag, Outcome, Spent, bucket
from arena.results.times import BotTimes, decision_times


def timed(seats: tuple[str, ...], *times: list[float]) -> Outcome:
    histograms = tuple({bucket(ms): seen.count(ms) for ms in seen} for seen in times)
    zeros = (0,) * len(seats)
    return Outcome("m", "c", 1, 1, seats, zeros, zeros, 1, (), (), "complete", histograms, zeros)


def test_times_are_summed_over_matches_and_given_by_name() -> None:
    found = decision_times(
        [timed(("b", "a"), [1.0] * 60, [500.0]), timed(("a", "b"), [], [1.0] * 38 + [64.0] * 2)]
    )
    found = found.bots
    assert [(bot.bot, bot.decisions) for bot in found] == [("a", 1), ("b", 100)]
    assert (found[1].median, found[1].p99, found[1].longest) == pytest.approx(
        (1.0, 64.0, 64.0), rel=0.12
    )


def test_the_quantile_is_the_lowest_time_that_covers_its_part() -> None:
    (bot,) = decision_times([timed(("a",), [1.0] * 99 + [64.0])]).bots
    assert bot.median == bot.p99 == pytest.approx(1.0, rel=0.12)
    assert bot.longest == pytest.approx(64.0, rel=0.12)


def test_order_does_not_matter() -> None:
    outcomes = [timed(("a", "b"), [n / 3], [n * 9.0]) for n in range(1, 20)]
    assert decision_times(outcomes) == decision_times(outcomes[::-1])


def test_a_bot_without_a_decision_is_left_out() -> None:
    found = decision_times([timed(("a", "b"), [], [2.0])])
    (only,) = found.bots
    assert only == BotTimes("b", 1, *[only.median] * 3)


def test_processor_time_is_that_of_the_matches_in_which_it_was_measured() -> None:
    known = Spent(asked=30.0, off_turn=5.0, waiting=50.0)
    outcomes = [
        timed(("a", "b"), [1.0] * 10, [1.0] * 10),
        replace(timed(("a", "b"), [1.0] * 20, [1.0]), spent=(known, None)),
        replace(timed(("b", "a"), [1.0], [1.0] * 10), spent=(None, known)),
    ]
    a, b = decision_times(outcomes).bots
    assert (a.decisions, a.cpu, a.off_turn, a.waiting) == (40, 2.0, 10.0, 100.0)
    assert (b.cpu, b.off_turn, b.waiting) == (None, None, None)


def test_the_lag_of_all_matches_is_summed_and_the_longest_kept() -> None:
    one = replace(timed(("a",), [1.0]), lag=Lag(10, 5.0, 2.0, 3.0, 0.5))
    other = replace(timed(("a",), [1.0]), lag=Lag(30, 7.0, 1.0, 4.0, 2.5))
    silent = timed(("a",), [1.0])
    assert decision_times([one, silent, other]).arena == Lag(40, 12.0, 2.0, 7.0, 2.5)
    unknown = replace(silent, lag=Lag(1, 1.0, 1.0, None, None))
    assert decision_times([one, unknown]).arena == Lag(11, 6.0, 2.0, None, 0.5)
    assert decision_times([silent]).arena is None


def test_late_answers_with_little_processor_time_are_counted() -> None:
    late = [
        Fault(0, 1, 1, kind, 1000.0, "late", cpu=cpu)
        for kind, cpu in [
            (FaultKind.TIMEOUT, 499.0),
            (FaultKind.TIMEOUT, 500.0),
            (FaultKind.TIMEOUT, None),
            (FaultKind.CPU, 1.0),
        ]
    ]
    times = decision_times([replace(timed(("a",), [1.0]), faults=tuple(late))])
    assert (times.late, times.idle) == (3, 1)

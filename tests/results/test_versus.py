"""Comparisons of two bots: the blocks, the verdict, and how often it is a false alarm."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from results.leagues import outcome

from arena.model import Outcome
from arena.results.betting import ConfidenceSequence
from arena.results.versus import Verdict, Versus


def versus(*mates: str) -> Versus:
    seats = 1 + len(mates) if mates else 2
    return Versus("old", "new", seats, apart=bool(mates), margin=0.02, alpha=0.05)


def block(number: int, gains: tuple[int, ...], *mates: str) -> list[Outcome]:
    """Return a block in which the new bot, in seat 0 and so on, is ahead of all where it gains."""
    found = []
    sides = ("old", "new") if mates else ("new",)
    for bot in sides:
        base = (bot, *(mates or ("old",)))
        for turn in range(len(base)):
            if mates and turn:
                continue
            seats = base[turn:] + base[:turn]
            first = gains[turn] if bot == "new" else 0
            places = tuple(
                (1 if first else len(base)) if name == bot else 2 if first else 1 for name in seats
            )
            found.append(outcome(seats, number, turn + 1, places))
    return found


def test_head_to_head_a_block_is_the_difference_of_the_shares() -> None:
    found = versus()
    for match in (*block(1, (1, 1)), *block(2, (0, 1))):
        found.add(match)
    assert (found.blocks, found.matches, found.difference) == (2, 4, 0.5)


def test_with_mates_a_block_is_one_match_of_each() -> None:
    found = versus("x", "y")
    for match in (*block(1, (1,), "x", "y"), *block(2, (0,), "x", "y")):
        found.add(match)
    assert (found.blocks, found.matches, found.difference) == (2, 4, 0.5)


def test_one_mate_makes_tables_of_two() -> None:
    found = versus("x")
    for match in block(1, (1,), "x"):
        found.add(match)
    assert (found.blocks, found.matches, found.difference) == (1, 2, 1.0)


def test_a_block_counts_when_it_and_all_before_it_are_complete() -> None:
    found = versus()
    first, second = block(1, (1, 1)), block(2, (0, 0))
    for match in (first[0], *second):
        found.add(match)
    assert found.blocks == 0
    found.add(first[1])
    assert (found.blocks, found.difference) == (2, 0.0)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=40), st.randoms())
def test_the_order_of_matches_does_not_matter(gains, rng) -> None:  # type: ignore[no-untyped-def]
    matches = [match for n, gain in enumerate(gains, 1) for match in block(n, gain)]
    one, two = versus(), versus()
    for match in matches:
        one.add(match)
    for match in rng.sample(matches, len(matches)):
        two.add(match)
    assert (one.interval, one.verdict, one.difference) == (
        two.interval,
        two.verdict,
        two.difference,
    )


@pytest.mark.parametrize(
    ("gains", "verdict"),
    [((1, 1), Verdict.BETTER), ((0, 0), Verdict.WORSE), ((0, 1), Verdict.EQUAL)],
)
def test_a_clear_difference_is_found(gains: tuple[int, int], verdict: Verdict) -> None:
    found = versus()
    assert found.verdict is Verdict.UNDECIDED
    for number in range(1, 400):
        for match in block(number, gains):
            found.add(match)
    assert found.verdict is verdict


def test_the_interval_narrows_around_the_mean() -> None:
    found, last = ConfidenceSequence(0.05), (-1.0, 1.0)
    rng = random.Random(3)
    for _ in range(300):
        found.add(rng.choice([-0.5, 0.0, 0.5, 1.0]))
        assert last[0] <= found.low <= found.high <= last[1]
        last = found.low, found.high
    assert found.low < 0.25 < found.high
    assert found.high - found.low < 0.3


def test_one_look_at_any_time_excludes_a_mean_when_the_bets_against_it_pay() -> None:
    """Against the formula written down for one mean, without bisection or counts."""
    values = [1.0, 0.5, 1.0, 0.75, 1.0, 1.0, 0.25, 1.0]
    found = ConfidenceSequence(0.05)
    for value in values:
        found.add(value)

    def wealth(mean: float) -> float:
        stakes = []
        for fraction in (0.05, 0.1, 0.3, 0.6, 0.95):
            bet = fraction / (mean + 1)
            stakes.append(np.prod([1 + bet * (value - mean) for value in values]))
        return float(np.mean(stakes)) / 2

    assert wealth(found.low) == pytest.approx(1 / 0.05, rel=1e-3)


def alarms(runs: int, blocks: int, alpha: float, draw: str) -> float:
    """Return how often a comparison of two equal bots, watched after every block, is decided."""
    rng = np.random.default_rng(17)
    found = 0
    for _ in range(runs):
        if draw == "coins":
            values = rng.choice([-1.0, 0.0, 1.0], size=blocks, p=[0.25, 0.5, 0.25])
        elif draw == "rare":
            values = rng.choice([1.0, 0.0, -0.125], size=blocks, p=[1 / 18, 1 / 2, 4 / 9])
        else:
            values = np.clip(np.round(rng.normal(0, 0.15, size=blocks) * 24) / 24, -1, 1)
        watched = ConfidenceSequence(alpha)
        for value in values.tolist():
            watched.add(value)
            if watched.low > 0 or watched.high < 0:
                found += 1
                break
    return found / runs


@pytest.mark.parametrize("draw", ["coins", "rare", "noise"])
def test_equal_bots_are_seldom_told_apart_by_whoever_watches(draw: str) -> None:
    assert alarms(60, 60, 0.05, draw) <= 0.09


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("draw", "alpha"), [*itertools.product(["coins", "rare", "noise"], [0.05]), ("coins", 0.2)]
)
def test_false_alarms_are_at_most_alpha_over_2000_watched_runs(draw: str, alpha: float) -> None:
    found = alarms(2000, 200, alpha, draw)
    print(f"{draw}, alpha {alpha}: {found:.4f} false alarms")
    assert found <= alpha

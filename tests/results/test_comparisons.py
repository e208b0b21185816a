"""Separation: against scipy, by hand, and by how often bots that are equal are told apart."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from results.leagues import league, outcome

from arena.model import Outcome
from arena.results.comparisons import letters
from arena.results.standings import standings
from arena.results.statistics import separable
from arena.results.tables import Pair, Standings

ALL = {2: 2, 3: 3, 4: 4}


def shares(matches: list[Outcome], bot: str) -> dict[str, float]:
    """Return the share of a bot in each block, in the plainest way."""
    found: dict[str, list[float]] = {}
    for match in matches:
        if bot in match.seats:
            own = match.places[match.seats.index(bot)]
            ahead = sum((own < other) + (own == other) / 2 for other in match.places) - 0.5
            found.setdefault(match.block_id, []).append(ahead / (len(match.seats) - 1))
    return {block: float(np.mean(values)) for block, values in found.items()}


def pair(table: Standings, a: str, b: str) -> Pair:
    return next(pair for pair in table.pairs if {pair.bot, pair.other} == {a, b})


def test_bots_of_one_table_are_compared_by_a_paired_test() -> None:
    matches = list(
        league({"a": 0.5, "b": 0, "c": 0}, seats=3, blocks=20, rng=np.random.default_rng(1))
    )
    table = standings(matches, ALL)
    a, b = (list(shares(matches, bot).values()) for bot in "ab")
    right = scipy.stats.ttest_rel(a, b)
    found = pair(table, "a", "b")
    assert found.difference == pytest.approx(np.mean(a) - np.mean(b))
    low, high = right.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)
    tails = sorted(scipy.stats.ttest_rel(*(list(shares(matches, x).values()) for x in names)).pvalue
                   for names in itertools.combinations("abc", 2))  # fmt: skip
    assert sorted(p.p for p in table.pairs)[0] == pytest.approx(min(1, 3 * tails[0]), rel=1e-3)
    assert found.common == 20


def test_bots_that_never_met_are_compared_by_an_unpaired_test() -> None:
    rng = np.random.default_rng(2)
    matches = [
        match
        for bot in "ab"
        for match in league({bot: 0.2, "x": 0.0, "y": 0.0}, seats=3, blocks=12, rng=rng)
    ]
    found = pair(standings(matches, ALL), "a", "b")
    a, b = (list(shares(matches, bot).values()) for bot in "ab")
    right = scipy.stats.ttest_ind(a, b).confidence_interval(0.95)
    sign = 1 if found.bot == "a" else -1
    assert (sign * found.low, sign * found.high)[::sign] == pytest.approx(
        (right.low, right.high), abs=1e-4
    )
    assert found.common == 0


def test_the_pairing_is_within_compositions() -> None:
    """Two compositions with other levels of the pair's difference and no noise of its own."""
    wins, losses = ((1, 2), (2, 1)), ((1, 2), (1, 2))
    matches = [
        outcome(("a", "b")[:: 1 if rotation == 0 else -1], block, rotation + 1, places)
        for block in range(6)
        for rotation, places in enumerate(wins if block % 2 else losses)
    ]
    found = pair(standings(matches, ALL), "a", "b")
    right = scipy.stats.ttest_1samp([0.0, 1.0] * 3, 0.0).confidence_interval(0.95)
    assert (found.difference, found.common) == (0.5, 6)
    assert (found.low, found.high) == pytest.approx((right.low, min(1, right.high)), abs=2e-3)


def test_a_difference_that_never_varies_is_no_certainty() -> None:
    def always(blocks: int) -> Pair:
        matches = [
            outcome(seats, block, rotation, (1, 2) if seats[0] == "a" else (2, 1))
            for block in range(blocks)
            for rotation, seats in ((1, ("a", "b")), (2, ("b", "a")))
        ]
        return pair(standings(matches, ALL), "a", "b")

    assert always(5).p == pytest.approx(0.5**5)
    assert always(10).low == pytest.approx(1 - 2 * (1 - 0.05 ** (1 / 10)))
    assert (always(5).high, always(5).needed) == (1.0, 0)


def test_blocks_needed_are_those_of_the_power_calculation() -> None:
    rng = np.random.default_rng(5)
    matches = list(league({"a": 0.1, "b": 0.0}, seats=2, blocks=30, rng=rng))
    found = pair(standings(matches, ALL), "a", "b")
    values = np.array(list(shares(matches, found.bot).values())) * 2 - 1
    z = scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)
    whole = (z * values.std(ddof=1) / values.mean()) ** 2
    assert found.p > 0.05
    assert found.needed == pytest.approx(whole - 30, abs=1)
    assert separable(1) == pytest.approx(z)


def test_no_pairs_below_five_blocks() -> None:
    rng = np.random.default_rng(3)
    matches = list(league({"a": 3.0, "b": 0.0}, seats=2, blocks=4, rng=rng))
    table = standings(matches, ALL)
    assert table.pairs == ()
    assert [row.groups for row in table.rows] == [(), ()]


@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_two_bots_share_a_letter_if_and_only_if_they_are_not_separated(bots, rng) -> None:  # type: ignore[no-untyped-def]
    names = [f"bot-{n}" for n in range(bots)]
    compared = [
        Pair(a, b, 0.1, 0.0, 0.2, rng.choice([0.01, 0.5]), 9, 0)
        for a, b in itertools.combinations(names, 2)
    ]
    found = letters(compared)
    assert list(found) == names
    for one in compared:
        assert bool(set(found[one.bot]) & set(found[one.other])) == (one.p >= 0.05)
    used = {letter: {n for n in names if letter in found[n]} for n in names for letter in found[n]}
    assert not any(a < b for a in used.values() for b in used.values())
    assert found[names[0]][0] == "a"


def test_planted_strengths_are_recovered_within_groups() -> None:
    """Twelve bots in four classes: the table has their order, and no group spans two classes."""
    strengths = {f"bot-{n:02}": float(n // 3) for n in range(12)}
    rng = np.random.default_rng(7)
    matches = list(league(strengths, seats=4, blocks=2, rng=rng))
    table = standings(matches, ALL)
    classes = [strengths[row.bot] for row in table.rows]
    assert classes == sorted(classes, reverse=True)
    for a, b in itertools.combinations(table.rows, 2):
        if strengths[a.bot] != strengths[b.bot]:
            assert not set(a.groups) & set(b.groups)


def false_finds(leagues: int) -> float:
    """Return in how many leagues of equal bots any two are separated."""
    rng = np.random.default_rng(11)
    equal = dict.fromkeys("abcde", 0.0)
    found = 0
    for _ in range(leagues):
        table = standings(league(equal, seats=3, blocks=2, rng=rng), ALL)
        found += any(pair.p < 0.05 for pair in table.pairs)
    return found / leagues


def test_equal_bots_are_seldom_separated() -> None:
    assert false_finds(100) <= 0.09


@pytest.mark.slow
def test_in_one_league_of_twenty_at_most_equal_bots_are_separated() -> None:
    found = false_finds(1000)
    print(f"leagues of equal bots with a separated pair: {found:.4f}")
    assert found <= 0.06

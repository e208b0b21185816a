"""Intervals: against scipy, at their edges, and by how often they hold the truth."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from arena.results.statistics import Sums, holm, student_975, student_tail
from arena.results.statistics import interval as interval_of_sums

UNIT = 10**6
VALUES = st.floats(0, 1)


def interval(groups: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """Return the interval of block means by composition."""
    strata = []
    for values in groups.values():
        sums = Sums()
        for value in values:
            sums.add(round(value * UNIT))
        if values:
            strata.append(sums)
    return interval_of_sums(strata, UNIT)


@pytest.mark.parametrize("freedom", [*range(4, 31), 50, 100, 1000, 10**6])
def test_student_quantile_is_within_0_002_of_scipy(freedom: int) -> None:
    assert student_975(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), abs=0.002)


def test_one_group_gives_the_textbook_interval() -> None:
    values = [0.4, 0.5, 0.6, 0.55, 0.45, 0.5]
    low, high = scipy.stats.t.interval(0.95, 5, np.mean(values), scipy.stats.sem(values))
    assert interval({"x": values}) == pytest.approx((low, high), abs=1e-4)


def test_the_variance_is_pooled_within_compositions() -> None:
    groups = {"x": [0.1, 0.2, 0.3], "y": [0.7, 0.8, 0.9]}
    half = student_975(4) * np.sqrt(0.01 / 6)
    assert interval(groups) == pytest.approx((0.5 - half, 0.5 + half))


@pytest.mark.parametrize(
    "groups",
    [
        {"x": [0.1, 0.2, 0.3], "y": [0.7, 0.8]},
        {"v": [0.1], "w": [0.9], "x": [0.3, 0.4], "y": [0.2, 0.5], "z": [0.7, 0.6, 0.9, 0.8]}
        | {str(n): [n / 10] for n in range(6)},
    ],
    ids=["below 4 degrees of freedom", "under two blocks a composition"],
)
def test_thin_compositions_are_taken_as_one_group(groups: dict[str, list[float]]) -> None:
    together = [value for values in groups.values() for value in values]
    assert interval(groups) == interval({"all": together})


@given(st.lists(VALUES, max_size=4))
def test_none_below_five_blocks(values: list[float]) -> None:
    assert interval({"x": values}) is None
    assert interval({str(n): [value] for n, value in enumerate(values)}) is None


def test_no_blocks_at_all_give_none() -> None:
    assert interval({}) is None


def test_blocks_that_do_not_vary_prove_no_certainty() -> None:
    unseen = 1 - 0.05 ** (1 / 10)
    assert interval({"x": [1.0] * 10}) == pytest.approx((1 - unseen, 1.0))
    assert interval({"x": [0.5] * 10}) == pytest.approx((0.5 - unseen / 2, 0.5 + unseen / 2))
    assert interval({"x": [1.0] * 5, "y": [0.0] * 5}) == pytest.approx((0.5 - unseen, 0.5 + unseen))


@given(st.lists(st.lists(VALUES, max_size=6), max_size=5), st.randoms())
def test_order_of_blocks_and_compositions_does_not_matter(groups, rng) -> None:  # type: ignore[no-untyped-def]
    named = {str(n): values for n, values in enumerate(groups)}
    mixed = {
        key: rng.sample(named[key], len(named[key])) for key in rng.sample(list(named), len(named))
    }
    assert interval(mixed) == interval(named)


@pytest.mark.parametrize("freedom", [*range(1, 12), 50, 51, 998, 999, 1000, 1001, 10**5])
@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, -2.0, 4.0, 9.0])
def test_student_tail_is_that_of_scipy(t: float, freedom: int) -> None:
    assert student_tail(t, freedom) == pytest.approx(
        2 * scipy.stats.t.sf(abs(t), freedom), abs=1e-6
    )


def test_holm_multiplies_by_the_comparisons_that_are_left() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.5, 0.001, 0.6]) == pytest.approx((1.0, 0.003, 1.0))
    assert holm([]) == ()


def coverage(compositions: int, blocks: int, leagues: int) -> float:
    """Return how often the interval holds the true share in simulated leagues."""
    rng = np.random.default_rng(13)
    truth = float(np.mean(simulated(rng, compositions, 100_000 // compositions)))
    shares = simulated(rng, compositions, leagues * blocks)
    held = 0
    for league in shares.reshape(compositions, leagues, blocks).swapaxes(0, 1).tolist():
        found = interval({str(n): values for n, values in enumerate(league)})
        assert found is not None
        held += found[0] <= truth <= found[1]
    return held / leagues


@pytest.mark.parametrize(("compositions", "blocks"), [(1, 5), (1, 12), (4, 2), (4, 5), (10, 5)])
def test_95_of_100_intervals_hold_the_true_share(compositions: int, blocks: int) -> None:
    assert 0.93 <= coverage(compositions, blocks, 1000) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compositions", "blocks"),
    [(1, 5), (1, 8), (1, 20), (1, 50), (1, 200), (4, 2), (4, 5), (4, 50), (10, 5), (10, 20)],
)
def test_intervals_hold_the_truth_from_5_to_200_blocks(compositions: int, blocks: int) -> None:
    held = coverage(compositions, blocks, 10_000)
    print(f"{compositions} compositions of {blocks} blocks: {held:.4f}")
    assert 0.93 <= held <= 0.97


def test_one_block_a_composition_is_conservative() -> None:
    assert coverage(7, 1, 1000) >= 0.97


def simulated(rng: np.random.Generator, compositions: int, blocks: int) -> np.ndarray:
    """Return block shares, [composition, block], of a bot at tables of four.

    The four rotations of a block share the luck of the seats; skills differ by composition.
    """
    skills = np.linspace(-1.0, 1.0, compositions * 3).reshape(compositions, 1, 1, 3)
    luck = rng.normal(size=(compositions, blocks, 4))
    seat = np.arange(4)
    mine = luck[:, :, seat, None] + rng.normal(size=(compositions, blocks, 4, 1))
    others = luck[:, :, (seat[:, None] + [1, 2, 3]) % 4] + skills
    others = others + rng.normal(size=others.shape)
    return (mine > others).mean(axis=(2, 3))

"""The width of intervals that is forecast is the one that bots of equal strength come to have."""

import random
from statistics import fmean

import pytest

from arena.results.forecast import half_width
from arena.results.statistics import Sums, interval


def widths(blocks: int, compositions: int, seats: int, rotations: int) -> list[float]:
    """Return half the widths of a bot's intervals in leagues of random places."""
    chance = random.Random(13)
    unit = rotations * (seats - 1)
    found = []
    for _ in range(300):
        strata = [Sums() for _ in range(compositions)]
        for block in range(blocks):
            shares = sum(chance.randrange(seats) for _ in range(rotations))
            strata[block % compositions].add(shares)
        low, high = interval(strata, unit) or (0.0, 0.0)
        found.append((high - low) / 2)
    return found


@pytest.mark.parametrize(
    ("blocks", "compositions", "seats", "rotations"),
    [(40, 4, 4, 4), (10, 10, 3, 3), (20, 2, 2, 1), (100, 50, 6, 2), (12, 9, 5, 5)],
)
def test_the_width_is_that_of_bots_of_equal_strength(
    blocks: int, compositions: int, seats: int, rotations: int
) -> None:
    expected = half_width(blocks, compositions, seats, rotations)
    assert expected == pytest.approx(
        fmean(widths(blocks, compositions, seats, rotations)), rel=0.05
    )


def test_there_is_none_where_there_is_no_interval() -> None:
    assert half_width(4, 2, 3, 3) is None
    assert half_width(5, 5, 3, 3) is not None

"""The course of ratings: at its end it is what the ratings are."""

import numpy as np
import pytest
from results.leagues import league, outcome

from arena.model import Outcome
from arena.results.complete import CompleteBlocks
from arena.results.course import POINTS, Point, course, latest
from arena.results.ratings.bradley_terry import PLUGIN

STRENGTHS = {"a": 0.8, "b": 0.0, "c": -0.3, "d": 0.1}
MATCHES = tuple(league(STRENGTHS, seats=3, blocks=25, rng=np.random.default_rng(1)))


def followed(matches: tuple[Outcome, ...], anchor: str = "") -> tuple[Point, ...]:
    blocks = tuple(CompleteBlocks(matches, {2: 2, 3: 3}))
    return course(blocks, len(blocks), anchor)


@pytest.mark.parametrize("anchor", ["", "c"])
def test_the_end_of_the_course_is_the_ratings_of_all_matches(anchor: str) -> None:
    right = PLUGIN.rate(CompleteBlocks(MATCHES, {3: 3}), anchor)
    found = latest(followed(MATCHES, anchor=anchor), anchor)
    assert (found.kind, found.anchor, found.parts) == (right.kind, right.anchor, right.parts)
    assert [row.bot for row in found.rows] == [row.bot for row in right.rows]
    for row, other in zip(found.rows, right.rows, strict=True):
        assert row.rating == pytest.approx(other.rating, abs=0.06)
        assert row.high - row.low == pytest.approx(other.high - other.low, rel=0.05, abs=0.2)


def test_a_course_has_its_points_at_equal_distances_and_narrows() -> None:
    points = followed(MATCHES)
    assert [point.blocks for point in points] == list(range(5, 101, 5))
    assert len(points) <= POINTS
    widths = [point.rows[0].high - point.rows[0].low for point in points if point.rows[0].low]
    assert widths[-1] < widths[0] / 2


def test_a_bot_has_no_interval_as_long_as_nothing_but_the_prior_holds_it() -> None:
    lost = [
        outcome(seats, block, turn, (1, 2) if seats[0] == "a" else (2, 1))
        for block in range(20)
        for turn, seats in enumerate([("a", "b"), ("b", "a")], 1)
    ]
    points = followed(tuple(lost))
    assert all(row.low is row.high is None for point in points for row in point.rows)
    assert points[-1].rows[0].rating > points[0].rows[0].rating > 1500


def test_bots_that_have_not_met_are_parts_of_their_own() -> None:
    apart = [
        outcome(seats, 1, turn, (1, 2))
        for pair in ("ab", "cd")
        for turn, seats in enumerate([tuple(pair), tuple(pair[::-1])], 1)
    ]
    (first, second) = followed(tuple(apart))
    assert [row.bot for row in first.rows] == ["a", "b"]
    assert {row.part for row in second.rows} == {1, 2}
    assert latest((first, second)).parts == 2


def test_a_league_without_blocks_has_no_course() -> None:
    assert followed(()) == ()
    assert latest(()).rows == ()

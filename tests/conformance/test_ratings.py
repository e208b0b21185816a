"""What every kind of rating must keep: it rates all bots, whatever the order of results."""

import random

import numpy as np
import pytest
from results.leagues import league

from arena import plugins
from arena.model import Outcome
from arena.results.complete import CompleteBlocks
from arena.results.ratings.base import Rater
from arena.results.tables import Ratings

STRENGTHS = {"ann": 1.5, "bob": 0.5, "cyd": 0.0, "dan": -0.5, "eve": -1.5}


@pytest.fixture(params=plugins.names("ratings"))
def rater(request: pytest.FixtureRequest) -> Rater:
    found: Rater = plugins.load("ratings", request.param)
    found.check()
    return found


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return list(league(STRENGTHS, seats=3, blocks=6, rng=np.random.default_rng(4)))


def rated(rater: Rater, outcomes: list[Outcome], anchor: str = "") -> Ratings:
    return rater.rate(CompleteBlocks(outcomes, {2: 2, 3: 3}), anchor)


def test_the_key_is_the_name_of_the_plugin(rater: Rater) -> None:
    assert plugins.load("ratings", rater.key) is rater


def test_the_order_of_results_does_not_matter(rater: Rater, outcomes: list[Outcome]) -> None:
    right = rated(rater, outcomes)
    for seed in range(3):
        assert rated(rater, random.Random(seed).sample(outcomes, len(outcomes))) == right


def test_planted_strengths_are_recovered(rater: Rater, outcomes: list[Outcome]) -> None:
    ratings = rated(rater, outcomes)
    assert [row.bot for row in ratings.rows] == list(STRENGTHS)
    assert (ratings.kind, ratings.parts, ratings.anchor) == (rater.key, 1, "")
    for row in ratings.rows:
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.rating < row.high


def test_the_mean_is_1500_or_the_anchor_is(rater: Rater, outcomes: list[Outcome]) -> None:
    free, fixed = rated(rater, outcomes), rated(rater, outcomes, "cyd")
    assert np.mean([row.rating for row in free.rows]) == pytest.approx(1500, abs=0.1)
    anchored = {row.bot: row for row in fixed.rows}
    assert (anchored["cyd"].low, anchored["cyd"].rating, anchored["cyd"].high) == (1500,) * 3
    shifts = {round(anchored[row.bot].rating - row.rating, 0) for row in free.rows}
    assert max(shifts) - min(shifts) <= 1
    assert rated(rater, outcomes, "nobody") == free


def test_bots_that_nothing_connects_are_rated_apart(rater: Rater) -> None:
    rng = np.random.default_rng(5)
    matches = [
        *league({"a": 1.0, "b": 0.0}, seats=2, blocks=8, rng=rng),
        *league({"x": 1.0, "y": 0.0}, seats=2, blocks=8, rng=rng),
    ]
    ratings = rated(rater, matches)
    assert ratings.parts == 2
    assert sorted((row.part, row.bot) for row in ratings.rows) == [
        (1, "a"), (1, "b"), (2, "x"), (2, "y"),
    ]  # fmt: skip


def test_a_league_without_blocks_has_no_ratings(rater: Rater) -> None:
    assert rated(rater, []).rows == ()

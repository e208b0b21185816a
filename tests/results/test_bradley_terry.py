"""Bradley-Terry: against an independent fit, at its edges, and by how often intervals hold."""

import itertools
import re
import sys
from collections.abc import Mapping

import numpy as np
import pytest
import scipy.optimize
from results.leagues import league, outcome

from arena.errors import ConfigError, installing
from arena.model import Outcome
from arena.results.complete import CompleteBlocks
from arena.results.ratings.bradley_terry import ELO, PLUGIN
from arena.results.tables import Rating


def rated(matches: list[Outcome]) -> dict[str, Rating]:
    return {row.bot: row for row in PLUGIN.rate(CompleteBlocks(matches, {2: 2, 3: 3})).rows}


def likeliest(matches: list[Outcome], names: str) -> np.ndarray:
    """Return the Elo ratings by a general optimiser; the prior is the ties that it stands for."""
    games = [
        (one[0], two[0], 1.0 if one[1] < two[1] else 0.5 if one[1] == two[1] else 0.0, 1.0)
        for match in matches
        for one, two in itertools.combinations(zip(match.seats, match.places, strict=True), 2)
    ]
    games += [(a, b, 0.5, 1 / (len(names) - 1)) for a, b in itertools.combinations(names, 2)]

    def loss(strengths: np.ndarray) -> float:
        total = 0.01 * strengths.sum() ** 2
        for a, b, won, weight in games:
            x = strengths[names.index(a)] - strengths[names.index(b)]
            total += weight * (won * np.logaddexp(0, -x) + (1 - won) * np.logaddexp(0, x))
        return float(total)

    found = scipy.optimize.minimize(loss, np.zeros(len(names)), tol=1e-10).x
    return np.asarray(1500 + ELO * (found - found.mean()))


def test_ratings_are_those_of_greatest_likelihood() -> None:
    rng = np.random.default_rng(1)
    matches = list(league({"a": 0.8, "b": 0.0, "c": -0.3, "d": 0.1}, seats=3, blocks=3, rng=rng))
    found = rated(matches)
    assert [found[name].rating for name in "abcd"] == pytest.approx(
        likeliest(matches, "abcd"), abs=0.1
    )


def won(winner: str, loser: str, blocks: int) -> list[Outcome]:
    return [
        outcome(seats, block, turn, (1, 2) if seats[0] == winner else (2, 1))
        for block in range(blocks)
        for turn, seats in enumerate([(winner, loser), (loser, winner)], 1)
    ]


def test_a_bot_that_won_or_lost_everything_has_a_finite_rating_and_no_interval() -> None:
    found = rated(won("a", "b", 10))
    assert found["a"].rating - found["b"].rating == pytest.approx(
        400 * np.log10(20.5 / 0.5), abs=0.2
    )
    assert found["a"].low is found["a"].high is None
    assert found["b"].low is found["b"].high is None


def test_bots_of_a_cycle_are_equal_and_the_one_that_loses_to_all_is_not_held() -> None:
    cycle = [*won("a", "b", 5), *won("b", "c", 5), *won("c", "a", 5)]
    found = rated([*cycle, *(m for bot in "abc" for m in won(bot, "z", 5))])
    assert {found[bot].rating for bot in "abc"} == {found["a"].rating}
    assert all(found[bot].low is not None for bot in "abc")
    assert found["z"].low is None


def test_only_bots_that_results_hold_to_the_anchor_have_an_interval() -> None:
    cycle = [*won("a", "b", 5), *won("b", "c", 5), *won("c", "a", 5)]
    matches = [*cycle, *(m for bot in "abc" for m in won(bot, "z", 5))]
    blocks = list(CompleteBlocks(matches, {2: 2}))
    by_loser = {row.bot: row for row in PLUGIN.rate(blocks, "z").rows}
    assert (by_loser["z"].low, by_loser["z"].high) == (1500, 1500)
    assert all(by_loser[bot].low is None for bot in "abc")
    by_other = {row.bot: row for row in PLUGIN.rate(blocks, "a").rows}
    assert all(by_other[bot].low is not None for bot in "abc")
    assert by_other["z"].low is None


def test_without_choix_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ConfigError, match=re.escape(installing("ratings"))):
        PLUGIN.rate([])


def coverage(strengths: Mapping[str, float], blocks: int, leagues: int) -> float:
    """Return how often an interval holds the rating of a league that has no end."""
    rng = np.random.default_rng(6)
    truth = rated(list(league(strengths, seats=3, blocks=min(20 * leagues, 1500), rng=rng)))
    held = []
    for _ in range(leagues):
        for bot, row in rated(list(league(strengths, seats=3, blocks=blocks, rng=rng))).items():
            if row.low is not None and row.high is not None:
                held.append(row.low <= truth[bot].rating <= row.high)
    return float(np.mean(held))


STRENGTHS = {"a": 1.0, "b": 0.4, "c": 0.0, "d": -1.0}


def test_intervals_hold_the_true_rating() -> None:
    assert 0.88 <= coverage(STRENGTHS, 6, 25) <= 1.0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("blocks", [2, 5, 15, 50])
def test_95_of_100_intervals_hold_the_true_rating(blocks: int) -> None:
    """A bot has three times as many blocks as a composition."""
    held = coverage(STRENGTHS, blocks, 400)
    print(f"ratings from {3 * blocks} blocks a bot: {held:.4f}")
    assert 0.93 <= held <= 0.975

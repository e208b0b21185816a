"""Gauntlet: who meets whom, and what its options mean."""

from collections import Counter
from typing import Any

import playing
import pytest

from arena.errors import OptionError
from arena.league.formats.gauntlet import PLUGIN
from arena.league.seasons import continued
from arena.model import Fixture, League


def tables(some: League) -> dict[str, Counter[tuple[str, ...]]]:
    """Return for each candidate how many blocks it plays against which opponents."""
    candidates = some.format_options["candidates"]
    found: dict[str, Counter[tuple[str, ...]]] = {name: Counter() for name in candidates}
    fixtures: list[Fixture] = playing.fixtures(some)
    for seats in {fixture.block_id: fixture.seats for fixture in fixtures}.values():
        (candidate,) = set(seats) & set(candidates)
        found[candidate][tuple(sorted(set(seats) - {candidate}))] += 1
    return found


def test_each_candidate_meets_every_table_of_the_field_alone() -> None:
    some = playing.league("gauntlet", 6, (2, 3), candidates=["a", "d"], blocks=3)
    found = tables(some)
    assert found["a"] == found["d"]
    assert len(found["a"]) == 4 + 6
    assert set(found["a"].values()) == {3}
    assert playing.plan(some).extent().matches == 2 * 3 * (4 * 2 + 6 * 3)


@pytest.mark.parametrize("budget", [{"compositions": 7, "blocks": 2}, {"matches": 28}])
def test_opponents_of_a_budget_are_drawn_in_balance_and_the_same_for_all(
    budget: dict[str, int],
) -> None:
    some = playing.league("gauntlet", 9, (4,), candidates=["a", "b"], **budget)
    found = tables(some)
    assert found["a"] == found["b"]
    assert len(found["a"]) == 7
    opponents = Counter(name for table in found["a"] for name in table)
    assert set(opponents.values()) == {3}
    pairs = Counter(
        frozenset((x, y)) for table in found["a"] for x in table for y in table if x < y
    )
    assert set(pairs.values()) == {1}
    assert len(pairs) == 21


def test_a_candidate_has_each_seat_about_as_often_when_a_block_has_one_match() -> None:
    some = playing.league("gauntlet", 8, (4,), compositions=20, blocks=2, rotations=1)
    seats = Counter(fixture.seats.index("a") for fixture in playing.fixtures(some))
    assert all(9 <= seats[seat] <= 11 for seat in range(4))


def test_a_candidate_added_later_meets_the_tables_that_the_others_met() -> None:
    some = playing.league("gauntlet", 8, (3,), candidates=["a"], compositions=6, blocks=1)
    run = playing.played(some)
    more = playing.league("gauntlet", 9, (3,), candidates=["a", "i"], compositions=6, blocks=1)
    now = continued(some, more, run)
    new = playing.played(now, run)[len(run) :]
    assert all("i" in match.seats for match in new)
    met = [
        {tuple(sorted(set(match.seats) - {name})) for match in matches}
        for name, matches in (("a", run), ("i", new))
    ]
    assert met[0] == met[1]


def test_a_huge_gauntlet_begins_at_once() -> None:
    plan = playing.plan(playing.league("gauntlet", 60, (6,), blocks=1000))
    assert plan.extent().matches == 5_006_386 * 1000 * 6
    assert "a" in next(plan.fixtures()).seats


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "is missing: the names of the bots to be tried, a list"),
        ({"candidates": []}, '[] must be a list of different names, such as ["greedy"]'),
        ({"candidates": "a"}, "'a' must be a list of different names, such as [\"greedy\"]"),
        ({"candidates": [1]}, '[1] must be a list of different names, such as ["greedy"]'),
        (
            {"candidates": ["a", "a"]},
            "['a', 'a'] must be a list of different names, such as [\"greedy\"]",
        ),
    ],
)
def test_candidates_are_a_list_of_names(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        PLUGIN.check(given)
    assert (caught.value.key, str(caught.value)) == ("candidates", message)


@pytest.mark.parametrize(
    ("bots", "candidates", "message"),
    [
        (5, ["ann"], "'ann' is no bot of the league"),
        (
            4,
            ["a", "b"],
            "2 active bots are left for the field, and at a table of 4 a candidate needs 3",
        ),
    ],
)
def test_candidates_are_bots_of_the_league_and_leave_a_field(
    bots: int, candidates: list[str], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        playing.league("gauntlet", bots, (4,), candidates=candidates)
    assert (caught.value.key, str(caught.value)) == ("candidates", message)

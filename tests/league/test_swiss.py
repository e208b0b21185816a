"""Swiss: rounds from results alone, tables of near-equal standing, repeats, odd numbers."""

import itertools
from collections import Counter
from typing import Any

import playing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.errors import OptionError
from arena.league.formats._pairing import Shape, layout, shapes_of
from arena.league.formats.swiss import PLUGIN
from arena.league.seasons import continued
from arena.model import League, Outcome

Round = list[tuple[str, ...]]


def strongest_first(some: League, fixtures_of: Any) -> Outcome:
    """Return an outcome in which the names give the places."""
    outcome = playing.outcome(some, fixtures_of)
    ranked = sorted(outcome.seats)
    return replace(outcome, places=tuple(1 + ranked.index(name) for name in outcome.seats))


def rounds_of(some: League, *, by_name: bool = False) -> list[Round]:
    """Play a league; return the tables of its rounds, in the order of play."""
    run: list[Outcome] = []
    rounds = []
    while todo := playing.missing(some, run):
        end = strongest_first if by_name else playing.outcome
        run += [end(some, fixture) for fixture in todo]
        rounds.append(list({f.block_id: tuple(sorted(f.seats)) for f in todo}.values()))
    return rounds


def meetings(rounds: list[Round]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for tables in rounds
        for table in tables
        for pair in itertools.combinations(table, 2)
    )


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"), [(8, (2,), 4), (16, (4,), 3), (40, (4,), 5), (12, (3,), 3)]
)
def test_all_play_in_each_round_and_nobody_meets_twice_who_need_not(
    bots: int, seats: tuple[int, ...], rounds: int
) -> None:
    played = rounds_of(playing.league("swiss", bots, seats, rounds=rounds, rotations=1))
    assert len(played) == rounds
    for tables in played:
        assert sorted(itertools.chain(*tables)) == sorted(itertools.chain(*played[0]))
        assert len(set(itertools.chain(*tables))) == bots
    assert set(meetings(played).values()) == {1}


def test_where_table_mates_must_meet_again_they_do_as_little_as_possible() -> None:
    """Of eight bots at two tables of four, two from each old table must meet again."""
    played = rounds_of(playing.league("swiss", 8, (4,), rounds=2, rotations=1))
    assert Counter(meetings(played).values())[2] == 4


def test_winners_meet_winners() -> None:
    """When names decide, the best bots come together, as far as they have not met."""
    some = playing.league("swiss", 8, (2,), rounds=3, rotations=1)
    first, second, third = rounds_of(some, by_name=True)
    winners = {min(table) for table in first}
    assert all(len(winners.intersection(table)) in (0, 2) for table in second)
    wins = Counter(min(table) for table in (*first, *second))
    for one, other in third:
        assert abs(wins[one] - wins[other]) <= 1
    assert any({"a"} & set(table) and wins[max(table)] == 2 for table in third)


def test_the_results_decide_who_meets() -> None:
    some = playing.league("swiss", 12, (3,), rounds=2, rotations=1)
    one, other = rounds_of(some), rounds_of(some, by_name=True)
    assert one[0] == other[0]
    assert one[1] != other[1]


@given(
    players=st.integers(1, 40), sizes=st.sets(st.integers(2, 6), min_size=1), house=st.booleans()
)
@settings(deadline=None)
def test_as_many_are_seated_as_can_be(players: int, sizes: set[int], house: bool) -> None:
    shapes = shapes_of(sorted(sizes), house=house)
    tables = layout(players, shapes)
    seated = sum(table.players for table in tables)
    assert set(tables) <= set(shapes)
    sums = {0}
    for _ in range(players):
        sums |= {
            n + shape.players for n in sums for shape in shapes if n + shape.players <= players
        }
    assert seated == max(sums)


@pytest.mark.parametrize(
    ("players", "sizes", "house", "tables"),
    [
        (10, (3, 4), False, [4, 3, 3]),
        (9, (4,), False, [4, 4]),
        (9, (4,), True, ["3+", "3+", "3+"]),
        (7, (2,), True, [2, 2, 2, "1+"]),
        (11, (4,), True, [4, 4, "3+"]),
        (2, (4,), True, []),
    ],
)
def test_odd_numbers_are_filled_with_the_house_bot_or_seated_at_smaller_tables(
    players: int, sizes: tuple[int, ...], house: bool, tables: list[int | str]
) -> None:
    shapes = [
        Shape(int(table[0]), True) if isinstance(table, str) else Shape(table, False)
        for table in tables
    ]
    assert list(layout(players, shapes_of(sizes, house=house))) == shapes


def test_the_house_bot_fills_tables_and_has_no_turn_of_its_own() -> None:
    some = playing.league("swiss", 8, (4,), rounds=3, rotations=1, house="h")
    for tables in rounds_of(some):
        assert sorted(len(table) for table in tables) == [4, 4]
        assert sum("h" in table for table in tables) == 1
        assert Counter(name for table in tables for name in table) == Counter("abcdefgh")


def test_who_sits_out_is_in_turn() -> None:
    some = playing.league("swiss", 5, (2,), rounds=5, rotations=1)
    rounds = rounds_of(some)
    assert [len(tables) for tables in rounds] == [2] * 5
    seated = Counter(name for tables in rounds for table in tables for name in table)
    assert set(seated.values()) == {4}
    extent = playing.plan(some).extent()
    assert (extent.fewest, extent.most) == (4, 4)


def test_a_new_bot_comes_in_with_the_next_round() -> None:
    some = playing.league("swiss", 6, (3,), rounds=3, rotations=1)
    before = playing.played(some)[:3]
    now = continued(some, playing.league("swiss", 7, (3, 4), rounds=3, rotations=1), before)
    now = replace(now, seats=(3, 4))
    run = playing.played(now, before)
    rounds = {n: {name for o in run if o.block == n for name in o.seats} for n in (1, 2, 3)}
    assert "g" not in rounds[2]
    assert "g" in rounds[3]


def test_more_rounds_go_on_from_the_last() -> None:
    some = playing.league("swiss", 9, (3,), rounds=2)
    run = playing.played(some)
    more = continued(some, playing.league("swiss", 9, (3,), rounds=3), run)
    assert playing.played(more, run)[: len(run)] == run
    assert len(playing.played(more, run)) == len(run) // 2 * 3


MOST = ": a bot has at most 10000 blocks, rounds times blocks"


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ({"rounds": 0}, "rounds", "0 must be a whole number from 1"),
        ({"rounds": 10_001}, "rounds", f"10001 must be at most 10000{MOST}"),
        ({"rounds": 101, "blocks": 100}, "rounds", f"101 must be at most 100{MOST}"),
        ({"blocks": 10_001}, "blocks", f"10001 must be at most 10000{MOST}"),
        ({"blocks": 0}, "blocks", "0 must be a whole number from 1"),
        ({"house": 5}, "house", "5 must be the name of a bot"),
        ({"round": 5}, "round", "unknown key; did you mean 'rounds'?"),
    ],
)
def test_options_that_cannot_be_used_are_refused(
    given: dict[str, Any], key: str, message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        PLUGIN.check(given)
    assert (caught.value.key, str(caught.value)) == (key, message)


def test_the_house_bot_is_one_of_the_league() -> None:
    with pytest.raises(OptionError, match="'random' is no bot of the league"):
        playing.league("swiss", 5, (2,), house="random")

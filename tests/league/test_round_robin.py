"""Round robin: what its options mean, and ids that must never change."""

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import playing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.errors import OptionError
from arena.league.formats.round_robin import PLUGIN
from arena.league.seasons import continued
from arena.model import Entrant, Fixture, League, Terms


def league(**options: Any) -> League:
    return League(
        name="test",
        seed="13",
        seats=(3,),
        terms=Terms(game="leaves"),
        format=PLUGIN.key,
        format_options=PLUGIN.check(options),
        entrants=tuple(Entrant(name, ("true",), "/") for name in ("ann", "bob", "cid")),
    )


def test_fixtures_are_what_they_always_were() -> None:
    """Journals hold these ids, and published deals come from these seeds."""
    assert list(PLUGIN.plan(league(blocks=1)).fixtures()) == [
        Fixture(
            id="19580e67ec8cbeee",
            seats=("ann", "bob", "cid"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=1,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
        Fixture(
            id="4cf23c0130b7563b",
            seats=("bob", "cid", "ann"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=2,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
        Fixture(
            id="43a198579ae4a93c",
            seats=("cid", "ann", "bob"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=3,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
    ]


def test_defaults_are_ten_blocks_in_all_rotations() -> None:
    assert PLUGIN.check({}) == {"blocks": 10, "rotations": "all"}
    assert PLUGIN.plan(league()).extent().matches == 30


def test_fewer_rotations_are_the_first_ones() -> None:
    some = league(blocks=2, rotations=2)
    assert {fixture.rotation for fixture in PLUGIN.plan(some).fixtures()} == {1, 2}
    assert PLUGIN.plan(some).extent().matches == 4


def test_there_are_no_more_rotations_than_seats() -> None:
    some = playing.league("round-robin", 3, (2, 3), blocks=1, rotations=3)
    assert PLUGIN.rotations(some.format_options, 2) == 2
    assert PLUGIN.plan(some).extent().matches == len(playing.fixtures(some)) == 3 * 2 + 3


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ({"block": 1}, "block", "unknown key; did you mean 'blocks'?"),
        ({"blocks": 0}, "blocks", "0 must be a whole number from 1"),
        ({"blocks": True}, "blocks", "True must be a whole number from 1"),
        ({"blocks": "10"}, "blocks", "'10' must be a whole number from 1"),
        ({"rotations": 0}, "rotations", '0 must be a whole number from 1 or "all"'),
        ({"rotations": 1.5}, "rotations", '1.5 must be a whole number from 1 or "all"'),
        ({"compositions": 0}, "compositions", "0 must be a whole number from 1"),
        ({"matches": "many"}, "matches", "'many' must be a whole number from 1"),
        (
            {"matches": 9, "compositions": 3},
            "matches",
            "cannot be there beside compositions: one of them is enough",
        ),
        (
            {"compositions": 10**5, "blocks": 2},
            "compositions",
            "100000 is too large: at most 50000",
        ),
        ({"matches": 10**5 + 1}, "matches", "100001 is too large: at most 100000"),
    ],
)
def test_options_that_cannot_be_used_are_refused(
    given: dict[str, Any], key: str, message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        PLUGIN.check(given)
    assert (caught.value.key, str(caught.value)) == (key, message)


@pytest.mark.parametrize("seats", [(2,), (3,), (4,), (2, 4)])
def test_every_composition_meets_equally_often(seats: tuple[int, ...]) -> None:
    some = playing.league("round-robin", 5, seats, blocks=3)
    counts = Counter(tuple(sorted(fixture.seats)) for fixture in playing.fixtures(some))
    names = [entrant.name for entrant in some.entrants]
    for size in seats:
        tables = list(itertools.combinations(names, size))
        assert {counts.pop(table) for table in tables} == {3 * size}
    assert not counts


def test_the_base_order_varies_between_blocks() -> None:
    """Cyclic rotations of one order only would leave each bot with the same neighbours."""
    fixtures = playing.fixtures(playing.league("round-robin", 4, (4,), blocks=60))
    orders = {f.seats[at:] + f.seats[:at] for f in fixtures for at in [f.seats.index("a")]}
    assert len(orders) == 6


def test_the_first_fixture_of_a_huge_league_is_there_at_once() -> None:
    plan = playing.plan(playing.league("round-robin", 60, (6,), blocks=1000))
    assert plan.extent().matches == 50_063_860 * 1000 * 6
    assert len(list(itertools.islice(plan.fixtures(), 100))) == 100


@pytest.mark.parametrize(("bots", "blocks"), [(6, 2), (4, 3), (6, 3)])
def test_an_extension_keeps_all_that_was_there(bots: int, blocks: int) -> None:
    before = playing.fixtures(playing.league("round-robin", 4, (3,), blocks=2))
    after = playing.fixtures(playing.league("round-robin", bots, (3,), blocks=blocks))
    assert set(before) < set(after)


def test_a_retired_bot_has_no_fixtures_and_leaves_those_of_others_alone() -> None:
    some = playing.league("round-robin", 5, (3,))
    retired = playing.retired(some, "e")
    with_it = [f for f in playing.fixtures(some) if "e" in f.seats]
    assert set(playing.fixtures(retired)) == set(playing.fixtures(some)) - set(with_it)
    assert not playing.plan(retired).includes(playing.outcome(some, with_it[0]))


class Balance:
    """How often bots, pairs and seats of bots come in fixtures, counted one by one."""

    def __init__(self, league: League, fixtures: Sequence[Fixture]) -> None:
        names = [entrant.name for entrant in league.entrants if entrant.active]
        bots, pairs, seats = Counter[str](), Counter[frozenset[str]](), Counter[tuple[str, int]]()
        for names_by_seat in {f.block_id: f.seats for f in fixtures}.values():
            bots.update(names_by_seat)
            pairs.update(frozenset(pair) for pair in itertools.combinations(names_by_seat, 2))
        for fixture in fixtures:
            seats.update((name, seat) for seat, name in enumerate(fixture.seats))
        self.bots = [bots[name] for name in names]
        self.pairs = [pairs[frozenset(pair)] for pair in itertools.combinations(names, 2)]
        self.seats = [seats[name, seat] for name in names for seat in range(max(league.seats))]


def spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts)


@given(bots=st.integers(4, 14), seats=st.integers(2, 4), share=st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_a_subset_is_balanced(bots: int, seats: int, share: float) -> None:
    names = [f"bot {n}" for n in range(bots)]
    tables = len(list(itertools.combinations(names, seats)))
    count = min(max(1, round(share * tables)), 200)
    some = playing.league("round-robin", bots, (seats,), compositions=count, blocks=1)
    fixtures = playing.fixtures(some)
    assert len({fixture.composition for fixture in fixtures}) == min(count, tables)
    assert len(fixtures) == min(count, tables) * seats
    balance = Balance(some, fixtures)
    assert spread(balance.bots) <= 1
    assert spread(balance.pairs) <= (1 if seats == 2 else 3)
    assert spread(balance.seats) <= 1


@pytest.mark.parametrize(
    ("bots", "seats", "compositions", "together"), [(13, 4, 13, 1), (9, 3, 12, 1), (12, 4, 33, 3)]
)
def test_where_all_pairs_can_meet_equally_often_they_do(
    bots: int, seats: int, compositions: int, together: int
) -> None:
    """The projective plane of order 3, the affine plane of order 3, a design of twelve."""
    some = playing.league("round-robin", bots, (seats,), compositions=compositions, blocks=1)
    assert set(Balance(some, playing.fixtures(some)).pairs) == {together}


def test_a_league_of_forty_is_planned_in_five_seconds() -> None:
    started = time.process_time()
    some = playing.league("round-robin", 40, (4,), compositions=1000, blocks=1)
    balance = Balance(some, playing.fixtures(some))
    assert time.process_time() - started < 5
    assert set(balance.bots) == set(balance.seats) == {100}
    assert spread(balance.pairs) <= 3
    pairs = f"{min(balance.pairs)} to {max(balance.pairs)}"
    text = f"each bot plays 100 blocks, each pair {pairs} together"
    assert playing.plan(some).extent().balance == text


@pytest.mark.parametrize("rotations", [1, 2, 3])
def test_with_few_rotations_each_bot_has_each_seat_as_often(rotations: int) -> None:
    some = playing.league("round-robin", 8, (4,), compositions=40, blocks=2, rotations=rotations)
    balance = Balance(some, playing.fixtures(some))
    assert spread(balance.seats) <= 2
    text = playing.plan(some).extent().balance
    assert f"each bot in each seat {min(balance.seats)} to {max(balance.seats)} times" in text


def test_matches_are_spent_on_as_many_tables_as_they_are_enough_for() -> None:
    """Five tables of four out of five bots, four matches a block."""
    for matches, tables in [(4, 1), (19, 4), (20, 5), (47, 5), (48, 5)]:
        some = playing.league("round-robin", 5, (4,), matches=matches)
        blocks = Counter(f.composition for f in playing.fixtures(some) if f.rotation == 1)
        assert sum(blocks.values()) == matches // 4
        assert len(blocks) == tables
        assert spread(list(blocks.values())) <= 1


def test_matches_are_shared_by_the_sizes_of_tables() -> None:
    some = playing.league("round-robin", 7, (3, 4), matches=100, blocks=2)
    played = Counter(len(fixture.seats) for fixture in playing.fixtures(some))
    assert played == {3: 48, 4: 48}


def test_a_subset_depends_on_the_seed_and_on_nothing_else_of_the_run() -> None:
    some = playing.league("round-robin", 8, (4,), compositions=10, blocks=1)
    other = replace(some, seed="14")
    tables = [{f.composition for f in playing.fixtures(league)} for league in (some, other)]
    assert tables[0] != tables[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compositions": 1}, "1 is too small: one table of each size needs 2"),
        ({"matches": 7}, "7 is too small: one table of each size needs 8"),
        ({"matches": 23, "blocks": 3}, "23 is too small: one table of each size needs 24"),
    ],
)
def test_a_budget_is_enough_for_a_table_of_each_size(options: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        playing.league("round-robin", 6, (3, 4), **options)
    assert str(caught.value) == message


def test_a_bot_added_to_a_subset_catches_up_with_the_others() -> None:
    some = playing.league("round-robin", 7, (3,), compositions=14, blocks=1)
    before = playing.played(some)[:21]
    eight = playing.league("round-robin", 8, (3,), compositions=24, blocks=1)
    now = continued(some, eight, before)
    run = playing.played(now, before)
    assert run[:21] == before
    assert Balance(now, playing.fixtures(now, run)).bots == [9] * 8

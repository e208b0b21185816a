"""Standings: a league worked out by hand, and what holds for any league."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import rank
from arena.model import Fault, FaultKind, Outcome
from arena.results.standings import reordered, standings
from arena.results.tables import Incomplete, Row, Standings

ALL = {2: 2, 3: 3, 4: 4}


def played(
    block: int,
    rotation: int,
    seats: str,
    totals: tuple[int, ...],
    places: tuple[int, ...],
    faults: tuple[Fault, ...] = (),
    forfeited: tuple[int, ...] = (),
) -> Outcome:
    composition = "".join(sorted(seats))
    return Outcome(
        match=f"{composition}-{block}-{rotation}",
        composition=composition,
        block=block,
        rotation=rotation,
        seats=tuple(seats),
        totals=totals,
        places=places,
        deals=2,
        forfeited=forfeited,
        faults=faults,
        ended="complete",
        times=tuple({} for _ in seats),
        stale=tuple(range(len(seats))) if forfeited else (),
    )


LATE = Fault(seat=0, deal=1, action=4, kind=FaultKind.TIMEOUT, ms=1000.5, detail="late\nvery")
BLOCK = (
    played(1, 1, "abc", (3, 3, 9), (1, 1, 3)),
    played(1, 2, "bca", (0, 5, 7), (1, 2, 3)),
    played(1, 3, "cab", (1, 8, 4), (3, 2, 1), (LATE,), (0,)),
)
STRAY = played(7, 2, "abd", (1, 2, 3), (1, 2, 3), (LATE,), (0,))
TABLE = standings((*BLOCK, STRAY), ALL, ["e"])


def row(table: Standings, bot: str) -> Row:
    return next(row for row in table.rows if row.bot == bot)


def test_share_is_the_mean_over_seats_finished_ahead_of_and_half_of_ties() -> None:
    assert row(TABLE, "a").share == 5 / 12
    assert row(TABLE, "b").share == 11 / 12
    assert row(TABLE, "c").share == 2 / 12


def test_tied_winners_share_the_win() -> None:
    assert [row(TABLE, bot).wins for bot in "abc"] == [0.5, 2.5, 0.0]


def test_penalties_of_a_forfeited_match_stay_out_of_the_mean() -> None:
    assert [row(TABLE, bot).mean_penalty for bot in "abc"] == [3.0, 7 / 6, 3.5]


def test_mean_place_counts_every_match() -> None:
    assert [row(TABLE, bot).mean_place for bot in "abc"] == [2.0, 1.0, 8 / 3]


def test_faults_forfeits_and_stale_answers_of_complete_blocks_are_counted() -> None:
    assert row(TABLE, "c").faults == {
        "illegal": 0,
        "malformed": 0,
        "timeout": 1,
        "cpu": 0,
        "exited": 0,
        "not_ready": 0,
    }
    assert [row(TABLE, bot).forfeits for bot in "abc"] == [0, 0, 1]
    assert [row(TABLE, bot).stale for bot in "abc"] == [1, 2, 0]


def test_an_incomplete_block_is_listed_and_not_counted() -> None:
    assert TABLE.incomplete == (Incomplete("abd/7", ("a", "b", "d"), played=1, rotations=3),)
    assert (TABLE.matches, TABLE.blocks) == (3, 1)
    assert row(TABLE, "a").matches == 3


def test_bots_without_a_counted_match_stand_last_with_no_figures() -> None:
    assert [(row.rank, row.bot) for row in TABLE.rows] == [
        (1, "b"),
        (2, "a"),
        (3, "c"),
        (4, "d"),
        (5, "e"),
    ]
    for bot in "de":
        empty = row(TABLE, bot)
        assert (empty.matches, empty.wins) == (0, 0.0)
        assert empty.share is empty.low is empty.mean_place is empty.mean_penalty is None


def test_cross_table_holds_the_share_against_each_opponent_alone() -> None:
    duels = {(duel.bot, duel.opponent): (duel.share, duel.matches) for duel in TABLE.duels}
    assert duels == {
        ("a", "b"): (1 / 6, 3),
        ("a", "c"): (4 / 6, 3),
        ("b", "a"): (5 / 6, 3),
        ("b", "c"): (1.0, 3),
        ("c", "a"): (2 / 6, 3),
        ("c", "b"): (0.0, 3),
    }


def test_seat_table_holds_the_mean_share_of_each_seat() -> None:
    (seats,) = TABLE.seats
    assert (seats.seats, seats.matches) == (3, 3)
    assert seats.shares == (7 / 12, 7 / 12, 4 / 12)
    assert seats.bots == {
        "a": (3 / 4, 2 / 4, 0.0),
        "b": (1.0, 3 / 4, 1.0),
        "c": (0.0, 2 / 4, 0.0),
    }


def test_no_interval_below_five_blocks_and_one_from_five_on() -> None:
    blocks = [played(n, r, s, (0, n), (1, 2)) for n in range(5) for r, s in ((1, "ab"), (2, "ba"))]
    four, five = standings(blocks[:8], ALL), standings(blocks, ALL)
    assert (row(four, "a").low, row(four, "a").high) == (None, None)
    assert row(five, "a").low is not None


@pytest.mark.parametrize("extra", [BLOCK[0], played(1, 4, "abc", (1, 2, 3), (1, 2, 3))])
def test_a_match_too_many_for_its_block_is_an_error(extra: Outcome) -> None:
    with pytest.raises(ValueError, match="one too many for its block abc/1"):
        standings((*BLOCK, extra), ALL)


def test_a_rotation_twice_in_an_unfinished_block_is_an_error() -> None:
    with pytest.raises(ValueError, match="one too many"):
        standings((STRAY, STRAY), ALL)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (((0, 0), (1, 1)), ((0, 0), (1, 1)), "name"),
        (((0, 9), (1, 2)), ((9, 0), (2, 1)), "name"),
        (((9, 0), (1, 2)), ((0, 0), (2, 1)), "penalty"),
    ],
)
def test_equal_shares_are_ranked_by_wins_then_penalty_then_name(
    first: tuple[tuple[int, ...], tuple[int, ...]],
    second: tuple[tuple[int, ...], tuple[int, ...]],
    why: str,
) -> None:
    table = standings([played(1, 1, "ab", *first), played(1, 2, "ab", *second)], ALL)
    assert [row.bot for row in table.rows] == (["b", "a"] if why == "penalty" else ["a", "b"])


def test_equal_shares_are_ranked_by_wins_first() -> None:
    matches = [
        played(1, 1, "abc", (5, 6, 7), (1, 2, 3)),
        played(1, 2, "abc", (7, 6, 5), (3, 2, 1)),
    ]
    table = standings(matches, {3: 2})
    assert [(row.bot, row.share, row.wins) for row in table.rows] == [
        ("a", 0.5, 1.0),
        ("c", 0.5, 1.0),
        ("b", 0.5, 0.0),
    ]


def test_other_orders_rank_again_by_their_own_figure() -> None:
    matches = [
        played(1, 1, "abc", (9, 0, 0), (1, 2, 3)),
        played(1, 2, "abc", (9, 0, 0), (2, 1, 3)),
        played(1, 3, "abc", (9, 1, 0), (1, 2, 3)),
    ]
    table = standings(matches, ALL)
    assert [row.bot for row in table.rows] == ["a", "b", "c"]
    by_penalty = reordered(table, "penalty")
    assert [(row.rank, row.bot) for row in by_penalty.rows] == [(1, "c"), (2, "b"), (3, "a")]
    assert [row.bot for row in reordered(by_penalty, "wins").rows] == ["a", "b", "c"]
    assert reordered(by_penalty, "share") == table


@st.composite
def leagues(draw: st.DrawFn) -> list[Outcome]:
    """Return the outcomes of some blocks, the last rotations of some of them missing."""
    outcomes: list[Outcome] = []
    for block in range(draw(st.integers(1, 9))):
        base = draw(st.lists(st.sampled_from("abcde"), min_size=2, max_size=4, unique=True))
        size = len(base)
        for rotation in range(draw(st.integers(1, size)) if draw(st.booleans()) else size):
            totals = draw(st.tuples(*[st.integers(0, 3)] * size))
            seats = "".join(base[rotation:] + base[:rotation])
            outcomes.append(played(block, rotation + 1, seats, totals, rank(totals)))
    return outcomes


@given(leagues(), st.integers())
def test_the_order_of_outcomes_does_not_matter(outcomes: list[Outcome], seed: int) -> None:
    mixed = random.Random(seed).sample(outcomes, len(outcomes))
    assert standings(mixed, ALL) == standings(outcomes, ALL)


@given(leagues())
def test_shares_wins_and_duels_of_complete_blocks_balance(outcomes: list[Outcome]) -> None:
    table = standings(outcomes, ALL)
    shares = sum(row.share * row.blocks for row in table.rows if row.share is not None)
    counted = {o.block_id for o in outcomes} - {missing.block for missing in table.incomplete}
    sizes = {o.block_id: len(o.seats) for o in outcomes if o.block_id in counted}
    assert shares == pytest.approx(sum(sizes.values()) / 2)
    assert sum(row.wins for row in table.rows) == pytest.approx(table.matches)
    assert sum(row.matches for row in table.rows) == sum(size**2 for size in sizes.values())
    duels = {(duel.bot, duel.opponent): duel for duel in table.duels}
    for (bot, opponent), duel in duels.items():
        assert duel.share + duels[opponent, bot].share == pytest.approx(1)
        assert duel.matches == duels[opponent, bot].matches
    for seats in table.seats:
        assert sum(seats.shares) == pytest.approx(seats.seats / 2)


@given(leagues())
def test_intervals_lie_in_0_to_1_around_the_share(outcomes: list[Outcome]) -> None:
    for line in standings(outcomes, ALL).rows:
        if line.low is not None and line.high is not None and line.share is not None:
            assert 0 <= line.low <= line.share + 1e-12
            assert line.share - 1e-12 <= line.high <= 1
        else:
            assert line.blocks < 5

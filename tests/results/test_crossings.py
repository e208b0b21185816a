"""Seat advantage, standings without a bot, ends of matches, and blocks that are played again."""

import numpy as np
import pytest
import scipy.stats
from msgspec.structs import replace
from results.leagues import league, outcome

from arena.model import DealRecord, Fault, FaultKind, digest
from arena.results.standings import standings

ALL = {2: 2, 3: 3, 4: 4}
BOTS = {"a": 1.0, "b": 0.5, "c": 0.0, "d": -1.0}


def test_an_interval_of_a_duel_is_mirrored_for_the_other_side() -> None:
    table = standings(league(BOTS, seats=3, blocks=6, rng=np.random.default_rng(1)), ALL)
    duels = {(duel.bot, duel.opponent): duel for duel in table.duels}
    for (bot, opponent), duel in duels.items():
        other = duels[opponent, bot]
        assert duel.low is not None
        assert duel.high is not None
        assert duel.low < duel.share < duel.high
        assert (other.low, other.high) == pytest.approx((1 - duel.high, 1 - duel.low))


def test_the_advantage_of_a_seat_is_found_and_its_interval_is_that_of_its_blocks() -> None:
    rng = np.random.default_rng(2)
    matches = list(league(BOTS, seats=3, blocks=15, rng=rng, seat=1.0))
    (seats,) = standings(matches, ALL).seats
    blocks: dict[str, list[float]] = {}
    for match in matches:
        share = sum((match.places[0] < p) + (match.places[0] == p) / 2 for p in match.places[1:])
        blocks.setdefault(match.block_id, []).append(share / 2)
    means = [np.mean(values) for values in blocks.values()]
    right = scipy.stats.ttest_1samp(means, 0.5)
    assert seats.lows is not None
    low, _ = right.confidence_interval(0.95)
    assert seats.lows[0] == pytest.approx(low, abs=1e-4)
    assert seats.p == pytest.approx(3 * right.pvalue, rel=1e-2, abs=1e-12)
    assert seats.p is not None
    assert seats.p < 0.001


def test_where_no_seat_has_an_advantage_few_tests_say_so() -> None:
    rng = np.random.default_rng(3)
    tables = (standings(league(BOTS, seats=4, blocks=12, rng=rng), ALL) for _ in range(200))
    found = sum(table.seats[0].p < 0.05 for table in tables if table.seats[0].p is not None)
    assert found / 200 <= 0.09


def test_a_bot_is_left_out_with_all_its_meetings() -> None:
    """b beats a, and c lets b win: without c, a and b change places."""
    matches = [
        outcome(seats, 1, n, tuple({"a": 2, "b": 1, "c": 3}[bot] for bot in seats))
        for n, seats in enumerate([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")], 1)
    ]
    matches += [
        outcome(seats, 1, n, (1, 2) if seats[0] == better else (2, 1))
        for pair, better in (("ab", "a"), ("ad", "d"))
        for n, seats in ((1, tuple(pair)), (2, tuple(pair[::-1])))
    ]
    lines = [(line.without, line.rank, line.bot, line.share) for line in
             standings(matches, ALL).without]  # fmt: skip
    assert [line for line in lines if line[0] == "d"] == [
        ("d", 1, "b", (3 + 0 + 3) / 8),
        ("d", 2, "a", (0 + 2 + 3) / 8),
        ("d", 3, "c", 0.0),
    ]
    assert [line[2] for line in lines if line[0] == "b"] == ["d", "a", "c"]


def test_ends_are_counted_by_the_fault_that_forfeited() -> None:
    tolerated = Fault(1, 1, 2, FaultKind.ILLEGAL, 1.0, "")
    fatal = Fault(1, 1, 4, FaultKind.TIMEOUT, 1.0, "")
    first = replace(
        outcome(("a", "b"), 1, 1, (1, 2)),
        faults=(tolerated, fatal),
        forfeited=(1,),
        ended="forfeit",
    )
    table = standings([first, outcome(("b", "a"), 1, 2, (1, 2))], ALL)
    ends = {row.bot: {end: n for end, n in row.ends.items() if n} for row in table.rows}
    assert ends == {"a": {"complete": 2}, "b": {"complete": 1, "timeout": 1}}
    assert {row.bot: row.forfeits for row in table.rows} == {"a": 0, "b": 1}


def test_a_block_that_repeats_another_is_no_new_evidence() -> None:
    def block(number: int, first: str, second: str) -> list:  # type: ignore[type-arg]
        return [
            outcome(("a", "b"), number, 1, (1, 2), first),
            outcome(("b", "a"), number, 2, (2, 1), second),
        ]

    once = standings(block(1, "x", "y"), ALL)
    again = standings([*block(1, "x", "y"), *block(2, "x", "y"), *block(3, "x", "y")], ALL)
    assert (again.blocks, again.repeated) == (1, 2)
    assert replace(again, repeated=0) == once
    turned = [replace(m, rotation=3 - m.rotation) for m in block(2, "x", "y")]
    assert standings([*block(1, "x", "y"), *turned], ALL).repeated == 1
    for other in (block(2, "x", "z"), block(2, "y", "x"), block(2, "", "")):
        assert standings([*block(1, "x", "y"), *other], ALL).repeated == 0
    assert standings([*block(1, "", ""), *block(2, "", "")], ALL).blocks == 2


def test_a_digest_is_that_of_cards_and_actions_whatever_the_times() -> None:
    deal = DealRecord({"hands": [[1], [2]]}, ((0, "play 1x1", 0.5),), (0, 1), truncated=False)
    slow = replace(deal, actions=((0, "play 1x1", None),))
    assert digest([deal]) == digest([slow])
    others = [
        replace(deal, setup={"hands": [[2], [1]]}),
        replace(deal, actions=((1, "play 1x1", 0.5),)),
        replace(deal, actions=((0, "pass 1", 0.5),)),
    ]
    assert len({digest([other]) for other in (deal, *others)} | {digest([deal, deal])}) == 5

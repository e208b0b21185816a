"""Transcripts: a toy game to the letter, 13 Leaves by what may be seen."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from arena import games
from arena.errors import ConfigError, ReplayError
from arena.games.base import IllegalAction, rank
from arena.model import DealRecord, Fault, FaultKind, MatchResult, Outcome
from arena.views.transcript import Transcript, transcript


class Chip(Struct, frozen=True):
    """A deal of the toy game: every seat has a secret number and keeps or drops it, in turn."""

    numbers: tuple[int, ...]
    kept: tuple[bool, ...] = ()

    @property
    def to_act(self) -> int | None:
        return len(self.kept) if len(self.kept) < len(self.numbers) else None

    @property
    def penalties(self) -> tuple[int, ...] | None:
        if self.to_act is not None:
            return None
        return tuple(n if kept else 5 for n, kept in zip(self.numbers, self.kept, strict=True))

    @property
    def truncated(self) -> bool:
        return False

    def legal_actions(self) -> tuple[str, ...]:
        return () if self.to_act is None else ("keep", "drop")

    def canonical(self, action: str) -> str:
        return action

    def apply(self, action: str) -> Chip:
        if action not in self.legal_actions():
            raise IllegalAction(f"{action!r} is not legal")
        return Chip(self.numbers, (*self.kept, action == "keep"))

    def house_move(self) -> str:
        return "drop"

    def observe(self, seat: int) -> dict[str, Any]:
        return {"number": self.numbers[seat]}

    def resample(self, seat: int, rng: random.Random) -> Chip:
        raise NotImplementedError

    def record(self) -> dict[str, Any]:
        return {"numbers": self.numbers}

    def text(self, seat: int | None = None) -> str:
        shown = [str(n) if seat in (None, i) else "?" for i, n in enumerate(self.numbers)]
        return f"numbers {' '.join(shown)}\nkept {sum(self.kept)}"


class Chips:
    key = "chips"
    title = "Chips"
    players = range(2, 4)
    options = ()
    rules = ""

    def resolve(self, given: Mapping[str, Any], _players: int) -> dict[str, Any]:
        return dict(given)

    def deal(self, players: int, seed: str, number: int, _options: Mapping[str, Any]) -> Chip:
        return Chip(tuple(int(seed) + number + seat for seat in range(players)))

    def match_over(self, _totals: Sequence[int], deals: int, _options: Mapping[str, Any]) -> bool:
        return deals == 2

    def places(self, totals: Sequence[int], _last: Any, _options: Mapping[str, Any]) -> Any:
        return rank(totals)


LATE = Fault(1, 2, 1, FaultKind.TIMEOUT, 1000.0, "no answer\nmore")
CRASH = Fault(2, 0, None, FaultKind.NOT_READY, None, "exit code 1")
RESULT = MatchResult(
    outcome=Outcome(
        match="m1",
        composition="c",
        block=1,
        rotation=1,
        seats=("ann", "bob", "cy"),
        totals=(7, 10, 10),
        places=(1, 2, 3),
        deals=2,
        forfeited=(2, 1),
        faults=(CRASH, LATE),
        ended="complete",
        times=({}, {}, {}),
        stale=(0, 0, 0),
    ),
    game="chips",
    options={"target": 2},
    block_seed="1",
    deals=(
        DealRecord(
            {"numbers": [2, 3, 4]},
            ((0, "keep", 12.0), (1, "drop", 0.26), (2, "drop", None)),
            (2, 5, 5),
            False,
        ),
        DealRecord(
            {"numbers": [3, 4, 5]},
            ((0, "drop", 1.0), (1, "drop", None), (2, "drop", None)),
            (5, 5, 5),
            False,
        ),
    ),
)
WHOLE = """\
Chips, match m1
target = 2
2 cy: fault, not_ready: exit code 1

Deal 1

numbers 2 3 4
kept 0
0 ann: keep (12.0 ms)

numbers 2 3 4
kept 1
1 bob: drop (0.3 ms)
2 cy: drop (house move)

seat   penalty  total
0 ann        2      2
1 bob        5      5
2 cy         5      5

Deal 2

numbers 3 4 5
kept 0
0 ann: drop (1.0 ms)
1 bob: fault, timeout after 1000.0 ms: no answer
1 bob: drop (house move)
2 cy: drop (house move)

seat   penalty  total
0 ann        5      7
1 bob        5     10
2 cy         5     10

Result
seat   total  place
0 ann      7      1
1 bob     10      2
2 cy      10      3
2 cy forfeited
1 bob forfeited"""
SEEN_BY_0 = """\
Chips, match m1
target = 2

Deal 1

numbers 2 ? ?
kept 0
0 ann: keep (12.0 ms)
1 bob: drop
2 cy: drop

seat   penalty  total
0 ann        2      2
1 bob        5      5
2 cy         5      5

Deal 2

numbers 3 ? ?
kept 0
0 ann: drop (1.0 ms)
1 bob: drop
2 cy: drop
"""


def test_a_record_reads_like_this() -> None:
    assert "\n".join(transcript(RESULT, Chips())) == WHOLE


def test_a_seat_reads_only_what_it_saw() -> None:
    assert "\n".join(transcript(RESULT, Chips(), 0)).startswith(SEEN_BY_0)


def test_a_seat_reads_of_its_own_fault() -> None:
    lines = list(transcript(RESULT, Chips(), 1))
    assert "1 bob: fault, timeout after 1000.0 ms: no answer" in lines
    assert not any("not_ready" in line for line in lines)


def test_a_deal_that_was_not_finished_has_no_penalties() -> None:
    cut = DealRecord({"numbers": [3, 4, 5]}, ((0, "keep", 1.0),), None, False)
    lines = list(transcript(structs.replace(RESULT, deals=(RESULT.deals[0], cut)), Chips()))
    assert sum(line.startswith("seat   penalty") for line in lines) == 1
    assert "1 bob: fault, timeout after 1000.0 ms: no answer" in lines


def test_there_is_no_such_seat() -> None:
    with pytest.raises(ConfigError, match="there is no seat 3: the match has 0 to 2"):
        list(transcript(RESULT, Chips(), 3))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"actions": ((1, "keep", 1.0),)}, "seat 1 is not to act"),
        ({"actions": ((0, "fly", 1.0),)}, "'fly' is not legal"),
        ({"penalties": (0, 0, 0)}, "does not come out the same"),
        ({"setup": {"numbers": [9, 9, 9]}}, "does not come out the same"),
    ],
)
def test_a_record_of_other_rules_is_an_error(deal: dict[str, Any], message: str) -> None:
    wrong = structs.replace(RESULT, deals=(structs.replace(RESULT.deals[0], **deal),))
    with pytest.raises(ReplayError, match=message):
        list(transcript(wrong, Chips()))


def test_names_cannot_steer_the_terminal() -> None:
    lines = Transcript(["\x1b[2J"], None).decision(Chip((1,)), 0, "keep", 1.0, None)
    assert lines[-1] == "0 �[2J: keep (1.0 ms)"


@pytest.fixture(scope="module")
def leaves() -> MatchResult:
    """A match of 13 Leaves between bots that play at random, as it comes out of a journal."""
    game, rng = games.load("leaves"), random.Random(4)
    options = game.resolve({}, 3)
    totals, deals = (0, 0, 0), []
    while not deals or not game.match_over(totals, len(deals), options):
        state, actions = game.deal(3, "13", len(deals) + 1, options), []
        while state.to_act is not None:
            action = rng.choice(state.legal_actions())
            actions.append((state.to_act, action, 0.1))
            state = state.apply(action)
        assert state.penalties is not None
        totals = tuple(map(sum, zip(totals, state.penalties, strict=True)))
        deals.append(DealRecord(state.record(), tuple(actions), state.penalties, state.truncated))
    outcome = structs.replace(
        RESULT.outcome, totals=totals, places=rank(totals), faults=(), forfeited=()
    )
    result = MatchResult(outcome, "leaves", options, "13", tuple(deals))
    return msgspec.json.decode(msgspec.json.encode(result), type=MatchResult)


def test_leaves_has_a_line_for_every_decision(leaves: MatchResult) -> None:
    lines = list(transcript(leaves, games.load("leaves")))
    decisions = [line for line in lines if line.endswith(" (0.1 ms)")]
    assert len(decisions) == sum(len(deal.actions) for deal in leaves.deals)


@pytest.mark.parametrize("seat", range(3))
def test_leaves_hides_all_hands_but_the_seats_own(leaves: MatchResult, seat: int) -> None:
    game = games.load("leaves")
    lines = set(transcript(leaves, game, seat))
    everything = set(transcript(leaves, game))
    hands = {line for line in everything if " cards  " in line and line[-1].isdigit()}
    mine = {line for line in hands if f"seat {seat} " in line}
    assert mine & lines
    assert not (hands - mine) & lines


def test_live_lines_are_those_of_the_record() -> None:
    writer, lines = Transcript(RESULT.outcome.seats, None), []
    totals: tuple[int, ...] = (0, 0, 0)
    for number, deal in enumerate(RESULT.deals, 1):
        state = Chips().deal(3, "1", number, {})
        lines += writer.deal_start(number, state)
        for index, (seat, action, ms) in enumerate(deal.actions):
            fault = LATE if (number, index) == (2, 1) else None
            lines += writer.decision(state, seat, action, ms, fault)
            state = state.apply(action)
        assert deal.penalties is not None
        totals = tuple(itertools.starmap(int.__add__, zip(totals, deal.penalties, strict=True)))
        lines += writer.deal_end(deal.penalties, totals)
    lines += writer.match_end(totals, (1, 2, 3))
    lines += writer.forfeits((2, 1))
    assert "\n".join(lines) == WHOLE.split("\n", 3)[3]


@pytest.mark.parametrize("key", games.names())
def test_the_table_at_the_end_is_for_those_who_see_all(key: str) -> None:
    game = games.load(key)
    state = game.deal(3, "seed", 1, game.resolve({}, 3))
    writers = [Transcript("abc", seat) for seat in (None, 0)]
    for writer in writers:
        writer.deal_start(1, state)
    while state.to_act is not None:
        action = state.house_move()
        for writer in writers:
            writer.decision(state, state.to_act, action, 1.0, None)
        state = state.apply(action)
    assert state.penalties
    everything, own = ("\n".join(w.deal_end(state.penalties, state.penalties)) for w in writers)
    assert everything == f"\n{state.text()}\n{own}"

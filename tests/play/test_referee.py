"""The referee driven by hand: no socket, no process, no clock."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import TOY, by_seat, drive, fixture, of_type, script, terms

from arena.games.base import State
from arena.games.leaves import PLUGIN as LEAVES
from arena.model import Fault, FaultKind, MatchResult, Terms, bucket
from arena.play.protocol import DealEnd, DealStart, MatchEnd
from arena.play.referee import TOLERABLE, Answer, Ask, Failure, Forfeit, Tell, play_match

EXITED = Failure(FaultKind.EXITED, "exited with status 1 instead of answering", 2.0)
LATE = Failure(FaultKind.TIMEOUT, "no answer within 5 ms", 5.0)
GARBAGE = Failure(FaultKind.MALFORMED, "not JSON", 1.0)
ABSENT = Failure(FaultKind.NOT_READY, "said no hello", 9.0)
SEATS = ("ann", "bob", "cyd")


def play(replies: Any, absent: Any = (), tolerate: int = 0, watcher: Any = None, **options: Any):
    seats = options.pop("seats", SEATS)
    match = play_match(fixture(*seats), terms(tolerate, **options), TOY, dict(absent), watcher)
    return drive(match, replies)


def told(requests: list[Any], seat: int) -> list[Any]:
    return [
        message
        for request in of_type(requests, Tell)
        for to, message in request.messages
        if to == seat
    ]


def test_seats_are_asked_in_the_order_of_the_game() -> None:
    requests, result = play(script(), rounds=2)
    first = result.deals[0].setup["first"]
    assert [ask.seat for ask in of_type(requests, Ask)] == [(first + i) % 3 for i in range(6)]


def test_an_ask_holds_what_the_seat_may_know_and_the_legal_actions() -> None:
    requests, _ = play(script("more"), rounds=1, deals=2)
    asks = of_type(requests, Ask)
    assert asks[0].legal == ("less", "more")
    assert asks[0].observation == {
        "seat": asks[0].seat,
        "left": 3,
        "deal": 1,
        "totals": [0, 0, 0],
    }
    assert asks[3].observation["deal"] == 2
    assert asks[3].observation["totals"][asks[0].seat] == 1


def test_events_are_those_since_the_seats_previous_ask() -> None:
    requests, _ = play(script("more", "less", "more", "more", "less", "less"), rounds=2)
    asks = of_type(requests, Ask)
    a, b, c = (ask.seat for ask in asks[:3])
    assert [ask.events for ask in asks] == [
        [],
        [(a, "more")],
        [(a, "more"), (b, "less")],
        [(a, "more"), (b, "less"), (c, "more")],
        [(b, "less"), (c, "more"), (a, "more")],
        [(c, "more"), (a, "more"), (b, "less")],
    ]


def test_events_begin_anew_with_each_deal() -> None:
    requests, _ = play(script(), rounds=1, deals=2)
    assert of_type(requests, Ask)[3].events == []


def test_deal_end_tells_the_events_since_the_seats_last_ask() -> None:
    requests, _ = play(script("more", "less", "more"), rounds=1)
    a, b, c = (ask.seat for ask in of_type(requests, Ask))
    assert [told(requests, seat)[1].events for seat in (a, b, c)] == [
        [(a, "more"), (b, "less"), (c, "more")],
        [(b, "less"), (c, "more")],
        [(c, "more")],
    ]


def test_each_seat_is_told_of_deals_and_of_the_match() -> None:
    requests, result = play(script("more"), rounds=1, deals=2)
    first = of_type(requests, Ask)[0].seat
    totals = tuple(int(seat == first) for seat in range(3))
    for seat in range(3):
        start, end, start_2, end_2, match_end = told(requests, seat)
        assert start == DealStart(1, {"seat": seat, "left": 3, "deal": 1, "totals": [0, 0, 0]})
        assert (end.deal, end.penalties, end.totals, end.truncated) == (1, totals, totals, False)
        assert start_2.deal == end_2.deal == 2
        assert match_end == MatchEnd(totals, result.outcome.places, ())


def test_seats_that_forfeited_are_told_nothing_more() -> None:
    requests, result = play(script(EXITED), rounds=1, deals=2)
    gone = result.outcome.forfeited[0]
    assert [type(message) for message in told(requests, gone)] == [DealStart]
    assert [type(message) for message in told(requests, (gone + 1) % 3)] == [
        DealStart,
        DealEnd,
        DealStart,
        DealEnd,
        MatchEnd,
    ]


def test_seats_that_forfeited_are_not_asked_again_and_the_house_plays_for_them() -> None:
    requests, result = play(script(EXITED), rounds=3, deals=2)
    gone = result.outcome.forfeited[0]
    assert [ask.seat for ask in of_type(requests, Ask)].count(gone) == 1
    moves = [action for deal in result.deals for action in deal.actions if action[0] == gone]
    assert moves == [(gone, "less", None)] * 6


@pytest.mark.parametrize("kind", FaultKind)
def test_the_first_fault_forfeits_by_default(kind: FaultKind) -> None:
    requests, result = play(script(Failure(kind, "why", 7.0)), rounds=2)
    seat = of_type(requests, Ask)[0].seat
    fault = Fault(seat, 1, 0, kind, 7.0, "why")
    assert of_type(requests, Forfeit) == [Forfeit(fault)]
    assert result.outcome.faults == (fault,)
    assert result.outcome.forfeited == (seat,)
    assert result.outcome.places[seat] == 3


@pytest.mark.parametrize("failure", [LATE, GARBAGE, "nonsense"])
def test_tolerate_lets_n_faults_of_a_seat_pass_with_the_house_move(failure: Any) -> None:
    requests, result = play(by_seat({1: [failure] * 3}), tolerate=2, rounds=4)
    assert [fault.seat for fault in result.outcome.faults] == [1, 1, 1]
    assert len(of_type(requests, Forfeit)) == 1
    assert [ask.seat for ask in of_type(requests, Ask)].count(1) == 3
    assert result.outcome.forfeited == (1,)


def test_tolerate_counts_each_seat_for_itself() -> None:
    _, result = play(by_seat({0: [LATE], 1: [GARBAGE], 2: ["nonsense"]}), tolerate=1, rounds=2)
    assert len(result.outcome.faults) == 3
    assert result.outcome.forfeited == ()
    assert result.outcome.ended == "complete"


@pytest.mark.parametrize("kind", sorted(set(FaultKind) - TOLERABLE))
def test_an_exit_is_never_tolerated(kind: FaultKind) -> None:
    _, result = play(by_seat({1: [Failure(kind, "why", 1.0)]}), tolerate=9, rounds=2)
    assert result.outcome.forfeited == (1,)


def test_a_later_forfeit_is_placed_ahead_of_an_earlier_one() -> None:
    replies = by_seat({0: [None, EXITED], 2: [EXITED]})
    _, result = play(replies, rounds=3, seats=("ann", "bob", "cyd", "dan"))
    assert result.outcome.forfeited == (2, 0)
    assert result.outcome.places == (3, 1, 4, 1)


def test_a_forfeit_in_a_later_deal_is_placed_ahead() -> None:
    replies = by_seat({0: [None, EXITED], 2: [EXITED]})
    _, result = play(replies, rounds=1, deals=3, seats=("ann", "bob", "cyd", "dan"))
    assert [(fault.seat, fault.deal) for fault in result.outcome.faults] == [(2, 1), (0, 2)]
    assert result.outcome.places == (3, 1, 4, 1)


def test_forfeiters_are_behind_bots_with_more_penalties() -> None:
    replies = by_seat({0: ["more"] * 3, 1: [EXITED], 2: ["more"] * 2})
    _, result = play(replies, rounds=3)
    assert result.outcome.totals == (3, 0, 2)
    assert result.outcome.places == (2, 3, 1)


def test_seats_that_are_absent_forfeit_before_the_first_deal_and_share_the_last_place() -> None:
    seats = ("ann", "bob", "cyd", "dan")
    requests, result = play(script(), absent={3: ABSENT, 1: ABSENT}, seats=seats)
    assert [type(request) for request in requests[:3]] == [Forfeit, Forfeit, Tell]
    assert result.outcome.faults == tuple(
        Fault(seat, 0, None, FaultKind.NOT_READY, 9.0, "said no hello") for seat in (1, 3)
    )
    assert result.outcome.places == (1, 3, 1, 3)
    assert {ask.seat for ask in of_type(requests, Ask)} == {0, 2}
    assert told(requests, 1) == []


def test_a_forfeit_at_the_table_is_placed_ahead_of_an_absent_seat() -> None:
    seats = ("ann", "bob", "cyd", "dan")
    _, result = play(by_seat({0: [EXITED]}), absent={2: ABSENT}, seats=seats)
    assert result.outcome.places == (3, 1, 4, 1)


def test_the_match_ends_when_one_seat_has_not_forfeited() -> None:
    requests, result = play(by_seat({0: [EXITED], 1: [EXITED]}), rounds=5, deals=5)
    assert result.outcome.ended == "forfeit"
    assert result.outcome.places[2] == 1
    assert result.outcome.deals == 0
    assert len(result.deals) == 1
    assert result.deals[0].penalties is None
    assert len(of_type(requests, Ask)) <= 3
    end = MatchEnd((0, 0, 0), result.outcome.places, result.outcome.forfeited)
    assert told(requests, 2)[-1] == end


def test_a_deal_cut_short_leaves_the_totals_of_the_deals_before_it() -> None:
    replies = by_seat({0: ["more", EXITED], 1: ["more", EXITED], 2: ["more"]})
    _, result = play(replies, rounds=1, deals=3)
    assert result.outcome.totals == (1, 1, 1)
    assert result.outcome.deals == 1
    assert [deal.penalties for deal in result.deals] == [(1, 1, 1), None]


def test_a_match_without_a_pair_of_bots_has_no_deal() -> None:
    requests, result = play(script(), absent={0: ABSENT, 2: ABSENT})
    assert result.deals == ()
    assert result.outcome.places == (2, 1, 2)
    assert result.outcome.ended == "forfeit"
    assert [type(message) for message in told(requests, 1)] == [MatchEnd]


def test_a_match_without_bots_ties_all() -> None:
    requests, result = play(script(), absent=dict.fromkeys(range(3), ABSENT))
    assert result.outcome.places == (1, 1, 1)
    assert result.outcome.forfeited == (0, 1, 2)
    assert all(not request.messages for request in of_type(requests, Tell))


def test_a_forfeit_with_the_last_decision_of_the_match_leaves_it_complete() -> None:
    def replies(ask: Ask) -> Answer | Failure:
        return EXITED if ask.observation["left"] == 1 else Answer("less", 1.0)

    _, result = play(replies, rounds=2)
    assert result.outcome.ended == "complete"
    assert len(result.outcome.forfeited) == 1


def test_another_spelling_is_accepted_and_the_canonical_one_recorded() -> None:
    requests, result = play(script("+", "-"), rounds=1)
    assert [action for _, action, _ in result.deals[0].actions] == ["more", "less", "less"]
    assert of_type(requests, Ask)[1].events[0][1] == "more"
    assert result.outcome.faults == ()


def test_an_illegal_action_says_what_was_legal() -> None:
    _, result = play(script("most"))
    assert result.outcome.faults[0].kind == FaultKind.ILLEGAL
    assert result.outcome.faults[0].detail == "'most' is not legal here; legal: less, more"
    assert result.outcome.faults[0].ms == 1.0


def test_a_long_illegal_action_and_a_long_list_of_legal_ones_are_cut() -> None:
    requests, result = play(script("x" * 5000), words=25)
    legal = of_type(requests, Ask)[0].legal
    assert result.outcome.faults[0].detail == (
        f"'{'x' * 80}' is not legal here; legal: {', '.join(legal[:20])}, ... (25 in all)"
    )


def test_the_place_of_a_fault_is_that_of_the_house_move_in_the_record() -> None:
    _, result = play(by_seat({1: [None, EXITED]}), rounds=3, deals=1)
    fault = result.outcome.faults[0]
    assert fault.action is not None
    assert result.deals[fault.deal - 1].actions[fault.action] == (1, "less", None)


def test_times_are_histograms_of_answers_only() -> None:
    def replies(ask: Ask) -> Answer | Failure:
        if ask.seat == 1:
            return Answer("nonsense", 3.0)
        return Answer("less", 8.0 if ask.seat else 0.5)

    _, result = play(replies, rounds=4)
    assert result.outcome.times == ({bucket(0.5): 4}, {}, {bucket(8.0): 4})


def test_the_record_holds_the_times_of_answers() -> None:
    _, result = play(script(), rounds=1)
    assert [ms for _, _, ms in result.deals[0].actions] == [1.0] * 3


def test_the_result_says_what_was_played() -> None:
    _, result = play(script(), deals=2)
    outcome = result.outcome
    assert (result.game, result.options) == ("toy", {"rounds": 3, "deals": 2, "words": 2})
    assert result.block_seed == fixture(*result.outcome.seats).block_seed
    assert (outcome.match, outcome.composition, outcome.block, outcome.rotation) == (
        "m1",
        "ann+bob+cyd",
        1,
        1,
    )
    assert outcome.seats == SEATS
    assert outcome.deals == len(result.deals) == 2


class Notes:
    """A watcher that writes down what it is told."""

    def __init__(self) -> None:
        self.lines: list[tuple[Any, ...]] = []

    def deal_start(self, number: int, state: State) -> None:
        self.lines.append(("deal", number, state.to_act))

    def decision(
        self, state: State, seat: int, action: str, ms: float | None, fault: Fault | None
    ) -> None:
        assert state.to_act == seat
        self.lines.append((seat, action, ms, fault and fault.kind))

    def deal_end(self, penalties: tuple[int, ...], totals: tuple[int, ...]) -> None:
        self.lines.append(("end", penalties, totals))

    def match_end(self, totals: tuple[int, ...], places: tuple[int, ...]) -> None:
        self.lines.append(("match", totals, places))


def test_a_watcher_follows_the_match() -> None:
    notes = Notes()
    _, result = play(script("more", LATE), rounds=1, deals=1, watcher=notes)
    a = result.deals[0].setup["first"]
    b, c = (a + 1) % 3, (a + 2) % 3
    assert notes.lines == [
        ("deal", 1, a),
        (a, "more", 1.0, None),
        (b, "less", None, FaultKind.TIMEOUT),
        (c, "less", 1.0, None),
        ("end", result.outcome.totals, result.outcome.totals),
        ("match", result.outcome.totals, result.outcome.places),
    ]


def test_leaves_is_refereed_by_its_own_rules() -> None:
    match = play_match(fixture("a", "b", "c", "d"), Terms("leaves"), LEAVES, {})
    requests, result = drive(match, script())
    assert result.outcome.ended == "complete"
    assert max(result.outcome.totals) >= 20
    assert result.outcome.places == LEAVES.places(result.outcome.totals, None, result.options)
    replayed(result, LEAVES)
    assert all(ask.legal for ask in of_type(requests, Ask))


def replayed(result: MatchResult, game: Any) -> None:
    """Simulate a record again and compare what it led to."""
    seats = len(result.outcome.seats)
    totals = [0] * seats
    for number, deal in enumerate(result.deals, 1):
        state = game.deal(seats, result.block_seed, number, result.options)
        for seat, action, _ in deal.actions:
            assert state.to_act == seat
            state = state.apply(action)
        assert state.record() == deal.setup
        assert state.penalties == deal.penalties
        totals = [a + b for a, b in zip(totals, deal.penalties or [0] * seats, strict=True)]
    assert tuple(totals) == result.outcome.totals
    for fault in result.outcome.faults:
        if fault.action is not None:
            seat, _, ms = result.deals[fault.deal - 1].actions[fault.action]
            assert (seat, ms) == (fault.seat, None)


FAILURES = st.sampled_from(FaultKind).map(lambda kind: Failure(kind, "why", 1.0))
REPLIES = st.one_of(st.sampled_from(["legal", "legal", "legal", "nonsense", ""]), FAILURES)


@given(
    game=st.sampled_from(["toy", "leaves"]),
    players=st.integers(3, 6),
    absent=st.sets(st.integers(0, 5)),
    replies=st.lists(REPLIES, max_size=60),
    tolerate=st.integers(0, 3),
    pick=st.randoms(use_true_random=False),
)
def test_whatever_the_bots_do_the_match_ends_with_valid_places(
    game: str, players: int, absent: set[int], replies: list[Any], tolerate: int, pick: Any
) -> None:
    rules = TOY if game == "toy" else LEAVES
    options = {"rounds": 4, "deals": 3} if game == "toy" else {"max_turns": 40, "target": 10}
    waiting = list(replies)

    def answer(ask: Ask) -> Answer | Failure:
        reply = waiting.pop(0) if waiting else "legal"
        if isinstance(reply, str):
            return Answer(pick.choice(ask.legal) if reply == "legal" else reply, 1.0)
        return reply

    seats = tuple(f"bot{seat}" for seat in range(players))
    league = terms(tolerate, **options)
    gone = {seat: ABSENT for seat in absent if seat < players}
    requests, result = drive(play_match(fixture(*seats), league, rules, gone), answer)
    outcome = result.outcome
    replayed(result, rules)
    assert sorted(outcome.places) == sorted(
        1 + sum(other < place for other in outcome.places) for place in outcome.places
    )
    kept = [seat for seat in range(players) if seat not in outcome.forfeited]
    assert all(
        outcome.places[seat] < outcome.places[loser] for seat in kept for loser in outcome.forfeited
    )
    assert outcome.ended == "complete" or len(kept) < 2
    assert tuple(request.fault.seat for request in of_type(requests, Forfeit)) == outcome.forfeited
    assert all(
        sum(fault.seat == seat for fault in outcome.faults) <= tolerate + 1
        for seat in range(players)
    )


def test_matches_with_the_same_moves_and_cards_have_the_same_digest() -> None:
    """The toy game has no chance: its bots repeat themselves when they play another block."""
    digests = [play(script(), rounds=rounds)[1].outcome.digest for rounds in (2, 2, 3)]
    slow = play(lambda _: Answer("less", 400.0), rounds=2)[1].outcome.digest
    assert digests[0] == digests[1] == slow != digests[2]

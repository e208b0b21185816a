"""What a seat was told and asked in a match comes out of the record as it was."""

import msgspec
import pytest
import scripted
from msgspec.structs import replace

from arena import games
from arena.errors import ReplayError
from arena.model import Fixture, Limits, MatchResult
from arena.play.again import Question, conversation, questions
from arena.play.protocol import Act, Bye, MatchStart, encode
from arena.play.referee import Answer, Ask, Failure, Forfeit, Reply, Tell, play_match
from arena.play.table import forfeit_reason, match_start

LEAVES = scripted.LEAGUE
THIRTEEN = replace(
    LEAVES, seats=(3,), terms=replace(LEAVES.terms, game="thirteen", options={"max_turns": 12})
)


class Listener(scripted.Seat):
    """A seat that keeps what it is told and asked, and the time it was given."""

    def __init__(self, *settings: object) -> None:
        super().__init__(*settings)
        self.heard: list[object] = []

    def answer(self, ask: Ask) -> Answer | Failure:
        number = sum(isinstance(message, Act) for message in self.heard) + 1
        act = Act(number, ask.observation, ask.legal, ask.events, self._clock.allowed_ms)
        self.heard.append(msgspec.json.decode(encode(act), type=Act))
        return super().answer(ask)


def play(league: object, fixture: Fixture) -> tuple[MatchResult, dict[int, Listener]]:
    """Play a match; return its result as a journal has it, and what each seat has heard."""
    game = games.load(league.terms.game)
    limits, seats, absent = league.terms.limits, {}, {}
    for number in range(len(fixture.seats)):
        own = scripted.misdeeds(fixture, number)
        if own is None:
            absent[number] = Failure("not_ready", "said no hello", 10_000.126)
            continue
        seats[number] = Listener(limits, f"{fixture.id} {number}", own)
        options = game.resolve(league.terms.options, len(fixture.seats))
        seats[number].heard.append(match_start(fixture, game, options, number, limits))
    match = play_match(fixture, league.terms, game, absent)
    reply: Reply = None
    while True:
        try:
            request = match.send(reply)
        except StopIteration as end:
            packed = msgspec.json.encode(end.value)
            return msgspec.json.decode(packed, type=MatchResult), seats
        reply = seats[request.seat].answer(request) if isinstance(request, Ask) else None
        if isinstance(request, Tell):
            for seat, message in request.messages:
                seats[seat].heard.append(message)
        if isinstance(request, Forfeit) and request.fault.seat in seats:
            seats[request.fault.seat].heard.append(Bye(forfeit_reason(request.fault)))


def said(league: object, result: MatchResult, seat: int) -> list[object]:
    number = 0
    messages = []
    for item in conversation(result, league.terms, games.load(result.game), seat):
        if isinstance(item, Question):
            number += 1
            item = item.act(number)
        messages.append(item)
    return messages


def fixtures(league: object, count: int) -> list[Fixture]:
    return list(scripted.ROUND_ROBIN.plan(league).fixtures())[:count]


@pytest.mark.parametrize(("league", "count"), [(LEAVES, 60), (THIRTEEN, 6)])
def test_every_seat_is_told_again_what_it_was_told(league: object, count: int) -> None:
    league = replace(league, terms=replace(league.terms, limits=Limits(10_000, 500, 101, 0)))
    forfeits = 0
    for fixture in fixtures(league, count):
        result, seats = play(league, fixture)
        for seat in range(len(fixture.seats)):
            again = [encode(message) for message in said(league, result, seat)]
            heard = [encode(message) for message in seats[seat].heard] if seat in seats else []
            assert again == heard
            acts = sum(b'{"type":"act"' in frame for frame in again)
            assert questions(result, seat) == acts
        forfeits += len(result.outcome.forfeited)
    assert forfeits


def test_what_is_left_of_a_bank_comes_out_to_the_millisecond() -> None:
    assert LEAVES.terms.limits.bank
    given = []
    for fixture in fixtures(LEAVES, 60):
        result, seats = play(LEAVES, fixture)
        for seat, listener in seats.items():
            acts = [message for message in listener.heard if isinstance(message, Act)]
            again = [message for message in said(LEAVES, result, seat) if isinstance(message, Act)]
            given += [(now.ms, then.ms) for now, then in zip(again, acts, strict=True)]
    assert max(abs(now - then) for now, then in given) <= 1
    assert len({then for _, then in given}) > 2


def test_a_record_that_does_not_fit_is_named() -> None:
    result = next(
        result
        for result, _ in (play(LEAVES, fixture) for fixture in fixtures(LEAVES, 60))
        if not result.outcome.faults
    )
    deal, *rest = result.deals
    (seat, _, ms), *actions = deal.actions
    wrong = (
        ((seat, "play 1x9", ms), *actions),
        ((seat, "play nothing", None), *actions),
        deal.actions[:-1],
        (),
    )
    for changed in wrong:
        forged = replace(result, deals=(replace(deal, actions=tuple(changed)), *rest))
        with pytest.raises(ReplayError, match="the record does not fit the game"):
            said(LEAVES, forged, seat)


def test_a_seat_that_was_not_ready_was_told_nothing() -> None:
    result = next(
        result
        for result, _ in (play(LEAVES, fixture) for fixture in fixtures(LEAVES, 60))
        if any(fault.deal == 0 for fault in result.outcome.faults)
    )
    absent = {fault.seat for fault in result.outcome.faults if fault.deal == 0}
    for seat in range(len(result.outcome.seats)):
        first, *_ = said(LEAVES, result, seat) or [None]
        assert isinstance(first, MatchStart) == (seat not in absent)

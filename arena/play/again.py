"""What one seat was told and asked in a recorded match, and what a bot answers to it now.

The referee plays the match again from its record: it is given the recorded answers and faults, and
what it wants to be said to the seat is what was said then. Two things are not in a record: the
``id`` of a question, which counts all questions of the process, and what is left of a bank to the
last digit.
"""

import math
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from arena.errors import ReplayError
from arena.games.base import Game, State
from arena.model import Fault, FaultKind, Limits, MatchResult, Seat, Terms
from arena.play.bot import Bot
from arena.play.clock import Clock, Taken
from arena.play.protocol import Act, Bye, DealEnd, DealStart, MatchEnd, MatchStart
from arena.play.referee import (
    Answer,
    Ask,
    Failure,
    Forfeit,
    Reply,
    Tell,
    Watcher,
    judged,
    play_match,
)
from arena.play.table import forfeit_reason, match_start

Told = MatchStart | DealStart | DealEnd | MatchEnd | Bye


class Question(Struct, frozen=True):
    """A decision of the seat: action ``index`` of deal ``deal`` (from 1).

    ``allowed_ms`` is the time that there was, and ``recorded`` what came of it.
    """

    deal: int
    index: int
    state: State
    ask: Ask
    allowed_ms: int
    recorded: Answer | Failure

    def act(self, number: int) -> Act:
        """Return the message that puts the question, with an id."""
        ask = self.ask
        return Act(number, ask.observation, ask.legal, ask.events, self.allowed_ms)


class Reaction(Struct, frozen=True):
    """What a bot does at a question now."""

    question: Question
    now: Answer | Failure

    @property
    def same(self) -> bool:
        """Whether it is what the record has: the same action, or a fault of the same kind."""
        then, now = self.question.recorded, self.now
        if isinstance(then, Answer) and isinstance(now, Answer):
            return then.action == now.action
        return isinstance(then, Failure) and isinstance(now, Failure) and then.kind == now.kind


def conversation(
    result: MatchResult, terms: Terms, game: Game, seat: Seat
) -> Iterator[Told | Question]:
    """Yield what was said to a seat, in order; ``terms`` are those of the league.

    Nothing was said to a seat whose bot was not ready. Raise ReplayError, possibly at the end,
    when the record does not fit the game or the terms.
    """
    terms = replace(terms, options=result.options)
    absent = {fault.seat: _failure(fault) for fault in result.outcome.faults if fault.deal == 0}
    if seat not in absent:
        yield match_start(result.fixture, game, result.options, seat, terms.limits)
    follower, clock = _Follower(), _PastClock(terms.limits)
    asked = _asked(result)
    match = play_match(result.fixture, terms, game, absent, follower)
    reply: Reply = None
    while True:
        try:
            request = match.send(reply)
        except StopIteration as end:
            _compare(end.value, result)
            return
        reply = None
        if isinstance(request, Tell):
            yield from (message for to, message in request.messages if to == seat)
        elif isinstance(request, Forfeit) and request.fault.seat == seat and seat not in absent:
            yield Bye(forfeit_reason(request.fault))
        elif isinstance(request, Ask):
            deal, index, actor, reply = next(asked, _NOTHING)
            if actor != request.seat:
                raise ReplayError(
                    f"the record does not fit the game: seat {request.seat} is to act in it"
                )
            if actor == seat:
                allowed = clock.pass_by(reply)
                yield Question(deal, index, follower.state, request, allowed, reply)


def answers(bot: Bot, conversation: Iterator[Told | Question]) -> Iterator[Reaction]:
    """Say to a bot what was said to a seat, but for ``bye``; yield what it does at each question.

    The bot has the time that the seat had, without any limit if it was started by hand. Whatever
    it answers, the conversation goes on as recorded; it ends when the bot is gone.
    """
    for said in conversation:
        if isinstance(said, Bye):
            continue
        if not isinstance(said, Question):
            bot.send(said)
            continue
        kind = _PatientClock if bot.entrant.manual else Clock
        clock = kind(Limits(0, said.allowed_ms, said.allowed_ms), bot.now)
        now = judged(bot.ask(said.ask, clock), said.state, said.ask.legal)
        yield Reaction(said, now)
        if isinstance(now, Failure) and (now.kind is FaultKind.EXITED or bot.channel.lost):
            return


def questions(result: MatchResult, seat: Seat) -> int:
    """Return how often a seat was asked in a match."""
    return sum(actor == seat for _, _, actor, _ in _asked(result))


class _Follower(Watcher):
    """Follows a match to have the state in which the next question is put."""

    state: State

    def deal_start(self, _number: int, state: State) -> None:
        self.state = state

    def decision(
        self, state: State, _seat: Seat, action: str, _ms: float | None, _fault: Fault | None
    ) -> None:
        self.state = state.apply(action)


class _PastClock:
    """The clock of a seat, run through the times of a record."""

    def __init__(self, limits: Limits) -> None:
        self._now = 0.0
        self._clock = Clock(limits, lambda: self._now)

    def pass_by(self, reply: Answer | Failure) -> int:
        """Let the time of a reply pass; return the milliseconds that were allowed for it."""
        allowed = self._clock.allowed_ms
        self._clock.start()
        self._now += (reply.ms or 0.0) / 1000
        self._clock.stop()
        return allowed


class _PatientClock(Clock):
    """A clock that tells what is allowed, and finds nothing late."""

    def start(self) -> float:
        super().start()
        return math.inf

    def stop(self) -> Taken:
        return super().stop()._replace(late=False)


_NOTHING = (0, 0, -1, Failure(FaultKind.EXITED, "the record ends here"))


def _asked(result: MatchResult) -> Iterator[tuple[int, int, Seat, Answer | Failure]]:
    """Yield deal, index, seat and reply of all that was asked in a match."""
    faults: Mapping[tuple[int, int | None], Fault] = {
        (fault.deal, fault.action): fault for fault in result.outcome.faults
    }
    for number, deal in enumerate(result.deals, 1):
        for index, (seat, action, ms) in enumerate(deal.actions):
            if ms is not None:
                yield number, index, seat, Answer(action, ms)
            elif fault := faults.get((number, index)):
                yield number, index, seat, _failure(fault)


def _failure(fault: Fault) -> Failure:
    return Failure(fault.kind, fault.detail, fault.ms)


def _compare(again: MatchResult, result: MatchResult) -> None:
    """Raise ReplayError unless a match that was played again came out as recorded."""
    if _play(again) != _play(result):
        raise ReplayError("the record does not fit the game: the match does not come out the same")


def _play(result: MatchResult) -> object:
    outcome = result.outcome
    deals = [(deal.actions, deal.penalties, deal.truncated) for deal in result.deals]
    return deals, outcome.totals, outcome.places, outcome.forfeited

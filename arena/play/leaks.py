"""Whether a seat was told, in a recorded match, what it could not see.

At each of its decisions all that a seat cannot see is drawn anew. In that other world it must be
sent the same bytes: the question at every decision, and at one decision of the match, drawn by
chance, all that it was sent until then, for which the match is played again from the other cards.
"""

import random
from collections.abc import Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from arena.errors import ReplayError
from arena.games.base import Game, State
from arena.model import MatchResult, Seat, Terms
from arena.play.again import Question, Told, conversation
from arena.play.protocol import DealEnd, DealStart, encode
from arena.play.staged import Staged

_BEFORE, _SHOWN = 30, 80
"""Bytes that are shown before the first that differs, and in all."""


class Leak(Exception):
    """A seat was sent what it would not be sent if what it cannot see were otherwise."""


class _Sent(Struct, frozen=True):
    """A message that a seat was sent: its place in words, and its bytes."""

    place: str
    data: bytes


class _Moment(Struct, frozen=True):
    """A decision of a seat, what it had been sent, the question too, and another world."""

    question: Question
    sent: int
    world: State


def check_match(result: MatchResult, terms: Terms, game: Game) -> int:
    """Return how many decisions of a match were checked; ``terms`` are those of the league.

    Raise Leak at the first message that is another one in another world, and ReplayError when the
    record does not fit the game or the terms. The worlds are drawn by the id of the match.
    """
    rng = random.Random(result.outcome.match)
    count = 0
    for seat, name in enumerate(result.outcome.seats):
        try:
            count += _check_seat(result, terms, game, seat, rng)
        except Leak as leak:
            raise Leak(f"seat {seat}, {name}, {leak}") from None
    return count


def _check_seat(
    result: MatchResult, terms: Terms, game: Game, seat: Seat, rng: random.Random
) -> int:
    sent = list[_Sent]()
    drawn: _Moment | None = None
    count = free = 0
    for said in conversation(result, terms, game, seat):
        sent.append(_sent(said))
        if not isinstance(said, Question):
            continue
        count += 1
        world = said.state.resample(seat, rng)
        _compare(sent[-1], _question(said, world, seat))
        if _is_free(result, said):
            free += 1
            if not rng.randrange(free):
                drawn = _Moment(said, len(sent), world)
    if drawn:
        deals = {drawn.question.deal: drawn.world.record()}
        other = cast(Game, Staged(game, deals.get))
        again = _again(conversation(result, terms, other, seat))
        for before in sent[: drawn.sent]:
            _compare(before, next(again, b""))
    return count


def _sent(said: Told | Question) -> _Sent:
    if isinstance(said, Question):
        return _Sent(f"deal {said.deal}, action {said.index}", encode(said.act(0)))
    deal = f"deal {said.deal}, " if isinstance(said, DealStart | DealEnd) else ""
    return _Sent(f"{deal}{said.__struct_config__.tag}", encode(said))


def _question(question: Question, world: State, seat: Seat) -> bytes:
    """Return the bytes of a question as it would be put in another world."""
    if world.to_act != seat:
        return b""
    ask = question.ask
    match = {key: ask.observation[key] for key in ("deal", "totals")}
    observation = {**world.observe(seat), **match}
    ask = replace(ask, observation=observation, legal=world.legal_actions())
    return encode(replace(question, ask=ask).act(0))


def _is_free(result: MatchResult, question: Question) -> bool:
    """Return whether bots alone have played until a question of its deal: what the house plays for
    a seat is by the cards that the seat has, and would be something else in another world."""
    actions = result.deals[question.deal - 1].actions[: question.index]
    return all(ms is not None for _, _, ms in actions)


def _again(conversation: Iterator[Told | Question]) -> Iterator[bytes]:
    """Yield what is sent in a conversation, until what was recorded cannot be played any more."""
    try:
        for said in conversation:
            yield _sent(said).data
    except ReplayError:
        return


def _compare(sent: _Sent, other: bytes) -> None:
    """Raise Leak unless a message is the same in another world, where it may not be sent at all."""
    if sent.data == other:
        return
    here = [a == b for a, b in zip(sent.data, other, strict=False)]
    place = here.index(False) if False in here else len(here)
    begin = max(0, place - _BEFORE)
    shown = [data[begin : begin + _SHOWN].decode(errors="replace") for data in (sent.data, other)]
    raise Leak(
        f"{sent.place}: byte {place} of what it was sent depends on what it cannot see:\n"
        f"  sent:         {shown[0]}\n"
        f"  if otherwise: {shown[1] or 'nothing'}"
    )

"""The shapes of the games' observations, as bots get them: JSON values."""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from arena.games.base import Count, Observation, Seat

Value = Annotated[int, Meta(ge=1, le=13)]
Rank = Annotated[str, Meta(pattern="^[A2-9TJQK]$")]
Card = Annotated[str, Meta(pattern="^[A2-9TJQK][CDHS]$")]


class LeavesObservation(Observation):
    """What a seat sees of 13 Leaves; a stack of the table is [value, count]."""

    seat: Seat
    hand: list[Value]
    table: list[tuple[Value, Count]]
    counts: list[Count]
    passed: list[bool]
    discarded: Annotated[list[Count], Meta(min_length=13, max_length=13)]
    first: Seat
    turn: Count


class BestHand(TypedDict):
    """A hand of Thirteen arranged for the least penalty."""

    penalty: Count
    melds: list[list[Card]]
    rest: list[Card]


class ThirteenObservation(Observation):
    """What a seat sees of Thirteen; discards are [card, seat that discarded it, seat that took
    it], null for nobody."""

    seat: Seat
    hand: list[Card]
    wild: Rank
    ace: Literal["low", "high-or-low"]
    phase: Literal["draw", "discard"]
    drawn: Card | None
    stock: Count
    top: Card | None
    discards: list[tuple[Card, Seat | None, Seat | None]]
    counts: list[Count]
    known: list[list[Card]]
    dealer: Seat
    turn: Count
    went_out: Seat | None
    shown: list[list[list[Card]] | None]
    best: BestHand

"""A recorded deal, simulated again move by move."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.errors import ReplayError
from arena.games.base import IllegalAction, State, accepts
from arena.model import DealRecord, Seat


class Move(NamedTuple):
    """A move of a deal, the states before and after it; ``ms`` is None for a house move."""

    before: State
    seat: Seat
    action: str
    ms: float | None
    after: State


def moves(state: State, deal: DealRecord) -> Iterator[Move]:
    """Yield the moves of a deal that begins with ``state``.

    Raise ReplayError, possibly at the end, unless it comes out as recorded.
    """
    for seat, action, ms in deal.actions:
        if state.to_act != seat:
            raise ReplayError(f"the record does not fit the game: seat {seat} is not to act")
        try:
            after = state.apply(action)
        except IllegalAction as error:
            raise ReplayError(f"the record does not fit the game: {error}") from error
        yield Move(state, seat, action, ms, after)
        state = after
    same = accepts(state, deal.setup) or _plain(state.record()) == _plain(deal.setup)
    if state.penalties != deal.penalties or not same:
        raise ReplayError("the record does not fit the game: the deal does not come out the same")


def _plain(value: object) -> object:
    """Return the value as it is after a journey through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))

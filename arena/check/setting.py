"""What match the bot under check is put into, and how it went."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from arena.games.base import Game, IllegalAction, Policy, State
from arena.model import Fault, Fixture, Seat
from arena.play.referee import Watcher
from arena.seeds import derive

LONGEST = 400
"""Characters of an objection that are kept: an action may be a megabyte."""


class Setting(Struct, frozen=True):
    """A match for one bot: its seat, and ``policy`` for all others.

    ``about`` says what is special of it.
    """

    game: Game
    players: int
    seat: Seat
    seed: str
    policy: Policy
    options: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""

    @property
    def fixture(self) -> Fixture:
        """The match as the referee knows it."""
        names = tuple("bot" if s == self.seat else f"other {s}" for s in range(self.players))
        return Fixture(
            id=derive("check", self.seed, self.seat)[:16],
            seats=names,
            composition="check",
            block=1,
            rotation=1,
            block_seed=self.seed,
        )


class Story(Watcher):
    """Follows a match.

    ``asked`` counts the questions to the bot, ``answer`` is its last answer, ``actions`` are those
    of its seat that took effect, ``deals`` counts the deals that were begun.
    """

    def __init__(self, seat: Seat) -> None:
        self.asked = 0
        self.answer = ""
        self.actions: list[str] = []
        self.deals = 0
        self._seat = seat
        self._first: State | None = None
        self._since: list[str] = []

    def objection(self) -> str:
        """Return what the game says against the last answer, which the referee has refused."""
        state = self._first
        assert state
        for action in self._since:
            state = state.apply(action)
        try:
            state.apply(state.canonical(self.answer))
        except IllegalAction as error:
            return str(error)[-LONGEST:]
        return ""

    def deal_start(self, number: int, state: State) -> None:
        self.deals = number
        self._first = state
        self._since = []

    def decision(
        self, _state: State, seat: Seat, action: str, _ms: float | None, _fault: Fault | None
    ) -> None:
        self._since.append(action)
        if seat == self._seat:
            self.actions.append(action)

"""A person at a table: told and asked what a bot is, in this process, for as long as it takes."""

from collections.abc import Callable
from typing import Protocol

from arena.model import Entrant, Limits
from arena.play import protocol
from arena.play.awake import Awake
from arena.play.clock import Clock
from arena.play.protocol import Act, FromArena
from arena.play.referee import Answer, Ask


class Player(Protocol):
    """Who a person is represented by, such as a terminal."""

    def told(self, message: FromArena) -> None:
        """Take in a message that needs no answer."""

    def asked(self, act: Act) -> str:
        """Return the action that is chosen; whatever is raised goes through and ends the match."""


class Person:
    """What sits at a table in the place of a bot: messages go to a player and not to a process.

    The player gets them as they would arrive at a bot, encoded and decoded again.
    """

    def __init__(self, entrant: Entrant, player: Player) -> None:
        self.entrant = entrant
        self.now = Awake()
        self._player = player
        self._id = 0

    def send(self, message: FromArena) -> bool:
        """Tell the player of a message."""
        self._player.told(_arrived(message))
        return True

    def ask(self, ask: Ask, clock: Clock) -> Answer:
        """Put a question to the player; no answer is late."""
        self._id += 1
        allowed = clock.allowed_ms
        message = Act(self._id, ask.observation, ask.legal, ask.events, allowed)
        clock.start()
        act = _arrived(message)
        assert isinstance(act, Act)
        action = self._player.asked(act)
        return Answer(action, clock.stop().ms)

    def used(self, _limits: Limits) -> Callable[[], float] | None:
        """Return None: the processor time of a person is not known."""
        return None

    def take_stale(self) -> int:
        """Return 0: a person answers nothing but the question."""
        return 0


def _arrived(message: FromArena) -> FromArena:
    return protocol.decode_arena(protocol.encode(message))

"""Whether a bot bears what a later arena may send, and having to wait."""

import contextlib
from collections.abc import Iterator
from typing import Any

import msgspec

from arena.check.check import Check
from arena.check.finding import Seen, Wrong
from arena.check.lab import Lab
from arena.check.session import Session
from arena.games.base import Game
from arena.model import Seat
from arena.play import protocol
from arena.play.bot import Bot
from arena.play.referee import Ask, Request
from arena.words import plural

NEWS = {"x_new": {"since": 2, "list": [None, True, -1.5, "é"]}}
"""A key that no version of the protocol has."""
STRANGE = b'{"type":"x_weather","id":4711,"sky":["blue",null]}'
"""A message of a type that no version of the protocol has."""
ADDED = "What may be added within protocol 1"
PAUSE_SECONDS = 1.2
BUSY = 0.2
"""The part of a core that a bot may use while it waits without being told of it."""
PLACES = ("observation", "limits", "options")
"""Where else than at the top of a message there are keys."""


def checks() -> list[Check]:
    """Return the checks of this group."""
    return [
        Check("unknown-keys", ADDED, _unknown_keys),
        Check("unknown-types", ADDED, _unknown_types),
        Check("pause", "Clocks", _pause),
    ]


class Newer(Bot):
    """The arena's end of a connection, if the arena were of a later version."""

    def frame(self, message: protocol.FromArena) -> bytes:
        """Return a message with keys that it does not have in this version."""
        values: dict[str, Any] = msgspec.to_builtins(message)
        for place in PLACES:
            if place in values:
                values[place] = {**NEWS, **values[place]}
        return msgspec.json.encode({**NEWS, **values})


@contextlib.contextmanager
def _blamed() -> Iterator[None]:
    """Let a failure name the section about what is new, whatever the fault is."""
    try:
        yield
    except Wrong as wrong:
        wrong.section = ADDED
        raise


def _unknown_keys(lab: Lab) -> Seen:
    for game in lab.games:
        with lab.ready(Newer) as session, _blamed():
            session.play(lab.quick(game, "unknown keys"))
    return Seen(f"ignored, in every message and in {', '.join(PLACES)}{lab.note}")


def _unknown_types(lab: Lab) -> Seen:
    """Play the same match without and with strange messages; count what answers nothing."""
    answers = sum(
        _dropped(lab, game, strange=True) - _dropped(lab, game, strange=False) for game in lab.games
    )
    if answers > 0:
        return Seen(f"{plural(answers, 'answer')} to it; nothing was asked", noted=True)
    return Seen(f"ignored, before and in a match{lab.note}")


def _dropped(lab: Lab, game: Game, *, strange: bool) -> int:
    """Return how many messages of the bot answered nothing in a match and at a ping after it."""
    with lab.ready() as session, _blamed():

        def tell(_: object) -> None:
            if strange:
                session.bot.channel.send(STRANGE)

        tell(None)
        session.play(lab.quick(game, "unknown types"), tell)
        session.ping()
        return session.bot.take_stale()
    return 0


class _Wait:
    """Says nothing for a while before the second question to a seat; ``busy`` is the part of a
    core that the bot has used meanwhile."""

    def __init__(self, lab: Lab, session: Session, seat: Seat) -> None:
        self.busy = 0.0
        self._lab = lab
        self._session = session
        self._seat = seat
        self._asked = 0

    def __call__(self, request: Request) -> None:
        """Take note of a request of the referee, and wait if it is the one to wait before."""
        if isinstance(request, Ask) and request.seat == self._seat:
            self._asked += 1
            if self._asked == 2:
                before = self._session.usage.seconds
                self._lab.idle(PAUSE_SECONDS)
                self.busy = (self._session.usage.seconds - before) / PAUSE_SECONDS


def _pause(lab: Lab) -> Seen:
    busiest = 0.0
    for game in lab.games:
        setting = lab.quick(game, "pause")
        with lab.ready() as session:
            wait = _Wait(lab, session, setting.seat)
            lab.idle(PAUSE_SECONDS)
            session.play(setting, wait)
            busiest = max(busiest, wait.busy)
    detail = f"{PAUSE_SECONDS:g} s of silence before and in a match change nothing{lab.note}"
    if busiest > BUSY:
        detail += f"; but it keeps a core {min(busiest, 1):.0%} busy while it waits"
    return Seen(detail, busiest > BUSY, {"busy": busiest})

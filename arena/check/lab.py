"""Where a bot is checked: starts its processes, and knows what all checks have in common."""

import contextlib
import itertools
import random
import select
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import zmq

from arena.check.finding import OutOfTime, Wrong
from arena.check.session import Session, Times
from arena.check.setting import Setting
from arena.games.base import Game, Policy, Rehearsed
from arena.model import Entrant, Limits, Seat
from arena.play.bot import Bot
from arena.play.channel import Wire
from arena.play.interrupt import Interrupt
from arena.play.log import BotLog
from arena.play.process import BYE_SECONDS
from arena.play.sandbox import Jail
from arena.seeds import derive

CHECK_SECONDS = 15.0
"""How long a check may go on asking; what a bot is not asked in this time it is not asked."""
FAULT_SECONDS = 0.1
"""How long a process that has failed may take to exit."""


class Lab:
    """Makes sessions with the bot, and settings for matches.

    ``sockets`` is a private folder with a short path, ``logs`` the folder of what the bot prints;
    ``jail`` holds its processes. All chance comes from ``seed``. ``tables`` holds the games with
    the sizes of the tables at which the bot is to be checked. ``times`` collects the times of all
    decisions.
    """

    def __init__(
        self,
        entrant: Entrant,
        games: Sequence[Game],
        *,
        limits: Limits,
        seed: str,
        sockets: Path,
        logs: Path,
        interrupt: Interrupt | None = None,
        jail: Jail | None = None,
    ) -> None:
        self.entrant = entrant
        self.limits = limits
        self.seed = seed
        self.times = Times([], [])
        self.tables = {game.key: list(game.players) for game in games}
        self._games = {game.key: game for game in games}
        self._sockets = sockets
        self._logs = logs
        self._interrupt = interrupt
        self._jail = jail
        self._context = zmq.Context()
        self._numbers = itertools.count(1)
        self._deadline = 0.0

    def close(self) -> None:
        """Close all sockets."""
        self._context.destroy(linger=0)

    @property
    def games(self) -> list[Game]:
        """The games of which there are tables at which the bot can be checked."""
        return [self._games[key] for key, sizes in self.tables.items() if sizes]

    def begin(self) -> None:
        """Begin the time of a check, or of a part of it that may take as long again."""
        self._deadline = time.monotonic() + CHECK_SECONDS

    def out_of_time(self) -> bool:
        """Return whether the check should come to its end."""
        return time.monotonic() > self._deadline

    @property
    def note(self) -> str:
        """What is to be said of a check that was cut short."""
        return f"; cut short after {CHECK_SECONDS:g} s" if self.out_of_time() else ""

    @contextlib.contextmanager
    def session(self, kind: type[Bot] = Bot) -> Iterator[Session]:
        """Yield a process that has just been started; a failure tells its last messages."""
        number = next(self._numbers)
        log = BotLog(self._logs / f"{self.entrant.name}-{number}.log")
        address = self._sockets / str(number)

        def start(wire: Wire) -> Bot:
            place = (self._context, address, log, self._interrupt)
            return kind(self.entrant, *place, wire=wire, jail=self._jail)

        try:
            session = Session(start, self.limits, self.times, self.out_of_time)
        except BaseException:
            log.close()
            raise
        try:
            yield session
        except Wrong as wrong:
            wrong.messages = session.messages
            session.stop(str(wrong), FAULT_SECONDS)
            wrong.output = session.output
            raise
        except BaseException:
            session.stop("the check is over", FAULT_SECONDS)
            raise
        session.stop("the check is over", BYE_SECONDS)

    @contextlib.contextmanager
    def ready(self, kind: type[Bot] = Bot) -> Iterator[Session]:
        """Yield a process that has said hello; end quietly when the check's time is over."""
        with contextlib.suppress(OutOfTime), self.session(kind) as session:
            session.greet()
            yield session

    def idle(self, seconds: float) -> None:
        """Say nothing for a while."""
        watched = [self._interrupt.descriptor] if self._interrupt else []
        if select.select(watched, [], [], seconds)[0] and self._interrupt:
            self._interrupt.look()

    def quick(self, game: Game, label: str, players: int = 0, seat: Seat = 0) -> Setting:
        """Return a short match at the smallest table, or at one of ``players``."""
        options = game.quick if isinstance(game, Rehearsed) else {}
        return self.match(game, label, players or self.tables[game.key][0], seat, options)

    def match(
        self,
        game: Game,
        label: str,
        players: int,
        seat: Seat,
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> Setting:
        """Return a match whose deals and other seats follow from the seed and the label."""
        seed = derive(self.seed, game.key, players, seat, label)
        return Setting(game, players, seat, seed, lively(seed), options)


def lively(seed: str) -> Policy:
    """Return a policy that takes the first legal action or any, so that deals come to an end."""
    rng = random.Random(seed)

    def choose(_observation: dict[str, Any], legal: tuple[str, ...]) -> str:
        return legal[0] if rng.random() < 0.5 else rng.choice(legal)

    return choose

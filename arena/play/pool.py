"""The bot processes that a table keeps between matches, and when they are replaced."""

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

import zmq

from arena import __version__
from arena.errors import BotError
from arena.model import Entrant, FaultKind, Fixture, Seat, Terms
from arena.play.awake import Awake
from arena.play.bot import Bot
from arena.play.interrupt import Interrupt
from arena.play.lag import Waits
from arena.play.launcher import Launcher
from arena.play.log import BotLog, log_name
from arena.play.process import BYE_SECONDS, BotProcess, stop_all
from arena.play.referee import Failure
from arena.play.sandbox import Jail
from arena.play.swelling import Swelling

KEPT = 16
"""Bot processes that are kept for later matches, beside those that play."""


class Pool:
    """Running bots by name, those longest unused first.

    ``sockets`` is a private folder with a short path, ``logs`` the folder of the log files, where
    those of earlier processes stay, and ``label`` tells this pool's files from those of others.
    ``interrupt`` is looked after while bots are waited for. ``announce`` is told the name,
    endpoint and token of each bot whose process the user has to start; ``changed`` the ids of all
    running processes after each change; ``wire`` the name of a bot with each frame, as ``Wire``.
    ``hidden`` are folders that no bot should see but its own.
    """

    def __init__(
        self,
        terms: Terms,
        *,
        sockets: Path,
        logs: Path,
        label: str,
        interrupt: Interrupt | None = None,
        announce: Callable[[str, str, str], None] | None = None,
        changed: Callable[[tuple[int, ...]], None] | None = None,
        wire: Callable[[str, str, bytes], None] | None = None,
        hidden: Iterable[Path] = (),
    ) -> None:
        self._terms = terms
        self._sockets = sockets
        self._logs = logs
        self._label = label
        self._interrupt = interrupt
        self._announce = announce
        self._changed = changed
        self._wire = wire
        self._numbers = itertools.count(1)
        self._bots: dict[str, Bot] = {}
        self._context = zmq.Context()
        self._jail = Jail(terms.sandbox, sockets, hidden)
        self._now = Awake()
        self._launcher = Launcher()
        self._swelling = Swelling(self._processes, self._now)
        self._waits: Waits | None = None

    @property
    def waits(self) -> Waits:
        """What tells for how long the arena has waited for a processor, sockets included."""
        if self._waits is None:
            self._waits = Waits()
        return self._waits

    def clear(self, reason: str) -> None:
        """Stop all bots."""
        self.stop(self._bots.values(), reason, BYE_SECONDS)

    def close(self) -> None:
        """Stop all bots and close all sockets."""
        self.clear("no more matches are played")
        self._launcher.close()
        self._context.destroy(linger=0)
        if self._waits:
            self._waits.close()

    def seat(
        self, fixture: Fixture, entrants: Sequence[Entrant], suspended: Collection[str]
    ) -> dict[Seat, Bot | Failure]:
        """Return a bot that is ready for each seat, or why there is none.

        New processes are all started before the first of them is waited for.
        """
        self._make_room(fixture, {entrant.name for entrant in entrants})
        found: dict[Seat, Bot | Failure] = {}
        for seat, entrant in enumerate(entrants):
            if entrant.name in suspended:
                found[seat] = Failure(FaultKind.NOT_READY, _suspended(self._terms))
            else:
                found[seat] = self._kept(entrant) or self._start(entrant)
        limit = self._terms.limits.start
        for seat, bot in found.items():
            if isinstance(bot, Bot):
                if not bot.channel.connected:
                    found[seat] = bot.greet(limit, __version__) or bot
                if self._terms.restart == "auto":
                    bot.blocks.add(fixture.block_seed)
        return found

    def get(self, name: str) -> Bot | None:
        """Return the running bot of that name."""
        return self._bots.get(name)

    def stop(self, bots: Iterable[Bot], reason: str, seconds: float) -> None:
        """Say ``bye`` to bots, give them ``seconds`` to end by themselves, then end them."""
        leaving = list(bots)
        for bot in leaving:
            bot.dismiss(reason)
            del self._bots[bot.entrant.name]
        stop_all([bot.process for bot in leaving if bot.process], seconds)
        for bot in leaving:
            bot.close()
        self._tell_changed()

    def _kept(self, entrant: Entrant) -> Bot | None:
        """Return the living process of an entrant, moved to the end of the queue."""
        bot = self._bots.get(entrant.name)
        if bot is None:
            return None
        if bot.ping(self._terms.limits.start):
            self.stop([bot], "no answer to ping", 0)
            return None
        self._bots[entrant.name] = self._bots.pop(entrant.name)
        return bot

    def _make_room(self, fixture: Fixture, names: Collection[str]) -> None:
        """Stop the processes that must not meet this block, and those that are too many."""
        policy = self._terms.restart
        leaving = [
            bot
            for name, bot in self._bots.items()
            if name in names
            and not bot.entrant.manual
            and (policy == "match" or (policy == "auto" and fixture.block_seed in bot.blocks))
        ]
        idle = [bot for name, bot in self._bots.items() if name not in names]
        leaving += idle[: max(0, len(idle) - KEPT)]
        if leaving:
            self.stop(leaving, "a new process takes over", BYE_SECONDS)

    def _start(self, entrant: Entrant) -> Bot | Failure:
        paths = ((n, self._logs / log_name(entrant.name, self._label, n)) for n in self._numbers)
        number, path = next((n, path) for n, path in paths if not path.exists())
        log = BotLog(path)
        self._sockets.mkdir(mode=0o700, exist_ok=True)
        address = self._sockets / f"{self._label}-{number}"
        wire = functools.partial(self._wire, entrant.name) if self._wire else None
        try:
            bot = Bot(
                entrant,
                self._context,
                address,
                log,
                self._interrupt,
                wire=wire,
                jail=self._jail,
                swelling=self._swelling,
                now=self._now,
                launcher=self._launcher,
            )
        except BotError as error:
            return Failure(FaultKind.NOT_READY, str(error))
        except (OSError, zmq.ZMQError):
            log.close()
            raise
        self._bots[entrant.name] = bot
        if not bot.process and self._announce:
            self._announce(entrant.name, bot.channel.endpoint, bot.channel.token)
        self._tell_changed()
        return bot

    def _tell_changed(self) -> None:
        if self._changed:
            self._changed(tuple(process.pid for process in self._processes()))

    def _processes(self) -> list[BotProcess]:
        return [bot.process for bot in self._bots.values() if bot.process]


def _suspended(terms: Terms) -> str:
    return f"suspended: it did not get ready {terms.faults.suspend} times in a row"

"""One match between bot processes: gives the referee its answers and keeps the time."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from arena.games.base import Game
from arena.model import Entrant, Fault, Fixture, Limits, MatchResult, Seat, Spent, Terms
from arena.play.bot import Bot
from arena.play.clock import NO_LIMITS, Clock
from arena.play.lag import Stopwatch
from arena.play.meter import available_cores
from arena.play.person import Person
from arena.play.pool import Pool
from arena.play.protocol import LimitsMs, MatchStart
from arena.play.referee import Ask, Failure, Forfeit, Reply, Request, Tell, Watcher, play_match
from arena.seeds import derive

FORFEIT_SECONDS = 0.1
"""How long a bot that forfeited has to end by itself, while the others wait."""


def play_at_table(
    fixture: Fixture,
    entrants: Sequence[Entrant],
    *,
    terms: Terms,
    game: Game,
    pool: Pool,
    suspended: Collection[str] = (),
    watcher: Watcher | None = None,
    people: Mapping[Seat, Person] | None = None,
) -> MatchResult:
    """Play a match between the entrants, given by seat, with processes from the pool.

    Bots named in ``suspended`` are not started; they forfeit. In the seats of ``people`` nothing
    is started either: they play themselves.
    """
    people = people or {}
    unstarted = {*suspended, *(entrants[seat].name for seat in people)}
    seated = {**pool.seat(fixture, entrants, unstarted), **people}
    result = _Table(fixture, terms, game, pool, seated).play(watcher)
    identities = tuple(entrant.identity for entrant in entrants)
    if identities != fixture.seats:
        result = replace(result, outcome=replace(result.outcome, versions=identities))
    return replace(result, fingerprints=tuple(entrant.fingerprint for entrant in entrants))


def match_start(
    fixture: Fixture, game: Game, options: dict[str, Any], seat: Seat, limits: Limits
) -> MatchStart:
    """Return the message that tells a seat of its match; ``options`` are resolved ones."""
    return MatchStart(
        match=fixture.id,
        game=game.key,
        options=options,
        seat=seat,
        seats=len(fixture.seats),
        seed=derive("bot", fixture.id, seat),
        limits=limits_ms(limits),
    )


def limits_ms(limits: Limits) -> LimitsMs:
    """Return limits as bots are told them."""
    return LimitsMs(
        limits.first_move,
        limits.move,
        limits.bank,
        limits.cpu_move,
        limits.cpu_match,
        limits.off_turn_ms if limits.off_turn == "fault" else 0,
    )


def forfeit_reason(fault: Fault) -> str:
    """Return what a bot is told in the ``bye`` that ends its part in a match."""
    return f"forfeit: {fault.kind}: {fault.detail}"


class _Table:
    """The bots, and people, of one match by seat."""

    def __init__(
        self,
        fixture: Fixture,
        terms: Terms,
        game: Game,
        pool: Pool,
        seated: Mapping[Seat, Bot | Person | Failure],
    ) -> None:
        self._fixture = fixture
        self._terms = terms
        self._game = game
        self._pool = pool
        self._names = fixture.seats
        self._absent = {s: bot for s, bot in seated.items() if isinstance(bot, Failure)}
        self._bots = {s: bot for s, bot in seated.items() if not isinstance(bot, Failure)}
        self._cores = available_cores()
        self._clocks = {seat: self._clock(seat) for seat in self._bots}
        self._stale = [0] * len(seated)
        self._spent: list[Spent | None] = [None] * len(seated)
        self._reports: dict[Seat, tuple[str, str]] = {}
        self._stopwatch = Stopwatch(pool.waits.reader())

    def play(self, watcher: Watcher | None) -> MatchResult:
        self._start_match()
        match = play_match(self._fixture, self._terms, self._game, self._absent, watcher)
        reply: Reply = None
        try:
            while True:
                reply = self._serve(match.send(reply))
        except StopIteration as end:
            result: MatchResult = end.value
        for seat in list(self._bots):
            self._settle(seat)
        outcome = replace(
            result.outcome,
            faults=tuple(self._reported(fault) for fault in result.outcome.faults),
            stale=tuple(self._stale),
            spent=tuple(self._spent) if any(self._spent) else (),
            lag=self._stopwatch.end(),
        )
        return replace(result, outcome=outcome)

    def _start_match(self) -> None:
        options = self._game.resolve(self._terms.options, len(self._names))
        for seat, bot in self._bots.items():
            limits = self._limits(seat) or NO_LIMITS
            bot.send(match_start(self._fixture, self._game, options, seat, limits))

    def _limits(self, seat: Seat) -> Limits | None:
        return None if self._bots[seat].entrant.manual else self._terms.limits

    def _clock(self, seat: Seat) -> Clock:
        bot, limits = self._bots[seat], self._limits(seat)
        return Clock(limits, bot.now, bot.used(limits or NO_LIMITS), self._cores)

    def _serve(self, request: Request) -> Reply:
        if isinstance(request, Ask):
            return self._ask(request)
        if isinstance(request, Tell):
            for seat, message in request.messages:
                self._bots[seat].send(message)
        if isinstance(request, Forfeit):
            self._dismiss(request.fault)
            self._stopwatch.skip()
        return None

    def _ask(self, request: Ask) -> Reply:
        bot, clock = self._bots[request.seat], self._clocks[request.seat]
        reply = bot.ask(request, clock)
        self._stopwatch.after(clock.asked, clock.stopped)
        return reply

    def _dismiss(self, fault: Fault) -> None:
        """Stop the bot that forfeited and keep what it printed last."""
        bot = self._bots.get(fault.seat) or self._pool.get(self._names[fault.seat])
        if fault.seat in self._bots:
            self._settle(fault.seat)
        if not isinstance(bot, Bot):
            return
        self._pool.stop([bot], forfeit_reason(fault), FORFEIT_SECONDS)
        self._reports[fault.seat] = (bot.log.tail(), bot.log.path.name)

    def _settle(self, seat: Seat) -> None:
        """Keep what is known of a bot that is not asked any more."""
        self._stale[seat] = self._bots.pop(seat).take_stale()
        self._spent[seat] = self._clocks[seat].end()

    def _reported(self, fault: Fault) -> Fault:
        output, log = self._reports.get(fault.seat, ("", ""))
        return replace(fault, output=output, log=f"logs/{log}" if output else "")

"""One match as a generator without I/O: it yields what it wants of a seat and is sent the reply.

``play_match`` yields ``Tell`` (sent None), ``Ask`` (sent an ``Answer`` or a ``Failure``) and
``Forfeit`` (sent None), and returns the ``MatchResult``.
"""

from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any

from msgspec import Struct

from arena.games.base import Game, State, rank
from arena.model import (
    DealRecord,
    Fault,
    FaultKind,
    Fixture,
    MatchResult,
    Outcome,
    Seat,
    Terms,
    bucket,
    digest,
)
from arena.play.protocol import DealEnd, DealStart, MatchEnd

TOLERABLE = frozenset({FaultKind.ILLEGAL, FaultKind.MALFORMED, FaultKind.TIMEOUT, FaultKind.CPU})

Event = tuple[Seat, str]


class Tell(Struct, frozen=True):
    """Send each message to its seat; no answer is expected."""

    messages: tuple[tuple[Seat, DealStart | DealEnd | MatchEnd], ...]


class Ask(Struct, frozen=True):
    """Ask a seat for a decision. ``events`` are the actions since it was last asked."""

    seat: Seat
    observation: dict[str, Any]
    legal: tuple[str, ...]
    events: list[Event]


class Forfeit(Struct, frozen=True):
    """A seat has forfeited the match and will not be asked again."""

    fault: Fault


class Answer(Struct, frozen=True):
    """A seat's answer in time, and the milliseconds it took."""

    action: str
    ms: float


class Failure(Struct, frozen=True):
    """What came instead of an answer. ``ms`` is None when nothing was asked, ``cpu``, those of
    processor time, where that is not measured."""

    kind: FaultKind
    detail: str
    ms: float | None = None
    cpu: float | None = None


Request = Tell | Ask | Forfeit
Reply = Answer | Failure | None
Play = Generator[Request, Reply, MatchResult]


class Watcher:
    """Somebody who follows a match while it is played; of itself it does nothing."""

    def deal_start(self, number: int, state: State) -> object:
        """A deal begins; ``number`` counts from 1."""

    def decision(
        self, state: State, seat: Seat, action: str, ms: float | None, fault: Fault | None
    ) -> object:
        """``action`` is about to take effect in ``state``; ``ms`` is None for a house move."""

    def deal_end(self, penalties: tuple[int, ...], totals: tuple[int, ...]) -> object:
        """A deal has ended."""

    def match_end(self, totals: tuple[int, ...], places: tuple[int, ...]) -> object:
        """The match has ended."""


def play_match(
    fixture: Fixture,
    terms: Terms,
    game: Game,
    absent: Mapping[Seat, Failure],
    watcher: Watcher | None = None,
) -> Play:
    """Referee one match; ``absent`` holds the seats whose bots did not get ready."""
    return _Match(fixture, terms, game, watcher).play(absent)


class _Match:
    """The state of a match being refereed."""

    def __init__(self, fixture: Fixture, terms: Terms, game: Game, watcher: Watcher | None) -> None:
        players = len(fixture.seats)
        self._fixture = fixture
        self._game = game
        self._options = game.resolve(terms.options, players)
        self._tolerate = terms.faults.tolerate
        self._watcher = watcher
        self._players = players
        self._totals = [0] * players
        self._forfeited: dict[Seat, tuple[int, int]] = {}
        self._faults: list[Fault] = []
        self._passed_over: Counter[Seat] = Counter()
        self._times: tuple[Counter[int], ...] = tuple(Counter() for _ in range(players))
        self._deals: list[DealRecord] = []
        self._actions: list[tuple[Seat, str, float | None]] = []
        self._events: list[Event] = []
        self._seen = [0] * players

    def play(self, absent: Mapping[Seat, Failure]) -> Play:
        for seat, failure in sorted(absent.items()):
            fault = self._fault(seat, failure, action=None)
            yield self._forfeit(fault)
        complete, places = False, None
        while not complete and not self._decided:
            last = yield from self._deal(len(self._deals) + 1)
            complete = last.to_act is None and self._game.match_over(
                self._totals, len(self._deals), self._options
            )
            if complete:
                places = self._game.places(self._totals, last, self._options)
        outcome = self._outcome(places)
        end = MatchEnd(outcome.totals, outcome.places, outcome.forfeited)
        yield self._tell(dict.fromkeys(self._playing, end))
        if self._watcher:
            self._watcher.match_end(outcome.totals, outcome.places)
        return MatchResult(
            outcome,
            self._game.key,
            self._options,
            self._fixture.block_seed,
            tuple(self._deals),
        )

    @property
    def _playing(self) -> list[Seat]:
        return [seat for seat in range(self._players) if seat not in self._forfeited]

    @property
    def _decided(self) -> bool:
        """Whether nobody is left to play against."""
        return len(self._forfeited) >= self._players - 1

    def _deal(self, number: int) -> Generator[Request, Reply, State]:
        state = self._game.deal(self._players, self._fixture.block_seed, number, self._options)
        self._actions, self._events, self._seen = [], [], [0] * self._players
        if self._watcher:
            self._watcher.deal_start(number, state)
        yield self._tell(
            {seat: DealStart(number, self._observe(state, seat)) for seat in self._playing}
        )
        while (seat := state.to_act) is not None and not self._decided:
            action, ms, fault = yield from self._decision(state, seat)
            if self._watcher:
                self._watcher.decision(state, seat, action, ms, fault)
            self._actions.append((seat, action, ms))
            self._events.append((seat, action))
            state = state.apply(action)
        yield from self._end_deal(number, state)
        return state

    def _end_deal(self, number: int, state: State) -> Generator[Request, Reply, None]:
        penalties = state.penalties
        if penalties is not None:
            self._totals = [a + b for a, b in zip(self._totals, penalties, strict=True)]
        totals = tuple(self._totals)
        self._deals.append(
            DealRecord(state.record(), tuple(self._actions), penalties, state.truncated)
        )
        if penalties is None:
            return
        if self._watcher:
            self._watcher.deal_end(penalties, totals)
        yield self._tell(
            {
                seat: DealEnd(number, penalties, totals, state.truncated, self._news(seat))
                for seat in self._playing
            }
        )

    def _decision(
        self, state: State, seat: Seat
    ) -> Generator[Request, Reply, tuple[str, float | None, Fault | None]]:
        """Return the action that takes effect, its time (None for the house), and a fault."""
        if seat in self._forfeited:
            return state.house_move(), None, None
        legal = state.legal_actions()
        reply = yield Ask(seat, self._observe(state, seat), legal, self._news(seat))
        assert reply is not None
        reply = judged(reply, state, legal)
        if isinstance(reply, Answer):
            self._times[seat][bucket(reply.ms)] += 1
            return reply.action, round(reply.ms, 2), None
        fault = self._fault(seat, reply, action=len(self._actions))
        if reply.kind in TOLERABLE and self._passed_over[seat] < self._tolerate:
            self._passed_over[seat] += 1
        else:
            yield self._forfeit(fault)
        return state.house_move(), None, fault

    def _observe(self, state: State, seat: Seat) -> dict[str, Any]:
        observation = state.observe(seat)
        observation["deal"] = len(self._deals) + 1
        observation["totals"] = self._totals
        return observation

    def _news(self, seat: Seat) -> list[Event]:
        """Return the events that the seat has not been told yet."""
        news = self._events[self._seen[seat] :]
        self._seen[seat] = len(self._events)
        return news

    def _fault(self, seat: Seat, failure: Failure, action: int | None) -> Fault:
        deal = 0 if action is None else len(self._deals) + 1
        ms, cpu = (None if time is None else round(time, 2) for time in (failure.ms, failure.cpu))
        fault = Fault(seat, deal, action, failure.kind, ms, failure.detail, cpu=cpu)
        self._faults.append(fault)
        return fault

    def _forfeit(self, fault: Fault) -> Forfeit:
        self._forfeited[fault.seat] = (fault.deal, -1 if fault.action is None else fault.action)
        return Forfeit(fault)

    @staticmethod
    def _tell(messages: dict[Seat, Any]) -> Tell:
        return Tell(tuple(messages.items()))

    def _outcome(self, places: tuple[int, ...] | None) -> Outcome:
        fixture = self._fixture
        return Outcome(
            match=fixture.id,
            composition=fixture.composition,
            block=fixture.block,
            rotation=fixture.rotation,
            seats=fixture.seats,
            totals=tuple(self._totals),
            places=self._places(places or rank(self._totals)),
            deals=sum(deal.penalties is not None for deal in self._deals),
            forfeited=tuple(self._forfeited),
            faults=tuple(self._faults),
            ended="forfeit" if places is None else "complete",
            times=tuple(dict(times) for times in self._times),
            digest=digest(self._deals),
        )

    def _places(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """Put forfeiters behind all others, a later forfeit ahead of an earlier one."""
        late = self._forfeited
        keys = [
            (1, tuple(-x for x in late[seat])) if seat in late else (0, (places[seat], 0))
            for seat in range(self._players)
        ]
        return rank(keys)


def judged(reply: Answer | Failure, state: State, legal: tuple[str, ...]) -> Answer | Failure:
    """Return an answer in its canonical spelling, or the failure that it is when it is illegal."""
    if isinstance(reply, Failure) or reply.action in legal:
        return reply
    action = state.canonical(reply.action)
    if action in legal:
        return Answer(action, reply.ms)
    shown = ", ".join(legal[:20]) + (f", ... ({len(legal)} in all)" if len(legal) > 20 else "")
    detail = f"{reply.action[:80]!r} is not legal here; legal: {shown}"
    return Failure(FaultKind.ILLEGAL, detail, reply.ms)

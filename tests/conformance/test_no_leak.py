"""No bot is told what its seat cannot see: over whole conversations, to the byte.

A conversation is what the table sends to a seat. A deal is played, stopped at some decision, and
everything that a seat cannot see is drawn anew; the match is then played once more from the other
cards with the same actions. The seat must have been sent the same bytes.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from whispers import WhisperGame

from arena import games, plugins
from arena.games.base import State
from arena.league.formats.base import Format
from arena.model import DealRecord, Entrant, Fixture, League, MatchResult, Outcome, Seat, Terms
from arena.play.awake import Awake
from arena.play.bot import Bot
from arena.play.clock import Clock
from arena.play.lag import Waits
from arena.play.pool import Pool
from arena.play.protocol import Act, FromArena, decode_arena, encode
from arena.play.referee import Answer, Ask, Failure
from arena.play.staged import Staged
from arena.play.table import play_at_table
from arena.seeds import derive
from arena.views.transcript import transcript

Choose = Callable[[tuple[str, ...]], str]
MOST = 300
"""Decisions of a match that are played at most."""
DRAWN = {"swiss"}
"""Formats that draw who meets by the seed of the league."""
OPTIONS: dict[str, dict[str, Any]] = {
    "gauntlet": {"candidates": ["bot 0"]},
    "swiss": {"rounds": 1},
}


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot {number}" for number in range(count))


def fixture(players: int, seed: str) -> Fixture:
    return Fixture("0123456789abcdef", names(players), "composition", 1, 1, seed)


class Stopped(Exception):
    """The conversation has come to the decision at which it was to end."""


class Ear(Bot):
    """A bot without a process, which keeps every byte it is sent.

    ``choose`` gets the legal actions; what it raises ends the match.
    """

    def __init__(self, name: str, choose: Choose) -> None:
        self.entrant = Entrant(name, ("true",), "/")
        self.process = None
        self.now = Awake()
        self.heard: list[bytes] = []
        self._choose = choose
        self._asked = 0

    def send(self, message: FromArena) -> bool:
        self.heard.append(encode(message))
        return True

    def ask(self, ask: Ask, clock: Clock) -> Answer | Failure:
        self._asked += 1
        act = Act(self._asked, ask.observation, ask.legal, ask.events, clock.allowed_ms)
        self.send(act)
        return Answer(self._choose(ask.legal), 0.5)

    def take_stale(self) -> int:
        return 0


class Room:
    """What a table takes for its pool of bots; here nobody may forfeit."""

    def __init__(self, ears: Sequence[Ear]) -> None:
        self._ears = ears
        self.waits = Waits()
        self.waits.close()

    def seat(self, *_: object) -> dict[Seat, Bot | Failure]:
        return dict(enumerate(self._ears))

    def stop(self, _bots: object, reason: str, _seconds: float) -> None:
        raise AssertionError(f"an action does not fit all that the seat cannot see: {reason}")


class Step(Struct, frozen=True):
    """A decision: the deal, from 1, the state before the action, the seat, and the action."""

    deal: int
    state: State
    seat: Seat
    action: str


class Witness:
    """Follows a match, keeps its decisions, and stops it when there are ``MOST``."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._deal = 0

    def deal_start(self, number: int, _state: State) -> None:
        self._deal = number

    def decision(self, state: State, seat: Seat, action: str, _ms: Any, _fault: Any) -> None:
        self.steps.append(Step(self._deal, state, seat, action))
        if len(self.steps) == MOST:
            raise Stopped

    def deal_end(self, *_: object) -> None:
        """Nothing is kept of it."""

    def match_end(self, *_: object) -> None:
        """Nothing is kept of it."""


def play(game: Any, match: Fixture, choose: Choose) -> tuple[list[Step], list[list[bytes]]]:
    """Play a match until it ends or is stopped; return its decisions and what each seat heard."""
    ears = [Ear(name, choose) for name in match.seats]
    witness, room, terms = Witness(), Room(ears), Terms(game.key)
    entrants = [ear.entrant for ear in ears]
    with contextlib.suppress(Stopped):
        play_at_table(
            match, entrants, terms=terms, game=game, pool=cast(Pool, room), watcher=witness
        )
    return witness.steps, [ear.heard for ear in ears]


def following(steps: Sequence[Step]) -> Choose:
    """Return a bot that does the same again, and stops the match at the decision after these."""
    actions = iter(steps)

    def choose(_legal: tuple[str, ...]) -> str:
        if step := next(actions, None):
            return step.action
        raise Stopped

    return choose


def retold(game: Any, match: Fixture, steps: Sequence[Step], deal: int, seat: Seat) -> list[str]:
    """Return what a seat may read of a match that has come so far in its current deal."""
    players = len(match.seats)
    options = game.resolve({}, players)
    deals = []
    for number in range(1, deal + 1):
        state = game.deal(players, match.block_seed, number, options)
        actions = tuple((step.seat, step.action, 0.5) for step in steps if step.deal == number)
        for _, action, _ in actions:
            state = state.apply(action)
        deals.append(DealRecord(state.record(), actions, state.penalties, state.truncated))
    nothing = (0,) * players
    outcome = Outcome(
        match=match.id,
        composition=match.composition,
        block=match.block,
        rotation=match.rotation,
        seats=match.seats,
        totals=nothing,
        places=nothing,
        deals=deal - 1,
        forfeited=(),
        faults=(),
        ended="forfeit",
        times=({},) * players,
    )
    result = MatchResult(outcome, game.key, options, match.block_seed, tuple(deals))
    return list(transcript(result, game, seat))


def check_conversations(game: Any, players: int, rng: random.Random) -> None:
    """Compare what every seat hears of a random match with what it hears in another world."""
    match = fixture(players, derive(rng.random().hex()))
    steps, _ = play(game, match, rng.choice)
    count = rng.randrange(len(steps))
    told, now = steps[:count], steps[count]
    _, here = play(game, match, following(told))
    for seat in range(players):
        world = now.state.resample(seat, rng)
        other = Staged(game, {now.deal: world.record()}.get)
        _, there = play(other, match, following(told))
        assert here[seat] == there[seat]
        read = [retold(place, match, told, now.deal, seat) for place in (game, other)]
        assert read[0] == read[1]


def check_decisions(game: Any, players: int, rng: random.Random) -> None:
    """Compare what every seat can see at every decision of a deal with what it would elsewhere."""
    options = game.resolve({}, players)
    state: State = game.deal(players, derive(rng.random().hex()), 1, options)
    while (actor := state.to_act) is not None:
        for seat in range(players):
            world = state.resample(seat, rng)
            assert world.to_act == actor
            assert seen(world, seat) == seen(state, seat)
        state = state.apply(rng.choice(state.legal_actions()))


def seen(state: State, seat: Seat) -> bytes:
    """Return the question that a seat would be asked in a state, and the table as it sees it."""
    legal = state.legal_actions() if state.to_act == seat else ()
    return encode(Act(1, state.observe(seat), legal, [], 0)) + state.text(seat).encode()


CHECKS = [check_decisions, check_conversations]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("key", games.names())
@given(data=st.data(), seed=st.integers(0, 1 << 32))
@settings(max_examples=20)
def test_a_game_tells_a_seat_nothing_that_it_cannot_see(
    key: str, check: Any, data: st.DataObject, seed: int
) -> None:
    game = games.load(key)
    check(game, data.draw(st.sampled_from(game.players)), random.Random(seed))


@pytest.mark.parametrize("check", CHECKS)
def test_a_toy_game_without_a_leak_passes(check: Any) -> None:
    for number in range(50):
        check(WhisperGame(""), 3, random.Random(number))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("leak", ["observation", "legal", "text", "turns", "start"])
def test_a_toy_game_with_a_leak_is_caught(check: Any, leak: str) -> None:
    def check_many() -> None:
        for number in range(50):
            check(WhisperGame(leak), 3, random.Random(number))

    with pytest.raises(AssertionError):
        check_many()


def greetings(key: str, seed: str) -> dict[str, tuple[list[bytes], list[bytes]]]:
    """Return for each match of a league what its seats are sent of the match and of the deal.

    A format that draws who meets gets as many bots as a table has seats, so that it has no choice.
    """
    league_format: Format = plugins.load("formats", key)
    bots = names(3 if key in DRAWN else 6)
    league = League(
        name="league",
        seed=seed,
        seats=(3,),
        terms=Terms("leaves"),
        format=key,
        format_options=league_format.check(OPTIONS.get(key, {})),
        entrants=tuple(Entrant(name, ("true",), "/") for name in bots),
    )
    heard = {}
    for match in itertools.islice(league_format.plan(league).fixtures(), 40):
        _, by_seat = play(games.load("leaves"), match, following(()))
        heard[match.id] = [messages[0] for messages in by_seat], [m[1] for m in by_seat]
    return heard


@pytest.mark.parametrize("key", plugins.names("formats"))
@given(seeds=st.lists(st.text(), min_size=2, max_size=2, unique=True))
@settings(max_examples=5)
def test_ids_and_seeds_that_bots_get_do_not_depend_on_the_seed_of_the_league(
    key: str, seeds: list[str]
) -> None:
    one, other = (greetings(key, seed) for seed in seeds)
    assert one.keys() == other.keys()
    for match, (starts, deals) in one.items():
        assert other[match][0] == starts
        assert other[match][1] != deals
        assert len({decode_arena(start).seed for start in starts}) == len(starts)

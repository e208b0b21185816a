"""Check a run: derive its deals again, play its records under the rules, compute its results.

Seeds and shuffles are computed here a second time, straight from the description in
``arena.seeds``, and so are totals and places; only the rules are those of the game.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from arena import plugins
from arena.games.base import Game, IllegalAction, State
from arena.model import DealRecord, League, MatchResult, Outcome

T = TypeVar("T")
_TOLERABLE = ("illegal", "malformed", "timeout")


class Difference(Exception):
    """Something recorded is not what it should be; the text says what."""


def verify(league: League, results: Iterable[MatchResult]) -> Iterator[Outcome]:
    """Yield the outcome of each match that is right; raise Difference at the first that is not."""
    seen: set[str] = set()
    game: Game = plugins.load("games", league.terms.game)
    for result in results:
        match = result.outcome.match
        try:
            _expect("times the match is there", 1 + (match in seen), 1)
            seen.add(match)
            _verify_fixture(league, result.outcome, result.block_seed)
            _verify_match(league, game, result)
        except Difference as difference:
            raise Difference(f"match {match}: {difference}") from None
        yield result.outcome


class OwnStream:
    """The stream and shuffle of ``arena.seeds``, written again in the plainest way."""

    def __init__(self, seed: str) -> None:
        self._shake = hashlib.shake_256(seed.encode("ascii"))
        self._word = 0

    def below(self, n: int) -> int:
        """Return an integer from 0 to ``n - 1``."""
        while True:
            self._word += 1
            word = int.from_bytes(self._shake.digest(4 * self._word)[-4:], "big")
            if word < 2**32 - 2**32 % n:
                return word % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items shuffled from the end."""
        rest, done = list(items), []
        while len(rest) > 1:
            j = self.below(len(rest))
            rest[-1], rest[j] = rest[j], rest[-1]
            done.append(rest.pop())
        return rest + done[::-1]


def own_derive(seed: str, *labels: int | str) -> str:
    """Return the seed that ``arena.seeds.derive`` should return."""
    text = "[" + ",".join(json.dumps(part) for part in (seed, *labels)) + "]"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _expect(what: str, found: object, right: object) -> None:
    if _plain(found) != _plain(right):
        raise Difference(f"{what} should be {_short(right)}, the record has {_short(found)}")


def _verify_fixture(league: League, outcome: Outcome, block_seed: str) -> None:
    names = sorted(outcome.seats)
    seed = own_derive(league.seed, "block", league.terms.game, *names, outcome.block)
    _expect("the seed", block_seed, seed)
    _expect("the composition", outcome.composition, own_derive("composition", *names)[:16])
    order = OwnStream(own_derive(seed, "order")).shuffled(names)
    turn = outcome.rotation - 1
    _expect("the seating", outcome.seats, order[turn:] + order[:turn])
    match = own_derive("fixture", *names, outcome.block, outcome.rotation)[:16]
    _expect("the id", outcome.match, match)


def _verify_match(league: League, game: Game, result: MatchResult) -> None:
    outcome, players = result.outcome, len(result.outcome.seats)
    _expect("the game", result.game, game.key)
    options = game.resolve(league.terms.options, players)
    _expect("the options", result.options, options)
    totals = [0] * players
    last: State | None = None
    for number, deal in enumerate(result.deals, 1):
        over = last is not None and game.match_over(totals, number - 1, options)
        _expect(f"the match's end before deal {number}", over, False)
        last = _verify_deal(game, deal, players, result.block_seed, number, options)
        totals = [a + b for a, b in zip(totals, deal.penalties or [0] * players, strict=True)]
    complete = (
        last is not None
        and last.to_act is None
        and game.match_over(totals, len(result.deals), options)
    )
    _expect("the end", outcome.ended, "complete" if complete else "forfeit")
    _expect("the totals", outcome.totals, totals)
    deals = sum(deal.penalties is not None for deal in result.deals)
    _expect("the number of deals", outcome.deals, deals)
    forfeits = _forfeits(league, outcome)
    _expect("the forfeits", sorted(outcome.forfeited), sorted(forfeits))
    _expect("a forfeit by all seats but one at most", len(forfeits) >= players - 1, not complete)
    _verify_house_moves(outcome, result.deals, forfeits)
    places = game.places(totals, last, options) if complete and last else None
    _expect("the places", outcome.places, _places(totals, places, forfeits))


def _verify_deal(
    game: Game,
    deal: DealRecord,
    players: int,
    seed: str,
    number: int,
    options: dict[str, Any],
) -> State:
    """Play a deal again; return its last state."""
    state = game.deal(players, seed, number, options, OwnStream)
    for index, (seat, action, ms) in enumerate(deal.actions):
        where = f"of action {index} of deal {number}"
        _expect(f"the seat {where}", seat, state.to_act)
        if ms is None:
            _expect(f"the house move {where}", action, state.house_move())
        try:
            state = state.apply(action)
        except IllegalAction as error:
            raise Difference(f"deal {number}, action {index}: {error}") from None
    _expect(f"the cards of deal {number}", deal.setup, state.record())
    _expect(f"the penalties of deal {number}", deal.penalties, state.penalties)
    _expect(f"whether deal {number} was truncated", deal.truncated, state.truncated)
    return state


def _forfeits(league: League, outcome: Outcome) -> dict[int, tuple[int, int]]:
    """Return for each seat that its faults make forfeit the deal and action at which it does."""
    forfeits: dict[int, tuple[int, int]] = {}
    passed: dict[int, int] = {}
    for fault in outcome.faults:
        passed[fault.seat] = passed.get(fault.seat, 0) + 1
        tolerated = passed[fault.seat] <= league.terms.faults.tolerate
        if fault.kind in _TOLERABLE and tolerated:
            continue
        _expect(f"the faults of seat {fault.seat} after its forfeit", fault.seat in forfeits, False)
        forfeits[fault.seat] = (fault.deal, -1 if fault.action is None else fault.action)
    return forfeits


def _verify_house_moves(
    outcome: Outcome, deals: Sequence[DealRecord], forfeits: dict[int, tuple[int, int]]
) -> None:
    """Check that the house plays at each fault and after each forfeit, and never else."""
    faults = {(f.seat, f.deal, f.action) for f in outcome.faults if f.action is not None}
    for number, deal in enumerate(deals, 1):
        for index, (seat, _, ms) in enumerate(deal.actions):
            gone = seat in forfeits and (number, index) > forfeits[seat]
            house = gone or (seat, number, index) in faults
            where = f"of action {index} of deal {number}"
            _expect(f"whether the house made the move {where}", ms is None, house)
    played = {
        (seat, number, index)
        for number, deal in enumerate(deals, 1)
        for index, (seat, _, _) in enumerate(deal.actions)
    }
    _expect("faults without a move of their seat", sorted(faults - played), [])


def _places(
    totals: Sequence[int], places: Sequence[int] | None, forfeits: dict[int, tuple[int, int]]
) -> list[int]:
    """Return places counted seat by seat: how many others are ahead of each, and one."""
    order = totals if places is None else places

    def ahead(a: int, b: int) -> bool:
        if a in forfeits and b in forfeits:
            return forfeits[a] > forfeits[b]
        if a in forfeits or b in forfeits:
            return b in forfeits
        return order[a] < order[b]

    seats = range(len(totals))
    return [1 + sum(ahead(other, seat) for other in seats) for seat in seats]


def _plain(value: object) -> object:
    """Return the value as it is after a journey through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _short(value: object) -> str:
    text = json.dumps(_plain(value))
    return text if len(text) <= 200 else f"{text[:200]}..."

"""Check a run: derive its deals again, play its records under the rules, compute its results.

Seeds and shuffles are computed here a second time, straight from the description in
``arena.seeds``, and so are totals, forfeits and places; only the rules are those of the game.
``RECORDS.md`` beside this file lists what a record cannot prove.
"""

import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from arena import plugins
from arena.errors import OptionError
from arena.games.base import Game, IllegalAction, State, accepts
from arena.league import conduct
from arena.league.conduct import Difference, Moment, expect
from arena.league.formats.base import Format, Plan
from arena.league.seasons import as_of
from arena.model import DealRecord, League, MatchResult, Outcome, digest

T = TypeVar("T")


def verify(
    league: League,
    results: Iterable[MatchResult],
    outcomes: Callable[[], Iterable[Outcome]],
    *,
    undigested: int = 0,
    whole: bool = True,
) -> Iterator[Outcome]:
    """Yield the outcome of each match that is right; raise Difference at the first that is not.

    ``outcomes`` gives those of the results as often as it is called. The first ``undigested``
    matches may lack the digest of their cards and actions, which early arenas did not keep. Of a
    run that is not ``whole``, as some results are lost, nobody can tell what its fixtures were.
    """
    league = _checked(league)
    seen: set[str] = set()
    game: Game = plugins.load("games", league.terms.game)
    plans = _plans(league, outcomes) if whole else itertools.repeat(None)
    for number, (result, plan) in enumerate(zip(results, plans, strict=False)):
        match = result.outcome.match
        try:
            expect("times the match is there", 1 + (match in seen), 1)
            seen.add(match)
            if plan:
                expect("a match of the league", plan.includes(result.outcome), True)
            _verify_fixture(league, result)
            _verify_match(league, game, result)
            if number >= undigested or result.outcome.digest:
                expect(
                    "the digest of cards and actions", result.outcome.digest, digest(result.deals)
                )
        except Difference as difference:
            raise Difference(f"match {match}: {difference}") from None
        yield result.outcome


def missing(league: League, outcomes: Callable[[], Iterable[Outcome]]) -> tuple[int, str]:
    """Return how many of the league's matches have no outcome, and the id of the first of them.

    A league may have more matches than could be gone through.
    """
    plan = _format(league).plan(_checked(league), outcomes())
    played = {outcome.match for outcome in outcomes() if plan.includes(outcome)}
    absent = (fixture.id for fixture in plan.fixtures() if fixture.id not in played)
    return plan.extent().matches - len(played), next(absent, "")


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


def _format(league: League) -> Format:
    league_format: Format = plugins.load("formats", league.format)
    return league_format


def _checked(league: League) -> League:
    """Return a league with all options of its format; raise Difference if it is none of that."""
    check = _format(league).check
    try:
        return replace(
            league,
            format_options=check(league.format_options),
            stages=tuple(replace(stage, options=check(stage.options)) for stage in league.stages),
        )
    except OptionError as error:
        raise Difference(f"the league is none of the format {league.format}: {error}") from None


def _plans(league: League, outcomes: Callable[[], Iterable[Outcome]]) -> Iterator[Plan]:
    """Yield for each result of the run, and any more, the plan of its stage."""
    league_format = _format(league)
    if not league.stages:
        everybody = tuple(replace(entrant, active=True) for entrant in league.entrants)
        yield from itertools.repeat(league_format.plan(replace(league, entrants=everybody)))
    bounds = [*(stage.since for stage in league.stages), sys.maxsize]
    for number, (begin, end) in enumerate(itertools.pairwise(bounds)):
        plan = league_format.plan(as_of(league, number), itertools.islice(outcomes(), end))
        yield from itertools.repeat(plan, end - begin)


def _verify_fixture(league: League, result: MatchResult) -> None:
    outcome = result.outcome
    names = sorted(outcome.seats)
    expect("the number of fingerprints", len(result.fingerprints), len(names))
    expect("the number of versions", len(outcome.identities), len(names))
    identities = dict(zip(outcome.seats, outcome.identities, strict=True))
    expect("versions that are names alone", outcome.versions == outcome.seats, False)
    for name, fingerprint in zip(outcome.seats, result.fingerprints, strict=True):
        if identities[name] != name:
            expect(f"the version of {name}", identities[name], f"{name}/{fingerprint}")
    bots = [identities[name] for name in names]
    match = own_derive("fixture", *bots, outcome.block, outcome.rotation)[:16]
    expect("the id", outcome.match, match)
    expect("the composition", outcome.composition, own_derive("composition", *bots)[:16])
    sitting = {league.twins.get(name, name): name for name in names}
    dealt = [identities.get(name, name) for name in sorted(sitting)]
    seed = own_derive(league.seed, "block", league.terms.game, *dealt, outcome.block)
    expect("the seed", result.block_seed, seed)
    order = OwnStream(own_derive(seed, "order")).shuffled(sorted(sitting))
    order = [sitting[name] for name in order]
    turn = outcome.rotation - 1
    expect("the seating", outcome.seats, order[turn:] + order[:turn])


def _verify_match(league: League, game: Game, result: MatchResult) -> None:
    outcome, players = result.outcome, len(result.outcome.seats)
    expect("the game", result.game, game.key)
    options = game.resolve(league.terms.options, players)
    expect("the options", result.options, options)
    totals = [0] * players
    last: State | None = None
    over = False
    for number, deal in enumerate(result.deals, 1):
        expect(f"the match's end before deal {number}", over, False)
        last = _verify_deal(game, deal, players, result.block_seed, number, options)
        if number < len(result.deals):
            expect(f"the end of deal {number} before the next", last.to_act is None, True)
        totals = [a + b for a, b in zip(totals, last.penalties or [0] * players, strict=True)]
        over = last.to_act is None and game.match_over(totals, number, options)
    expect("the totals", outcome.totals, totals)
    deals = sum(deal.penalties is not None for deal in result.deals)
    expect("the number of deals", outcome.deals, deals)
    forfeits = conduct.forfeits(league.terms.faults, outcome)
    _verify_end(outcome, result.deals, forfeits, "complete" if over else "forfeit")
    conduct.check_house_moves(outcome, result.deals, forfeits)
    unlimited = [entrant.name for entrant in league.entrants if entrant.manual]
    conduct.check_clocks(league.terms.limits, outcome, result.deals, unlimited)
    conduct.check_times(outcome, result.deals)
    places = game.places(totals, last, options) if over and last else None
    expect("the places", outcome.places, _places(totals, places, forfeits))


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
        expect(f"the seat {where}", seat, state.to_act)
        if ms is None:
            expect(f"the house move {where}", action, state.house_move())
        try:
            state = state.apply(action)
        except IllegalAction as error:
            raise Difference(f"deal {number}, action {index}: {error}") from None
    if not accepts(state, deal.setup):
        expect(f"the cards of deal {number}", deal.setup, state.record())
    expect(f"the penalties of deal {number}", deal.penalties, state.penalties)
    expect(f"whether deal {number} was truncated", deal.truncated, state.truncated)
    return state


def _verify_end(
    outcome: Outcome, deals: Sequence[DealRecord], forfeits: dict[int, Moment], right: str
) -> None:
    """Check that the match ended by the game's rule, or as soon as one seat at most was left."""
    expect("the end", outcome.ended, right)
    decisive = sorted(forfeits.values())[len(outcome.seats) - 2 :]
    if decisive:
        end = (len(deals), len(deals[-1].actions) - 1) if deals else (0, -1)
        expect("the last deal and action", end, decisive[0])
    else:
        expect("the end without enough forfeits", outcome.ended, "complete")


def _places(
    totals: Sequence[int], places: Sequence[int] | None, forfeits: dict[int, Moment]
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

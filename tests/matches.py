"""Matches of any game, played under the real referee and written down as a journal has them."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.games.base import Game, State
from arena.model import Fixture, MatchResult, Terms
from arena.play.referee import Answer, Ask, Failure, Reply, play_match
from arena.views.html.replay import Replay


def played(
    game: Game,
    names: Sequence[str],
    *,
    seed: int = 13,
    options: Mapping[str, Any] | None = None,
    failures: Mapping[int, Failure] | None = None,
    absent: Mapping[int, Failure] | None = None,
) -> MatchResult:
    """Play a match between bots that choose by chance, and go out where they can.

    ``failures`` come instead of the answers to questions, counted from 0, and ``absent`` are the
    bots by seat that were not ready.
    """
    rng = random.Random(seed)
    fixture = Fixture("3fa1c05b7d22e946", tuple(names), "composition", 1, 0, str(seed))
    match = play_match(fixture, Terms(game.key, dict(options or {})), game, absent or {})
    asked, reply = 0, None
    while True:
        try:
            request = match.send(reply)
        except StopIteration as end:
            return msgspec.json.decode(msgspec.json.encode(end.value), type=MatchResult)
        reply = None
        if isinstance(request, Ask):
            reply = (failures or {}).get(asked) or _answer(request, rng)
            asked += 1


def _answer(request: Ask, rng: random.Random) -> Reply:
    """Answer by chance, in a rummy game with a card that is in no meld."""
    legal = request.legal
    rest = request.observation.get("best", {}).get("rest", [])
    useless = [action for action in legal if action.split()[-1] in rest]
    out = [action for action in legal if action.startswith("out")]
    return Answer(rng.choice(out or useless or legal), round(rng.expovariate(1), 2))


def scenes(shown: Replay) -> list[dict[str, Any]]:
    """Return the scene of every step of a replay."""
    found = []
    for deal in shown.deals:
        found.append(deal["start"])
        for _, _, changes in deal["moves"]:
            found.append(
                found[-1] | {key: _after(found[-1].get(key), changes[key]) for key in changes}
            )
    return found


def states(result: MatchResult, game: Game) -> list[State]:
    """Return the state of every step of a match."""
    found = []
    for number, deal in enumerate(result.deals, 1):
        found.append(
            game.deal(len(result.outcome.seats), result.block_seed, number, result.options)
        )
        for _, action, _ in deal.actions:
            found.append(found[-1].apply(action))
    return found


def _after(before: Any, change: Any) -> Any:
    if not isinstance(change, tuple):
        return change
    start, removed, added = change
    return before[:start] + added + before[start + removed :]

"""Whether a bot plays: matches at every table, and deals that chance seldom brings."""

import random
from collections import Counter
from functools import partial
from typing import cast

from arena.check.check import Check, counted
from arena.check.finding import Seen
from arena.check.lab import Lab
from arena.check.setting import Setting, Staged
from arena.games.base import Edge, Game, Rehearsed
from arena.play.referee import Ask, Request
from arena.seeds import derive


def plays(game: Game) -> list[Check]:
    """Return a check for each size of table."""
    return [
        Check(
            f"plays-{game.key}-{size}", "act", partial(_plays, game, size), game=game.key, size=size
        )
        for size in game.players
    ]


def edges(game: Game) -> list[Check]:
    """Return the check of a game's rare deals, if it knows any."""
    if not isinstance(game, Rehearsed):
        return []
    return [Check(f"edge-{game.key}", "act", partial(_edges, game, game), game=game.key)]


def _plays(game: Game, size: int, lab: Lab) -> Seen:
    """Play a match with the default options in the first and in the last seat."""
    matches = deals = decisions = stale = 0
    for seat in (0, size - 1):
        with lab.ready() as session:
            story = session.play(lab.match(game, "plays", size, seat))
            matches, deals, decisions = matches + 1, deals + story.deals, decisions + story.asked
            stale += session.bot.take_stale()
    detail = (
        f"{counted(matches, 'match', 'matches')}, {counted(deals, 'deal')}, "
        f"{counted(decisions, 'decision')}{lab.note}"
    )
    if stale:
        return Seen(f"{detail}; {counted(stale, 'message')} dropped, nothing was asked", noted=True)
    return Seen(detail, noted=not matches)


def _edges(game: Game, rehearsed: Rehearsed, lab: Lab) -> Seen:
    """Play the edges in a few processes, as many as there are sizes of tables."""
    met: Counter[str] = Counter()
    positions = 0
    seed = derive(lab.seed, "edges", game.key)
    sizes = lab.tables[game.key]
    wanted = [e for e in rehearsed.edges(random.Random(seed)) if e.players in sizes]
    for size in sizes:
        with lab.ready() as session:
            for edge in (edge for edge in wanted if edge.players == size):
                story = session.play(_setting(game, edge, seed), partial(_count, edge, met))
                positions += story.asked
    missing = sorted({edge.name for edge in wanted} - set(met))
    return Seen(
        f"{counted(positions, 'position')}, {sum(met.values())} at an edge"
        + (f"; not met: {', '.join(missing)}" if missing else "")
        + lab.note,
        figures={name: float(count) for name, count in sorted(met.items())},
    )


def _setting(game: Game, edge: Edge, seed: str) -> Setting:
    staged = cast(Game, Staged(game, edge))
    return Setting(staged, edge.players, edge.seat, seed, edge.policy, edge.options, edge.name)


def _count(edge: Edge, met: Counter[str], request: Request) -> None:
    if isinstance(request, Ask) and request.seat == edge.seat:
        met[edge.name] += edge.meets(request.observation, request.legal)

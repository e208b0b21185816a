"""Whether a bot plays: matches at every table, and deals that chance seldom brings."""

import random
from collections import Counter
from functools import partial
from typing import cast

from arena.check.check import Check
from arena.check.finding import Seen
from arena.check.lab import Lab
from arena.check.session import Session
from arena.check.setting import Setting
from arena.games.base import Edge, Game, Rehearsed
from arena.play.referee import Ask, Request
from arena.play.staged import Staged
from arena.seeds import derive
from arena.words import plural


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
    ended = deals = decisions = stale = 0
    for seat in (0, size - 1):
        with lab.ready() as session:
            session.play(lab.match(game, "plays", size, seat))
            ended += 1
        deals += sum(story.deals for story in session.stories)
        decisions += _decisions(session)
        stale += session.bot.take_stale()
    detail = (
        f"{plural(ended, 'match')} to the end, {plural(deals, 'deal')}, "
        f"{plural(decisions, 'decision')}{lab.note}"
    )
    if stale:
        detail += f"; {plural(stale, 'message')} dropped, nothing was asked"
    return Seen(detail, noted=bool(stale or not ended))


def _decisions(session: Session) -> int:
    return sum(story.asked for story in session.stories)


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
                session.play(_setting(game, edge, seed), partial(_count, edge, met))
        positions += _decisions(session)
    missing = sorted({edge.name for edge in wanted} - set(met))
    return Seen(
        f"{plural(positions, 'position')}, {sum(met.values())} at an edge"
        + (f"; not met: {', '.join(missing)}" if missing else "")
        + lab.note,
        figures={name: float(count) for name, count in sorted(met.items())},
    )


def _setting(game: Game, edge: Edge, seed: str) -> Setting:
    staged = cast(Game, Staged(game, edge.setup))
    return Setting(staged, edge.players, edge.seat, seed, edge.policy, edge.options, edge.name)


def _count(edge: Edge, met: Counter[str], request: Request) -> None:
    if isinstance(request, Ask) and request.seat == edge.seat:
        met[edge.name] += edge.meets(request.observation, request.legal)

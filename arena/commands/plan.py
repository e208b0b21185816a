"""Say what a league plays, how long that takes and how exact it is, without playing it."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from arena import plugins
from arena.commands.build import build_stale
from arena.commands.match import one_table
from arena.commands.reading import reading
from arena.config import load_league
from arena.games.base import Game, State
from arena.league import journal as journals
from arena.league.extension import check_extension
from arena.league.formats.base import Extent, Format
from arena.league.seasons import begun, continued
from arena.model import Fixture, League
from arena.play.meter import available_cores
from arena.play.referee import Watcher
from arena.play.sandbox import settled
from arena.play.table import play_at_table
from arena.results.forecast import half_width
from arena.seeds import derive
from arena.views.progress import duration, fault_lines
from arena.words import span


class _Outlook(Struct, frozen=True):
    """What a league is to be: its extent, the matches ``done`` of it, and the next of its
    fixtures, None if there is none."""

    extent: Extent
    done: int
    coming: Fixture | None


def show_plan(config: Path, *, out: Path | None, overrides: Mapping[str, Any]) -> None:
    """Print the plan of a league, as it goes on from what is in its run folder."""
    league = load_league(config, **overrides)
    folder = out or Path("runs") / league.name
    league, outlook = _outlook(league, folder)
    for label, text in _size(league, outlook):
        click.echo(f"{label:<14}{text}")
    if outlook.coming:
        click.echo(f"{'duration':<14}{_duration(league, outlook, outlook.coming)}")
    click.echo(f"{'intervals':<14}{_intervals(league, outlook.extent)}")


def _outlook(league: League, folder: Path) -> tuple[League, _Outlook]:
    """Return the league as it goes on, and how."""
    league_format: Format = plugins.load("formats", league.format)
    if not journals.exists(folder):
        league = begun(league)
        plan = league_format.plan(league)
        return league, _Outlook(plan.extent(), 0, next(plan.fixtures(), None))
    with reading(folder) as journal:
        old = journal.league()
        league = league if league.seed else replace(league, seed=old.seed)
        check_extension(old, league)
        league = continued(old, league, journal.outcomes())
        plan = league_format.plan(league, journal.outcomes())
        done = {outcome.match for outcome in journal.outcomes() if plan.includes(outcome)}
    extent = plan.extent()
    missing = (fixture for fixture in plan.fixtures() if fixture.id not in done)
    coming = next(missing, None) if len(done) < extent.matches else None
    return league, _Outlook(extent, len(done), coming)


def _size(league: League, outlook: _Outlook) -> Iterator[tuple[str, str]]:
    extent = outlook.extent
    sizes = " and ".join(map(str, league.seats))
    yield "format", f"{league.format} of {len(league.active)} bots at tables of {sizes}"
    yield "compositions", str(extent.compositions)
    yield "blocks", f"{extent.blocks}, {span(extent.fewest, extent.most)} for each bot"
    played = f", {outlook.done} of them are played" if outlook.done else ""
    yield "matches", f"{extent.matches}{played}"
    if extent.balance:
        yield "balance", extent.balance


def _intervals(league: League, extent: Extent) -> str:
    """Return how wide the intervals will be for the bot with the fewest blocks."""
    league_format: Format = plugins.load("formats", league.format)
    compositions = round(extent.compositions * extent.fewest / max(extent.blocks, 1))
    halves = [
        half_width(extent.fewest, compositions, seats, rotations)
        for seats in league.seats
        for rotations in [league_format.rotations(league.format_options, seats)]
    ]
    widest = max((half for half in halves if half is not None), default=None)
    if widest is None:
        return "none: a bot needs 5 blocks"
    return f"share ± {widest:.3f} for bots of equal strength, less for others"


def _duration(league: League, outlook: _Outlook, fixture: Fixture) -> str:
    """Play one match, of which nothing is kept, and return how long all will take."""
    sandbox = settled(league.terms.sandbox, f"{league.source}: [sandbox] level")
    build_stale(league.entrants, sandbox)
    terms = replace(league.terms, sandbox=sandbox)
    game: Game = plugins.load("games", terms.game)
    names = fixture.seats
    seed = derive(league.seed, "plan", *names)
    fixture = replace(fixture, id=seed[:16], block_seed=seed)
    entrants = {entrant.name: entrant for entrant in league.entrants}
    watch = _Watch()
    with one_table(terms) as (pool, folder):
        bots = [entrants[name] for name in names]
        result = play_at_table(fixture, bots, terms=terms, game=game, pool=pool, watcher=watch)
        seconds = time.monotonic() - watch.began
    for fault in result.outcome.faults:
        for line in fault_lines(names[fault.seat], fixture.id, fault, folder):
            click.echo(line, err=True)
    if result.outcome.faults:
        return "unknown: not all bots played well in the match that was to tell it"
    left = outlook.extent.matches - outlook.done
    workers = league.workers or available_cores()
    total = duration(left * seconds / min(workers, left))
    return (
        f"about {total} for {left} matches, {workers} at a time: "
        f"one of {', '.join(names)} took {seconds:.3f} s"
    )


class _Watch(Watcher):
    """Takes the time at which a match begins, when its bots have been started."""

    began = 0.0

    def deal_start(self, number: int, _state: State) -> None:
        if number == 1:
            self.began = time.monotonic()

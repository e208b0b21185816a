"""Play a league, and show what its run holds."""

import itertools
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from arena import plugins
from arena.commands.build import build_stale
from arena.commands.figures import ratings_of, standings_of, times_of
from arena.commands.invocation import program
from arena.commands.reading import reading
from arena.config import load_league
from arena.errors import Interrupted
from arena.games.base import Game
from arena.league import tournament
from arena.league.executors.base import Executor
from arena.league.seasons import by_version, current
from arena.league.tournament import Ending
from arena.model import League, Seat
from arena.play.meter import check_measurable
from arena.play.sandbox import settled
from arena.results.standings import Order, reordered
from arena.results.tables import Standings
from arena.results.times import Times
from arena.views import files, text
from arena.views.bars import below
from arena.views.clocks import fitted, remarks
from arena.views.paint import painter
from arena.views.progress import Progress, progress
from arena.views.show import Form, Table, show
from arena.views.transcript import transcript


def run_tournament(
    config: Path,
    *,
    out: Path | None,
    overrides: Mapping[str, Any],
    seconds: float | None,
    restart: bool,
    report: bool,
    quiet: bool,
) -> None:
    """Play what is missing of a league, write its files and print its standings.

    The page of the run is written if ``report`` is true, unless a signal has stopped it.
    """
    league = load_league(config, **overrides)
    executor: Executor = plugins.load("executors", league.executor)
    if not executor.elsewhere:
        sandbox = settled(league.terms.sandbox, f"{config}: [sandbox] level")
        check_measurable(league.terms.limits, f"{config}: [limits] ")
        build_stale(league.entrants, sandbox, quiet=quiet)
    folder = out or Path("runs") / league.name
    if restart:
        put_aside(folder)
    ending = watched(league, folder, progress(folder, quiet=quiet), seconds)
    table, times, head, written = _report(folder)
    click.echo(text.main_table(table) + below(table, sys.stdout), nl=False)
    if report and not ending.signal:
        written += _page(folder, table, times)
    if not quiet:
        click.echo(f"\n{folder}: {', '.join(path.name for path in written)}\nhead: {head}")
        for suspicion in remarks(times, league.terms.limits):
            columns = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
            click.echo(fitted(f"arena: {suspicion}", columns), err=True)
    _say_how_to_go_on(ending, _command(config, out, overrides))


def put_aside(folder: Path) -> None:
    """Put the run in a folder aside, if there is one, and say where it is now."""
    if old := tournament.put_aside(folder):
        click.echo(f"arena: the old run is now in {old}", err=True)


def watched(league: League, folder: Path, watch: Progress, seconds: float | None) -> Ending:
    """Play what is missing of a league and show how far it is; return how that ended."""
    try:
        return tournament.play(league, folder, watch, seconds=seconds)
    finally:
        watch.end()


def show_standings(folder: Path, name: Table, form: Form, order: Order, *, versions: bool) -> None:
    """Print a table of a run, with the versions that bots had before if ``versions`` is true."""
    with reading(folder) as journal:
        select = by_version if versions else current
        table = reordered(standings_of(journal, select, rated=form == "json"), order)
        if name == "ratings" and not table.ratings:
            table = replace(table, ratings=ratings_of(journal, select))
        outcomes = select(journal.league(), journal.outcomes())
        click.echo(show(name, form, table, outcomes), nl=False)
        if (name, form) == ("main", "text"):
            click.echo(below(table, sys.stdout), nl=False)


def show_replay(folder: Path, match: str, seat: Seat | None) -> None:
    """Print the transcript of a recorded match."""
    with reading(folder) as journal:
        result = journal.result(match)
        game: Game = plugins.load("games", result.game)
        for line in transcript(result, game, seat, painter(game, sys.stdout)):
            click.echo(line)


def _report(folder: Path) -> tuple[Standings, Times, str, tuple[Path, ...]]:
    """Write the files of a run; return its standings, times and head, and where the files are."""
    with reading(folder) as journal:
        table, times, head = standings_of(journal), times_of(journal), journal.head()
        return table, times, head, files.write(folder, table, times, head)


def _page(folder: Path, table: Standings, times: Times) -> tuple[Path, ...]:
    """Write the page of a run, if that is possible: a league that was played is not lost for it."""
    from arena.commands.report import PAGE, write

    try:
        with reading(folder) as journal:
            return (write(folder, journal, table, times),)
    except Exception as error:
        message = f"arena: {folder / PAGE} could not be written: {error}"
        click.echo(f"{message}; to try again: {program()} report {folder}", err=True)
        return ()


def _command(config: Path, out: Path | None, overrides: Mapping[str, Any]) -> str:
    """Return the command line that goes on with a run."""
    given = {"out": out, **overrides}
    options = [(f"--{key}", str(value)) for key, value in given.items() if value is not None]
    return shlex.join([program(), "tournament", str(config), *itertools.chain(*options)])


def _say_how_to_go_on(ending: Ending, command: str) -> None:
    if not ending.missing:
        return
    why = "the time is over" if ending.time_over else f"stopped by {ending.signal}"
    matches = "1 match is" if ending.missing == 1 else f"{ending.missing} matches are"
    message = f"{why}; {matches} still to be played, go on with: {command}"
    if ending.signal:
        raise Interrupted(message)
    click.echo(f"arena: {message}", err=True)

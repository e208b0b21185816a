"""Write the page of a run: ``arena report``, and at the end of a tournament."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from arena import __version__, plugins
from arena.commands.figures import rotations_of, standings_of, times_of
from arena.commands.invocation import NAME
from arena.commands.pages import open_page
from arena.commands.reading import reading
from arena.commands.sample import sample
from arena.errors import JournalError
from arena.games.base import Game
from arena.league.formats.base import Format
from arena.league.journal import Journal, is_being_played
from arena.league.seasons import current, labels
from arena.model import Outcome
from arena.results.complete import CompleteBlocks
from arena.results.course import course
from arena.results.highlights import Highlights
from arena.results.spread import Spread
from arena.results.tables import Standings
from arena.results.times import Times
from arena.views import files
from arena.views.clocks import remarks
from arena.views.html.report import Findings, Journalled, Setting, report
from arena.words import plural

PAGE = "report.html"


def write_report(folder: Path, *, opened: bool) -> None:
    """Write the page of a run into its folder, and open it in the browser if ``opened`` is true."""
    with reading(folder) as journal:
        path = write(folder, journal, standings_of(journal), times_of(journal))
        click.echo(f"{path}")
    if opened:
        open_page(path)


def write(folder: Path, journal: Journal, table: Standings, times: Times) -> Path:
    """Write the page of an open journal with these standings and times; return its path."""
    league = journal.league()
    spread, highlights = Spread(), Highlights()
    blocks = CompleteBlocks(
        _seen(current(league, journal.outcomes()), spread, highlights), rotations_of(league)
    )
    findings = Findings(
        table=table,
        times=times,
        spread=spread,
        course=course(blocks, table.blocks, league.anchor),
        faults=highlights.faults,
        remarks=tuple(remarks(times, league.terms.limits)),
    )
    made = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    setting = Setting(run=str(folder), program=NAME, arena=__version__, made=made)
    hidden = {block.block for block in table.incomplete}
    shown = sample(journal, highlights.chosen, hidden)
    path = folder / PAGE
    files.write_atomically(path, report(_journalled(folder, journal), findings, setting, shown))
    return path


def _seen(outcomes: Iterable[Outcome], spread: Spread, highlights: Highlights) -> Iterator[Outcome]:
    """Yield the outcomes, each of which is counted and considered in passing."""
    for outcome in outcomes:
        spread.add(outcome)
        highlights.add(outcome)
        yield outcome


def _journalled(folder: Path, journal: Journal) -> Journalled:
    league = journal.league()
    game: Game = plugins.load("games", league.terms.game)
    return Journalled(
        league=league,
        title=game.title,
        head=journal.head(),
        chain=_chain(journal),
        sandboxes=journal.sandboxes(),
        floors=journal.floors(),
        voids=len(journal.voids()),
        missing=_missing(journal),
        running=is_being_played(folder),
        earlier=tuple(labels(league).values()),
    )


def _chain(journal: Journal) -> str:
    """Return how far the chain of a journal agrees, in words."""
    try:
        proof = journal.prove()
    except JournalError as error:
        return f"broken: {error}"
    if proof is None:
        return "the journal is damaged"
    if not proof.head:
        return f"none: the journal has schema {journal.schema}"
    rows = f"{plural(proof.results, 'match')} and {plural(proof.notes, 'note')}"
    return f"whole: {rows} agreed with it when this page was written"


def _missing(journal: Journal) -> int:
    """Return how many matches of the league are still to be played."""
    league = journal.league()
    league_format: Format = plugins.load("formats", league.format)
    plan = league_format.plan(league, journal.outcomes())
    return plan.extent().matches - sum(map(plan.includes, journal.outcomes()))

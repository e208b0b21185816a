"""Follow a run from another terminal: its journal is read now and then, and nothing is written."""

import contextlib
import select
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from arena import plugins
from arena.commands.figures import standings_of
from arena.commands.reading import reading
from arena.errors import ArenaError, ConfigError
from arena.league.formats.base import Format
from arena.league.journal import is_being_played
from arena.league.seasons import current
from arena.league.stop import Stop, stopping
from arena.model import FaultKind, League, Outcome
from arena.views.bars import below
from arena.views.progress import can_redraw
from arena.views.text import main_table
from arena.views.watching import Board, Drawing, Lines, Moment

LOOK_SECONDS = 1.0
"""How often the journal is read, at most."""
EASE = 10
"""Seconds for which the journal is left alone after each second that a reading took of a processor,
so that it costs the run little."""
TRIES = 3
"""How often a journal is read again that cannot be read, since it may be written just then."""


def watch(folder: Path) -> None:
    """Show how far a run is until it ends, or the user leaves; then print its standings."""
    board = (Drawing if can_redraw(sys.stdout) else Lines)(sys.stdout)
    with stopping(None) as stop:
        try:
            last = _follow(folder, board, stop)
        finally:
            board.end()
    if last is None:
        click.echo("arena: left; the run goes on", err=True)
        return
    click.echo(main_table(last.table) + below(last.table, sys.stdout), nl=False)
    click.echo(f"\n{board.ending(last)}")


def _follow(folder: Path, board: Board, stop: Stop) -> Moment | None:
    """Show a run until nobody plays it; return it as it is then, None if the user leaves."""
    rest = 0.0
    while True:
        playing = is_being_played(folder)
        if rest <= 0 or not playing:
            begun = time.process_time()
            moment = _look(folder, playing=playing)
            rest = EASE * (time.process_time() - begun)
            board.show(moment)
            if not moment.playing:
                return moment
        if select.select([stop.descriptor], [], [], LOOK_SECONDS)[0]:
            return None
        rest -= LOOK_SECONDS


def _look(folder: Path, *, playing: bool) -> Moment:
    for _ in range(TRIES - 1 if playing else 0):
        with contextlib.suppress(ArenaError):
            return _read(folder, playing=playing)
        time.sleep(LOOK_SECONDS / 10)
    return _read(folder, playing=playing)


def _read(folder: Path, *, playing: bool) -> Moment:
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a run: there is no such folder, or it has not begun")
    with reading(folder) as journal:
        league = journal.league()
        league_format: Format = plugins.load("formats", league.format)
        plan = league_format.plan(league, journal.outcomes())
        done, faults = 0, Counter[tuple[str, FaultKind]]()

        def counted(league: League, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
            nonlocal done
            for outcome in current(league, outcomes):
                done += plan.includes(outcome)
                faults.update((outcome.seats[f.seat], f.kind) for f in outcome.faults)
                yield outcome

        table = standings_of(journal, counted, rated=False)
        total = plan.extent().matches
    return Moment(league.name, league.terms.game, done, total, faults, table, playing)

"""Export the records of a run, verify them, and play one of its matches again."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from arena import plugins
from arena.commands.match import one_table
from arena.commands.run import reading, standings_of
from arena.errors import ArenaError, ConfigError
from arena.games.base import Game
from arena.league.records import as_line
from arena.league.verification import Difference, verify
from arena.model import DealRecord, Fixture, MatchResult
from arena.play.table import play_at_table
from arena.views import files


def export(folder: Path, output: Path | None) -> None:
    """Write all matches of a run as lines of JSON."""
    with reading(folder) as journal, _writing(output) as file:
        for result in journal.results():
            print(as_line(result), file=file)


@contextlib.contextmanager
def _writing(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    draft = output.with_name(f".{output.name}.draft")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        yield file
    draft.replace(output)


def verify_run(folder: Path) -> None:
    """Check all that a run holds; raise ArenaError with the first thing that is wrong."""
    with reading(folder) as journal:
        league = journal.league()
        try:
            count = sum(1 for _ in verify(league, journal.results()))
        except Difference as difference:
            raise ArenaError(f"{folder}: {difference}") from None
        table = standings_of(journal)
    for name, right in files.texts(table).items():
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") != right:
            raise ArenaError(f"{path} is not what the {count} matches in the journal give")
    click.echo(f"{folder}: {count} matches verified: deals, actions, penalties, places, standings")


def rerun(folder: Path, match: str) -> None:
    """Play a recorded match again with the bots of today and show where they differ."""
    with reading(folder) as journal:
        league = journal.league()
        old = journal.result(match)
    outcome = old.outcome
    entrants = {entrant.name: entrant for entrant in league.entrants}
    if missing := [name for name in outcome.seats if not entrants[name].command]:
        raise ConfigError(f"{', '.join(missing)} cannot play: the league file has no command")
    fixture = Fixture(
        id=outcome.match,
        seats=outcome.seats,
        composition=outcome.composition,
        block=outcome.block,
        rotation=outcome.rotation,
        block_seed=old.block_seed,
    )
    game: Game = plugins.load("games", old.game)
    with one_table(league.terms) as (pool, _):
        seats = [entrants[name] for name in outcome.seats]
        new = play_at_table(fixture, seats, terms=league.terms, game=game, pool=pool)
    click.echo(_comparison(old, new))


def _comparison(old: MatchResult, new: MatchResult) -> str:
    names = old.outcome.seats
    for number, (before, now) in enumerate(zip(old.deals, new.deals, strict=False), 1):
        difference = _first_difference(before, now)
        if difference is None:
            continue
        index, seat, was, is_now = difference
        return (
            f"first difference: deal {number}, action {index}, seat {seat} {names[seat]}: "
            f"recorded {was}, now {is_now}\n"
            f"totals recorded {_list(old.outcome.totals)}, now {_list(new.outcome.totals)}"
        )
    count = sum(len(deal.actions) for deal in old.deals)
    return f"the same again: {count} actions, totals {_list(old.outcome.totals)}"


def _first_difference(before: DealRecord, now: DealRecord) -> tuple[int, int, str, str] | None:
    """Return (index, seat, recorded action, action now) of the first that is not the same."""
    for index, (old, new) in enumerate(zip(before.actions, now.actions, strict=False)):
        was, is_now = (
            action if ms is not None else f"{action} (house move)" for _, action, ms in (old, new)
        )
        if was != is_now:
            return index, old[0], was, is_now
    shorter = min(before, now, key=lambda deal: len(deal.actions))
    longer = max(before, now, key=lambda deal: len(deal.actions))
    index = len(shorter.actions)
    if index == len(longer.actions):
        return None
    seat, action, _ = longer.actions[index]
    texts = ("nothing", action) if longer is now else (action, "nothing")
    return index, seat, *texts


def _list(totals: tuple[int, ...]) -> str:
    return " ".join(map(str, totals))

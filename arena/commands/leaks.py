"""Check that no seat of a run was told what it could not see."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from arena import plugins
from arena.commands.reading import reading
from arena.errors import ArenaError, ConfigError, ReplayError
from arena.games.base import Game
from arena.league.journal import Journal
from arena.model import MatchResult
from arena.play.leaks import Leak, check_match
from arena.words import plural


def are_asked_for(
    *, leaks: bool, matches: Sequence[str], sample: int | None, head: str | None
) -> bool:
    """Return whether leaks are to be looked for; raise ConfigError for options that do not fit."""
    if matches and sample:
        raise ConfigError("--match and --sample: give one of them")
    if leaks and head:
        raise ConfigError("--head goes without --leaks, which looks at nothing but what was told")
    if not leaks and (matches or sample):
        raise ConfigError(f"{'--match' if matches else '--sample'} goes with --leaks")
    return leaks


def verify_leaks(folder: Path, matches: Sequence[str], sample: int | None) -> None:
    """Check all matches of a run, those of which beginnings of ids are given, or a ``sample``.

    Raise ArenaError with the first message that tells what it should not.
    """
    checked = decisions = 0
    with reading(folder) as journal:
        league = journal.league()
        game: Game = plugins.load("games", league.terms.game)
        count = len(matches) or min(sample or sys.maxsize, len(journal.played()))
        chosen = map(journal.result, matches) if matches else _spread(journal, count)
        with click.progressbar(
            chosen, count, "checking", show_pos=True, file=sys.stderr, hidden=not _is_watched()
        ) as shown:
            for result in shown:
                checked += 1
                try:
                    decisions += check_match(result, league.terms, game)
                except (Leak, ReplayError) as found:
                    match = result.outcome.match
                    raise ArenaError(f"{folder}: match {match}: {found}") from None
        click.echo(
            f"{folder}: {plural(checked, 'match')}, {plural(decisions, 'decision')}: "
            "no seat was sent what it could not see"
        )


def _spread(journal: Journal, count: int) -> Iterator[MatchResult]:
    """Yield so many matches, spread evenly over the run."""
    every = len(journal.played()) / max(1, count)
    places = {int(number * every) for number in range(count)}
    yield from (r for place, r in enumerate(journal.results()) if place in places)


def _is_watched() -> bool:
    return sys.stderr.isatty()

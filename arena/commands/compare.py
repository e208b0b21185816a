"""Compare two versions of a bot, and stop as soon as the answer is clear."""

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from arena import plugins
from arena.commands.build import build_stale
from arena.commands.match import check_options, check_seats, sandbox_of
from arena.commands.reading import reading
from arena.commands.run import put_aside, watched
from arena.config import SEED_FORM, is_seed
from arena.entrants import distinct, load_bot
from arena.errors import ConfigError, Interrupted
from arena.games.base import Game
from arena.league import comparison, journal
from arena.league.tournament import Ending
from arena.model import Entrant, League, Level, Terms
from arena.results.versus import Verdict
from arena.views.versus import conclusion, following

EXIT_CODES = {Verdict.BETTER: 0, Verdict.WORSE: 3, Verdict.EQUAL: 4, Verdict.UNDECIDED: 5}


def compare(
    references: tuple[str, str],
    mates: Sequence[str],
    *,
    game: str,
    options: Mapping[str, Any],
    seed: str | None,
    test: Mapping[str, float | int],
    level: Level | None,
    workers: int | None,
    out: Path | None,
    seconds: float | None,
    restart: bool,
    quiet: bool,
) -> int:
    """Play the comparison, or go on with it, print its result and return the exit code.

    ``test`` holds margin, alpha and max_blocks.
    """
    seats = 1 + len(mates) if mates else 2
    _check_game(plugins.load("games", game), options, seats)
    if seed is not None and not is_seed(seed):
        raise ConfigError(f"--seed {seed!r} must be {SEED_FORM}")
    entrants = _entrants(references, mates, game)
    sandbox = sandbox_of(level)
    old, new = (entrant.name for entrant in entrants[:2])
    league = League(
        name=f"{old} and {new}",
        seed=unicodedata.normalize("NFC", seed or ""),
        seats=(seats,),
        terms=Terms(game=game, options=dict(options), sandbox=sandbox),
        format=comparison.KEY,
        format_options=comparison.PLUGIN.check(
            {"old": old, "new": new, "rotations": 1 if mates else 2, **test}
        ),
        entrants=entrants,
        workers=workers,
        twins={new: old} if mates else {},
        source="the command",
    )
    build_stale(entrants, sandbox, quiet=quiet)
    folder = out or Path("runs") / f"{old}-{new}"
    if restart:
        put_aside(folder)
    _check_versions(folder, league)
    watch = following(folder, comparison.versus(league), quiet=quiet)
    ending = watched(league, folder, watch, seconds)
    return _report(folder, league, ending)


def _report(folder: Path, league: League, ending: Ending) -> int:
    found = comparison.versus(league)
    with reading(folder) as run:
        for outcome in run.outcomes():
            found.add(outcome)
    click.echo(conclusion(found, league.format_options["alpha"]), nl=False)
    goes_on = f"the same command goes on in {folder}"
    if ending.signal:
        raise Interrupted(f"stopped by {ending.signal}; {goes_on}")
    if ending.time_over and ending.missing:
        click.echo(f"arena: the time is over; {goes_on}", err=True)
    return EXIT_CODES[found.verdict]


def _entrants(references: tuple[str, str], mates: Sequence[str], game: str) -> tuple[Entrant, ...]:
    """Return the old version, the new one and the mates, all with names of their own."""
    bots = [load_bot(text, base=Path.cwd(), game=game) for text in (*references, *mates)]
    old, new, *others = bots
    if old.name == new.name:
        old, new = replace(old, name=f"{old.name}-old"), replace(new, name=f"{new.name}-new")
    return tuple(distinct((old, new, *others)))


def _check_game(game: Game, options: Mapping[str, Any], seats: int) -> None:
    check_seats(game, seats, "; --against gives the table one more bot each time")
    check_options(game, options, seats)


def _check_versions(folder: Path, league: League) -> None:
    """Raise ConfigError when the run in the folder was begun with other files of a bot."""
    if not folder.is_dir() or not journal.exists(folder):
        return
    with reading(folder) as run:
        before = {bot.name: bot.fingerprint for bot in run.league().entrants}
    for bot in league.entrants:
        if before.get(bot.name, bot.fingerprint) != bot.fingerprint:
            raise ConfigError(
                f"{folder} compares other files of {bot.name}; use --restart to put that run "
                "aside and begin anew, or --out for a run in another folder"
            )

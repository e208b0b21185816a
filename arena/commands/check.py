"""Find out what is wrong with a bot, and show it."""

import contextlib
import secrets
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from arena import __version__, plugins
from arena._reader import Table
from arena.check.check import Check
from arena.check.conduct import catalog, conduct, select
from arena.check.finding import Finding, Status
from arena.check.lab import Lab
from arena.commands.invocation import program
from arena.commands.match import make_ready, sandbox_of
from arena.config import read_limits
from arena.entrants import ANY_GAME, MANUAL, games_of, load_bot
from arena.errors import ArenaError, ConfigError
from arena.games.base import Game
from arena.league.places import held_folder, socket_folder
from arena.league.stop import stopping
from arena.model import BOT_FILE, Entrant, Level, Limits, Sandbox
from arena.play.interrupt import Interrupt
from arena.play.meter import check_measurable
from arena.play.sandbox import Jail
from arena.views.checks import failures, summary

WIDTH = 80
"""Columns of the table where the terminal does not have more."""


def check_bot(
    reference: str,
    *,
    games: Sequence[str],
    only: Sequence[str],
    seed: str | None,
    limits: Mapping[str, Any],
    level: Level | None,
    as_json: bool,
) -> None:
    """Do the checks and print what they find; raise ArenaError when one has failed."""
    seed = secrets.token_hex(4) if seed is None else seed
    again = _again(reference, games, seed, limits, level)
    entrant, played = _bot(reference, games)
    checks = select(catalog(played), only)
    terms = read_limits(Table("--limit", "", limits))
    check_measurable(terms, "--limit ")
    sandbox = sandbox_of(level)
    make_ready([entrant], sandbox)
    findings = [
        replace(finding, repeat=f"{again} --only {finding.check}")
        for finding in _findings(entrant, played, checks, limits=terms, seed=seed, sandbox=sandbox)
    ]
    failed = [finding for finding in findings if finding.status is Status.FAILED]
    if as_json:
        click.echo(_json(entrant, seed, findings))
    else:
        _print(findings, failed, seed)
    if failed:
        raise ArenaError(f"{entrant.name} failed {', '.join(f.check for f in failed)}")


def _bot(reference: str, keys: Sequence[str]) -> tuple[Entrant, list[Game]]:
    """Return the bot and the games that it is to be checked with."""
    if reference == MANUAL:
        raise ConfigError("a bot that is started by hand cannot be checked")
    named = keys or games_of(reference, base=Path.cwd())
    known = plugins.names("games") if ANY_GAME in named else tuple(dict.fromkeys(named))
    entrant = load_bot(reference, base=Path.cwd())
    try:
        games: list[Game] = [plugins.load("games", key) for key in known]
    except ConfigError as error:
        place = "--game" if keys else f"{Path(entrant.folder) / BOT_FILE}: games"
        raise ConfigError(f"{place}: {error}") from None
    for game in games if keys else ():
        load_bot(reference, base=Path.cwd(), game=game.key)
    return entrant, games


def _findings(
    entrant: Entrant,
    games: Sequence[Game],
    checks: Sequence[Check],
    *,
    limits: Limits,
    seed: str,
    sandbox: Sandbox,
) -> Iterator[Finding]:
    with (
        held_folder("check") as place,
        stopping(None) as stop,
        socket_folder(place) as sockets,
        click.progressbar(
            checks,
            label=f"checking {entrant.name}",
            item_show_func=lambda check: check.key if check else "",
            show_eta=False,
            file=sys.stderr,
        ) as shown,
    ):
        lab = Lab(
            entrant,
            games,
            limits=limits,
            seed=seed,
            jail=Jail(sandbox, sockets, [place]),
            sockets=sockets,
            logs=place,
            interrupt=Interrupt(stop.descriptor, stop.interrupt),
        )
        with contextlib.closing(lab):
            yield from conduct(lab, shown)


def _again(
    reference: str, games: Sequence[str], seed: str, limits: Mapping[str, Any], level: Level | None
) -> str:
    """Return the command that checks the bot in the same way."""
    words = [program(), "check", reference]
    words += [word for game in games for word in ("--game", game)]
    words += [word for key, ms in limits.items() for word in ("--limit", f"{key}={ms}")]
    words += ["--sandbox", level] if level else []
    return shlex.join([*words, "--seed", seed])


def _json(entrant: Entrant, seed: str, findings: Sequence[Finding]) -> str:
    report = {
        "bot": entrant.name,
        "arena": __version__,
        "seed": seed,
        "passed": all(finding.status is not Status.FAILED for finding in findings),
        "checks": findings,
    }
    return msgspec.json.format(msgspec.json.encode(report)).decode()


def _print(findings: Sequence[Finding], failed: Sequence[Finding], seed: str) -> None:
    click.echo(summary(findings, max(WIDTH, shutil.get_terminal_size().columns)))
    for line in failures(failed):
        click.echo(line)
    click.echo(f"\nseed {seed}")

"""Build bots: those that a person names, and those that a league or match needs."""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from arena.entrants import load_bot
from arena.errors import ArenaError, BuildError
from arena.league.places import held_folder
from arena.league.stop import stopping
from arena.model import USUAL_LEVEL, Entrant, Level, Sandbox
from arena.play.build import build, is_stale
from arena.play.interrupt import Interrupt
from arena.play.sandbox import settled
from arena.views.grid import printable, printed


def build_bots(references: Sequence[str], *, level: Level | None) -> None:
    """Build bots, whether or not that is needed."""
    sandbox = settled(Sandbox(level or USUAL_LEVEL), "--sandbox")
    entrants = [load_bot(reference, base=Path.cwd()) for reference in references]
    for entrant in entrants:
        if not entrant.build:
            click.echo(f"arena: {entrant.name} has no build in its bot.toml", err=True)
    building = [entrant for entrant in entrants if entrant.build]
    _build(building, sandbox, quiet=False, always=True)


def build_stale(entrants: Iterable[Entrant], sandbox: Sandbox, *, quiet: bool = False) -> None:
    """Build the bots whose sources have changed since they were built."""
    stale = [entrant for entrant in entrants if entrant.active and is_stale(entrant)]
    if stale:
        _build(stale, sandbox, quiet=quiet, always=False)


def _build(entrants: Iterable[Entrant], sandbox: Sandbox, *, quiet: bool, always: bool) -> None:
    """Build each folder once, one after the other."""
    folders: dict[str, Entrant] = {}
    for entrant in entrants:
        folders.setdefault(entrant.folder, entrant)
    with stopping(None) as stop, held_folder("build") as scratch:
        interrupt = Interrupt(stop.descriptor, stop.interrupt)
        for entrant in folders.values():
            try:
                notice = _silent if quiet else _notice
                build(entrant, interrupt, notice, sandbox=sandbox, always=always, scratch=scratch)
            except BuildError as error:
                raise ArenaError(_in_full(error)) from error


def _in_full(error: BuildError) -> str:
    """Return the error with the last lines that the build printed, and where all of them are."""
    lines = [printable(str(error))]
    lines += [f"    {line}" for line in printed(error.output)]
    return "\n".join(lines + ([f"    log: {error.log}"] if error.output else []))


def _notice(text: str) -> None:
    with contextlib.suppress(OSError):
        click.echo(f"arena: {printable(text)}", err=True)


def _silent(_: str) -> None:
    pass

"""Make a folder for a league of one's own."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from arena.commands.invocation import program
from arena.entrants import shipped_bots
from arena.errors import ConfigError

TEMPLATE = Path(__file__).parent.parent / "_templates" / "league"
LEAGUE = "league.toml"
HIDDEN = {"gitignore": ".gitignore"}
"""Files of the template that get another name."""


def make_league(folder: Path) -> None:
    """Write a league that can be played into a folder that is new or empty."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file; name a folder that is new or empty")
    if found := sorted(path.name for path in folder.glob("*")):
        raise ConfigError(
            f"{folder} is not empty, it has {found[0]!r} in it; name a folder that is new or empty"
        )
    for source in sorted(path for path in TEMPLATE.rglob("*") if _is_part(path)):
        target = folder / source.relative_to(TEMPLATE)
        target = target.with_name(HIDDEN.get(target.name, target.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    click.echo(f"made {folder / LEAGUE} with the bots of {folder / 'bots'}; play it with:")
    for command in _commands(folder):
        click.echo(f"  {shlex.join(command)}")
    click.echo(f"how to write a bot: {shipped_bots() / 'README.md'}")


def _commands(folder: Path) -> Iterator[list[str]]:
    """Yield what to type to play the league in its own folder, so that its run is kept there."""
    start = program()
    if not folder.samefile(Path.cwd()):
        yield ["cd", str(folder)]
        start = os.path.abspath(start) if os.sep in start else start
    yield [start, "tournament", LEAGUE]


def _is_part(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts

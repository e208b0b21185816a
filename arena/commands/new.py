"""Make a bot of one's own from a starter."""

import os
import re
import shlex
from pathlib import Path

import click

from arena import plugins
from arena.commands.invocation import program
from arena.entrants import shipped_bots
from arena.errors import ArenaError, ConfigError, nearest
from arena.fingerprint import written
from arena.games.base import Game
from arena.model import BOT_FILE
from arena.play.build import FOLDER

PREFIX = "starter-"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_TAKEN = frozenset({
    "all", "build", "clean", "deps", "edit_cache", "examples", "help", "incremental", "install",
    "preinstall", "rebuild_cache",
})  # fmt: skip
"""What cargo and cmake call folders and targets of their own, and refuse as names."""
_ANY_GAME = b'games = ["*"]'


def make_bot(target: Path, language: str | None, game: str | None) -> None:
    """Copy the starter of a language into a new folder; the bot has the folder's name.

    Raise ConfigError for no language, an unknown language or game, a name that not every build tool
    takes, and a folder that is there.
    """
    starter = _starter(language)
    name = target.name
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r} cannot be the name of a new bot: build tools want lower-case letters, "
            "digits, - and _, with a letter in front"
        )
    if name in _TAKEN:
        raise ConfigError(
            f"{name!r} cannot be the name of a new bot: build tools keep it for themselves"
        )
    if game is not None:
        plugins.load("games", game)
    if os.path.lexists(target):
        raise ConfigError(f"{target} is there already: nothing was written")
    try:
        for path in written(starter, lambda entry: entry.name == FOLDER):
            content = path.read_bytes().replace(starter.name.encode(), name.encode())
            if game is not None and path.name == BOT_FILE:
                content = content.replace(_ANY_GAME, f'games = ["{game}"]'.encode())
            copy = target / path.relative_to(starter)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    except OSError as error:
        raise ArenaError(f"the bot {name!r} cannot be written: {error}") from error
    click.echo(_next_steps(target, game or "leaves"))


def languages() -> dict[str, Path]:
    """Return the starters that come with the arena by language."""
    folders = sorted(shipped_bots().glob(f"{PREFIX}*"))
    return {folder.name.removeprefix(PREFIX): folder for folder in folders}


def _starter(language: str | None) -> Path:
    known = languages()
    if language is None:
        raise ConfigError(f"--language is missing: one of {', '.join(known)}")
    if language not in known:
        raise ConfigError(
            f"there is no starter in {language!r}{nearest(language, known)}; "
            f"a bot in any other language: {shipped_bots() / 'README.md'}"
        )
    return known[language]


def _next_steps(target: Path, game: str) -> str:
    path = os.path.join(os.curdir, target) if not target.is_absolute() else str(target)
    rules: Game = plugins.load("games", game)
    words = [program(), "match", game, path, *["random"] * (rules.players[0] - 1), "--show"]
    return (
        f"{path} is made; its README.md says what it needs and where your own thoughts go\n"
        f"watch it play: {shlex.join(words)}"
    )

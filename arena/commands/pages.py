"""Write pages, and show them in a browser."""

import webbrowser
from pathlib import Path

import click

from arena import plugins
from arena.commands.reading import reading
from arena.commands.records import writing
from arena.games.base import Game
from arena.model import Seat
from arena.views.html.replay import replay, replay_page


def write_replay(
    folder: Path, match: str, seat: Seat | None, output: Path | None, *, opened: bool
) -> None:
    """Write the page of a recorded match, by default here and named after it; say where it is.

    With ``seat`` the page holds only what that seat knew. Show it in a browser if ``opened``.
    """
    with reading(folder) as journal:
        result = journal.result(match)
        game: Game = plugins.load("games", result.game)
        page = replay_page(replay(result, game, seat))
        view = "" if seat is None else f"-seat-{seat}"
        path = output or Path(f"{result.outcome.match}{view}.html".replace("/", "_"))
        with writing(path) as file:
            file.write(page.encode())
    click.echo(path)
    if opened:
        open_page(path)


def open_page(path: Path) -> None:
    """Show a page in the browser of this machine; say so where there is none."""
    if not webbrowser.open(path.resolve().as_uri()):
        click.echo(f"arena: there is no browser here; open {path} in one", err=True)

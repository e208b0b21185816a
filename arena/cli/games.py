"""Commands of a game: its rules, and one match of it at the terminal."""

from pathlib import Path
from typing import Any

import click

from arena.cli._parameters import (
    BOTS,
    GAME,
    OPTIONS,
    SANDBOX,
)
from arena.commands import completing


@click.command()
@GAME
@BOTS
@click.option("--seed", help="Seed of the deals [default: a new one].")
@OPTIONS
@click.option("--show", "shown", is_flag=True, help="Print every decision and the table.")
@SANDBOX
def match(game: str, bots: tuple[str, ...], **settings: Any) -> None:
    """Play one match of GAME between BOTS, seated as given.

    A bot is a folder with a bot.toml, the name of a shipped bot, a quoted command, or "manual":
    then the endpoint and token are printed for a program that you start yourself.

    \b
    Example: arena match leaves greedy random first ./mybot --show
    """
    from arena.commands.match import play_one_match

    settings["options"] = dict(settings["options"])
    play_one_match(game, bots, **settings)


@click.command()
@GAME
@BOTS
@click.option("--seat", type=click.IntRange(0), default=0, metavar="N", help="Your seat, from 0.")
@click.option(
    "--hint",
    metavar="BOT",
    help="Who gives hints [default: the first of the bots].",
    shell_complete=completing.bots,
)
@click.option("--seed", help="Seed of the deals [default: a new one].")
@OPTIONS
@click.option("--out", type=click.Path(path_type=Path), help="Run folder [default: runs/play-N].")
@SANDBOX
def play(game: str, bots: tuple[str, ...], **settings: Any) -> None:
    """Play a match of GAME at the terminal against BOTS.

    You are shown what a bot in your seat is told, and have all the time you want. Bots are given
    as to "arena match"; where they sit is drawn. The match is kept in a run folder.

    \b
    Example: arena play leaves greedy miser --hint counter
    """
    from arena.commands.play import play as play_match

    settings["options"] = dict(settings["options"])
    play_match(game, bots, **settings)


@click.command()
def games() -> None:
    """List the games and their options.

    \b
    Example: arena games
    """
    from arena.commands.about import list_games

    list_games()


@click.command()
@GAME
def rules(game: str) -> None:
    """Print the rules of GAME.

    \b
    Example: arena rules leaves
    """
    from arena.commands.about import print_rules

    print_rules(game)

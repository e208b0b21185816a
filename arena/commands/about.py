"""Say what games there are, what their rules are, and what bots and the arena say."""

import click

from arena import plugins
from arena.games.base import Game, Option
from arena.play.schema import schema
from arena.views import files


def list_games() -> None:
    """Print every game with its seats and options."""
    for key in plugins.names("games"):
        game: Game = plugins.load("games", key)
        low, high = game.players[0], game.players[-1]
        click.echo(f"{key}: {game.title}, {low} to {high} seats")
        for option in game.options:
            click.echo(f"    {option.name} = {_default(option)}{_range(option)}: {option.help}")


def print_rules(key: str) -> None:
    """Print the rules of a game."""
    game: Game = plugins.load("games", key)
    click.echo(game.rules)


def print_schema() -> None:
    """Print the JSON Schema of all messages, with the observations of all games."""
    games = [plugins.load("games", key) for key in plugins.names("games")]
    click.echo(files.pretty(schema(games)), nl=False)


def _default(option: Option) -> str:
    if option.default is None:
        return "by table"
    return f'"{option.default}"' if option.choices else str(option.default)


def _range(option: Option) -> str:
    if option.choices:
        return " (" + ", ".join(f'"{choice}"' for choice in option.choices) + ")"
    return f" ({option.low} to {option.high})"

"""Commands for authors of bots."""

from pathlib import Path
from typing import Any

import click

from arena.cli._parameters import BOT, BOTS, MATCH, RUN, SANDBOX, KeyValue
from arena.commands import completing


@click.command()
@click.argument("name", type=click.Path(path_type=Path))
@click.option(
    "--language",
    help="Language of the starter: cpp, go, java, javascript, python or rust.",
    shell_complete=completing.languages,
)
@click.option(
    "--game",
    help="The only game that it plays [default: all].",
    shell_complete=completing.games,
)
def new(name: Path, language: str | None, game: str | None) -> None:
    """Make a bot from a starter: a complete program to go on from.

    NAME is the new folder, and what the bot is called.

    \b
    Example: arena new mybot --language rust --game thirteen
    """
    from arena.commands.new import make_bot

    make_bot(name, language, game)


@click.command()
@BOTS
@SANDBOX
def build(bots: tuple[str, ...], level: Any) -> None:
    """Build BOTS: run the build of each one's bot.toml.

    A bot is a folder with a bot.toml, or the name of a shipped bot. Leagues and matches do the
    same by themselves for bots whose files have changed.

    \b
    Example: arena build ./mybot
    """
    from arena.commands.build import build_bots

    build_bots(bots, level=level)


@click.command()
@BOT
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="A game [default: its bot.toml's].",
    shell_complete=completing.games,
)
@click.option(
    "--only", multiple=True, metavar="CHECK", help="Only this check, or this group: plays."
)
@click.option("--seed", help="Seed of all chance [default: a new one].")
@click.option(
    "--limit", "limits", type=KeyValue(), multiple=True, help="Time limit in ms: move=200."
)
@SANDBOX
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(bot: str, **settings: Any) -> None:
    """Find out what is wrong with BOT.

    It is started, played with in all games of its bot.toml at tables of every size, surprised and
    measured. Exit with 1 if a check fails; what was said then and the command that does the check
    again are printed.

    \b
    Example: arena check ./mybot
    """
    from arena.commands.check import check_bot

    check_bot(bot, **{**settings, "limits": dict(settings["limits"])})


@click.command()
@RUN
@MATCH
@click.option(
    "--seat", type=click.IntRange(0), metavar="N", required=True, help="The seat, from 0."
)
@click.option(
    "--bot",
    metavar="BOT",
    help="Who is asked [default: the bot that sat there].",
    shell_complete=completing.bots,
)
@click.option("--wire", is_flag=True, help="Print every message both ways, with its time.")
@SANDBOX
def debug(run: Path, match: str, **options: Any) -> None:
    """Put a bot in a seat of a recorded match.

    It is told and asked what that seat was, whatever it answers; every answer that differs from
    the record is shown, and if there is one the exit code is 1. MATCH is the beginning of its id,
    BOT as in "arena match", "manual" for one in a debugger.

    \b
    Example: arena debug runs/league 3fa1 --seat 2 --bot ./mybot --wire
    """
    from arena.commands.debug import debug

    debug(run, match, **options)


@click.command()
@RUN
@click.argument("bot", shell_complete=completing.bots_of_run)
@click.option("--output", type=click.Path(path_type=Path), help="The file [default: BOT.zip].")
def feedback(run: Path, bot: str, output: Path | None) -> None:
    """Pack what the author of BOT may know of a run.

    The archive has its results, its faults, its matches as its seat saw them, and what it printed;
    nothing of the hands and logs of the others.

    \b
    Example: arena feedback runs/league greedy --output greedy.zip
    """
    from arena.commands.feedback import pack

    pack(run, bot, output)


@click.command()
def schema() -> None:
    """Print the JSON Schema of all messages between the arena and a bot.

    \b
    Example: arena schema
    """
    from arena.commands.about import print_schema

    print_schema()

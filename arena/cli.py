"""The command line. Commands import what they need when they run, so that help is quick."""

import contextlib
import math
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import click

from arena import __version__
from arena.commands import completing
from arena.errors import ArenaError

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST = 1000 * UNITS["d"]
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Seconds(click.ParamType[float]):
    """A length of time such as 90, 90s, 10m or 2h, in seconds."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", str(value))
        seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
        if not 0 < seconds <= LONGEST:
            self.fail(f"{value!r} is not a time such as 90s, 10m or 2h", param, ctx)
        return seconds


class KeyValue(click.ParamType[tuple[str, str | int]]):
    """KEY=VALUE; a value of digits is a number."""

    name = "key=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str | int]:
        key, equals, text = str(value).partition("=")
        if not key or not equals:
            self.fail(f"{value!r} is not KEY=VALUE", param, ctx)
        return key, int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


class Proportion(click.FloatRange):
    """A number within a range; "nan", which is within every range, is none."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


class Head(click.ParamType[str]):
    """The end of a journal's chain, or the beginning of it: 16 to 64 hexadecimal digits."""

    name = "hash"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not re.fullmatch(r"[0-9a-f]{16,64}", str(value)):
            self.fail(f"{value!r} is not a head: 16 to 64 of 0-9 and a-f", param, ctx)
        return str(value)


COUNT = click.IntRange(1)
MOST_WORKERS = 1024
"""As ``arena.config`` has it, which takes too long to import for ``--help``."""
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    metavar="N",
    help="Worker processes [default: a core each].",
)
SANDBOX = click.option(
    "--sandbox",
    "level",
    type=click.Choice(["auto", "none", "limits", "full"]),
    metavar="LEVEL",
    help="What bots may do, instead of the usual: auto, none, limits or full.",
)
RUN = click.argument("run", type=click.Path(path_type=Path), shell_complete=completing.runs)
GAME = click.argument("game", shell_complete=completing.games)
BOT = click.argument("bot", shell_complete=completing.bots)
BOTS = click.argument("bots", nargs=-1, required=True, shell_complete=completing.bots)


@click.group(context_settings=SETTINGS)
@click.version_option(__version__, message="arena %(version)s")
def cli() -> None:
    """Play tournaments between card-game bots, written in any language.

    \b
    Example: arena tournament configs/league.toml
    """


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
def init(folder: Path) -> None:
    """Make a folder with a league that can be played at once.

    FOLDER, which is new or empty, gets a league file, two example bots and a .gitignore.

    \b
    Example: arena init my-league
    """
    from arena.commands.init import make_league

    make_league(folder)


@cli.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="Run folder [default: here, runs/NAME]."
)
@WORKERS
@click.option("--seed", help="Seed of all deals, instead of the file's.")
@click.option("--blocks", type=COUNT, metavar="N", help="Blocks, instead of the file's.")
@click.option("--executor", metavar="KEY", help="Who plays, instead of the file's: local or dask.")
@click.option("--scheduler", metavar="ADDRESS", help="Scheduler of dask's: tcp://host:8786.")
@click.option("--for", "seconds", type=Seconds(), help="Stop cleanly after this time: 90s, 10m.")
@click.option("--restart", is_flag=True, help="Put an old run aside and begin anew.")
@click.option(
    "--report/--no-report",
    default=True,
    envvar="ARENA_REPORT",
    help="Write report.html in the end [default: yes, unless ARENA_REPORT is no].",
)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the standings.")
def tournament(config: Path, out: Path | None, **options: Any) -> None:
    """Play a league, or go on with it.

    CONFIG is the league file. What is missing of the league is played into the run folder; then
    the standings are printed, and written there with other result files.

    \b
    Example: arena tournament configs/league.toml --workers 2
    """
    from arena.commands.run import run_tournament

    keys = ("seed", "blocks", "workers", "executor", "scheduler")
    overrides = {key: options.pop(key) for key in keys}
    run_tournament(config, out=out, overrides=overrides, **options)


@cli.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Run folder [default: runs/NAME].")
@WORKERS
@click.option("--seed", help="Seed of all deals, instead of the file's.")
@click.option("--blocks", type=COUNT, metavar="N", help="Blocks, instead of the file's.")
def plan(config: Path, out: Path | None, **overrides: Any) -> None:
    """Say what a league plays, how long it takes and how exact it is.

    CONFIG is the league file. One match is played, to take its time, and nothing is kept. A run
    that has begun is taken into account.

    \b
    Example: arena plan configs/subset.toml
    """
    from arena.commands.plan import show_plan

    show_plan(config, out=out, overrides=overrides)


@cli.command()
@click.argument("config", type=click.Path(path_type=Path), required=False)
@WORKERS
@click.option(
    "--for", "seconds", type=Seconds(), default="20s", show_default=True, help="How long to play."
)
@SANDBOX
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibrate(config: Path | None, **settings: Any) -> None:
    """Find out how exactly this machine can keep time.

    Bots that answer at once and bots that work for 5 ms play in the place of those of CONFIG, a
    league file, as many tables at a time as it would have. What is kept of it warns leagues whose
    limits are within the noise.

    \b
    Example: arena calibrate configs/league.toml
    """
    from arena.commands.calibrate import calibrate_machine

    calibrate_machine(config, **settings)


@cli.command()
@GAME
@BOTS
@click.option("--seed", help="Seed of the deals [default: a new one].")
@click.option("--option", "options", type=KeyValue(), multiple=True, help="Option of the game.")
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


@cli.command()
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
@click.option("--option", "options", type=KeyValue(), multiple=True, help="Option of the game.")
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


@cli.command()
@click.argument("name", type=click.Path(path_type=Path))
@click.option(
    "--language",
    required=True,
    help="Language of the starter, such as rust.",
    shell_complete=completing.languages,
)
@click.option(
    "--game",
    help="The only game that it plays [default: all].",
    shell_complete=completing.games,
)
def new(name: Path, language: str, game: str | None) -> None:
    """Make a bot from a starter: a complete program to go on from.

    NAME is the new folder, and what the bot is called.

    \b
    Example: arena new mybot --language rust --game thirteen
    """
    from arena.commands.new import make_bot

    make_bot(name, language, game)


@cli.command()
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


@cli.command()
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


@cli.command()
@click.argument("old", shell_complete=completing.bots)
@click.argument("new", shell_complete=completing.bots)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help="A table-mate of both; repeat it.",
    shell_complete=completing.bots,
)
@click.option(
    "--game",
    default="leaves",
    show_default=True,
    help="The game.",
    shell_complete=completing.games,
)
@click.option("--option", "options", type=KeyValue(), multiple=True, help="Option of the game.")
@click.option(
    "--margin",
    type=Proportion(0, 1),
    default=0.02,
    show_default=True,
    help="Difference of shares that does not matter.",
)
@click.option(
    "--alpha",
    type=Proportion(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Chance of a wrong answer.",
)
@click.option(
    "--max-blocks",
    type=COUNT,
    default=2000,
    show_default=True,
    metavar="N",
    help="Give up after so many blocks of two matches.",
)
@click.option("--seed", help="Seed of all deals [default: a new one].")
@WORKERS
@click.option("--out", type=click.Path(path_type=Path), help="Run folder [default: runs/OLD-NEW].")
@click.option("--for", "seconds", type=Seconds(), help="Stop cleanly after this time: 90s, 10m.")
@click.option("--restart", is_flag=True, help="Put an old run aside and begin anew.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the result.")
@SANDBOX
def compare(old: str, new: str, **settings: Any) -> None:
    """Find out whether the bot NEW is better than OLD, in as few matches as it takes.

    Both take the same seats in the same deals with the same table-mates; without --against they
    meet head to head. Exit with 0 if NEW is better, 3 if it is worse, 4 if they are equal within
    the margin, 5 if that is not clear yet. Bots are given as to "arena match".

    \b
    Example: arena compare ./mybot-1 ./mybot-2 --against greedy --against counter
    """
    from arena.commands.compare import compare as run_comparison

    settings["options"] = dict(settings["options"])
    settings["test"] = {key: settings.pop(key) for key in ("margin", "alpha", "max_blocks")}
    sys.exit(run_comparison((old, new), settings.pop("against"), **settings))


@cli.command()
@RUN
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json", "md"]),
    default="text",
    help="Form of the table [default: text].",
)
@click.option(
    "--by",
    "order",
    type=click.Choice(["share", "wins", "penalty"]),
    default="share",
    help="Order of the main table [default: share].",
)
@click.option(
    "--table",
    "name",
    default="main",
    type=click.Choice(
        ["main", "cross", "pairs", "seats", "without", "ratings", "ends", "faults", "times"]
    ),
    help="Which table [default: main].",
)
@click.option("--versions", is_flag=True, help="With the versions that bots had before.")
def standings(run: Path, name: Any, form: Any, order: Any, versions: bool) -> None:
    """Print a table of a run.

    RUN is its folder.

    \b
    Example: arena standings runs/league --table cross
    """
    from arena.commands.run import show_standings

    show_standings(run, name, form, order, versions=versions)


@cli.command()
@RUN
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
def report(run: Path, opened: bool) -> None:
    """Write the page of a run: report.html in its folder.

    It has the standings, how they came about, faults, matches and what all of it rests on, in one
    file that needs nothing else. The end of "arena tournament" writes it too.

    \b
    Example: arena report runs/league --open
    """
    from arena.commands.report import write_report

    write_report(run, opened=opened)


@cli.command()
@RUN
def watch(run: Path) -> None:
    """Follow a run that is being played, from another terminal.

    How far it is, its standings so far and who is at fault are shown until it ends; Ctrl-C leaves
    it alone. Of a run that nobody plays the standings are printed.

    \b
    Example: arena watch runs/league
    """
    from arena.commands.watch import watch as watch_run

    watch_run(run)


@cli.command()
@RUN
@click.argument("match")
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Show only what this seat saw.")
@click.option("--html", is_flag=True, help="Write a page with the table, to be stepped through.")
@click.option("--open", "opened", is_flag=True, help="Write the page and open it in a browser.")
@click.option("--output", type=click.Path(path_type=Path), help="File of the page [MATCH.html].")
def replay(
    run: Path, match: str, seat: int | None, html: bool, opened: bool, output: Path | None
) -> None:
    """Print a match of a run, or write a page with it.

    MATCH is the beginning of its id, as the faults table and the lines of "arena export" have it.
    A page works by itself, offline; with --seat nothing is in it but what this seat knew.

    \b
    Example: arena replay runs/league 3fa1 --html --open
    """
    if html or opened or output:
        from arena.commands.pages import write_replay

        write_replay(run, match, seat, output, opened=opened)
    else:
        from arena.commands.run import show_replay

        show_replay(run, match, seat)


@cli.command()
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="A file [default: print them].")
def export(run: Path, output: Path | None) -> None:
    """Write every match of a run as a line of JSON.

    \b
    Example: arena export runs/league --output league.jsonl
    """
    from arena.commands import records

    records.export(run, output)


@cli.command()
@RUN
@click.option("--head", type=Head(), help="A head that was published; the run must go on from it.")
@click.option("--leaks", is_flag=True, help="Check what seats were told, and nothing else.")
@click.option("--match", "matches", multiple=True, help="With --leaks: only this match; repeat it.")
@click.option("--sample", type=COUNT, metavar="N", help="With --leaks: only N matches of the run.")
def verify(run: Path, head: str | None, **options: Any) -> None:
    """Check the records of a run.

    Follow the chain of hashes, deal again from the seed, play every action again, compute all
    results. With --leaks, draw anew at every decision what the seat could not see, and compare
    what it was sent, byte for byte. Exit with 1 and the first difference if anything disagrees.

    \b
    Example: arena verify runs/league
    """
    from arena.commands import leaks, records

    if leaks.are_asked_for(**options, head=head):
        leaks.verify_leaks(run, options["matches"], options["sample"])
    else:
        records.verify_run(run, head or "")


@cli.command()
@RUN
@click.argument("match")
@SANDBOX
def rerun(run: Path, match: str, level: Any) -> None:
    """Play a recorded match again.

    It is played with the bots of today; what they do differently is shown. MATCH is the beginning
    of its id, as the faults table and the lines of "arena export" have it.

    \b
    Example: arena rerun runs/league 3fa1
    """
    from arena.commands import records

    records.rerun(run, match, level=level)


@cli.command()
@RUN
@click.argument("match")
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


@cli.command()
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


@cli.command()
def games() -> None:
    """List the games and their options.

    \b
    Example: arena games
    """
    from arena.commands.about import list_games

    list_games()


@cli.command()
@GAME
def rules(game: str) -> None:
    """Print the rules of GAME.

    \b
    Example: arena rules leaves
    """
    from arena.commands.about import print_rules

    print_rules(game)


@cli.command()
def schema() -> None:
    """Print the JSON Schema of all messages between the arena and a bot.

    \b
    Example: arena schema
    """
    from arena.commands.about import print_schema

    print_schema()


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what SHELL reads so that Tab completes the names of games, bots and runs.

    For bash and zsh, have ~/.bashrc or ~/.zshrc say: eval "$(arena completion bash)". For fish,
    keep the output in ~/.config/fish/completions/arena.fish.

    \b
    Example: arena completion bash
    """
    click.echo(completing.script(shell, cli), nl=False)


def _make_up_for_the_starter() -> None:
    """Undo what this process may have inherited: ignored ends of children, closed outputs."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def main() -> None:
    """Run the command line and exit: 2 usage or configuration, 1 failure, 130 interrupted."""
    _make_up_for_the_starter()
    try:
        cli(prog_name="arena", standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except ArenaError as error:
        click.echo(f"arena: {error}", err=True)
        sys.exit(error.exit_code)
    except UnicodeEncodeError as error:
        click.echo(f"arena: {error.object!r} is not UTF-8 text", err=True)
        sys.exit(2)
    except OSError as error:
        with contextlib.suppress(OSError):
            click.echo(f"arena: {error}", err=True)
        sys.exit(1)

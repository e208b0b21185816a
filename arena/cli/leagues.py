"""Commands that play leagues."""

import sys
from pathlib import Path
from typing import Any

import click

from arena.cli._parameters import (
    BLOCKS_INSTEAD,
    COUNT,
    OPTIONS,
    RESTART,
    SANDBOX,
    SEED_INSTEAD,
    STOP_AFTER,
    WORKERS,
    Proportion,
    Seconds,
)
from arena.commands import completing


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def init(folder: Path) -> None:
    """Make a folder with a league that can be played at once.

    FOLDER, which is new or empty, gets a league file, two example bots and a .gitignore.

    \b
    Example: arena init my-league
    """
    from arena.commands.init import make_league

    make_league(folder)


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="Run folder [default: here, runs/NAME]."
)
@WORKERS
@SEED_INSTEAD
@BLOCKS_INSTEAD
@click.option("--executor", metavar="KEY", help="Who plays, instead of the file's: local or dask.")
@click.option("--scheduler", metavar="ADDRESS", help="Scheduler of dask's: tcp://host:8786.")
@STOP_AFTER
@RESTART
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


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Run folder [default: runs/NAME].")
@WORKERS
@SEED_INSTEAD
@BLOCKS_INSTEAD
def plan(config: Path, out: Path | None, **overrides: Any) -> None:
    """Say what a league plays, how long it takes and how exact it is.

    CONFIG is the league file. One match is played, to take its time, and nothing is kept. A run
    that has begun is taken into account.

    \b
    Example: arena plan configs/subset.toml
    """
    from arena.commands.plan import show_plan

    show_plan(config, out=out, overrides=overrides)


@click.command()
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


@click.command()
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
@OPTIONS
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
@STOP_AFTER
@RESTART
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

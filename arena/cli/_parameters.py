"""Types of parameters, and parameters that several commands have."""

import math
import re
from pathlib import Path
from typing import Any

import click

from arena.commands import completing

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST = 1000 * UNITS["d"]


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
OPTIONS = click.option(
    "--option", "options", type=KeyValue(), multiple=True, help="Option of the game."
)
STOP_AFTER = click.option(
    "--for", "seconds", type=Seconds(), help="Stop cleanly after this time: 90s, 10m."
)
RESTART = click.option("--restart", is_flag=True, help="Put an old run aside and begin anew.")
SEED_INSTEAD = click.option("--seed", help="Seed of all deals, instead of the file's.")
BLOCKS_INSTEAD = click.option(
    "--blocks", type=COUNT, metavar="N", help="Blocks, instead of the file's."
)
RUN = click.argument("run", type=click.Path(path_type=Path), shell_complete=completing.runs)
MATCH = click.argument("match", shell_complete=completing.matches_of_run)
GAME = click.argument("game", shell_complete=completing.games)
BOT = click.argument("bot", shell_complete=completing.bots)
BOTS = click.argument("bots", nargs=-1, required=True, shell_complete=completing.bots)

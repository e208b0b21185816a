"""Measure the arena by ratios: everything that is compared is run in turn, in one run.

    python scripts/bench.py [--rounds 5] [--seconds 3] [--most 1000000] [--json FILE] [--check]

prints a table of figures with their floors and goals. With ``--check`` it exits with 1 when one is
below its floor; ``scripts/install bench`` installs the peer that one of them is about. Absolute
figures differ from machine to machine and from hour to hour; the ratios are what counts, on an
otherwise idle machine.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import click
from bench_figure import Figure, as_text
from bench_journal import journal_figures, standings_figure
from bench_league import (
    clock_figures,
    fresh_figures,
    league_figures,
    memory_figure,
    sandbox_figures,
    start_figures,
)
from bench_rules import meld_figures, rule_figures
from bench_scale import LARGEST, scale_figures
from msgspec.structs import asdict

FINISHED = 10_000
"""Matches of the run of which the standings have to come at once."""


@click.command()
@click.option("--rounds", default=5, help="Rounds of each comparison.")
@click.option("--seconds", default=3.0, help="Seconds of each variant in a round.")
@click.option("--matches", default=100_000, help="Matches of the synthetic journal.")
@click.option("--most", default=LARGEST, help="Matches of the largest league of made-up matches.")
@click.option("--hands", default=100_000, help="Random hands of Thirteen.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the figures here.")
@click.option("--check", is_flag=True, help="Exit with 1 when a figure is below its floor.")
def main(
    rounds: int,
    seconds: float,
    matches: int,
    most: int,
    hands: int,
    path: Path | None,
    *,
    check: bool,
) -> None:
    """Measure the arena by ratios and print a table."""
    groups: list[Callable[[], list[Figure]]] = [
        lambda: league_figures(rounds, seconds),
        lambda: fresh_figures(rounds, seconds),
        lambda: sandbox_figures(rounds, seconds),
        lambda: clock_figures(rounds, seconds),
        lambda: rule_figures(rounds, min(seconds, 1.0)),
        lambda: meld_figures(hands),
        lambda: [standings_figure(FINISHED, rounds)],
        lambda: journal_figures(matches),
        lambda: scale_figures(most),
        lambda: [memory_figure(4 * seconds)],
        lambda: start_figures(rounds),
    ]
    figures: list[Figure] = []
    for group in groups:
        figures += (found := group())
        click.echo(as_text(found))
    if path:
        path.write_text(json.dumps([asdict(figure) for figure in figures], indent=2))
    if check and not all(figure.passed for figure in figures):
        sys.exit(1)


if __name__ == "__main__":
    main()

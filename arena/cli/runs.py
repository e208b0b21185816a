"""Commands that read a run."""

from pathlib import Path
from typing import Any

import click

from arena.cli._parameters import COUNT, MATCH, RUN, SANDBOX, Head


@click.command()
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


@click.command()
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


@click.command()
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


@click.command()
@RUN
@MATCH
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


@click.command()
@RUN
@click.option("--output", type=click.Path(path_type=Path), help="A file [default: print them].")
def export(run: Path, output: Path | None) -> None:
    """Write every match of a run as a line of JSON.

    \b
    Example: arena export runs/league --output league.jsonl
    """
    from arena.commands import records

    records.export(run, output)


@click.command()
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


@click.command()
@RUN
@MATCH
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

"""Measure how time and memory grow with the matches of a league.

    python scripts/bench_scale.py [--most 1000000] [--json FILE] [--plot FOLDER] [--check]

plays leagues of made-up matches, from a thousand to a million, through the runner and the journal,
then goes on with them, and prints their standings; each step in a process of its own. It prints a
table, and with ``--check`` exits with 1 when something is above its ceiling. A plot of the table
is written to ``build/`` where vl-convert is installed.
"""

import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click
from bench_figure import Figure, as_text
from bench_league import HERE
from bench_process import measured
from msgspec import Struct
from msgspec.structs import asdict

from arena.entrants import load_bot
from arena.league import tournament
from arena.league.executors.base import Event, Job
from arena.league.tournament import Observer
from arena.model import DealRecord, Entrant, Fixture, League, MatchResult, Outcome, Terms, bucket

SMALLEST = 1_000
LARGEST = 1_000_000
FIRST_SECONDS, STANDINGS_SECONDS, MEMORY = 2.0, 60.0, 500.0
"""Ceilings for a million matches; memory in MB."""
GROWTH = 1.5
"""By how much a match of the largest league may cost more than one of the league before it."""
_BOTS, _SEATS = 8, 4
_BLOCK = 280
"""The matches of one block of each of 70 compositions in 4 rotations."""


class Step(Struct, frozen=True):
    """What leagues of a size cost, in seconds of a processor and MB of memory at most.

    ``first`` is the time, on the clock, until the first match was in the journal.
    """

    matches: int
    first: float
    played: float
    playing: float
    resumed: float
    resuming: float
    standings: float
    counting: float
    size: float


class Began(Observer):
    """Notes when the first match was in the journal."""

    def __init__(self) -> None:
        self.first = 0.0

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        pass

    def finished(self, _outcome: Outcome) -> None:
        self.first = self.first or time.perf_counter()

    def notice(self, text: str) -> None:
        pass

    def tick(self) -> None:
        pass


class MadeUp:
    """An executor that makes results up."""

    key = "made-up"
    elsewhere = False

    def check(self, scheduler: str) -> None:
        """It can be had anywhere."""

    def open(self, _job: Job) -> "AbstractContextManager[MadeUp]":
        """Return itself: nothing has to be started."""
        return nullcontext(self)

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Event]:
        """Yield a result for each fixture."""
        return map(_result, fixtures)


PLUGIN = MadeUp()


def _result(fixture: Fixture) -> MatchResult:
    """Return a result that depends on nothing but the fixture."""
    digits = int(fixture.id, 16)
    order = sorted(range(_SEATS), key=lambda seat: (digits >> 8 * seat) % 256)
    places = tuple(1 + order.index(seat) for seat in range(_SEATS))
    outcome = Outcome(
        match=fixture.id,
        composition=fixture.composition,
        block=fixture.block,
        rotation=fixture.rotation,
        seats=fixture.seats,
        totals=tuple(7 * place for place in places),
        places=places,
        deals=1,
        forfeited=(),
        faults=(),
        ended="complete",
        times=tuple({bucket(0.1 * (seat + 1)): 30, bucket(0.4): 60} for seat in range(_SEATS)),
        stale=(0,) * _SEATS,
        digest=fixture.id,
    )
    actions = tuple((turn % _SEATS, f"play {turn + 1}x1", 0.25) for turn in range(13))
    deal = DealRecord({"first": digits % _SEATS}, actions, outcome.totals, False)
    return MatchResult(outcome, "leaves", {"target": 20}, fixture.block_seed, (deal,))


def league_of(matches: int) -> League:
    """Return a league of at least so many made-up matches."""
    command = load_bot("first", base=HERE).command
    bots = tuple(Entrant(f"bot-{n}", command, str(HERE)) for n in range(_BOTS))
    return League(
        name="scale",
        seed="13",
        seats=(_SEATS,),
        terms=Terms("leaves"),
        format="round-robin",
        format_options={"blocks": -(-matches // _BLOCK), "rotations": "all"},
        entrants=bots,
        executor="bench_scale:PLUGIN",
    )


def play(matches: int, folder: Path) -> float:
    """Play what is missing of a league; return the seconds until the first match was there."""
    start, began = time.perf_counter(), Began()
    tournament.play(league_of(matches), folder, began)
    return began.first - start


def measure(matches: int) -> Step:
    """Play a league in one process, go on with it in another, print its standings in a third."""
    with tempfile.TemporaryDirectory(prefix="arena-scale-") as name:
        folder = str(Path(name) / "run")
        own = (str(HERE / "bench_scale.py"), "--play", str(matches), folder)
        played, playing, first = measured(*own)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        resumed, resuming, _ = measured(*own)
        standings, counting, _ = measured("-m", "arena", "standings", folder)
    blocks = -(-matches // _BLOCK)
    return Step(
        blocks * _BLOCK, float(first), played, playing, resumed, resuming, standings, counting, size
    )


def scale_figures(most: int) -> list[Figure]:
    """Return what leagues of up to so many matches cost, beside what they have to keep to."""
    steps = [measure(size) for size in sizes(most)]
    costs = [
        Figure(f"{what} of {step.matches:,} made-up matches", getattr(step, name), "s")
        for name, what in (("played", "runner"), ("standings", "standings"))
        for step in steps
    ]
    return [*costs, *bounds(steps)]


def sizes(most: int) -> list[int]:
    """Return the sizes of leagues, each ten times the one before."""
    found = [SMALLEST]
    while found[-1] * 10 <= most:
        found.append(found[-1] * 10)
    return found


def bounds(steps: Sequence[Step]) -> list[Figure]:
    """Return what the largest league has to keep to."""
    large = steps[-1]
    ceilings = [
        (f"first of {large.matches:,} matches after", large.first, "s", FIRST_SECONDS),
        ("standings of them", large.standings, "s", STANDINGS_SECONDS),
        ("memory for playing them", large.playing, "MB", MEMORY),
        ("memory for going on with them", large.resuming, "MB", MEMORY),
        ("memory for standings of them", large.counting, "MB", MEMORY),
    ]
    if len(steps) > 2:
        for what in ("played", "standings"):
            growth = _each(steps[-1], steps[0], what) / _each(steps[-2], steps[0], what)
            ceilings.append((f"a match of it against one before, {what}", growth, "times", GROWTH))
    return [Figure(*ceiling, least=False) for ceiling in ceilings]


def _each(step: Step, smallest: Step, what: str) -> float:
    """Return the cost of one match more than the smallest league has."""
    more: float = getattr(step, what) - getattr(smallest, what)
    return more / (step.matches - smallest.matches)


def table(steps: Iterable[Step]) -> str:
    """Return the steps as lines of text."""
    head = (
        f"{'matches':>9} {'first':>7} {'play':>15} {'go on':>15} {'standings':>15} {'journal':>9}"
    )
    return "\n".join([head, *map(_line, steps)])


def _line(step: Step) -> str:
    pairs = (
        (step.played, step.playing),
        (step.resumed, step.resuming),
        (step.standings, step.counting),
    )
    cells = " ".join(f"{seconds:6.1f} s {memory:3.0f} MB" for seconds, memory in pairs)
    return f"{step.matches:>9,} {step.first:5.2f} s {cells} {step.size:6.0f} MB"


def plot(steps: Sequence[Step], folder: Path) -> Path | None:
    """Draw time and memory against matches; return the file, None without vl-convert."""
    if not importlib.util.find_spec("vl_convert"):
        return None
    import vl_convert

    panels = [
        _panel(steps, "seconds", ("played", "resumed", "standings")),
        _panel(steps, "MB", ("playing", "resuming", "counting")),
    ]
    scales = {"scale": {"color": "independent"}}
    folder.mkdir(exist_ok=True)
    path = folder / "scale.svg"
    path.write_text(vl_convert.vegalite_to_svg({"hconcat": panels, "resolve": scales}))
    return path


def _panel(steps: Sequence[Step], unit: str, names: Sequence[str]) -> dict[str, Any]:
    """Return a chart of some figures of the steps, with logarithmic scales."""
    rows = [
        {"matches": step.matches, "what": name, unit: getattr(step, name)}
        for step in steps
        for name in names
    ]
    log = {"type": "quantitative", "scale": {"type": "log"}}
    return {
        "data": {"values": rows},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "matches", **log},
            "y": {"field": unit, **log},
            "color": {"field": "what", "type": "nominal"},
        },
    }


@click.command()
@click.option("--most", default=LARGEST, help="Matches of the largest league.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the steps here.")
@click.option(
    "--plot", "folder", type=click.Path(path_type=Path), help="Folder of the plot [default: build]."
)
@click.option("--check", is_flag=True, help="Exit with 1 when a figure is above its ceiling.")
@click.option("--play", "played", type=(int, click.Path(path_type=Path)), hidden=True)
def main(
    most: int,
    path: Path | None,
    folder: Path | None,
    played: tuple[int, Path] | None,
    *,
    check: bool,
) -> None:
    """Measure how time and memory grow with the matches of a league."""
    if played:
        click.echo(play(*played))
        return
    steps = []
    click.echo(table(()))
    for size in sizes(most):
        steps.append(measure(size))
        click.echo(_line(steps[-1]))
    figures = bounds(steps)
    click.echo(as_text(figures))
    if path:
        path.write_text(json.dumps([asdict(step) for step in steps], indent=2))
    if drawn := plot(steps, folder or HERE.parent / "build"):
        click.echo(drawn)
    if check and not all(figure.passed for figure in figures):
        sys.exit(1)


if __name__ == "__main__":
    main()

"""Measure the arena by ratios: everything that is compared is run in turn, in one run.

    python scripts/bench.py [--rounds 5] [--seconds 3] [--json FILE] [--check]

prints a table of figures with their floors and aims. With ``--check`` it exits with 1 when one is
below its floor. Absolute figures differ from machine to machine and from hour to hour; the
ratios are what counts, on an otherwise idle machine.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import asdict, replace

from arena.entrants import load_bot
from arena.games import load
from arena.league import tournament
from arena.league.journal import Journal
from arena.league.tournament import Observer
from arena.model import DealRecord, League, MatchResult, Outcome, Terms, bucket
from arena.seeds import derive

HERE = Path(__file__).parent
CORES = sorted(os.sched_getaffinity(0))[:2]


class Figure(Struct, frozen=True):
    """One measured figure. ``floor`` is what it must reach; ``least`` is False for a ceiling."""

    name: str
    value: float
    unit: str = ""
    floor: float | None = None
    aim: float | None = None
    least: bool = True

    @property
    def passed(self) -> bool:
        if self.floor is None:
            return True
        return self.value >= self.floor if self.least else self.value <= self.floor


class Timed(Observer):
    """Notes when each match ended and how many decisions it had."""

    def __init__(self) -> None:
        self.matches: list[tuple[float, int]] = []
        self.memory: list[int] = []

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        pass

    def finished(self, outcome: Outcome) -> None:
        decisions = sum(sum(times.values()) for times in outcome.times)
        self.matches.append((time.perf_counter(), decisions))
        self.memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def notice(self, text: str) -> None:
        raise RuntimeError(text)

    def tick(self) -> None:
        pass

    def rates(self) -> tuple[float, float]:
        """Return decisions and matches per second, from the first match's end to the last's."""
        seconds = self.matches[-1][0] - self.matches[0][0]
        return sum(d for _, d in self.matches[1:]) / seconds, (len(self.matches) - 1) / seconds


def league(workers: int, restart: str) -> League:
    """Return an endless league of four ``first`` bots that never meet a block again."""
    first = load_bot("first", base=HERE)
    return League(
        name="bench",
        seed="13",
        seats=(4,),
        terms=Terms(game="leaves", restart=restart),  # type: ignore[arg-type]
        format="round-robin",
        format_options={"blocks": 1_000_000, "rotations": 1},
        entrants=tuple(replace(first, name=f"first-{letter}") for letter in "abcd"),
        workers=workers,
    )


def played(workers: int, seconds: float, restart: str = "auto") -> Timed:
    """Play that league for a while, with journal and clocks."""
    timed = Timed()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        tournament.play(league(workers, restart), Path(folder) / "run", timed, seconds=seconds)
    return timed


def beside(script: str, seconds: float) -> float:
    """Run a script on each of the two cores at once; return the sum of what they print."""
    processes = [
        subprocess.Popen(
            [sys.executable, str(HERE / script), str(core), str(seconds)], stdout=subprocess.PIPE
        )
        for core in CORES
    ]
    return sum(float(process.communicate()[0]) for process in processes)


def rounds_of(count: int, variants: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the median of each variant over rounds that run forwards and backwards in turn."""
    seen: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(count):
        order = list(variants.items())
        for name, run in order if number % 2 == 0 else reversed(order):
            seen[name].append(run())
    return {name: statistics.median(values) for name, values in seen.items()}


def league_figures(rounds: int, seconds: float) -> list[Figure]:
    """Compare refereed play with a bare exchange, two workers with one, fresh with bare starts."""
    median = rounds_of(
        rounds,
        {
            "echo": lambda: beside("bench_echo.py", seconds),
            "two": lambda: played(2, seconds).rates()[0],
            "one": lambda: played(1, seconds).rates()[0],
            "start": lambda: beside("bench_start.py", seconds),
            "fresh": lambda: played(2, seconds, "match").rates()[1],
        },
    )
    return [
        Figure("bare echo, 2 cores", median["echo"], "decisions/s"),
        Figure("refereed, 2 workers", median["two"], "decisions/s"),
        Figure("refereed / bare echo", median["two"] / median["echo"], "", 0.6, 0.8),
        Figure("2 workers / 1 worker", median["two"] / median["one"], "", 1.7),
        Figure("4 bots started and ended, 2 cores", median["start"], "/s"),
        Figure("matches with fresh processes, 2 workers", median["fresh"], "/s"),
        Figure(
            "time of a fresh match / bare start", median["start"] / median["fresh"], "", 1.5, 1.15,
            least=False,
        ),
    ]  # fmt: skip


def random_play(seconds: float) -> float:
    """Return decisions per second of random play of 13 Leaves in this process."""
    game, rng = load("leaves"), random.Random(1)
    options = game.resolve({}, 4)
    decisions, deals, start = 0, 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        deals += 1
        state = game.deal(4, "bench", deals, options)
        while state.to_act is not None:
            state = state.apply(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions / spent


def json_dumps() -> float:
    """Return microseconds of ``json.dumps`` of an observation of 1,300 bytes."""
    event = {"seat": 2, "action": "play 7x3", "hand": 11, "ms": 0.31}
    observation = {"hand": list(range(13)), "events": [event] * 22}
    observation["pad"] = "x" * (1300 - len(json.dumps(observation)) - 9)
    start, count = time.perf_counter(), 20_000
    for _ in range(count):
        json.dumps(observation).encode()
    return (time.perf_counter() - start) / count * 1e6


def rule_figures(rounds: int, seconds: float) -> list[Figure]:
    """Measure the rules in process, beside the machine's own speed."""
    median = rounds_of(rounds, {"play": lambda: random_play(seconds), "json": json_dumps})
    return [
        Figure("json.dumps of 1,300 bytes", median["json"], "µs"),
        Figure("random play of 13 Leaves", median["play"], "decisions/s", 150_000, 250_000),
    ]


def synthetic(number: int) -> MatchResult:
    """Return a made-up match of four bots out of twelve."""
    rng = random.Random(number)
    block, rotation = divmod(number, 4)
    seats = sorted(random.Random(block).sample([f"bot-{i:02}" for i in range(12)], 4))
    places = tuple(rng.sample([1, 2, 3, 4], 4))
    outcome = Outcome(
        match=derive("synthetic", number)[:16],
        composition=derive("composition", *seats)[:16],
        block=block,
        rotation=rotation + 1,
        seats=tuple(seats[rotation:] + seats[:rotation]),
        totals=tuple(7 * place for place in places),
        places=places,
        deals=4,
        forfeited=(),
        faults=(),
        ended="complete",
        times=tuple({bucket(0.1 * (i + 1)): 30, bucket(0.4): 60} for i in range(4)),
        stale=(0, 0, 0, 0),
    )
    actions = tuple((i % 4, f"play {i % 13 + 1}x1", 0.25) for i in range(95))
    hands = [[card % 13 + 1 for card in range(13)] for _ in range(4)]
    deal = DealRecord({"hands": hands, "first": 0}, actions, (0, 3, 5, 9), False)
    return MatchResult(outcome, "leaves", {"target": 20}, "0" * 32, (deal,) * 4)


def journal_figures(matches: int) -> list[Figure]:
    """Write a journal through its own API, then ask for its standings in a new process."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        entrants = tuple(
            replace(load_bot("first", base=HERE), name=f"bot-{i:02}") for i in range(12)
        )
        whole = replace(
            league(1, "auto"),
            entrants=entrants,
            format_options={"blocks": matches, "rotations": "all"},
        )
        journal = Journal.create(Path(folder), whole)
        start = time.perf_counter()
        for number in range(matches):
            journal.add(synthetic(number))
        written = matches / (time.perf_counter() - start)
        journal.close()
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", "standings", folder], stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = time.perf_counter() - start
    if process.returncode:
        raise SystemExit("arena standings failed")
    return [
        Figure(f"journal, {matches:,} matches written", written, "/s"),
        Figure("its size", size, "MB"),
        Figure("standings of it", spent, "s", 20.0, least=False),
        Figure("memory for that", usage.ru_maxrss / 1e3, "MB", 500.0, least=False),
    ]


def memory_figure(seconds: float) -> Figure:
    """Return how much the runner grows between a quarter and the end of a league."""
    memory = played(len(CORES), seconds).memory
    return Figure(
        "runner's memory at the end / at a quarter",
        memory[-1] / memory[len(memory) // 4], "", 1.05, least=False,
    )  # fmt: skip


def start_figure(rounds: int) -> Figure:
    """Return the time of ``arena --version``."""
    command = [str(Path(sys.executable).with_name("arena")), "--version"]

    def once() -> float:
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - start) * 1e3

    median = rounds_of(4 * rounds, {"version": once})["version"]
    return Figure("arena --version", median, "ms", 120.0, 100.0, least=False)


def table(figures: list[Figure]) -> str:
    """Return the figures as lines of text."""
    lines = []
    for figure in figures:
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        bound = "" if figure.floor is None else f"{'≥' if figure.least else '≤'} {figure.floor:,g}"
        aim = "" if figure.aim is None else f"aim {figure.aim:,g}"
        verdict = "" if figure.floor is None else "ok" if figure.passed else "MISSED"
        lines.append(
            f"{figure.name:42} {value:>10} {figure.unit:12} {bound:11} {aim:12} {verdict}".rstrip()
        )
    return "\n".join(lines)


@click.command()
@click.option("--rounds", default=5, help="Rounds of each comparison.")
@click.option("--seconds", default=3.0, help="Seconds of each variant in a round.")
@click.option("--matches", default=100_000, help="Matches of the synthetic journal.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the figures here.")
@click.option("--check", is_flag=True, help="Exit with 1 when a figure is below its floor.")
def main(rounds: int, seconds: float, matches: int, path: Path | None, *, check: bool) -> None:
    """Measure the arena by ratios and print a table."""
    figures = [
        *league_figures(rounds, seconds),
        *rule_figures(rounds, min(seconds, 1.0)),
        *journal_figures(matches),
        memory_figure(4 * seconds),
        start_figure(rounds),
    ]
    print(table(figures))
    if path:
        path.write_text(json.dumps([asdict(figure) for figure in figures], indent=2))
    if check and not all(figure.passed for figure in figures):
        sys.exit(1)


if __name__ == "__main__":
    main()

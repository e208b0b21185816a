"""Figures of whole leagues: refereed play, workers, fresh processes, memory, start-up."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench_figure import Figure, rounds_of
from msgspec.structs import replace

from arena.entrants import load_bot
from arena.league import tournament
from arena.league.tournament import Observer
from arena.model import League, Level, Limits, Outcome, Sandbox, Terms
from arena.play.sandbox import settled

HERE = Path(__file__).parent
CORES = sorted(os.sched_getaffinity(0))[:2]


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
        if not text.startswith("sandbox: "):
            raise RuntimeError(text)

    def tick(self) -> None:
        pass

    def rates(self, warming: float = 0.0) -> tuple[float, float]:
        """Return decisions and matches per second, from ``warming`` seconds after the end of the
        first match to the end of the last."""
        first = self.matches[0][0] + warming
        matches = [(end, decisions) for end, decisions in self.matches if end >= first]
        seconds = matches[-1][0] - matches[0][0]
        return sum(d for _, d in matches[1:]) / seconds, (len(matches) - 1) / seconds


WARMING = 1.0
"""Seconds in which bots come to use msgspec; the echo's have it from the start, or never."""
DEFAULTS = Limits()
EXACT = Limits(cpu_move=1_000)
"""Limits for which processor time is measured exactly."""


def league(
    workers: int,
    restart: str,
    level: Level,
    limits: Limits = DEFAULTS,
    *,
    prewarmed: bool = False,
    variant: str = "expert",
) -> League:
    """Return an endless league of four ``first`` bots that never meet a block again."""
    first = replace(load_bot("first", base=HERE), prewarmed=prewarmed)
    return League(
        name="bench",
        seed="13",
        seats=(4,),
        terms=Terms(
            game="leaves",
            options={"variant": variant},
            restart=restart,  # type: ignore[arg-type]
            sandbox=Sandbox(level),
            limits=limits,
        ),
        format="round-robin",
        format_options={"blocks": 1_000_000, "rotations": 1},
        entrants=tuple(replace(first, name=f"first-{letter}") for letter in "abcd"),
        workers=workers,
    )


def played(
    workers: int,
    seconds: float,
    restart: str = "auto",
    level: Level = "none",
    limits: Limits = DEFAULTS,
    *,
    prewarmed: bool = False,
    variant: str = "expert",
) -> Timed:
    """Play that league for a while, with journal and clocks."""
    timed = Timed()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        whole = league(workers, restart, level, limits, prewarmed=prewarmed, variant=variant)
        tournament.play(whole, Path(folder) / "run", timed, seconds=seconds)
    return timed


def beside(script: str, seconds: float, *words: str) -> float:
    """Run a script on each of the two cores at once; return the sum of what they print."""
    processes = [
        subprocess.Popen(
            [sys.executable, str(HERE / script), str(core), str(seconds), *words],
            stdout=subprocess.PIPE,
        )
        for core in CORES
    ]
    return sum(float(process.communicate()[0]) for process in processes)


def league_figures(rounds: int, seconds: float) -> list[Figure]:
    """Compare refereed play with a bare exchange, and two workers with one."""
    median = rounds_of(
        rounds,
        {
            "echo": lambda: beside("bench_echo.py", seconds),
            "alike": lambda: beside("bench_echo.py", seconds, "msgspec"),
            "two": lambda: steady(2, seconds),
            "one": lambda: steady(1, seconds),
        },
    )
    return [
        Figure("bare echo, 2 cores", median["echo"], "decisions/s"),
        Figure("refereed, 2 workers", median["two"], "decisions/s"),
        Figure("refereed / bare echo", median["two"] / median["echo"], "", 0.8, 0.9),
        Figure("refereed / bare echo with bots' codec", median["two"] / median["alike"]),
        Figure("2 workers / 1 worker", median["two"] / median["one"], "", 1.7),
    ]


def steady(workers: int, seconds: float) -> float:
    """Return decisions per second of a league whose bots have loaded all that they will."""
    return played(workers, WARMING + seconds).rates(WARMING)[0]


def fresh_figures(rounds: int, seconds: float) -> list[Figure]:
    """Compare matches with processes of their own with the bare start and end of such processes.

    In a match of one deal, of the variant basic, the play is a small part of it.
    """
    rate = partial(_matches_of, seconds)
    median = rounds_of(
        rounds,
        {
            "start": lambda: beside("bench_start.py", seconds),
            "kept": lambda: rate("auto", "expert"),
            "whole": lambda: rate("match", "expert"),
            "whole forked": lambda: rate("match", "expert", prewarmed=True),
            "deal": lambda: rate("match", "basic"),
            "deal forked": lambda: rate("match", "basic", prewarmed=True),
        },
    )
    bare = median["start"]
    return [
        Figure("4 bots started and ended, 2 cores", bare, "/s"),
        Figure("a match's play alone / bare start", bare / median["kept"]),
        Figure("a fresh match / bare start", bare / median["whole"], "", 1.3, 1.15, least=False),
        Figure(
            "a fresh match of one deal / bare start", bare / median["deal"], "", 1.15, 1.0,
            least=False,
        ),
        Figure(
            "a prewarmed match / bare start", bare / median["whole forked"], "", 0.4, 0.2,
            least=False,
        ),
        Figure(
            "a prewarmed match of one deal / bare start", bare / median["deal forked"], "",
            0.2, 0.15, least=False,
        ),
    ]  # fmt: skip


def _matches_of(seconds: float, restart: str, variant: str, *, prewarmed: bool = False) -> float:
    return played(2, seconds, restart, prewarmed=prewarmed, variant=variant).rates()[1]


def sandbox_figures(rounds: int, seconds: float) -> list[Figure]:
    """Compare the levels of the sandbox: fresh processes, and play with processes that stay."""
    levels: list[Level] = ["none", "limits"]
    if settled(Sandbox("auto")).level == "full":
        levels.append("full")
    starts = rounds_of(
        rounds, {level: partial(_matches, level, seconds, "match") for level in levels}
    )
    plays = rounds_of(
        rounds, {level: partial(_decisions, level, seconds, "auto") for level in levels}
    )
    figures = [Figure("a bot's start and end, no sandbox", 2000 / 4 / starts["none"], "ms")]
    for level in levels[1:]:
        more = 2000 / 4 * (1 / starts[level] - 1 / starts["none"])
        figures += [
            Figure(f"more for the sandbox at {level}", more, "ms", 50.0, 20.0, least=False),
            Figure(f"decisions at {level} / none", plays[level] / plays["none"], "", 0.9, 1.0),
        ]
    return figures


def clock_figures(rounds: int, seconds: float) -> list[Figure]:
    """Compare play with a limit of processor time, which is then read exactly, and without."""
    levels: tuple[Level, ...] = ("none", "limits")
    variants: dict[str, Callable[[], float]] = {
        f"{level} {limits.cpu_move}": partial(_decisions, level, seconds, "auto", limits)
        for level in levels
        for limits in (Limits(), EXACT)
    }
    rates = rounds_of(rounds, variants)
    return [
        Figure(
            f"decisions with cpu_move / without, at {level}",
            rates[f"{level} {EXACT.cpu_move}"] / rates[f"{level} 0"],
        )
        for level in levels
    ]


def _matches(level: Level, seconds: float, restart: str) -> float:
    return played(2, seconds, restart, level).rates()[1]


def _decisions(level: Level, seconds: float, restart: str, limits: Limits = DEFAULTS) -> float:
    return played(2, seconds, restart, level, limits).rates()[0]


def memory_figure(seconds: float) -> Figure:
    """Return how much the runner grows between a quarter and the end of a league."""
    memory = played(len(CORES), seconds).memory
    return Figure(
        "runner's memory at the end / at a quarter",
        memory[-1] / memory[len(memory) // 4], "", 1.05, least=False,
    )  # fmt: skip


def start_figures(rounds: int) -> list[Figure]:
    """Return the times of ``arena --version`` and ``arena --help``."""
    program = str(Path(sys.executable).with_name("arena"))

    def once(option: str) -> float:
        start = time.perf_counter()
        subprocess.run([program, option], check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - start) * 1e3

    options = ("--version", "--help")
    median = rounds_of(4 * rounds, {option: partial(once, option) for option in options})
    return [
        Figure(f"arena {option}", median[option], "ms", 100.0, 60.0, least=False)
        for option in options
    ]

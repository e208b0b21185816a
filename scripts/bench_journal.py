"""Figures of a journal of made-up matches, written through its own API."""

import random
import tempfile
import time
from pathlib import Path

from bench_figure import Figure, rounds_of
from bench_league import HERE, league
from bench_process import measured
from msgspec.structs import replace

from arena.entrants import load_bot
from arena.league.journal import Journal
from arena.model import DealRecord, MatchResult, Outcome, bucket
from arena.seeds import derive


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


def written(folder: str, matches: int) -> float:
    """Write a journal through its own API; return matches per second."""
    entrants = tuple(replace(load_bot("first", base=HERE), name=f"bot-{i:02}") for i in range(12))
    whole = replace(
        league(1, "auto", "none"),
        entrants=entrants,
        format_options={"blocks": matches, "rotations": "all"},
    )
    journal = Journal.create(Path(folder), whole)
    start = time.perf_counter()
    for number in range(matches):
        journal.add(synthetic(number))
    spent = time.perf_counter() - start
    journal.close()
    return matches / spent


def standings(folder: str) -> tuple[float, float]:
    """Return seconds and megabytes of ``arena standings`` in a new process."""
    start = time.perf_counter()
    _, megabytes, _ = measured("-m", "arena", "standings", folder)
    return time.perf_counter() - start, megabytes


def standings_figure(matches: int, rounds: int) -> Figure:
    """Return the time of the standings of a finished run."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        written(folder, matches)
        seconds = rounds_of(rounds, {"standings": lambda: standings(folder)[0]})["standings"]
    return Figure(f"standings of {matches:,} matches", seconds, "s", 1.5, least=False)


def journal_figures(matches: int) -> list[Figure]:
    """Write a journal, follow its chain, then ask for its standings."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        rate = written(folder, matches)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        journal = Journal.read(Path(folder))
        start = time.perf_counter()
        journal.prove()
        proved = time.perf_counter() - start
        journal.close()
        seconds, memory = standings(folder)
    return [
        Figure(f"journal, {matches:,} matches written", rate, "/s"),
        Figure("its size", size, "MB"),
        Figure("its chain followed", proved, "s"),
        Figure("standings of it", seconds, "s", 20.0, least=False),
        Figure("memory for that", memory, "MB", 500.0, least=False),
    ]

"""Play a league in this process: bots are functions, time is made up, faults are scripted."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from arena import games
from arena.league import chain
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.journal import Journal
from arena.model import Entrant, FaultKind, FaultPolicy, Fixture, League, Limits, MatchResult, Terms
from arena.play.clock import Clock
from arena.play.referee import Answer, Ask, Failure, Reply, play_match
from arena.seeds import derive

ABSENT = "absent"
MISDEEDS = ("illegal", "malformed", "timeout", "cpu", "exited", "late answer")
LEAGUE = League(
    name="scripted",
    seed="13",
    seats=(3, 4),
    terms=Terms(
        game="leaves",
        options={"target": 12, "hand_size": 6, "max_turns": 30},
        limits=Limits(start=10_000, first_move=500, move=100, bank=200),
        faults=FaultPolicy(tolerate=1, suspend=3),
    ),
    format="round-robin",
    format_options={"blocks": 3, "rotations": "all"},
    entrants=tuple(
        Entrant(name, ("true",), "/", fingerprint=derive(name)[:16])
        for name in ("ann", "bob", "cyd", "dan")
    ),
)
"""15 blocks, short deals with a low turn limit, one fault tolerated."""


class Seat:
    """A bot at a table: it answers by its rule, in its time, until its script has a misdeed.

    ``misdeeds`` maps the number of a question, from 0, to one of ``MISDEEDS``.
    """

    def __init__(self, limits: Limits, seed: str, misdeeds: dict[int, str]) -> None:
        self._now = 0.0
        self._clock = Clock(limits, lambda: self._now)
        self._limits = limits
        self._rng = random.Random(seed)
        self._misdeeds = misdeeds
        self._asked = 0

    def answer(self, ask: Ask) -> Answer | Failure:
        deed = self._misdeeds.get(self._asked, "")
        self._asked += 1
        allowed = self._clock.allowed_ms
        deadline = self._clock.start()
        self._now += 10 ** self._rng.uniform(-4.5, -1.1)
        if deed in ("timeout", "late answer"):
            self._now = deadline + 0.001
        elif not deed and self._rng.random() < 0.05:
            self._now = deadline - 0.03
        taken = self._clock.stop()
        ms = taken.ms
        if taken.late:
            detail = f"answered after {ms:.1f} ms, {allowed} ms were allowed"
            return Failure(FaultKind.TIMEOUT, detail, ms)
        if deed in ("exited", "malformed", "cpu"):
            return Failure(FaultKind(deed), deed, ms)
        return Answer("play nothing" if deed else self._chosen(ask.legal), ms)

    def _chosen(self, legal: tuple[str, ...]) -> str:
        action = self._rng.choice(legal)
        return action.removesuffix("x1") if self._rng.random() < 0.2 else action


def misdeeds(fixture: Fixture, seat: int) -> dict[int, str] | None:
    """Return the script of a seat in a match, None for a bot that is not ready."""
    rng = random.Random(f"{fixture.id} {seat}")
    if rng.random() < 0.08:
        return None
    times = rng.choice([0, 0, 0, 0, 0, 0, 1, 2, 3])
    return {rng.randrange(20): rng.choice(MISDEEDS) for _ in range(times)}


Script = Callable[[Fixture, int], dict[int, str] | None]


def play(league: League, fixture: Fixture, script: Script = misdeeds) -> MatchResult:
    """Play one match of a league."""
    game = games.load(league.terms.game)
    seats, absent = {}, {}
    for number in range(len(fixture.seats)):
        own = script(fixture, number)
        if own is None:
            absent[number] = Failure(FaultKind.NOT_READY, "said no hello", 10_000.126)
        else:
            seats[number] = Seat(league.terms.limits, f"{fixture.id} {number}", own)
    match = play_match(fixture, league.terms, game, absent)
    reply: Reply = None
    while True:
        try:
            request = match.send(reply)
        except StopIteration as end:
            return _with_fingerprints(league, end.value)
        reply = seats[request.seat].answer(request) if isinstance(request, Ask) else None


def play_all(league: League, script: Script = misdeeds) -> Iterator[MatchResult]:
    """Play all matches of a round-robin league."""
    return (play(league, fixture, script) for fixture in ROUND_ROBIN.plan(league).fixtures())


def record(league: League, results: Iterator[MatchResult], folder: Path) -> None:
    """Write the journal of a run."""
    folder.mkdir(exist_ok=True)
    journal = Journal.create(folder, league)
    for result in results:
        journal.add(result)
    journal.close()


def chain_anew(db: sqlite3.Connection) -> None:
    """Make the chain of a journal that was changed agree again, as a forger would."""
    previous = chain.GENESIS
    for row in list(chain.rows(db)):
        previous = row.link(previous)
        db.execute(f"UPDATE {row.table} SET chain = ? WHERE number = ?", (previous, row.number))


def _with_fingerprints(league: League, result: MatchResult) -> MatchResult:
    versions = {entrant.name: entrant.fingerprint for entrant in league.entrants}
    outcome = replace(result.outcome, stale=(0,) * len(result.outcome.seats))
    prints = tuple(versions[name] for name in outcome.seats)
    return replace(result, outcome=outcome, fingerprints=prints)

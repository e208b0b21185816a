"""How a bot fares in a long league: many matches, its memory, its time, the same match again."""

import math
from collections.abc import Sequence
from itertools import zip_longest
from statistics import linear_regression, median

from msgspec import Struct

from arena.check.check import Check
from arena.check.finding import SECTIONS, Seen, Wrong
from arena.check.lab import Lab
from arena.check.session import Session
from arena.check.starting import CLOSE
from arena.model import FaultKind, Limits
from arena.play.referee import Failure
from arena.play.usage import Usage
from arena.words import plural

MATCHES, EVERY = 200, 5
"""Matches in which the memory is measured, and after how many of them each time."""
FEWEST_SAMPLES = 8
CROWD = 64
"""Processes that no bot needs: one that has so many starts some in every match."""
GROWTH, LEAST = 32 << 10, 2 << 20
"""Bytes by which the memory may grow from match to match, and in all."""
ENOUGH = 200
"""Decisions whose times say something."""
MIB = 1 << 20


def checks() -> list[Check]:
    """Return the checks of this group."""
    return [
        Check("matches", "The process", _matches),
        Check("memory", "The process", _memory),
        Check("time", "Clocks", _time),
        Check("determinism", "match_start", _determinism),
    ]


class Exits(Exception):
    """The bot exits when a match has ended, which it may."""


def _matches(lab: Lab) -> Seen:
    """Play matches at tables of every size in one process, as a league does."""
    played = again = 0
    for game in lab.games:
        waiting = [
            lab.quick(game, "matches", players, seat)
            for players in lab.tables[game.key]
            for seat in (0, players - 1)
        ]
        while waiting and not lab.out_of_time():
            with lab.ready() as session:
                try:
                    while waiting:
                        session.play(waiting[0])
                        del waiting[0]
                        played += 1
                        _stay(session)
                except Exits:
                    again += 1
    detail = f"{plural(played, 'match')} at tables of every size{lab.note}"
    if again:
        detail += f", with {plural(again, 'new process')}"
    return Seen(detail, noted=bool(again or not played))


def _stay(session: Session) -> None:
    """Raise Exits if the process ends after a match, Wrong if it does not answer a ping."""
    failure = session.ping()
    if failure and failure.kind is FaultKind.EXITED:
        raise Exits
    if failure:
        raise _lost(failure)


def _lost(failure: Failure) -> Wrong:
    return Wrong(
        f"between two matches: {failure.detail}",
        SECTIONS[failure.kind],
        hangs=failure.kind is FaultKind.TIMEOUT,
    )


class Sample(Struct, frozen=True):
    """What was used after some matches."""

    matches: int
    usage: Usage


class Slope(Struct, frozen=True):
    """The first and the last of some samples, and the growth in bytes from match to match."""

    first: Sample
    last: Sample
    growth: float

    @property
    def leaks(self) -> bool:
        risen = self.last.usage.memory - self.first.usage.memory
        return self.growth > GROWTH and risen > LEAST

    def __str__(self) -> str:
        first, last = self.first.usage, self.last.usage
        text = (
            f"{first.memory / MIB:.1f} to {last.memory / MIB:.1f} MiB in "
            f"{self.last.matches - self.first.matches} matches, {self.growth / 1024:+.1f} KiB each"
        )
        if last.processes > first.processes:
            text += f", {first.processes} to {last.processes} processes"
        return text


def _memory(lab: Lab) -> Seen:
    """Play many short matches; a growth that does not stop is a leak.

    A runtime that seldom collects its garbage grows at first: it is given more matches, and more
    time for them.
    """
    samples: list[Sample] = []
    try:
        with lab.ready() as session:
            for matches in (MATCHES, 2 * MATCHES, 4 * MATCHES):
                lab.begin()
                _take(lab, session, samples, matches)
                if not _slope(samples).leaks:
                    break
    except Exits:
        return Seen("not measured: it exits when a match has ended", noted=True)
    if len(samples) < FEWEST_SAMPLES:
        return Seen("not measured: its matches take too long", noted=True)
    slope = _slope(samples)
    if slope.leaks and slope.last.matches >= 2 * MATCHES:
        raise Wrong(f"grew from {slope}; {GROWTH // 1024} KiB are allowed")
    return Seen(
        f"{slope}{lab.note}",
        slope.leaks,
        {"mib": slope.last.usage.memory / MIB, "kib_per_match": slope.growth / 1024},
    )


def _take(lab: Lab, session: Session, samples: list[Sample], until: int) -> None:
    """Play short matches and take samples until so many have been played."""
    game = lab.games[0]
    for number in range(samples[-1].matches if samples else 0, until):
        session.play(lab.quick(game, f"memory {number}"))
        _stay(session)
        if (number + 1) % EVERY == 0:
            samples.append(Sample(number + 1, session.usage))
            if samples[-1].usage.processes > CROWD:
                raise Wrong(
                    f"has {samples[-1].usage.processes} processes after {number + 1} matches"
                )


def _slope(samples: Sequence[Sample]) -> Slope:
    """Return the slope of the later half: what comes before is warming up."""
    later = samples[len(samples) // 2 :]
    growth = linear_regression([s.matches for s in later], [s.usage.memory for s in later]).slope
    return Slope(later[0], later[-1], growth)


def _time(lab: Lab) -> Seen:
    """Report the times of all decisions so far, of which there must be some."""
    times = lab.times
    for number in range(ENOUGH):
        if len(times.later) >= ENOUGH or lab.out_of_time():
            break
        for game in lab.games:
            with lab.ready() as session:
                session.play(lab.match(game, f"time {number}", lab.tables[game.key][0], 0))
    if not times.later:
        return Seen("not measured: a match takes too long", noted=True)
    return _times(times.first, times.later, lab.limits)


def _times(first: list[float], later: list[float], limits: Limits) -> Seen:
    middle, high, most = median(later), sorted(later)[math.ceil(len(later) * 0.99) - 1], max(later)
    slowest = max(first, default=0.0)
    close = most > limits.move * CLOSE or slowest > limits.first_move * CLOSE
    return Seen(
        f"median {middle:.2f}, p99 {high:.1f}, max {most:.0f} ms of {limits.move}; "
        f"first {slowest:.0f} of {limits.first_move}" + (", which is close" if close else ""),
        close,
        {"median_ms": middle, "p99_ms": high, "max_ms": most, "first_max_ms": slowest},
    )


def _determinism(lab: Lab) -> Seen:
    """Play a match twice in one process, and once more in another."""
    compared = 0
    for game in lab.games:
        runs: list[list[str]] = []
        for times in (2, 1):
            with lab.ready() as session:
                for _ in range(times):
                    runs.append(session.play(lab.quick(game, "determinism")).actions)
                    if session.ping():
                        break
        for other in runs[1:]:
            compared += 1
            if difference := _difference(runs[0], other):
                return Seen(f"plays {game.key} in another way again: {difference}", noted=True)
    if not compared:
        return Seen("not compared: its matches take too long", noted=True)
    return Seen(f"the same match is played in the same way again{lab.note}")


def _difference(one: list[str], other: list[str]) -> str:
    """Return where two lists of actions differ, empty if they do not."""
    for number, (a, b) in enumerate(zip_longest(one, other, fillvalue="nothing"), start=1):
        if a != b:
            return f"decision {number} was {a!r}, then {b!r}"
    return ""

"""Play calibration bots in the place of a league's own, and see what becomes of their times."""

import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from arena.errors import ArenaError, Interrupted
from arena.league import _calibrator, tournament
from arena.league.journal import Journal
from arena.league.places import held_folder
from arena.league.tournament import Observer
from arena.model import Entrant, League, Outcome
from arena.play.meter import available_cores
from arena.results.noise import Calibration, excesses, noise
from arena.results.times import BotTimes, decision_times

WORK_MS = 5.0
"""Processor time that every second bot uses in each decision."""
GENEROUS = 600_000
"""Milliseconds within which calibration bots answer on any machine."""


class _Enough(Exception):
    """The time is over, and a match has been played to its end."""


class _Watch(Observer):
    """Ends a run after a time, but not before a match has ended; hands on what is to be said."""

    def __init__(self, seconds: float, notice: Callable[[str], None]) -> None:
        self._until = time.monotonic() + seconds
        self._notice = notice
        self._played = False

    def begin(self, *_: object) -> None:
        """The run begins, which is not told."""

    def finished(self, _outcome: Outcome) -> None:
        self._played = True

    def notice(self, text: str) -> None:
        self._notice(text)

    def tick(self) -> None:
        if self._played and time.monotonic() > self._until:
            raise _Enough


def calibrate(league: League, notice: Callable[[str], None], seconds: float) -> Calibration:
    """Play calibration bots for a while, and a match at least, as the league would play its own.

    The level of its sandbox is settled. ``notice`` is told what the user should know. Raise
    Interrupted when the run was stopped, and ArenaError when a calibration bot was at fault.
    """
    own = _with_calibrators(league)
    with held_folder("calibrate") as place:
        folder = place / "run"
        try:
            ending = tournament.play(own, folder, _Watch(seconds, notice))
        except _Enough:
            return _measured(own, folder)
    raise Interrupted(f"stopped by {ending.signal}; nothing is kept")


def _with_calibrators(league: League) -> League:
    """Return a league without an end at the largest table, half of its bots at work."""
    seats, limits = max(league.seats), league.terms.limits
    limits = replace(
        limits,
        first_move=GENEROUS,
        move=GENEROUS,
        cpu_move=GENEROUS if limits.cpu_move else 0,
        cpu_match=GENEROUS if limits.cpu_match else 0,
        off_turn_ms=GENEROUS,
    )
    return League(
        name="calibration",
        seed="calibration",
        seats=(seats,),
        terms=replace(league.terms, limits=limits),
        format="round-robin",
        format_options={"blocks": 1_000_000, "rotations": 1},
        entrants=tuple(_calibrator_bot(seat) for seat in range(seats)),
        workers=league.workers or available_cores(),
        pin=league.pin,
        executor=league.executor,
        source=league.source,
    )


def _calibrator_bot(number: int) -> Entrant:
    work = WORK_MS * (number % 2)
    return Entrant(
        f"{'works' if work else 'answers'}-{number}",
        (sys.executable, "-P", "-m", _calibrator.__name__),
        str(Path(_calibrator.__file__).parent),
        {"WORK_MS": str(work)},
    )


def _measured(league: League, folder: Path) -> Calibration:
    work = {entrant.name: float(entrant.env["WORK_MS"]) for entrant in league.entrants}
    journal = Journal.read(folder)
    try:
        for outcome in journal.outcomes():
            for fault in outcome.faults:
                raise ArenaError(f"a calibration bot was at fault: {fault.kind}: {fault.detail}")
        found = excesses(journal.results(), work)
        times = decision_times(journal.outcomes())
    finally:
        journal.close()
    if not all(found.values()):
        raise ArenaError(f"{league.terms.game} asks each seat once in a match, which tells nothing")
    cpu = [_mean_cpu(times.bots, [n for n, ms in work.items() if ms == own]) for own in found]
    return Calibration(
        made=time.strftime("%Y-%m-%d %H:%M"),
        machine=platform.node(),
        workers=league.workers or 1,
        pin=league.pin,
        sandbox=league.terms.sandbox.level,
        metered=league.terms.limits.metered,
        game=league.terms.game,
        seats=league.seats[0],
        work=WORK_MS,
        at_once=noise(found[0.0]),
        working=noise(found[WORK_MS]),
        cpu=None if cpu[0] is None or cpu[1] is None else (cpu[0], cpu[1]),
        arena=times.arena,
    )


def _mean_cpu(bots: tuple[BotTimes, ...], names: list[str]) -> float | None:
    """Return the mean processor time of a decision of some bots, None if it is not known."""
    own = [(bot.cpu, bot.decisions) for bot in bots if bot.bot in names and bot.cpu is not None]
    decisions = sum(count for _, count in own)
    return round(sum(cpu * count for cpu, count in own) / decisions, 3) if decisions else None

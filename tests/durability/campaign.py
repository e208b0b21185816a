"""Disturb a league at some instants, go on with it until it is finished, and judge what is there.

A disturbance is a function that is given a run which is being played. When it has returned, the
runner has ended, or goes on.
"""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import leftovers
from running import MARK, Place

from arena.league.journal import FILE, Journal
from arena.model import Outcome
from arena.play import cgroup

RUN_SECONDS = 300.0
"""How long a run may take, on a busy machine, until it ends."""
END_SECONDS = 2.0
"""How long processes whose runner or worker was killed may take to end."""
LOOK_SECONDS = 0.005
"""How often an outsider looks into the journal."""
WORKER = "arena.league.executors._worker"
KEPT = frozenset(
    {FILE, "head.txt", "lock", "logs", "standings.csv", "standings.json", "standings.md"}
    | {"times.csv"}
)
"""What a run that has ended consists of."""
Row = tuple[object, ...]


class Processes(NamedTuple):
    """The ids of a run's processes, by what they are; those of bots are among the others."""

    runners: list[int]
    workers: list[int]
    others: list[int]


class Run:
    """A run of a league that is disturbed.

    ``seen`` holds the rows that somebody outside has seen in the journal, by number. ``victims``
    counts the bots that something was done to and to their worker not: each may cost its bot a
    match, by a fault that tells of ``cause``.
    """

    def __init__(self, place: Place, league: Path, folder: Path, seconds: float) -> None:
        self.place = place
        self.folder = folder
        self.seconds = seconds
        self.seen: dict[int, Row] = {}
        self.victims = 0
        self.cause = "SIGKILL"
        self.process: subprocess.Popen[str] | None = None
        self._words = ("tournament", league, "--out", folder)
        self._workers: set[int] = set()

    @property
    def finished(self) -> bool:
        """Whether the league was played to its end and the runner has ended."""
        return self.process is not None and self.process.poll() == 0

    def go_on(self) -> None:
        """Start the runner, unless it runs."""
        if self.process is None or self.process.poll() is not None:
            self.process = self.place.start(*self._words)

    def until(
        self,
        happened: Callable[[], object],
        seconds: float = RUN_SECONDS,
        pause: float = LOOK_SECONDS,
    ) -> None:
        """Wait for something, for the end of the runner, or for a time.

        In pauses that are not shorter than usual, look into the journal.
        """
        assert self.process
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline and not happened():
            if pause >= LOOK_SECONDS:
                self.look()
            time.sleep(pause)

    def look(self) -> None:
        """Remember what is in the journal."""
        self.seen.update(rows(self.folder, after=max(self.seen, default=0)))

    def processes(self) -> Processes:
        """Return the processes that run now."""
        found = Processes([], [], [])
        for pid, command in leftovers.running(MARK, self.place.temporary.name).items():
            if self.process and pid == self.process.pid:
                found.runners.append(pid)
            else:
                (found.workers if WORKER in command else found.others).append(pid)
        self._workers.update(found.workers)
        return found

    def ended(self, *codes: int) -> str:
        """Wait for the end of a runner, with one of the codes; return what it said last.

        Without codes it has nothing left to play, or was killed.
        """
        assert self.process
        _, err = self.process.communicate(timeout=RUN_SECONDS)
        assert self.process.returncode in (codes or (0, -signal.SIGKILL)), err
        return err.splitlines()[-1] if err else ""

    def finish(self) -> None:
        """Go on with the run until it is finished, and then once more."""
        for _ in range(2):
            self.go_on()
            self.ended()
            assert self.finished

    def left(self) -> list[str]:
        """Return what the run has left: processes, temporary files, groups, drafts, empty logs."""
        processes = [f"{pid}: {what}" for pid, what in self.place.processes(END_SECONDS).items()]
        own = f"arena-{os.getuid()}"
        temporary = [p.name for p in self.place.temporary.iterdir() if p.name != own]
        temporary += self.place.left_behind()
        groups = [name for pid in self._workers for name in groups_of(pid)]
        files = [path.name for path in self.folder.iterdir() if path.name not in KEPT]
        logs = [f"logs/{p.name}" for p in self.folder.glob("logs/*") if not p.stat().st_size]
        return [*processes, *temporary, *groups, *files, *logs]


Disturbance = Callable[[Run], None]


class Campaign:
    """A league, and what an undisturbed run of it holds."""

    def __init__(self, place: Place, league: Path) -> None:
        self._place = place
        self._league = league
        whole = Run(place, league, place.folder / "whole", 0.0)
        since = time.monotonic()
        whole.go_on()
        whole.ended()
        assert whole.finished
        self.seconds = time.monotonic() - since
        self._table = table(whole.folder)
        self._outcomes = outcomes(whole.folder)

    def disturb(self, name: str, disturbances: Iterable[Disturbance]) -> Run:
        """Play a run with these disturbances, until it is finished; judge what is there."""
        run = Run(self._place, self._league, self._place.folder / name, self.seconds)
        for disturbance in disturbances:
            run.go_on()
            disturbance(run)
            if run.finished:
                break
        run.finish()
        self.judge(run)
        return run

    def judge(self, run: Run) -> None:
        """Fail unless the run holds what it should: all that was seen, each match once, the same
        as the undisturbed run but for the matches of victims, and nothing is left.
        """
        there = rows(run.folder)
        lost = {number for number, row in run.seen.items() if there.get(number) != row}
        assert not lost, f"rows {sorted(lost)} are not what they were"
        found = outcomes(run.folder)
        assert len(there) == len(found) == len(self._outcomes)
        other = [found[match] for match in found if not same(found[match], self._outcomes[match])]
        assert len(other) <= run.victims, other[:3]
        for outcome in other:
            assert all(run.cause in fault.detail for fault in outcome.faults), outcome.faults
        if not other:
            assert table(run.folder) == self._table
        verified = self._place.arena("verify", run.folder)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        left = run.left()
        assert not left, left


def rows(folder: Path, after: int = 0) -> dict[int, Row]:
    """Return all that is committed of the matches after a number, as somebody outside sees it."""
    query = "SELECT * FROM results JOIN records USING (number) WHERE number > ?"
    try:
        db = sqlite3.connect(f"file:{folder / FILE}?mode=ro", uri=True)
        try:
            return {row[0]: row for row in db.execute(query, (after,))}
        finally:
            db.close()
    except sqlite3.OperationalError:
        return {}


def table(folder: Path) -> bytes:
    """Return the standings of a run, as they were written."""
    return (folder / "standings.json").read_bytes()


def outcomes(folder: Path) -> dict[str, Outcome]:
    """Return how each match ended."""
    journal = Journal.read(folder)
    try:
        return {outcome.match: outcome for outcome in journal.outcomes()}
    finally:
        journal.close()


def same(one: Outcome, other: Outcome) -> bool:
    """Return whether two matches went the same way, whatever time they took."""
    names = ("seats", "totals", "places", "forfeited", "faults", "ended", "digest", "versions")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def groups_of(pid: int) -> list[str]:
    """Return the names of the control groups that a process has made and that are still there."""
    found = cgroup.hierarchy()
    folders = found.folders if found else ()
    return [path.name for folder in folders for path in folder.glob(f"{cgroup.PREFIX}-{pid}-*")]

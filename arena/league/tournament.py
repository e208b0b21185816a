"""Play a league into its journal: format, executor, journal, until there are no more fixtures."""

import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from arena import plugins
from arena.errors import ArenaError, ConfigError
from arena.league import floors
from arena.league import journal as journals
from arena.league._schema import SCHEMA
from arena.league.executors.base import Executor, Job, Session
from arena.league.extension import check_extension
from arena.league.formats.base import Format, Plan
from arena.league.journal import Journal
from arena.league.places import clear, socket_folder, tidy
from arena.league.seasons import begun, changes, continued, current
from arena.league.stop import Stop, stopping
from arena.model import FaultKind, League, MatchResult, Outcome, Sandbox, Void
from arena.play.launcher import unheeded
from arena.play.meter import check_measurable
from arena.play.sandbox import in_force, settled

VOIDS = 3
"""How often one fixture may be void before the league stops."""


class Observer(Protocol):
    """Somebody who follows a run; all methods are called in the runner's only thread."""

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        """The run begins or goes on: ``done`` of ``total`` matches are in the journal.

        ``outcomes`` are those in the journal of bots as they are now, retired ones included.
        """

    def finished(self, outcome: Outcome) -> None:
        """A match was played and is in the journal."""

    def notice(self, text: str) -> None:
        """Something the user should know."""

    def tick(self) -> None:
        """Called several times a second, whether or not something has happened."""


class Ending(Struct, frozen=True):
    """How a run ended: the matches played now, those missing still, and what stopped it."""

    played: int
    missing: int
    signal: str = ""
    time_over: bool = False


def play(
    league: League, folder: Path, observer: Observer, *, seconds: float | None = None
) -> Ending:
    """Play what is missing of a league; the folder holds its run, or nothing yet.

    A second run in the same folder, a league that does not go on from the one in the folder, and
    a fixture that fails again and again raise an ArenaError, and so does a sandbox that cannot be
    had, or limits that cannot be kept.
    """
    executor: Executor = plugins.load("executors", league.executor)
    sandbox = _sandbox(league, executor)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ConfigError(f"{folder} cannot be the run folder: there is a file") from None
    with journals.lock(folder), stopping(seconds) as stop:
        journal, league, changes = _open(league, folder)
        for text in changes:
            observer.notice(text)
        journal.note_arena()
        journal.note_sandbox(in_force(sandbox))
        league = replace(league, terms=replace(league.terms, sandbox=sandbox))
        if not executor.elsewhere:
            _note_floor(league, journal, observer)
        clear()
        try:
            return _Run(league, folder, journal, observer, stop).play()
        finally:
            journal.close()
            tidy(folder)


def _sandbox(league: League, executor: Executor) -> Sandbox:
    """Return the sandbox at a level that this machine, or the one that starts bots, has to have."""
    sandbox = league.terms.sandbox
    if executor.elsewhere and sandbox.level != "auto":
        return sandbox
    sandbox = settled(sandbox, f"{league.source}: [sandbox] level")
    if not executor.elsewhere:
        check_measurable(league.terms.limits, f"{league.source}: [limits] ")
    return sandbox


def _note_floor(league: League, journal: Journal, observer: Observer) -> None:
    """Keep what is known of this machine's noise, and say which limits are within it."""
    if calibration := floors.recall(league):
        journal.note_floor(floors.in_words(calibration))
        for warning in floors.warnings(calibration, league.terms.limits):
            observer.notice(warning)


def put_aside(folder: Path) -> Path | None:
    """Rename the run in a folder, so that a new one can begin; return its new place.

    Return None, and leave the folder alone, where it holds no run.
    """
    if not (folder / journals.FILE).exists():
        return None
    with journals.lock(folder):
        folder = Path(os.path.abspath(folder))
        stamp = time.strftime("%Y%m%d-%H%M%S")
        names = (f"{folder.name}.old-{stamp}{n}" for n in ("", *(f"-{i}" for i in range(1, 100))))
        target = next(folder.with_name(n) for n in names if not folder.with_name(n).exists())
        return folder.rename(target)


def _open(league: League, folder: Path) -> tuple[Journal, League, list[str]]:
    """Open the journal, or begin one, with the seed that the run has or gets now.

    Return it, the league as it goes on, and what has changed of the file and of the bots.
    """
    if not journals.exists(folder):
        league = league if league.seed else replace(league, seed=str(secrets.randbits(63)))
        league = begun(league)
        return Journal.create(folder, league), league, []
    journal = Journal.open(folder)
    old = journal.league()
    league = league if league.seed else replace(league, seed=old.seed)
    try:
        check_extension(old, league)
        league = continued(old, league, journal.outcomes())
        if league != old:
            journal.set_league(league)
    except BaseException:
        journal.close()
        raise
    brought = f"{journal.path} had schema {journal.schema}: it was brought to schema {SCHEMA}"
    return journal, league, [brought] * (journal.schema < SCHEMA) + changes(old, league)


class _Run:
    """One call of ``play``."""

    def __init__(
        self, league: League, folder: Path, journal: Journal, observer: Observer, stop: Stop
    ) -> None:
        self._league = league
        self._folder = folder
        self._journal = journal
        self._observer = observer
        self._stop = stop
        self._not_ready: Counter[str] = Counter()
        self._voids: Counter[str] = Counter()

    def play(self) -> Ending:
        plan = self._plan()
        extent = plan.extent()
        done = sum(plan.includes(outcome) for outcome in self._journal.outcomes())
        outcomes = current(self._league, self._journal.outcomes())
        self._observer.begin(self._league, extent.matches, done, outcomes)
        sandbox = self._league.terms.sandbox
        self._observer.notice(f"sandbox: {in_force(sandbox)}")
        if text := unheeded(self._league.entrants, sandbox):
            self._observer.notice(text)
        if extent.balance:
            self._observer.notice(extent.balance)
        missing = extent.matches - done
        played = self._execute(plan, missing) if missing else 0
        return Ending(
            played=played,
            missing=missing - played,
            signal=self._stop.signal.name if self._stop.signal else "",
            time_over=self._stop.time_over,
        )

    def _plan(self) -> Plan:
        league_format: Format = plugins.load("formats", self._league.format)
        return league_format.plan(self._league, self._journal.outcomes())

    def _execute(self, plan: Plan, missing: int) -> int:
        """Play the fixtures of a plan, and those that follow from their results, until none are
        missing or the run is stopped; return how many were played."""
        executor: Executor = plugins.load("executors", self._league.executor)
        with socket_folder(self._folder) as sockets:
            job = Job(
                league=self._league,
                missing=missing,
                sockets=sockets,
                logs=self._folder / "logs",
                suspended=self._suspended,
                notice=self._observer.notice,
                stop=self._stop.descriptor,
            )
            job.logs.mkdir(exist_ok=True)
            with executor.open(job) as session:
                played = now = self._play_all(session, plan)
                while now and played < missing and not self._stop.asked:
                    now = self._play_all(session, self._plan())
                    played += now
        return played

    def _play_all(self, session: Session, plan: Plan) -> int:
        """Play what is missing of the fixtures of a plan; return how many were played."""
        done = self._journal.played()
        played = 0
        for event in session.play(f for f in plan.fixtures() if f.id not in done):
            if isinstance(event, MatchResult):
                self._finished(event)
                played += 1
            elif isinstance(event, Void):
                self._void(event)
            self._observer.tick()
        return played

    def _finished(self, result: MatchResult) -> None:
        self._journal.add(result)
        outcome = result.outcome
        late = {fault.seat for fault in outcome.faults if fault.kind is FaultKind.NOT_READY}
        for seat, name in enumerate(outcome.seats):
            self._not_ready[name] = self._not_ready[name] + 1 if seat in late else 0
            if self._not_ready[name] == self._league.terms.faults.suspend:
                self._observer.notice(
                    f"{name} did not get ready {self._not_ready[name]} times in a row: it is "
                    "suspended, its remaining matches are forfeited"
                )
        self._observer.finished(outcome)
        if set(self._suspended()) >= {bot.name for bot in self._league.entrants if bot.active}:
            raise ArenaError(
                "none of the bots gets ready, the league stops; "
                "when they are mended, begin anew with --restart"
            )

    def _suspended(self) -> tuple[str, ...]:
        limit = self._league.terms.faults.suspend
        return tuple(name for name, count in self._not_ready.items() if count >= limit)

    def _void(self, void: Void) -> None:
        self._journal.add_void(void)
        self._voids[void.match] += 1
        last = void.reason.strip().splitlines()[-1]
        self._observer.notice(f"match {void.match} is void and will be played again: {last}")
        if self._voids[void.match] >= VOIDS:
            raise ArenaError(
                f"match {void.match} was void {VOIDS} times, the league stops; "
                f"the last time: {void.reason.strip()}"
            )

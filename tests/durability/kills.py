"""Disturbances by ``kill -9``: an instant to wait for, and the victims to choose.

All chance comes from a generator, so that its seed tells the whole campaign.
"""

import contextlib
import itertools
import os
import random
import select
import signal
from collections.abc import Callable

from campaign import Run

from arena.league.journal import FILE

START_SECONDS = 0.6
"""About how long a runner takes from its start to the first match."""
AT_ONCE = 0.0001
"""Seconds between two looks at something that is soon over."""

Instant = Callable[[Run, random.Random], None]
Choice = Callable[[Run], list[int]]


def start(run: Run, chance: random.Random) -> None:
    """While the runner starts: when it is run at once after an earlier one, or has just begun."""
    run.until(lambda: False, chance.uniform(0, START_SECONDS))


def lock(run: Run, chance: random.Random) -> None:
    """When the runner has taken its lock, and soon after: the journal is opened, or begun."""
    path, process = run.folder / "lock", run.process
    assert process
    run.until(lambda: path.exists() and path.read_text() == f"{process.pid}\n", pause=AT_ONCE)
    run.until(lambda: False, chance.uniform(0, 0.05), AT_ONCE)


def moment(run: Run, chance: random.Random) -> None:
    """At any time from the start of an undisturbed run to its end."""
    run.until(lambda: False, chance.uniform(0, run.seconds))


def ahead(run: Run) -> tuple[int, int]:
    """Return the size of the file that is written ahead and when it changed; zeros without it."""
    try:
        status = (run.folder / f"{FILE}-wal").stat()
    except OSError:
        return (0, 0)
    return (status.st_size, status.st_mtime_ns)


def commit(run: Run, chance: random.Random) -> None:
    """While a match is written: the file that is written ahead has just changed."""
    for _ in range(chance.randint(1, 12)):
        before = ahead(run)
        run.until(lambda before=before: ahead(run) != before, pause=AT_ONCE)
        run.look()


def checkpoint(run: Run, chance: random.Random) -> None:
    """When the file that is written ahead goes: all matches are in, the journal is closed."""
    run.until(lambda: ahead(run)[0], pause=AT_ONCE)
    run.until(lambda: not ahead(run)[0], pause=AT_ONCE)
    run.until(lambda: False, chance.uniform(0, 0.01), AT_ONCE)


def shutdown(run: Run, chance: random.Random) -> None:
    """When the standings are printed, and soon after."""
    assert run.process
    out = run.process.stdout
    run.until(lambda: select.select([out], [], [], 0)[0], pause=AT_ONCE)
    run.until(lambda: False, chance.uniform(0, 0.02), AT_ONCE)


def runner(run: Run) -> list[int]:
    return run.processes().runners


def worker(run: Run) -> list[int]:
    return run.processes().workers[:1]


def bot(run: Run) -> list[int]:
    return run.processes().others[:1]


def arena(run: Run) -> list[int]:
    """The runner and its workers: the bots have to find out by themselves."""
    found = run.processes()
    return [*found.runners, *found.workers]


def everything(run: Run) -> list[int]:
    return [pid for pids in run.processes() for pid in pids]


INSTANTS: tuple[Instant, ...] = (start, lock, moment, commit, checkpoint, shutdown)
CHOICES: tuple[Choice, ...] = (runner, worker, bot, arena, everything)


class Kill:
    """Kills what is chosen at an instant; ``happened`` tells whether there was something."""

    def __init__(self, instant: Instant, choice: Choice, chance: random.Random) -> None:
        self.instant = instant
        self.choice = choice
        self.happened = False
        self._chance = chance

    def __str__(self) -> str:
        return f"{self.choice.__name__} at {self.instant.__name__}"

    def __call__(self, run: Run) -> None:
        self.instant(run, self._chance)
        run.until(lambda: self.choice(run))
        victims = self.choice(run)
        self._chance.shuffle(victims)
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.happened = True
        run.look()
        if self.choice is bot:
            run.victims += self.happened
        elif self.choice is not worker:
            run.ended()


def plan(number: int, chance: random.Random) -> list[Kill]:
    """Return so many kills in a random order, of each kind about equally many."""
    kinds = list(itertools.product(INSTANTS, CHOICES))
    found: list[Kill] = []
    while len(found) < number:
        found += [Kill(*kind, chance) for kind in chance.sample(kinds, len(kinds))]
    return found[:number]

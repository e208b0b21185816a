"""A pool of real bots to play at tables, and what they leave behind."""

import contextlib
import os
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import leftovers
from msgspec.structs import replace
from toys import TOY, fixture

from arena.model import Entrant, FaultPolicy, Limits, MatchResult, Terms
from arena.play.pool import Pool
from arena.play.table import play_at_table

BAD = Path(__file__).parents[1] / "bots_bad" / "bad.py"
LIMITS = Limits(start=10_000, first_move=3_000, move=600)
TERMS = Terms("toy", {"rounds": 3}, LIMITS, FaultPolicy(), "never")


def entrant(switch: str = "Bot", name: str = "", **env: str) -> Entrant:
    """Return the bot of ``tests/bots_bad`` with a switch; ``Bot`` is honest."""
    return Entrant(name or switch, (sys.executable, str(BAD), switch), str(BAD.parent), env)


class Room:
    """A pool in folders of its own. ``pids`` holds the ids of all processes it ever had."""

    def __init__(self, terms: Terms, **options: Any) -> None:
        self.terms = terms
        self.folder = Path(tempfile.mkdtemp(prefix="arena-"))
        self.sockets = self.folder / "s"
        self.sockets.mkdir()
        self.pids: set[int] = set()
        self.mark = uuid.uuid4().hex
        self.pool = Pool(
            terms,
            sockets=self.sockets,
            logs=self.folder / "logs",
            label="1",
            changed=self.pids.update,
            **options,
        )

    def play(self, *bots: Entrant, block: int = 1, seed: str = "", **options: Any) -> MatchResult:
        """Play a match; what the pool starts for it can be found by ``mark``."""
        marked = [replace(bot, env=bot.env | {"ROOM": self.mark}) for bot in bots]
        names = (bot.name for bot in bots)
        options = {"terms": self.terms, "game": TOY} | options
        return play_at_table(
            fixture(*names, block=block, seed=seed), marked, pool=self.pool, **options
        )

    def pid(self, name: str) -> int | None:
        bot = self.pool.get(name)
        return bot.process.pid if bot and bot.process else None

    def close(self) -> None:
        self.pool.close()
        left = list(self.sockets.iterdir())
        shutil.rmtree(self.folder)
        assert not left
        if leftovers.can_look():
            assert not leftovers.remaining("ROOM", self.mark)


@contextlib.contextmanager
def room(terms: Terms = TERMS, **options: Any) -> Iterator[Room]:
    """A room that has to leave nothing behind."""
    before = descriptors()
    opened = Room(terms, **options)
    try:
        yield opened
    finally:
        opened.close()
    until(lambda: descriptors() <= before, "descriptors are still open")


def descriptors() -> int:
    """Return how many descriptors this process has open, where that can be seen."""
    folder = Path("/proc/self/fd")
    return len(os.listdir(folder)) if folder.exists() else 0


def until(condition: Callable[[], bool], otherwise: str, seconds: float = 5.0) -> None:
    """Wait for a condition that libzmq's own threads bring about."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.005)

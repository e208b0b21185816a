"""The contract of an executor: it plays fixtures somewhere and hands back what came of them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from arena.model import Fixture, League, MatchResult, Void

TICK_SECONDS = 0.25
"""An executor yields at least this often, None when nothing has happened."""

Event = MatchResult | Void | None


class Job(Struct, frozen=True):
    """A league of which ``missing`` matches are to be played.

    ``sockets`` is a private folder, ``logs`` the run's log folder. ``suspended`` returns the names
    of the bots that are not to be started now; ``notice`` is told what the user should know;
    ``stop`` is a descriptor that becomes readable when the run is to end.
    """

    league: League
    missing: int
    sockets: Path
    logs: Path
    suspended: Callable[[], tuple[str, ...]]
    notice: Callable[[str], None]
    stop: int


class Session(Protocol):
    """An executor at work."""

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Event]:
        """Play fixtures and yield events in the order in which they happen.

        A void fixture is played again. The iterator ends after the last fixture, or when ``stop``
        is readable; what is being played then is dropped.
        """


class Executor(Protocol):
    """A way to play fixtures."""

    key: str
    elsewhere: bool
    """Whether bots are started on other machines too, and so built and checked for there."""

    def check(self, scheduler: str) -> None:
        """Raise ConfigError when fixtures cannot be played this way: something is not installed.

        ``scheduler`` is the address of one, empty where none is given. Raise OptionError for one
        that is of no use.
        """

    def open(self, job: Job) -> AbstractContextManager[Session]:
        """Return a session; on leaving it no process, socket or file of its own is left."""

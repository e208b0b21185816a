"""Errors that a user can mend, each with the exit code that it means.

They are raised at the border with what, where and what would be right; only ``cli`` turns them
into an exit code.
"""

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path


class ArenaError(Exception):
    """An error with a message for the user and an exit code for the shell."""

    exit_code = 1


class ConfigError(ArenaError):
    """Something the user wrote cannot be used: a league file, an option, an argument."""

    exit_code = 2


class OptionError(ConfigError):
    """A game option that cannot be used; ``key`` is the option's name."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class JournalError(ArenaError):
    """A run's journal cannot be opened, read or written."""


class ReplayError(ArenaError):
    """A record does not fit the game: another version of its rules played the match."""


class BotError(ArenaError):
    """A bot cannot be started at all."""


class BuildError(ArenaError):
    """A bot cannot be built; ``output`` is the end of what the build said, ``log`` all of it."""

    def __init__(self, message: str, output: str = "", log: str = "") -> None:
        super().__init__(message)
        self.output = output
        self.log = log


class Interrupted(ArenaError):
    """The run was ended by a signal; what was finished is in the journal."""

    exit_code = 130


def installing(extra: str) -> str:
    """Return the command that installs an extra into the Python that runs this."""
    clone = Path(__file__).parents[1]
    if Path(sys.prefix) == clone / ".venv" and (clone / "scripts" / "install").is_file():
        return f"./scripts/install {extra} in the clone of arena"
    return f"pip install 'arena[{extra}]'"


def similar(wrong: object, right: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for a misspelt name, empty if none is close."""
    close = difflib.get_close_matches(str(wrong), sorted(right), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def nearest(wrong: object, right: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` or ``"; known: a, b, c"`` for a misspelt name."""
    names = sorted(right)
    known = f"; known: {', '.join(names)}" if names else ""
    return similar(wrong, names) or known

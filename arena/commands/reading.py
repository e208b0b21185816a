"""The journal of a run as commands read it: what is wrong with it is said in the end."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.errors import ArenaError, JournalError
from arena.league.conduct import Difference
from arena.league.journal import Journal
from arena.league.verification import verify
from arena.model import MatchResult, Outcome


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Journal]:
    """Open the journal of a run to read it.

    Raise JournalError in the end if it is damaged, which says what could not be read, and when the
    block fails over a journal that was changed, which says what is not as it was played.
    """
    journal = Journal.read(folder)
    problem = ""
    try:
        yield journal
    except ArenaError as error:
        if not journal.losses:
            raise
        problem = str(error)
    except (LookupError, TypeError, ValueError, ArithmeticError):
        problem = _contradiction(journal)
        if not problem:
            raise
    finally:
        journal.close()
    if problem or journal.losses:
        raise JournalError("\n".join([*journal.losses, *filter(None, [problem])]))


def verified(journal: Journal, results: Iterable[MatchResult], *, whole: bool) -> Iterator[Outcome]:
    """Verify results of a journal, which is ``whole`` unless it is damaged; raise Difference."""
    undigested = journal.unchained()
    return verify(journal.league(), results, journal.outcomes, undigested=undigested, whole=whole)


def _contradiction(journal: Journal) -> str:
    """Return what in a journal is not as it was played, empty if nothing is."""
    try:
        whole = journal.prove() is not None
        for _ in verified(journal, journal.results(), whole=whole):
            pass
    except JournalError as error:
        return str(error)
    except Difference as difference:
        return f"{journal.path}: {difference}"
    return ""

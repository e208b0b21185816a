"""Do the checks one after the other, and leave out what cannot work any more."""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence

from arena.check import ending, lasting, playing, starting, surprises
from arena.check.check import Check
from arena.check.finding import Finding, Seen, Status, Wrong
from arena.check.lab import Lab
from arena.errors import ConfigError, nearest
from arena.games.base import Game


def catalog(games: Sequence[Game]) -> list[Check]:
    """Return all checks in the order in which they are done."""
    handshake, start, ping = starting.checks()
    return [
        handshake,
        start,
        *(check for game in games for check in playing.plays(game)),
        *(check for game in games for check in playing.edges(game)),
        ping,
        *surprises.checks(),
        *lasting.checks(),
        *ending.checks(),
    ]


def select(checks: Sequence[Check], wanted: Collection[str]) -> list[Check]:
    """Return the checks that are wanted by key or by the beginning of it, all for none.

    Raise ConfigError with the nearest key for one that there is not.
    """
    for word in wanted:
        if not any(_is(check, word) for check in checks):
            raise ConfigError(
                f"--only {word}: there is no such check"
                + nearest(word, [check.key for check in checks])
            )
    return [c for c in checks if not wanted or any(_is(c, word) for word in wanted)]


def _is(check: Check, word: str) -> bool:
    return check.key == word or check.key.startswith(f"{word}-")


def conduct(lab: Lab, checks: Iterable[Check]) -> Iterator[Finding]:
    """Do the checks and yield what they find."""
    obstacles = _Obstacles(lab)
    for check in checks:
        if obstacle := obstacles.of(check):
            yield Finding(check.key, Status.SKIPPED, obstacle, check.section)
            continue
        lab.begin()
        since = time.monotonic()
        result: Seen | Wrong
        try:
            result = check.run(lab)
        except Wrong as wrong:
            result = wrong
            obstacles.add(check, wrong)
        yield _finding(check, result, round(time.monotonic() - since, 3))


class _Obstacles:
    """Why there is no point in some checks, after what has failed before."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._all = ""
        self._playing = ""

    def of(self, check: Check) -> str:
        """Return why a check cannot be done, empty if it can."""
        if self._all or not check.plays:
            return self._all
        playable = self._lab.tables[check.game] if check.game else self._lab.games
        return self._playing or ("" if playable else "it has played no match to its end")

    def add(self, check: Check, wrong: Wrong) -> None:
        """Take note of a check that has failed."""
        if check.key == "handshake":
            self._all = "it has said no hello"
        if wrong.hangs:
            self._playing = f"it hung in {check.key}"
        if check.size:
            self._lab.tables[check.game].remove(check.size)


def _finding(check: Check, result: Seen | Wrong, seconds: float) -> Finding:
    if isinstance(result, Seen):
        status = Status.NOTED if result.noted else Status.PASSED
        return Finding(
            check.key, status, result.detail, check.section, seconds, figures=result.figures
        )
    return Finding(
        check.key,
        Status.FAILED,
        str(result),
        result.section or check.section,
        seconds,
        rule=result.rule,
        messages=result.messages,
        output=result.output,
    )

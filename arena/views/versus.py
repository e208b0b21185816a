"""How a comparison of two bots is followed, and what came of it."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from arena.model import League, Outcome
from arena.results.versus import Verdict, Versus
from arena.views.progress import LineProgress, LiveProgress, Progress, can_redraw, error_stream
from arena.words import plural


class _Following(Progress):
    """Follows the interval of a comparison, which narrows with every block."""

    versus: Versus

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        outcomes, again = itertools.tee(outcomes)
        super().begin(league, total, done, outcomes)
        for outcome in again:
            self.versus.add(outcome)

    def finished(self, outcome: Outcome) -> None:
        self.versus.add(outcome)
        super().finished(outcome)

    def _where(self) -> str:
        """Return how far the comparison is, in one line."""
        low, high = self.versus.interval
        return (
            f"{self._done} of {self._total} matches at most, {self._faults()}; new less old "
            f"{self.versus.difference:+.3f}, from {low:+.3f} to {high:+.3f}"
        )


class _LineFollowing(_Following, LineProgress):
    """A line every ten seconds."""


class _LiveFollowing(_Following, LiveProgress):
    """A display that redraws itself."""


def following(folder: Path, versus: Versus, *, quiet: bool) -> Progress:
    """Return the way of following a comparison in a folder that fits standard error."""
    stream = error_stream()
    kinds: tuple[Callable[..., _Following], ...] = (_Following, _LineFollowing, _LiveFollowing)
    watch = kinds[0 if quiet else 1 + can_redraw(stream)](folder, stream)
    watch.versus = versus
    return watch


def conclusion(versus: Versus, alpha: float) -> str:
    """Return what came of a comparison."""
    low, high = versus.interval
    return (
        f"{_sentence(versus)}\n"
        f"share of {versus.new} less that of {versus.old}: {versus.difference:+.3f}, "
        f"from {low:+.3f} to {high:+.3f} ({100 * (1 - alpha):g}%, however often it is looked at)\n"
        f"{versus.matches} matches in {plural(versus.blocks, 'block')}\n"
    )


def _sentence(versus: Versus) -> str:
    match versus.verdict:
        case Verdict.BETTER | Verdict.WORSE as verdict:
            return f"{versus.new} is {verdict.value} than {versus.old}"
        case Verdict.EQUAL:
            return f"{versus.new} and {versus.old} are equal within {versus.margin:g}"
        case Verdict.UNDECIDED:
            return f"{versus.new} and {versus.old}: undecided"

"""The processor time of a bot in one match, split into that of its decisions and the rest."""

import math
from collections.abc import Callable

FRESH_SECONDS = 0.01
"""How old a reading may be when a decision begins."""
LONG_SECONDS = 0.001
"""A decision that took less is not worth a reading."""


class Spending:
    """Counts processor time while the bot is asked (``on_turn``) and while it is not, in seconds.

    ``used`` returns the seconds that the bot has used so far, None if that is not known. ``begin``
    is to be called for a decision that begins after ``due``, and ``end`` for one that took more
    than ``long`` seconds; what others took is added to ``unread``.

    An exact count reads ``used`` at both ends of each decision. Any other reads it so seldom that
    quick bots pay nothing: at the beginning of a decision if the last reading is old, and at its
    end if it was long. What cannot be told apart then is counted for the decisions, up to what they
    could have used on so many ``cores``: no bot is said to have used more off turn than it has.
    """

    def __init__(
        self, used: Callable[[], float] | None, now: float, *, exact: bool, cores: int
    ) -> None:
        self.known = used is not None
        self.unread = 0.0
        self.on_turn = self.off_turn = 0.0
        self._used = used or (lambda: 0.0)
        self._cores = cores
        self._counted = self._used()
        self._begun = False
        self.long, self._pause = LONG_SECONDS, FRESH_SECONDS
        if not self.known or exact:
            self.long = self._pause = -math.inf if self.known else math.inf
        self.due = now + self._pause

    def begin(self, now: float) -> None:
        """A decision begins, and the last reading is old."""
        self._split(self.unread)
        self._begun = True
        self.due = now + self._pause

    def end(self, now: float, taken: float) -> float:
        """A long decision has ended; return the processor time in it, in seconds.

        Where the last reading was older than the decision, that is the most that it can be.
        """
        if self._begun and not self.unread:
            spent = self.open()
            self._counted += spent
            self.on_turn += spent
        else:
            spent = min(self._split(self.unread + taken), taken * self._cores)
        self._begun = False
        self.due = now + self._pause
        return spent

    def open(self) -> float:
        """Return the seconds used since the last reading: in the open decision, if it is exact."""
        return self._used() - self._counted

    def close(self) -> None:
        """The match has ended."""
        self._split(self.unread)

    def _split(self, asked: float) -> float:
        """Count what was used since the last reading, with so many seconds of decisions in it.

        Return all of it.
        """
        spent = self.open()
        self._counted += spent
        on_turn = min(spent, asked * self._cores)
        self.on_turn += on_turn
        self.off_turn += spent - on_turn
        self.unread = 0.0
        return spent

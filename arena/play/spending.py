"""The processor time of a bot in one match, split into that of its decisions and the rest."""

from collections.abc import Callable

FRESH_SECONDS = 0.01
"""How old a reading may be when a decision begins."""
LONG_SECONDS = 0.001
"""A decision that took less is not worth a reading."""


class Spending:
    """Counts processor time while the bot is asked (``on_turn``) and while it is not, in seconds.

    ``used`` returns the seconds that the bot has used so far. An exact count reads it at both ends
    of each decision. Any other reads it so seldom that quick bots pay nothing: at the beginning of
    a decision if the last reading is old, and at its end if it was long. What cannot be told apart
    then is counted for the decisions, up to what they could have used on so many ``cores``: no bot
    is said to have used more off turn than it has.
    """

    def __init__(self, used: Callable[[], float], now: float, *, exact: bool, cores: int) -> None:
        self._used = used
        self._exact = exact
        self._cores = cores
        self._counted = used()
        self._read_at = now
        self._unread = 0.0
        self._fresh = False
        self.on_turn = self.off_turn = 0.0

    def begin(self, now: float) -> bool:
        """A decision begins; return whether that was worth a reading, which takes time."""
        self._fresh = self._exact or now - self._read_at > FRESH_SECONDS
        if self._fresh:
            self._split(self._unread)
            self._read_at = now
        return self._fresh

    def end(self, now: float, taken: float) -> float | None:
        """A decision of so many seconds has ended; return the processor time in it, None if it is
        not known. On an old reading it is the most that it can be."""
        if not self._exact and taken <= LONG_SECONDS:
            self._unread += taken
            return None
        self._read_at = now
        if not self._fresh:
            return min(self._split(self._unread + taken), taken * self._cores)
        spent = self.open()
        self._counted += spent
        self.on_turn += spent
        return spent

    def open(self) -> float:
        """Return the seconds used since the last reading: in the open decision, if it is exact."""
        return self._used() - self._counted

    def close(self) -> None:
        """The match has ended."""
        self._split(self._unread)

    def _split(self, asked: float) -> float:
        """Count what was used since the last reading, with so many seconds of decisions in it.

        Return all of it.
        """
        spent = self.open()
        self._counted += spent
        on_turn = min(spent, asked * self._cores)
        self.on_turn += on_turn
        self.off_turn += spent - on_turn
        self._unread = 0.0
        return spent

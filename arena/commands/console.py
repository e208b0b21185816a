"""The lines that a person types, or a script gives, while signals are looked after as well."""

import os
import select
import sys

from arena.league.stop import Stop


class Console:
    """Standard input by the line; whatever asks ``stop`` to end ends the wait for a line."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._rest = b""
        self._ended = sys.stdin is None
        self.is_terminal = not self._ended and sys.stdin.isatty()

    def line(self) -> str | None:
        """Wait for the next line and return it stripped, None where there are no more.

        Raise Interrupted when a signal comes.
        """
        while b"\n" not in self._rest and not self._ended:
            self._wait(None)
            self._read()
        line, newline, self._rest = self._rest.partition(b"\n")
        if not (line or newline):
            return None
        return line.decode("utf-8", "replace").strip()

    def is_waiting(self) -> bool:
        """Return whether ``line`` would return at once; raise Interrupted when a signal comes."""
        while b"\n" not in self._rest and not self._ended and self._wait(0):
            self._read()
        return b"\n" in self._rest or self._ended

    def _wait(self, seconds: float | None) -> bool:
        """Return whether something can be read within the time, None for as long as it takes."""
        ready, _, _ = select.select([0, self._stop.descriptor], [], [], seconds)
        if self._stop.descriptor in ready:
            self._stop.interrupt()
        return bool(ready)

    def _read(self) -> None:
        """Take what there is; a terminal that is gone has no more."""
        try:
            read = os.read(0, 4096)
        except OSError:
            read = b""
        self._rest += read
        self._ended = not read

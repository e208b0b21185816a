"""What a bot prints: one file for each process, kept under a size cap."""

import os
from pathlib import Path

CAP = 1 << 20
"""Bytes beyond which the middle of a log is cut out."""
_KEEP = CAP // 4
_TAIL = 1 << 14


class BotLog:
    """The file that takes a bot's standard output and standard error.

    The bot writes into the file itself, so an arena that is busy or gone never blocks it; ``trim``
    is called now and then and cuts a log that has grown past ``CAP``: the first and the last
    quarter stay.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        self.descriptor = os.open(path, flags, 0o644)
        self._closed = False

    def trim(self) -> None:
        """Cut the middle out of a log that is too large; what comes later is appended."""
        size = os.fstat(self.descriptor).st_size
        if size <= CAP:
            return
        tail = os.pread(self.descriptor, _KEEP, size - _KEEP)
        os.ftruncate(self.descriptor, _KEEP)
        cut = f"\n[... {size - 2 * _KEEP} bytes were cut here ...]\n"
        os.write(self.descriptor, cut.encode() + tail)

    def tail(self, lines: int = 20) -> str:
        """Return the last lines of the log as text; wrong UTF-8 is replaced."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(0, self.path.stat().st_size - _TAIL))
                data = file.read(_TAIL)
        except OSError:
            return ""
        text = data.decode("utf-8", "replace").rstrip()
        return "\n".join(text.splitlines()[-lines:])

    def close(self) -> None:
        """Close the file, and remove it when nothing was ever printed."""
        if self._closed:
            return
        self._closed = True
        self.trim()
        empty = os.fstat(self.descriptor).st_size == 0
        os.close(self.descriptor)
        if empty:
            self.path.unlink(missing_ok=True)

"""What a bot prints: one file for each process, kept under a size cap."""

import contextlib
import os
import re
from pathlib import Path

from arena.play import wary

CAP = 1 << 20
"""Bytes beyond which the middle of a log is cut out."""
_KEEP = CAP // 4
_TAIL = 1 << 14


def log_name(bot: str, label: str, number: int) -> str:
    """Return the name of the log of a bot's process, told from others by label and number."""
    return f"{bot}-{label}-{number}.log"


def is_log_of(bot: str, name: str) -> bool:
    """Return whether a file in the folder of logs has the name of one of a bot's logs."""
    return bool(re.fullmatch(rf"{re.escape(bot)}-\w+-\d+\.log", name))


class BotLog:
    """The file that takes a bot's standard output and standard error.

    The bot writes into the file itself, so an arena that is busy or gone never blocks it; ``trim``
    is called now and then and cuts a log that has grown past ``CAP``: the first and the last
    quarter stay. ``descriptor`` is for the bot, which may change how it is open and where the next
    byte goes; the arena has one of its own.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = wary.create(path, os.O_RDWR | os.O_APPEND)
        self.descriptor = os.open(f"/dev/fd/{self._file}", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._closed = False
        self._end = b""

    def trim(self) -> None:
        """Cut the middle out of a log that is too large; what comes later is appended."""
        size = os.fstat(self._file).st_size
        if size <= CAP:
            return
        tail = os.pread(self._file, _KEEP, size - _KEEP)
        os.ftruncate(self._file, _KEEP)
        cut = f"\n[... {size - 2 * _KEEP} bytes were cut here ...]\n"
        os.write(self._file, cut.encode() + tail)

    def tail(self, lines: int = 20) -> str:
        """Return the last lines of the log as text; wrong UTF-8 is replaced.

        They are those of the file that was opened, whatever the bot has put in its place.
        """
        data = self._end if self._closed else self._read_end()
        text = data.decode("utf-8", "replace").rstrip()
        return "\n".join(text.splitlines()[-lines:])

    def close(self) -> None:
        """Close the file, and remove it when nothing was ever printed."""
        if self._closed:
            return
        self.trim()
        self._end = self._read_end()
        self._closed = True
        os.close(self._file)
        os.close(self.descriptor)
        if not self._end:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def _read_end(self) -> bytes:
        size = os.fstat(self._file).st_size
        return os.pread(self._file, _TAIL, max(0, size - _TAIL))

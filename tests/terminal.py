"""A program at a terminal of 80 columns, with a person who reads and types."""

import codecs
import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from running import ARENA, LIMIT_SECONDS, Place

COLUMNS, LINES = 80, 24
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """``arena WORDS``, or another program, at a terminal of its own.

    ``text`` is all that it has printed so far.
    """

    def __init__(
        self,
        place: Place,
        *words: str | Path,
        program: Sequence[str] = ARENA,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.process: subprocess.Popen[str] = place.start(
            *words,
            program=program,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**place.environment, **(env or {})},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._read = 0
        self.text = ""

    def wait_for(self, pattern: str, seconds: float = LIMIT_SECONDS) -> re.Match[str]:
        """Return the first match in what is printed after the last one."""
        end = time.monotonic() + seconds
        while not (found := re.compile(pattern).search(self.text, self._read)):
            left = end - time.monotonic()
            assert left > 0, f"no {pattern!r} within {seconds} s in\n{self.text[self._read :]}"
            assert self._receive(left), f"no {pattern!r} before the end in\n{self.text}"
        self._read = found.end()
        return found

    def type(self, text: str) -> None:
        """Press keys; ``\\n`` is Enter, ``\\x03`` Ctrl-C, ``\\x04`` Ctrl-D."""
        os.write(self._master, text.encode())

    def rest(self, seconds: float = LIMIT_SECONDS) -> int:
        """Read to the end and return the exit code."""
        end = time.monotonic() + seconds
        while self._receive(max(0.0, end - time.monotonic())):
            assert time.monotonic() < end, f"no end within {seconds} s of\n{self.text}"
        return self.process.wait(seconds)

    def close(self) -> None:
        """Close the window."""
        os.close(self._master)

    @property
    def lines(self) -> list[str]:
        """What was printed, by line and without what moves the cursor and colours."""
        return [ESCAPE.sub("", line) for line in re.split(r"\r?\n|\r", self.text)]

    def _receive(self, seconds: float) -> bool:
        """Read what comes within the time; return False at the end."""
        if not select.select([self._master], [], [], seconds)[0]:
            return True
        try:
            read = os.read(self._master, 1 << 16)
        except OSError:
            return False
        self.text += self._decoder.decode(read)
        return bool(read)

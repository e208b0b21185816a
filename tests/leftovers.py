"""Find processes by the environment they were started with, wherever they have gone since."""

import os
import sys
import time
from pathlib import Path

MARK = "LC_TESTS_OF_ARENA_RUN"
"""An environment variable that every process started by this test run inherits, in a sandbox too:
that lets through what begins like this."""


def running(name: str, value: str) -> dict[int, str]:
    """Return the command lines of other living processes with ``name=value``, by id."""
    wanted = f"{name}={value}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
        except OSError:
            continue
        if wanted in environment and int(folder.name) != os.getpid():
            found[int(folder.name)] = command
    return found


def remaining(name: str, value: str, seconds: float = 2.0) -> dict[int, str]:
    """Return what ``running`` does, after time to end for processes that were just killed."""
    deadline = time.monotonic() + seconds
    while (left := running(name, value)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def state(pid: int) -> str:
    """Return the letter that Linux has for the state of a process, empty when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return text[text.rindex(")") + 2]


def can_look() -> bool:
    """Whether this system shows the environment of processes."""
    return sys.platform == "linux" and Path("/proc/self/environ").exists()

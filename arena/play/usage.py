"""What a bot uses of memory and threads, as Linux shows it: for systems without control groups."""

import contextlib
import os
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from arena.model import Sandbox

_PROC = Path("/proc")


class _Process(NamedTuple):
    """One line of ``/proc/PID/stat``; ``memory`` is resident, in pages."""

    pid: int
    parent: int
    session: int
    threads: int
    memory: int


def overrun(pid: int, sandbox: Sandbox) -> str:
    """Return what the bot that was started as ``pid`` has used too much of, empty if of nothing.

    Its processes are those of its session and all that descend from them.
    """
    own = _family(pid)
    memory = sum(process.memory for process in own) * os.sysconf("SC_PAGE_SIZE")
    if memory > sandbox.memory:
        return f"{size_text(sandbox.memory)} of memory"
    threads = sum(process.threads for process in own)
    return f"{sandbox.threads} threads" if threads > sandbox.threads else ""


def is_watchable() -> bool:
    """Whether this system shows what processes use."""
    return (_PROC / "self" / "stat").exists()


def _family(pid: int) -> list[_Process]:
    everyone = {process.pid: process for process in _processes()}
    children = defaultdict(list)
    for process in everyone.values():
        children[process.parent].append(process.pid)
    waiting = [process.pid for process in everyone.values() if process.session == pid]
    found: dict[int, _Process] = {}
    while waiting:
        number = waiting.pop()
        if number not in found:
            found[number] = everyone[number]
            waiting += children[number]
    return list(found.values())


def _processes() -> list[_Process]:
    found = []
    for name in os.listdir(_PROC) if is_watchable() else ():
        if name.isdecimal():
            with contextlib.suppress(OSError):
                text = (_PROC / name / "stat").read_text()
                words = text[text.rindex(")") + 2 :].split()
                found.append(
                    _Process(
                        int(name), int(words[1]), int(words[3]), int(words[17]), int(words[21])
                    )
                )
    return found


def size_text(size: int) -> str:
    """Return a size in bytes as it is written in a league file, such as 512M."""
    for shift, unit in ((30, "G"), (20, "M"), (10, "K")):
        if size % (1 << shift) == 0:
            return f"{size >> shift}{unit}"
    return str(size)

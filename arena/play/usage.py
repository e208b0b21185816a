"""What a bot uses of memory, threads and time, as the system shows it without control groups."""

import contextlib
import os
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from arena.model import Sandbox

_PROC = Path("/proc")


class Usage(NamedTuple):
    """What the processes of a bot hold together: their number, resident bytes (pages that they
    share count for each), threads, and the seconds of processor time that they have used."""

    processes: int
    memory: int
    threads: int
    seconds: float


class _Process(NamedTuple):
    """One line of ``/proc/PID/stat``; ``memory`` is resident, in pages, ``time`` in ticks."""

    pid: int
    parent: int
    session: int
    threads: int
    memory: int
    time: int


def used(pid: int) -> Usage:
    """Return what is used by the bot that was started as ``pid``.

    Its processes are those of its session and all that descend from them; where there is no
    ``/proc``, those of its process group, each counted as one thread.
    """
    if not is_watchable():
        return _told_by_ps(pid)
    own = _family(pid)
    return Usage(
        len(own),
        sum(process.memory for process in own) * os.sysconf("SC_PAGE_SIZE"),
        sum(process.threads for process in own),
        sum(process.time for process in own) / os.sysconf("SC_CLK_TCK"),
    )


def overrun(pid: int, sandbox: Sandbox) -> str:
    """Return what the bot that was started as ``pid`` has used too much of, empty if of nothing."""
    usage = used(pid)
    if usage.memory > sandbox.memory:
        return f"{size_text(sandbox.memory)} of memory"
    return f"{sandbox.threads} threads" if usage.threads > sandbox.threads else ""


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
    for name in os.listdir(_PROC):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                text = (_PROC / name / "stat").read_text()
                words = text[text.rindex(")") + 2 :].split()
                parent, session, user, system, threads, memory = (
                    int(words[field]) for field in (1, 3, 11, 12, 17, 21)
                )
                found.append(_Process(int(name), parent, session, threads, memory, user + system))
    return found


def _told_by_ps(group: int) -> Usage:
    output = subprocess.run(
        ["ps", "-axo", "pgid=,rss=,time="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in output.splitlines()]
    own = [
        (int(size) * 1024, _seconds(clock)) for owner, size, clock in rows if int(owner) == group
    ]
    memory, seconds = sum(size for size, _ in own), sum(spent for _, spent in own)
    return Usage(len(own), memory, len(own), seconds)


def _seconds(clock: str) -> float:
    """Return the seconds of a time such as ``1-02:03:04`` or ``3:04.05``."""
    days, _, rest = clock.rpartition("-")
    total = 0.0
    for part in rest.split(":"):
        total = total * 60 + float(part)
    return total + int(days or 0) * 86_400


def size_text(size: int) -> str:
    """Return a size in bytes as it is written in a league file, such as 512M."""
    for shift, unit in ((30, "G"), (20, "M"), (10, "K")):
        if size % (1 << shift) == 0:
            return f"{size >> shift}{unit}"
    return str(size)

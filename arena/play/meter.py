"""The processor time of a bot: of its process, of all that descend from it, and of those gone.

The kernel of Linux counts it in nanoseconds, and its clocks of other processes cost less than a
microsecond to read. The time of processes that have ended is told in ticks of 10 ms.
"""

import contextlib
import os
import time
from pathlib import Path
from typing import Protocol

from arena._reader import shown
from arena.errors import ConfigError
from arena.model import Limits

_PROCESS_CLOCK = 2
"""Marks a clock of the kernel as that of a whole process, counted by the scheduler."""


class Meter(Protocol):
    """Tells how much processor time a bot has used."""

    def read(self) -> float:
        """Return the seconds used so far; they never become less."""

    def look(self) -> None:
        """Find out which processes the bot has now; to be called now and then."""

    def close(self) -> None:
        """Free what the meter holds."""


class ProcessMeter:
    """Reads the clocks of a process and of its descendants.

    Those that came after the last ``look`` are not counted before the next one; an exact meter
    looks before each reading, which costs a tenth of a millisecond. A process whose parent
    has ended is not found, unless it is in namespaces that ended with it.
    """

    def __init__(self, pid: int, *, exact: bool) -> None:
        self._pid = pid
        self._exact = exact
        self._clocks: list[int] = []
        self._ended = 0.0
        self._last = 0.0
        self.look()

    def read(self) -> float:
        if self._exact:
            self.look()
            return self._last
        total = self._ended
        try:
            for clock in self._clocks:
                total += time.clock_gettime(clock)
        except OSError:
            self.look()
            return self._last
        if total > self._last:
            self._last = total
        return self._last

    def look(self) -> None:
        family, self._ended = _family(self._pid)
        self._clocks = [_clock(pid) for pid in family]
        with contextlib.suppress(OSError):
            total = self._ended + sum(map(time.clock_gettime, self._clocks))
            self._ended += max(self._last - total, 0.0)
            self._last = max(self._last, total)

    def close(self) -> None:
        """Free what the meter holds, which is nothing."""


class GroupMeter:
    """Reads the processor time of a control group, which counts all that ever was in it."""

    def __init__(self, path: Path) -> None:
        """Open ``cpuacct.usage`` of version 1 or ``cpu.stat`` of version 2."""
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._last = 0.0

    def read(self) -> float:
        words = os.pread(self._file, 64, 0).split()
        seconds = int(words[0]) / 1e9 if len(words) == 1 else int(words[1]) / 1e6
        self._last = max(self._last, seconds)
        return self._last

    def look(self) -> None:
        """Find out nothing: the group knows its processes."""

    def close(self) -> None:
        os.close(self._file)


def can_measure() -> bool:
    """Whether this system shows the processor time of other processes and of their children."""
    own = os.getpid()
    try:
        time.clock_gettime(_clock(own))
    except OSError:
        return False
    return os.path.exists(f"/proc/{own}/task/{own}/children")


def available_cores() -> int:
    """Return the number of cores that this process, and what it starts, may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_measurable(limits: Limits, place: str) -> None:
    """Raise ConfigError, which begins with ``place``, for a limit that cannot be kept here."""
    if limits.metered and not can_measure():
        keys = ("cpu_move", "cpu_match") if limits.cpu_move or limits.cpu_match else ("off_turn",)
        key, value = next((key, value) for key in keys if (value := getattr(limits, key)))
        raise ConfigError(
            f"{place}{key} = {shown(value)} cannot be kept here: "
            "this system does not show the processor time of other processes"
        )


def _family(pid: int) -> tuple[list[int], float]:
    """Return a process with all that descend from it, and the seconds of those that have ended."""
    found, living, ticks = [pid], [], 0
    for number in found:
        with contextlib.suppress(OSError, ValueError):
            text = _read(f"/proc/{number}/stat")
            words = text[text.rindex(b")") + 2 :].split()
            ticks += int(words[13]) + int(words[14])
            living.append(number)
            for thread in os.listdir(f"/proc/{number}/task"):
                found += map(int, _read(f"/proc/{number}/task/{thread}/children").split())
    return living, ticks / os.sysconf("SC_CLK_TCK")


def _clock(pid: int) -> int:
    """Return the number of the kernel's clock of a process."""
    return ~pid << 3 | _PROCESS_CLOCK


def _read(path: str) -> bytes:
    """Return what a short file of the kernel holds."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)

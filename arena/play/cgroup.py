"""Control groups of Linux, versions 1 and 2: they bound the memory and threads of a bot.

They also end it with all its processes, wherever those have gone.
"""

import contextlib
import functools
import itertools
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

PREFIX = "arena"
END_SECONDS = 2.0
"""How long processes that were killed may take to leave their group."""
_NUMBERS = itertools.count(1)


class Hierarchy(Struct, frozen=True):
    """Where groups can be made: the folder of groups with a memory limit, that of groups with a
    limit of threads, that of groups of which the processor time is counted, and that of groups
    which get equal shares of a processor, however many processes they have; None where that is
    not. They are one folder in version 2."""

    version: Literal[1, 2]
    memory: Path
    threads: Path
    processor: Path | None = None
    shares: Path | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        folders = (self.memory, self.threads, self.processor, self.shares)
        return tuple(dict.fromkeys(folder for folder in folders if folder))


class Group:
    """The control group of one bot; ``entrances`` are the files to write a process id to."""

    def __init__(self, hierarchy: Hierarchy, memory: int, threads: int) -> None:
        """Make a group with room for ``memory`` bytes and for ``threads``; raise OSError."""
        self._version = hierarchy.version
        name = f"{PREFIX}-{os.getpid()}-{next(_NUMBERS)}"
        self._memory, self._threads = hierarchy.memory / name, hierarchy.threads / name
        self._folders = [folder / name for folder in hierarchy.folders]
        try:
            for folder in self._folders:
                folder.mkdir()
            self._limit(memory, threads)
        except OSError:
            self.remove()
            raise
        self.entrances = tuple(folder / "cgroup.procs" for folder in self._folders)
        counter = "cpuacct.usage" if self._version == 1 else "cpu.stat"
        self.processor = hierarchy.processor / name / counter if hierarchy.processor else None
        """The file that tells the processor time of the group."""

    def _limit(self, memory: int, threads: int) -> None:
        (self._threads / "pids.max").write_text(str(threads))
        first = self._version == 1
        (self._memory / ("memory.limit_in_bytes" if first else "memory.max")).write_text(
            str(memory)
        )
        swap, most = ("memory.memsw.limit_in_bytes", memory) if first else ("memory.swap.max", 0)
        if (self._memory / swap).exists():
            (self._memory / swap).write_text(str(most))

    @property
    def starved(self) -> bool:
        """Whether the kernel has ended a process of the group because its memory was used up."""
        name = "memory.oom_control" if self._version == 1 else "memory.events"
        with contextlib.suppress(OSError):
            counts = dict(line.split() for line in (self._memory / name).read_text().splitlines())
            return int(counts.get("oom_kill", 0)) > 0
        return False

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the group."""
        _signal(self._folders[0], number)

    def end(self) -> None:
        """Kill all processes of the group, wait for their end, and remove it."""
        _end(self._folders)

    def remove(self) -> None:
        """Remove the group, which is empty."""
        for folder in self._folders:
            with contextlib.suppress(OSError):
                folder.rmdir()


@functools.cache
def hierarchy() -> Hierarchy | None:
    """Return where this process can make groups with both limits, None where it cannot."""
    with contextlib.suppress(OSError):
        for found in candidates(_read_mounts(), Path("/proc/self/cgroup").read_text()):
            with contextlib.suppress(OSError):
                Group(found, 1 << 30, 100).remove()
                return found
    return None


def end_groups_of(pid: int) -> None:
    """End all groups, with the processes in them, that a process that is gone has made."""
    if found := hierarchy():
        for folder in found.folders:
            _end(folder.glob(f"{PREFIX}-{pid}-*"))


def end_lost_groups() -> None:
    """End the groups of all processes that are gone."""
    if found := hierarchy():
        for path in [path for folder in found.folders for path in folder.glob(f"{PREFIX}-*-*")]:
            pid = path.name.split("-")[1]
            if pid.isdecimal() and not _runs(int(pid)):
                _end([path])


def _runs(pid: int) -> bool:
    """Return whether a process runs; one that waits to be reaped does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text[text.rindex(")") + 2] not in "ZX"


def _end(folders: Iterable[Path]) -> None:
    groups = list(folders)
    for folder in groups:
        with contextlib.suppress(OSError):
            (folder / "pids.max").write_text("0")
    deadline = time.monotonic() + END_SECONDS
    for folder in groups:
        while _signal(folder, signal.SIGKILL) and time.monotonic() < deadline:
            time.sleep(0.001)
        with contextlib.suppress(OSError):
            folder.rmdir()


def _signal(folder: Path, number: signal.Signals) -> bool:
    """Send a signal to all processes of a group; return whether there were some."""
    pids = _pids(folder)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
    return bool(pids)


def _pids(folder: Path) -> list[int]:
    """Return the processes of a group that can be signalled: 0 stands for those of a container."""
    try:
        pids = [int(line) for line in (folder / "cgroup.procs").read_text().split()]
    except OSError:
        return []
    return [pid for pid in pids if pid > 0]


def _read_mounts() -> list[tuple[str, str, str, str]]:
    """Return root, mount point, type and options of all mounted hierarchies of groups."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        words, kind = before.split(), after.split()
        if kind[0] in ("cgroup", "cgroup2"):
            found.append((words[3], words[4], kind[0], kind[2]))
    return found


class _Own(NamedTuple):
    """A hierarchy that is mounted, and the group of this process in it."""

    top: Path
    path: Path


def candidates(mounts: list[tuple[str, str, str, str]], groups: str) -> Iterator[Hierarchy]:
    """Yield where groups might be made, the nearest to this process first.

    Its own groups in version 1, if need be without count and shares of processor time; in version
    2, where a group that has processes cannot share out its limits, the nearest one above that
    shares out both. ``groups`` is ``/proc/self/cgroup``.
    """
    own: dict[str, _Own] = {}
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            for root, point, kind, options in mounts:
                if _is_mount_of(controller, kind, options):
                    inside = path.removeprefix(root.rstrip("/")).lstrip("/")
                    own[controller] = _Own(Path(point), Path(point) / inside)
    if "memory" in own and "pids" in own:
        memory, threads = own["memory"], own["pids"]
        times = [own.get("cpuacct"), own.get("cpu")]
        for more in (times, []):
            yield Hierarchy(1, memory.path, threads.path, *(one and one.path for one in more))
        for more in (times, []):
            yield Hierarchy(1, memory.top, threads.top, *(one and one.top for one in more))
    if unified := own.get(""):
        for folder in (unified.path, *unified.path.parents):
            if folder.is_relative_to(unified.top) and _shares(folder):
                yield Hierarchy(2, folder, folder, folder)


def _is_mount_of(controller: str, kind: str, options: str) -> bool:
    if not controller:
        return kind == "cgroup2"
    return kind == "cgroup" and controller in options.split(",")


def _shares(folder: Path) -> bool:
    try:
        shared = (folder / "cgroup.subtree_control").read_text().split()
    except OSError:
        return False
    return {"memory", "pids"} <= set(shared)

"""The memory that a bot's processes hold together."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

PROC = Path("/proc")


class Held(Struct, frozen=True):
    """The resident memory of a process group in bytes, and the number of its processes."""

    size: int
    processes: int


def held(group: int) -> Held:
    """Return what the process group holds; pages that its processes share count for each."""
    kibibytes = [size for owner, size in _processes() if owner == group]
    return Held(sum(kibibytes) * 1024, len(kibibytes))


def _processes() -> Iterator[tuple[int, int]]:
    """Yield the group and the resident KiB of every process that can be seen."""
    return _listed() if (PROC / "self" / "stat").exists() else _told_by_ps()


def _listed() -> Iterator[tuple[int, int]]:
    page = os.sysconf("SC_PAGE_SIZE") // 1024
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(errors="replace")
            except OSError:
                continue
            fields = stat.rpartition(")")[2].split()
            yield int(fields[2]), int(fields[21]) * page


def _told_by_ps() -> Iterator[tuple[int, int]]:
    output = subprocess.run(
        ["ps", "-axo", "pgid=,rss="], capture_output=True, text=True, check=True
    ).stdout
    for line in output.splitlines():
        group, size = line.split()
        yield int(group), int(size)

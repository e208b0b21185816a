"""What a process holds, as Linux tells it, and whether that grows."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from leftovers import state

PAGE = os.sysconf("SC_PAGE_SIZE")


class Vitals(NamedTuple):
    """What a process holds: resident memory in KiB, descriptors, threads, and those of its
    children that have ended and were not reaped."""

    memory: int
    descriptors: int
    threads: int
    zombies: frozenset[int]


def vitals(pid: int) -> Vitals | None:
    """Return what a process holds, None when it has ended."""
    folder = Path(f"/proc/{pid}")
    try:
        memory = int((folder / "statm").read_text().split()[1]) * PAGE // 1024
        descriptors = len(list((folder / "fd").iterdir()))
        threads = len(list((folder / "task").iterdir()))
        zombies = frozenset(child for child in children(pid) if state(child) == "Z")
    except OSError:
        return None
    return Vitals(memory, descriptors, threads, zombies)


def children(pid: int) -> list[int]:
    """Return the children of a process, of all its threads; raise OSError when it has ended."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def growth(amounts: Sequence[int]) -> int:
    """Return by how much the least of the second half is above the least of the first.

    What is freed need not be given back at once, so a single figure may be high by chance.
    """
    half = len(amounts) // 2
    return min(amounts[half:]) - min(amounts[:half])

"""Whether there is room on a disk."""

import os
from pathlib import Path

LEAST = 1 << 16
"""Bytes below which a disk counts as full."""


def is_full(folder: Path) -> bool:
    """Return whether this user can write next to nothing more to the disk of a folder."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return False
    blocks = status.f_bfree if os.geteuid() == 0 else status.f_bavail
    return blocks * status.f_frsize < LEAST

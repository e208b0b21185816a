"""Files in folders that bots can write to: there may be a link or a pipe in the place of each."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Yield a descriptor of a file; raise OSError when there is a link, or no plain file.

    It never waits, as opening a pipe would.
    """
    always = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags | always, 0o644)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no plain file")
        yield descriptor
    finally:
        os.close(descriptor)


def create(path: Path, flags: int = os.O_WRONLY) -> int:
    """Return a descriptor of a new file, whatever was in its place; raise OSError."""
    path.unlink(missing_ok=True)
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)


def write(path: Path, text: str) -> None:
    """Put a new file with a text in the place of whatever was there; raise OSError."""
    with open(create(path), "w") as file:
        file.write(text)

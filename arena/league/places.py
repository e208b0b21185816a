"""Private places outside the run folder: short paths for sockets, and locks on cores."""

import contextlib
import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from arena.errors import ArenaError
from arena.play.bubblewrap import end_lost_boxes
from arena.play.cell import remove
from arena.play.cgroup import end_lost_groups

LONGEST_FOLDER = 90
"""Bytes of a socket folder's path that leave room for a socket's name on every system."""

_HELD = re.compile(r"([0-9a-f]{8}|bot|build|calibrate|check|match|station)-")
"""Names of the folders that are locked while they are in use."""


def temporary_folder() -> Path:
    """Return the system's folder for temporary files: TMPDIR, TEMP, TMP, or a usual one.

    ``tempfile.gettempdir`` tries a folder out with a file, which an arena killed there leaves.
    """
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    folders = [Path(name).absolute() for name in (*named, "/tmp", "/var/tmp", "/usr/tmp")]
    usable = (f for f in folders if f.is_dir() and os.access(f, os.W_OK | os.X_OK))
    folder = next(usable, None)
    if folder is None:
        raise ArenaError(
            f"no folder for temporary files can be written to, of {', '.join(map(str, folders))}; "
            "set TMPDIR to a folder of your own"
        )
    return folder


def private_folder() -> Path:
    """Return the user's own folder for sockets and locks, created if need be."""
    folder = temporary_folder() / f"arena-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise ArenaError(
            f"{folder} must be a folder that only you can enter; remove it, "
            "or set TMPDIR to a folder of your own"
        )
    return folder


def clear() -> None:
    """End and remove what killed arenas have left: private folders, processes of bots."""
    parent = private_folder()
    with _holding(parent, fcntl.LOCK_EX):
        _clear(parent)
    _end_lost()


def _end_lost() -> None:
    end_lost_groups()
    end_lost_boxes()


def _clear(parent: Path) -> None:
    for old in parent.iterdir():
        if _HELD.match(old.name) and _is_left(old):
            (tidy if old.name.startswith("match-") else remove)(old)


def tidy(folder: Path) -> None:
    """Remove the empty logs of a folder, and itself if nothing is left in it."""
    logs = folder / "logs"
    for log in logs.glob("*.log"):
        with contextlib.suppress(OSError):
            if log.stat().st_size == 0:
                log.unlink()
    for empty in (logs, folder):
        with contextlib.suppress(OSError):
            empty.rmdir()


@contextlib.contextmanager
def held_folder(prefix: str, end: Callable[[Path], None] = remove) -> Iterator[Path]:
    """Make a folder of the user's own, to which ``end`` is done at the end; clear what killed
    arenas have left.

    A folder is locked as long as it is in use, and is told by that from one that is left.
    """
    parent = private_folder()
    with contextlib.ExitStack() as held:
        with _holding(parent, fcntl.LOCK_EX):
            _clear(parent)
            folder = Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir=parent))
            held.callback(end, folder)
            held.enter_context(_holding(folder, fcntl.LOCK_EX))
        _end_lost()
        yield folder


@contextlib.contextmanager
def shared_folder(name: str, fill: Callable[[Path], None]) -> Iterator[Path]:
    """Share a folder of the user's own with other arenas that use it now.

    Each of them may ``fill`` it, one after the other; the last one to leave removes it.
    """
    parent = private_folder()
    with contextlib.ExitStack() as held:
        with _holding(parent, fcntl.LOCK_EX):
            folder = parent / name
            folder.mkdir(mode=0o700, exist_ok=True)
            held.callback(_leave, parent, folder)
            held.enter_context(_holding(folder, fcntl.LOCK_SH))
            fill(folder)
        yield folder


def _leave(parent: Path, folder: Path) -> None:
    """Remove a folder that nobody shares any more."""
    with _holding(parent, fcntl.LOCK_EX):
        if _is_left(folder):
            remove(folder)


@contextlib.contextmanager
def socket_folder(run: Path) -> Iterator[Path]:
    """Make a short-named folder for a run's sockets; clear those that a killed run left."""
    prefix = hashlib.sha256(os.fsencode(run.resolve())).hexdigest()[:8]
    for old in private_folder().glob(f"{prefix}-*"):
        remove(old)
    with held_folder(prefix) as folder:
        if len(os.fsencode(folder)) > LONGEST_FOLDER:
            raise ArenaError(
                f"{folder.parent} is too long for the path of a socket; "
                "set TMPDIR to a shorter folder"
            )
        yield folder


def _is_left(folder: Path) -> bool:
    """Return whether no arena holds a folder."""
    try:
        with _holding(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def _holding(folder: Path, how: int) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def cores(count: int, *, pin: bool) -> Iterator[tuple[list[int | None], str]]:
    """Hold a core for each worker; yield the cores, and a notice when there are none to hold."""
    with contextlib.ExitStack() as held:
        taken, notice = _take(count, held) if pin else ([], "")
        yield (list(taken) if len(taken) == count else [None] * count), notice


def _take(count: int, held: contextlib.ExitStack) -> tuple[list[int], str]:
    if not hasattr(os, "sched_setaffinity"):
        return [], "this system cannot pin processes to cores; workers are not pinned"
    own = sorted(os.sched_getaffinity(0))
    if count > len(own):
        return [], f"{count} workers for {len(own)} cores: workers are not pinned"
    taken: list[int] = []
    for core in own:
        if len(taken) < count and _lock(private_folder() / f"core-{core}", held):
            taken.append(core)
    if len(taken) < count:
        held.close()
        return [], "another arena is using the same cores; workers are not pinned"
    return taken, ""


def _lock(path: Path, held: contextlib.ExitStack) -> bool:
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return False
    held.enter_context(file)
    return True

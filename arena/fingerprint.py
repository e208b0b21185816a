"""What tells one version of a bot from another: a hash of its files."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

BUILT = frozenset({"__pycache__", "node_modules", "target", "build", "dist", "bin", "obj"})
"""Folders that hold what was built or fetched, not what an author wrote."""
_LOCKS = frozenset({"Cargo.lock", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"})
_OBJECTS = (".class", ".o")
_CHUNK = 1 << 20


def of_folder(folder: Path, command: Sequence[str], *, built: bool = False) -> str:
    """Return 16 hex digits for the files of a bot's folder and the command that runs them.

    Hidden files and what builds make (``is_made``) do not count, nor does where the folder lies.
    The program of a bot that is ``built`` does not count either.
    """
    digest = hashlib.sha256()
    for word in command:
        _add(digest, os.fsencode(os.path.basename(word)))
    program = Path(os.path.normpath(folder / command[0])) if built else None
    for path in written(folder, lambda entry: entry.name.startswith(".")):
        if path == program:
            continue
        _add(digest, os.fsencode(path.relative_to(folder).as_posix()))
        _add_file(digest, path)
    return digest.hexdigest()[:16]


def of_command(folder: Path, command: Sequence[str]) -> str:
    """Return 16 hex digits for a command and the files that are among its words."""
    digest = hashlib.sha256()
    for word in command:
        _add(digest, os.fsencode(os.path.basename(word)))
        if (folder / word).is_file():
            _add_file(digest, folder / word)
    return digest.hexdigest()[:16]


def is_made(entry: "os.DirEntry[str]") -> bool:
    """Return whether a build has made or fetched this: by its name, not by who wrote it."""
    if entry.is_dir(follow_symlinks=False):
        return entry.name in BUILT
    return entry.name in _LOCKS or entry.name.endswith(_OBJECTS)


def written(folder: Path, left_out: "Callable[[os.DirEntry[str]], bool]") -> Iterator[Path]:
    """Yield the files below a folder that no build has made, in the order of their names.

    Links to folders are not followed, and what is ``left_out`` is passed over.
    """
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if is_made(entry) or left_out(entry):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from written(Path(entry.path), left_out)
        elif entry.is_file():
            yield Path(entry.path)


def _add(digest: "hashlib._Hash", data: bytes) -> None:
    digest.update(len(data).to_bytes(8, "big"))
    digest.update(data)


def _add_file(digest: "hashlib._Hash", path: Path) -> None:
    """Add what a file holds: nothing of one of the kernel's, which a link may lead to, and some of
    which never end."""
    content = hashlib.sha256()
    with path.open("rb") as file:
        left = os.fstat(file.fileno()).st_size
        while chunk := file.read(min(_CHUNK, left)):
            content.update(chunk)
            left -= len(chunk)
    _add(digest, content.digest())

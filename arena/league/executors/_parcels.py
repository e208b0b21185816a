"""Bots that travel to other machines: an archive of each one's files, named by its hash."""

import hashlib
import io
import os
import shutil
import sys
import tarfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.errors import ConfigError
from arena.fingerprint import BUILT
from arena.model import BOT_FILE, Entrant
from arena.play.build import FOLDER
from arena.play.usage import size_text

_LEFT_OUT = frozenset({FOLDER, ".git", "__pycache__"})
LARGEST = 1 << 30
"""Bytes of the files of a bot that travels: they go through memory."""
_FILES = "files"
"""Where, in the folder that several arenas share, the files of an archive are."""


class Parcel(Struct, frozen=True):
    """A bot on its way. ``digest`` names the archive of its files, ``python`` is the Python of the
    machine that it comes from, and ``elsewhere`` lists what its command has of other folders."""

    entrant: Entrant
    digest: str
    python: str
    elsewhere: tuple[str, ...]


class Unfit(Exception):
    """This machine cannot play the league; the text says why."""


def pack(entrants: Iterable[Entrant]) -> tuple[tuple[Parcel, ...], dict[str, bytes]]:
    """Return the active bots as parcels, and the archives by digest.

    A bot with a bot.toml travels with its folder, without what a build makes if it has one; a
    command with those of its words that are files below its folder. Raise ConfigError for a file
    that cannot be read, and for more than ``LARGEST`` bytes.
    """
    parcels, archives = [], {}
    for entrant in entrants:
        if not entrant.active:
            continue
        try:
            paths = sorted(_travelling(entrant))
            _check_size(entrant, paths)
            data = _archive(Path(entrant.folder), paths)
        except OSError as error:
            raise ConfigError(
                f"{entrant.name}: a file of the bot cannot be read: {error}"
            ) from None
        digest = _digest(data)
        archives[digest] = zlib.compress(data, 1)
        parcels.append(Parcel(entrant, digest, sys.executable, tuple(_elsewhere(entrant))))
    return tuple(parcels), archives


def unpack(folder: Path, digest: str, archives: Mapping[str, bytes]) -> None:
    """Put the files of an archive into a folder that several arenas share, if it is empty still.

    Raise KeyError when they are missing and the archive did not come along, Unfit when it is not
    the one that was sent.
    """
    if (folder / _FILES).is_dir():
        return
    data = zlib.decompress(archives[digest])
    if _digest(data) != digest:
        raise Unfit(f"archive {digest} of a bot has not arrived as it was sent")
    draft = folder / "draft"
    shutil.rmtree(draft, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        draft.mkdir()
        tar.extractall(draft, filter="tar")
    draft.rename(folder / _FILES)


def arrived(parcel: Parcel, folder: Path) -> Entrant:
    """Return a bot as it can be started here, with its archive unpacked in a folder.

    Raise Unfit where its program, or another file of its command, is not on this machine.
    """
    entrant, here = parcel.entrant, folder / _FILES
    for path in parcel.elsewhere:
        if not os.path.exists(path):
            raise Unfit(f"{entrant.name} cannot play there: there is no file {path}")
    moved = [_moved(word, entrant.folder, str(here)) for word in entrant.command]
    moved[0] = _program(parcel, moved[0], here)
    return replace(entrant, command=tuple(moved), folder=str(here))


def _digest(archive: bytes) -> str:
    return hashlib.sha256(archive).hexdigest()[:32]


def _program(parcel: Parcel, program: str, here: Path) -> str:
    """Return the path of a bot's program on this machine; a build may have to make it first."""
    entrant = parcel.entrant
    if program == parcel.python:
        return sys.executable
    if Path(program).is_relative_to(here) or os.access(program, os.X_OK):
        return program
    found = shutil.which(os.path.basename(program), path=entrant.env.get("PATH"))
    if not found:
        name = os.path.basename(program)
        raise Unfit(f"{entrant.name} cannot play there: there is no program {name!r} on PATH")
    return found


def _travelling(entrant: Entrant) -> Iterator[str]:
    """Yield the paths, relative to a bot's folder, of the files and links that go with it."""
    folder = Path(entrant.folder)
    if (folder / BOT_FILE).is_file():
        yield from _below(folder, "", _LEFT_OUT | BUILT if entrant.build else _LEFT_OUT)
        return
    for word in entrant.command:
        path = Path(os.path.normpath(folder / word))
        if path.is_file() and path.is_relative_to(folder):
            yield path.relative_to(folder).as_posix()


def _below(folder: Path, place: str, left_out: Collection[str]) -> Iterator[str]:
    for entry in os.scandir(folder / place):
        path = f"{place}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in left_out:
                yield from _below(folder, f"{path}/", left_out)
        elif entry.is_symlink() or entry.is_file():
            yield path


def _check_size(entrant: Entrant, paths: Iterable[str]) -> None:
    size = sum((Path(entrant.folder) / path).lstat().st_size for path in paths)
    if size > LARGEST:
        raise ConfigError(
            f"{entrant.name}: its files have {size_text(size)} and no more than "
            f"{size_text(LARGEST)} travel with a bot; put large ones on every machine outside its "
            "folder, and name them in [sandbox] read"
        )


def _elsewhere(entrant: Entrant) -> Iterator[str]:
    """Yield the files among the words of a command, but its program, that do not travel."""
    folder = Path(entrant.folder)
    for word in entrant.command[1:]:
        path = Path(os.path.normpath(folder / word))
        if path.is_file() and not path.is_relative_to(folder):
            yield word if os.path.isabs(word) else str(path)


def _moved(word: str, old: str, new: str) -> str:
    """Return a word of a command as it is when the bot's folder has moved."""
    return f"{new}{word.removeprefix(old)}" if word.startswith(f"{old}/") else word


def _archive(folder: Path, paths: Iterable[str]) -> bytes:
    """Return an archive that depends on nothing but names, contents, and what is executable.

    Links travel as links: what they lead to may be nobody's business.
    """
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in paths:
            info = tar.gettarinfo(folder / path, arcname=path)
            info.mtime, info.uid, info.gid, info.uname, info.gname = 0, 0, 0, "", ""
            info.mode = 0o755 if info.mode & 0o100 else 0o644
            if info.islnk():
                info.type, info.linkname = tarfile.REGTYPE, ""
                info.size = (folder / path).stat().st_size
            if info.issym():
                tar.addfile(info)
            else:
                with open(folder / path, "rb") as content:
                    tar.addfile(info, content)
    return file.getvalue()

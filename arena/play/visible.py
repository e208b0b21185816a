"""What a bot in a box can see: the system, its language, its own folder, and nothing else."""

import functools
import glob
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

import arena

NOBODY = 65534
SCRATCH = "/tmp"
"""The folder that a bot in a box can write to, in its own eyes."""
TOOLS = {
    "CONDA_PREFIX": "",
    "DOTNET_ROOT": "~/.dotnet",
    "GOROOT": "",
    "JAVA_HOME": "",
    "NVM_DIR": "~/.nvm",
    "PYENV_ROOT": "~/.pyenv",
    "RUSTUP_HOME": "~/.rustup",
    "SDKMAN_DIR": "~/.sdkman",
}
"""Variables that name the folder of a language, and where it is when they are not set."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = (
    "/etc/alternatives", "/etc/group", "/etc/java*", "/etc/ld.so.c*", "/etc/locale*",
    "/etc/localtime", "/etc/nsswitch.conf", "/etc/timezone",
)  # fmt: skip
"""What programs read of ``/etc``, where secrets lie too."""
_NETWORK = (
    "/etc/ant", "/etc/ca-certificates*", "/etc/gai.conf", "/etc/gitconfig", "/etc/gradle",
    "/etc/host*", "/etc/maven", "/etc/npmrc", "/etc/pip.conf", "/etc/pki", "/etc/protocols",
    "/etc/resolv.conf", "/etc/services", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
    "/run/systemd/resolve",
)  # fmt: skip
_PARTS = ("bin", "lib", "lib64", "libexec", "share")
"""What is shown of a prefix that holds other things too."""


class View(Struct, frozen=True):
    """The command line of bubblewrap for one process.

    ``read`` and ``write`` are paths that it may read and write, ``hidden`` those that it must not
    see even where they are below one of these. ``size`` is what its scratch folder holds, in
    bytes. ``folder`` is where it starts.
    """

    bwrap: tuple[str, ...]
    folder: Path
    size: int
    read: tuple[Path, ...]
    write: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    network: bool = False

    def words(self, passwd: str = os.devnull) -> Iterator[str]:
        """Yield the words of the command; the bot's own follow them.

        ``passwd`` is the file that names its user and home folder.
        """
        yield from self.bwrap
        yield from ("--share-net",) if self.network else ()
        yield from ("--proc", "/proc", "--dev", "/dev")
        for scratch in (SCRATCH, "/dev/shm"):
            yield from ("--size", str(self.size), "--tmpfs", scratch)
        yield from _system(_SETTINGS + (_NETWORK if self.network else ()))
        yield from ("--ro-bind", passwd, "/etc/passwd")
        shown = _outermost((*self.read, *self.write))
        for path in shown:
            yield from ("--ro-bind", str(path), str(path))
        for path in self._covered(shown):
            yield from _cover(path)
        for path in self.write:
            yield from ("--bind", str(path), str(path))
        if not self.shows(self.folder):
            yield from ("--dir", str(self.folder))
        yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(self.folder))

    def shows(self, path: Path) -> bool:
        """Whether a path can be seen."""
        return _is_below(path, (*self.read, *self.write))

    def _covered(self, shown: Sequence[Path]) -> Iterator[Path]:
        """Yield what has to be covered of the hidden paths; the bot's own folder stays."""
        for path in set(self.hidden) - {self.folder}:
            inside = [path]
            if self.folder.is_relative_to(path):
                inside = [child for child in path.iterdir() if child not in self.folder.parents]
            for hidden in inside:
                if hidden != self.folder and _is_below(hidden, shown):
                    yield hidden


def _cover(path: Path) -> Iterable[str]:
    if path.is_dir():
        return ("--tmpfs", str(path), "--remount-ro", str(path))
    return ("--ro-bind", os.devnull, str(path)) if path.exists() else ()


def _system(settings: Iterable[str]) -> Iterator[str]:
    for path in _SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for pattern in settings:
        for path in glob.glob(pattern):
            yield from ("--ro-bind-try", path, path)


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are below no other, nor part of the system."""
    found: list[Path] = []
    for path in sorted(set(paths)):
        if not _is_below(path, found):
            found.append(path)
    return found


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path is one of these, below one, or a part of the system."""
    return any(path.is_relative_to(outer) for outer in (*map(Path, _SYSTEM), *folders))


@functools.cache
def tools() -> dict[str, str]:
    """Return the variables of ``TOOLS`` whose folders are there."""
    found = {}
    for name, usual in TOOLS.items():
        folder = os.environ.get(name) or (os.path.expanduser(usual) if usual else "")
        if os.path.isdir(folder):
            found[name] = os.path.abspath(folder)
    return found


@functools.cache
def languages() -> tuple[Path, ...]:
    """Return what the interpreters and tools of this user need to run: those of the arena itself,
    those on PATH, and those of ``TOOLS``; nothing that holds the home folder."""
    own = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    named = [sys.prefix, sys.base_prefix, str(Path(arena.__file__).parent), *own, *tools().values()]
    found = [Path(os.path.normpath(path)) for path in named]
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.isabs(entry):
            for folder in {os.path.normpath(entry), os.path.realpath(entry)}:
                found += _prefix(Path(folder))
    home = Path.home()
    return tuple(path for path in found if path.exists() and not home.is_relative_to(path))


def _prefix(folder: Path) -> list[Path]:
    """Return what programs in a folder of PATH may need beside it."""
    if folder.name != "bin":
        return [folder]
    prefix, home = folder.parent, Path.home()
    if prefix.parent == home or home.is_relative_to(prefix):
        return [prefix / part for part in _PARTS]
    return [prefix]

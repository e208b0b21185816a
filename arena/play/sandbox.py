"""The sandbox of bots: its levels, what this machine can keep of them, and a cell for each process.

``SECURITY.md`` says what each level holds against.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from arena.errors import BotError, ConfigError
from arena.model import BOT_FILE, Entrant, Sandbox
from arena.play import bubblewrap, cgroup, visible
from arena.play.boxed import Boxed
from arena.play.cell import Cell, Limited
from arena.play.usage import size_text
from arena.play.visible import View

BUILD_MEMORY = 4 << 30
BUILD_THREADS = 1024
BUILD_FILES = 1 << 30
"""What a build may use, where a league gives no more to its bots."""


class Jail:
    """What holds the bots of a table: a cell for each process.

    ``folder`` is private and holds the scratch folders; ``hidden`` are paths that no bot should
    see, other bots' folders among them.
    """

    def __init__(self, sandbox: Sandbox, folder: Path, hidden: Iterable[Path] = ()) -> None:
        """Settle the level if it is still ``auto``; raise ConfigError when it cannot be had."""
        self._sandbox = settled(sandbox)
        self._folder = folder
        self._hidden = tuple(hidden)

    def cell(
        self, entrant: Entrant, socket: Path | None = None, build_home: Path | None = None
    ) -> Cell:
        """Return a new cell for a process that may use a socket.

        With ``build_home``, the home folder of a build in the bot's folder, it may write to that
        folder, reach the network, and use more.

        Raise BotError when the bot's program cannot be seen from its cell, and OSError when this
        machine has run out of something.
        """
        if self._sandbox.level == "none":
            return Cell(entrant)
        sandbox = _for_builds(self._sandbox) if build_home else self._sandbox
        view = None
        if sandbox.level == "full":
            view = self._view(entrant, sandbox, socket, building=build_home is not None)
        found = cgroup.hierarchy()
        group = cgroup.Group(found, sandbox.memory, sandbox.threads) if found else None
        scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=self._folder))
        if view:
            return Boxed(entrant, sandbox, scratch, group, build_home, view)
        return Limited(entrant, sandbox, scratch, group, build_home)

    def boxes(self, entrant: Entrant) -> bool:
        """Whether a bot has a network of its own, with a socket that its cell hands over."""
        return self._sandbox.level == "full" and entrant.transport == "tcp" and not entrant.manual

    def _view(
        self, entrant: Entrant, sandbox: Sandbox, socket: Path | None, *, building: bool
    ) -> View:
        own = [*_own(entrant), *([socket] if socket else [])]
        folder = Path(entrant.folder)
        view = View(
            bwrap=bubblewrap.command()[0],
            folder=folder,
            size=sandbox.files,
            read=(*own, *visible.languages(), *map(Path, sandbox.read)),
            write=(folder,) if building else (),
            hidden=self._hidden,
            network=building,
        )
        program = shutil.which(entrant.command[0])
        if program and not view.shows(Path(os.path.normpath(program))):
            raise BotError(
                f"cannot be started: {program} is outside the bot's folder and of what the "
                "sandbox shows; a league names it in [sandbox] read"
            )
        return view


def settled(sandbox: Sandbox, label: str = "sandbox") -> Sandbox:
    """Return the sandbox with a level that can be had here: the strongest for ``auto``.

    Raise ConfigError, which begins with ``label``, when the level that was asked for cannot be had.
    """
    if sandbox.level not in ("auto", "full"):
        return sandbox
    words, why_not = bubblewrap.command()
    if words:
        return replace(sandbox, level="full")
    if sandbox.level == "full":
        raise ConfigError(f'{label} = "full" cannot be had here: {why_not}')
    return replace(sandbox, level="limits")


def in_force(sandbox: Sandbox) -> str:
    """Return what a settled sandbox holds on this machine, in one line."""
    if sandbox.level == "none":
        return "none; bots may do whatever you may do"
    if sandbox.level == "limits":
        return f"limits; {_bounds(sandbox)}"
    return f"full; own folder only, no network; {_bounds(sandbox)}"


def _for_builds(sandbox: Sandbox) -> Sandbox:
    return replace(
        sandbox,
        memory=max(sandbox.memory, BUILD_MEMORY),
        threads=max(sandbox.threads, BUILD_THREADS),
        files=max(sandbox.files, BUILD_FILES),
    )


def _bounds(sandbox: Sandbox) -> str:
    memory, files = size_text(sandbox.memory), size_text(sandbox.files)
    amounts = f"{memory} of memory, {sandbox.threads} threads"
    if cgroup.hierarchy():
        return f"{amounts}, {files} of files"
    return f"{amounts} (watched, there are no control groups to use), {files} of files"


def _own(entrant: Entrant) -> list[Path]:
    """Return the bot's own files: its folder, or where the files among a command's words are."""
    folder = Path(entrant.folder)
    if (folder / BOT_FILE).is_file():
        return [folder]
    words = (Path(os.path.normpath(folder / word)) for word in entrant.command)
    return [path.parent for path in words if path.is_file()]

"""Build a bot: run the command of its bot.toml that makes a program of its sources."""

import contextlib
import fcntl
import os
import select
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from arena import fingerprint
from arena.errors import BotError, BuildError
from arena.model import Entrant, Sandbox
from arena.play import wary
from arena.play.cell import exit_text
from arena.play.interrupt import Interrupt
from arena.play.log import BotLog
from arena.play.process import BotProcess, stop_all
from arena.play.sandbox import Jail

FOLDER = ".arena-build"
"""Where a bot's folder keeps the log of its build, and a stamp once that has gone well."""
OPEN = Sandbox()
LIMIT_SECONDS = 900.0
"""How long a build may take."""
_LONGEST_STAMP = 1 << 20
SLICE_SECONDS = 0.25
"""How often a build's log is kept under its cap, and a lock on a bot's folder is tried."""


def find_program(program: str, folder: Path, path: str | None) -> str | None:
    """Return the absolute path of a program in a bot's folder or on PATH, None if it is neither."""
    local = os.path.join(folder, program)
    if os.path.isfile(local) and os.access(local, os.X_OK):
        return local
    found = shutil.which(program, path=path) if "/" not in program else None
    return os.path.abspath(found) if found else None


def is_stale(entrant: Entrant) -> bool:
    """Return whether a bot has to be built: its sources have changed since, or what was made of
    them is gone.

    A folder that cannot be written to, and where the arena has never built, was built by its
    owner.
    """
    folder = Path(entrant.folder)
    if not entrant.build:
        return False
    if not os.path.isfile(entrant.command[0]):
        return True
    try:
        with wary.opened(_stamp(folder)) as stamp:
            version, *made = os.read(stamp, _LONGEST_STAMP).decode().splitlines()
    except (OSError, ValueError):
        return os.access(folder, os.W_OK)
    return version != _version(entrant) or not all((folder / name).exists() for name in made)


def build(
    entrant: Entrant,
    interrupt: Interrupt,
    notice: Callable[[str], None],
    *,
    sandbox: Sandbox = OPEN,
    always: bool = False,
    limit: float = LIMIT_SECONDS,
    scratch: Path | None = None,
) -> None:
    """Build a bot in its folder if it is stale, or ``always``; raise BuildError.

    One arena at a time builds a bot, others wait for it, and for what is left of the build of one
    that was killed. ``interrupt`` is looked after meanwhile; if it raises, the build is ended with
    all its processes. ``notice`` is told what is waited for, what is built, and how long it took.
    In a sandbox the build may write to the bot's folder and reach the network; its home is a folder
    there, which keeps what was fetched. ``scratch`` is a private folder for what goes with the
    build.
    """
    try:
        with _locked(entrant, interrupt, notice) as lock:
            if always or is_stale(entrant):
                notice(f"building {entrant.name}: {shlex.join(entrant.build)}")
                started = time.monotonic()
                with tempfile.TemporaryDirectory(prefix="arena-build-", dir=scratch) as name:
                    _build(entrant, Jail(sandbox, Path(name)), interrupt, limit, lock)
                notice(f"built {entrant.name} in {time.monotonic() - started:.1f} s")
    except OSError as error:
        raise BuildError(f"{entrant.name} cannot be built: {error}") from error


def _build(entrant: Entrant, jail: Jail, interrupt: Interrupt, limit: float, lock: int) -> None:
    folder = Path(entrant.folder)
    version = _version(entrant)
    _stamp(folder).unlink(missing_ok=True)
    _run(entrant, jail, interrupt, limit, lock)
    if not os.path.isfile(entrant.command[0]):
        raise BuildError(
            f"{entrant.name}: {shlex.join(entrant.build)} went well, "
            f"but there is no program {entrant.command[0]}"
        )
    made = sorted(entry.name for entry in os.scandir(folder) if fingerprint.is_made(entry))
    _make_own(folder)
    wary.write(_stamp(folder), "\n".join([version, *made]) + "\n")


def _run(entrant: Entrant, jail: Jail, interrupt: Interrupt, limit: float, lock: int) -> None:
    """Run the build to its end; raise BuildError unless it ends well and in time.

    Its processes hold the ``lock`` too, in case that they outlive this one.
    """
    folder = Path(entrant.folder)
    program, *arguments = entrant.build
    found = find_program(program, folder, entrant.env.get("PATH"))
    if not found:
        raise BuildError(
            f"{entrant.name} cannot be built: there is no program {program!r} "
            f"in {folder} or on PATH; install it"
        )
    home = folder / FOLDER / "home"
    home.mkdir(exist_ok=True)
    builder = replace(entrant, command=(found, *arguments))
    with contextlib.closing(BotLog(folder / FOLDER / "log")) as log:
        try:
            cell = jail.cell(builder, build_home=home)
            process = BotProcess(builder, {}, log, cell, inherited=(lock,))
        except BotError as error:
            raise BuildError(f"{entrant.name} cannot be built: {program} {error}") from None
        process.close_stdin()
        try:
            ending = _wait(process, interrupt, limit)
        finally:
            stop_all([process], 0)
    if ending != exit_text(0):
        command = shlex.join(entrant.build)
        raise BuildError(f"{entrant.name}: {command} {ending}", log.tail(), str(log.path))


def _wait(process: BotProcess, interrupt: Interrupt, limit: float) -> str:
    """Return how the build ended, or that it did not in time."""
    deadline = time.monotonic() + limit
    poll = select.poll()
    poll.register(process.watch, select.POLLIN)
    poll.register(interrupt.descriptor, select.POLLIN)
    while (ending := process.ending()) is None and time.monotonic() < deadline:
        poll.poll(SLICE_SECONDS * 1000)
        process.look()
        interrupt.look()
    return ending or f"took longer than {limit:g} s"


@contextlib.contextmanager
def _locked(entrant: Entrant, interrupt: Interrupt, notice: Callable[[str], None]) -> Iterator[int]:
    """Hold the lock on a bot's builds; git and the arena ignore the folder where it lies.

    Yield its descriptor. Processes that inherit it do not hold it any longer than this.
    """
    told = False
    while True:
        path = _make_own(Path(entrant.folder)) / "lock"
        with wary.opened(path, os.O_RDWR | os.O_CREAT) as lock:
            while not _lock(lock):
                if not told:
                    notice(f"waiting for another build of {entrant.name} to end")
                told = True
                select.select([interrupt.descriptor], [], [], SLICE_SECONDS)
                interrupt.look()
            if _is_at(path, lock):
                wary.write(path.with_name(".gitignore"), "*\n")
                try:
                    yield lock
                finally:
                    fcntl.flock(lock, fcntl.LOCK_UN)
                return


def _make_own(folder: Path) -> Path:
    """Make the arena's folder in a bot's if it is not there; raise BuildError for a link."""
    own = folder / FOLDER
    own.mkdir(exist_ok=True)
    _refuse_links(own)
    return own


def _refuse_links(own: Path) -> None:
    """Raise BuildError for a link by which the arena would write to a place of the bot's choice."""
    for path in (own, *own.iterdir()):
        if path.is_symlink():
            raise BuildError(f"{path} is a link, which the arena does not follow; remove it")


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether a file is still where it was opened; a build may have removed it."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _stamp(folder: Path) -> Path:
    """Return the file with the version that was built and the names of what was made of it."""
    return folder / FOLDER / "stamp"


def _version(entrant: Entrant) -> str:
    return fingerprint.of_folder(Path(entrant.folder), entrant.command, built=True)

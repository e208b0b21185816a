"""Where a bot's process runs: how it is started, what it inherits, how it is ended.

``Cell`` holds a process that may do what the user may do, ``Limited`` bounds what it can use up.
What bounds what it can see and reach is in ``boxed``.
"""

import contextlib
import functools
import os
import resource
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from arena.errors import BotError
from arena.model import Entrant, Sandbox
from arena.play import visible
from arena.play.cgroup import Group
from arena.play.launcher import Confinement
from arena.play.meter import GroupMeter, Meter, ProcessMeter
from arena.play.usage import overrun, size_text

OPEN_FILES = 1024
"""Descriptors that a process may have open."""
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
_KEPT = frozenset(
    {"LANG", "LANGUAGE", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TERM", "TZ"}
    | visible.TOOLS.keys()
)
"""Variables of the arena's environment that a limited bot inherits."""
_KEPT_PREFIX = "LC_"
_KEPT_FOR_BUILDS = frozenset({
    "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "HTTPS_PROXY", "HTTP_PROXY", "NODE_EXTRA_CA_CERTS",
    "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy",
})  # fmt: skip
_LEASH = ("--pdeathsig", "KILL", "--")
"""What has ``setpriv`` tie a process to the one that started it."""
_BLOCK = 512
"""Bytes of the unit in which ``ulimit -f`` counts."""


class Cell:
    """The surroundings of one process, which may do whatever the user may do.

    ``descriptors`` are those that the process inherits.
    """

    descriptors: tuple[int, ...] = ()

    def __init__(self, entrant: Entrant) -> None:
        self._entrant = entrant

    def command(self) -> Sequence[str]:
        """Return the command to be run; raise BotError when there is no such program."""
        return self._entrant.command

    def environment(self) -> dict[str, str]:
        """Return the environment: what is inherited of the arena's, and the bot's own."""
        return self._inherited() | self._entrant.env

    def _inherited(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        return own | UNBUFFERED

    def confinement(self) -> Confinement | None:
        """Return what a fork of a running interpreter has to do to be in here, None if it cannot
        be."""
        return Confinement(self._inherited())

    def started(self) -> None:
        """Take note that the process runs."""

    def listener(self) -> int | None:
        """Wait for the listening socket of a bot that speaks tcp; None if it has none of its own
        or does not come to hand it over."""
        return None

    def meter(self, pid: int, *, exact: bool) -> Meter:
        """Return what measures the processor time of the process ``pid``."""
        return ProcessMeter(pid, exact=exact)

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Send a signal to the process ``pid`` and to all processes of its group."""
        send(pid, number)

    def ending(self, code: int) -> str:
        """Return how the process ended, in words, from the return code of ``subprocess``."""
        return exit_text(code)

    def watch(self, pid: int) -> None:
        """Kill the process if it breaks a limit that the system itself does not keep."""

    def close(self) -> None:
        """End what is left in the cell and remove all that it was made of."""


class Limited(Cell):
    """A cell that bounds memory, threads and files, with a scratch folder of its own.

    A process in it still sees all that the user may see. Without a control group its memory and
    threads are watched now and then, where the system shows them.
    """

    _privileges: Sequence[str] = ("--no-new-privs",)
    """What ``setpriv`` takes from the process."""

    def __init__(
        self,
        entrant: Entrant,
        sandbox: Sandbox,
        scratch: Path,
        group: Group | None,
        home: Path | None = None,
    ) -> None:
        """Take over an empty scratch folder and an empty group.

        A build has a ``home`` that stays, and inherits what the network needs.
        """
        super().__init__(entrant)
        self._home = home
        self._sandbox = sandbox
        self._scratch = scratch
        self._group = group
        self._excess = ""

    def command(self) -> Sequence[str]:
        program = self._entrant.command[0]
        if not shutil.which(program):
            raise BotError(f"cannot be started: there is no program {program!r}")
        plain = os.path.normpath(program) if os.path.isabs(program) else program
        words = (plain, *self._entrant.command[1:])
        return (*self._leash(), "/bin/sh", "-c", self._script(), "sh", *self._wrapper(), *words)

    def _leash(self) -> Sequence[str]:
        """Return what has the process killed with the arena."""
        setpriv = shutil.which("setpriv")
        if not setpriv or not _can_leash(setpriv):
            return ()
        return (setpriv, *self._privileges, *_LEASH)

    def _script(self) -> str:
        """Return the line of shell that enters the group, sets the limits and runs the bot.

        It does nothing when the arena was killed before it could take the process with it.
        """
        entrances = self._group.entrances if self._group else ()
        limits = self._limits()
        steps = [f"[ $PPID -eq {os.getpid()} ]"]
        steps += [f"echo $$ >{shlex.quote(str(path))}" for path in entrances]
        steps += ["ulimit -c 0", f"ulimit -f {limits[resource.RLIMIT_FSIZE] // _BLOCK}"]
        steps += [f"ulimit -n {limits[resource.RLIMIT_NOFILE]}", 'exec "$@"']
        return " && ".join(steps)

    def _limits(self) -> dict[int, int]:
        """Return the size of files, in whole blocks, and the number of descriptors."""
        files = _at_most(self._sandbox.files, resource.RLIMIT_FSIZE)
        return {
            resource.RLIMIT_FSIZE: files // _BLOCK * _BLOCK,
            resource.RLIMIT_NOFILE: _at_most(OPEN_FILES, resource.RLIMIT_NOFILE),
        }

    def _wrapper(self) -> Sequence[str]:
        """Return what goes before the bot's command."""
        return ()

    def environment(self) -> dict[str, str]:
        scratch = self._scratch_folder()
        own = {"HOME": str(self._home or scratch), "TMPDIR": scratch}
        return self._inherited() | own | self._entrant.env

    def _inherited(self) -> dict[str, str]:
        wanted = _KEPT | _KEPT_FOR_BUILDS if self._home else _KEPT
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in wanted or name.startswith(_KEPT_PREFIX)
        }
        return kept | visible.tools() | UNBUFFERED

    def confinement(self) -> Confinement | None:
        entrances = map(str, self._group.entrances) if self._group else ()
        limits = ((resource.RLIMIT_CORE, 0), *self._limits().items())
        return Confinement(self._inherited(), tuple(entrances), limits, no_new_privs=True)

    def _scratch_folder(self) -> str:
        """Return the scratch folder as the process sees it."""
        return str(self._scratch)

    def meter(self, pid: int, *, exact: bool) -> Meter:
        if exact and self._group and self._group.processor:
            return GroupMeter(self._group.processor)
        return super().meter(pid, exact=exact)

    def signal(self, pid: int, number: signal.Signals) -> None:
        super().signal(pid, number)
        if self._group and number in (signal.SIGSTOP, signal.SIGCONT):
            self._group.signal(number)

    def watch(self, pid: int) -> None:
        if self._group is None and (excess := overrun(pid, self._sandbox)):
            self._excess = f"; it used more than {excess}"
            self.signal(pid, signal.SIGKILL)

    def ending(self, code: int) -> str:
        if code == -signal.SIGKILL and self._group and self._group.starved:
            self._excess = f"; it used more than {size_text(self._sandbox.memory)} of memory"
        if code == -signal.SIGXFSZ:
            self._excess = f"; it wrote a file of more than {size_text(self._sandbox.files)}"
        return exit_text(code) + self._excess

    def close(self) -> None:
        if self._group:
            self._group.end()
        remove(self._scratch)


def exit_text(code: int) -> str:
    """Return how a process ended, in words, from the return code of ``subprocess``."""
    if code >= 0:
        return f"exited with status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def send(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group that may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def remove(folder: Path) -> None:
    """Remove a folder with all that a bot has put into it, however deep."""
    try:
        folder.rmdir()
    except OSError:
        subprocess.run(["rm", "-rf", "--", str(folder)], stderr=subprocess.DEVNULL, check=False)


@functools.cache
def _can_leash(setpriv: str) -> bool:
    """Whether the program knows what it is asked for; that of busybox does not."""
    words = (setpriv, *_LEASH, "/bin/sh", "-c", ":")
    return subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0


def _at_most(wanted: int, kind: int) -> int:
    """Return a limit that this process may set."""
    _, hard = resource.getrlimit(kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)

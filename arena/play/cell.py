"""Where a bot's process runs: how it is started, what it inherits, how it is ended.

``Cell`` holds a process that may do what the user may do, ``Limited`` bounds what it can use up,
and ``Boxed`` what it can see and reach.
"""

import contextlib
import functools
import os
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.errors import BotError
from arena.model import Entrant, Sandbox
from arena.play import handover, visible
from arena.play.cgroup import Group
from arena.play.launcher import Confinement
from arena.play.meter import GroupMeter, Meter, ProcessMeter
from arena.play.usage import overrun, size_text
from arena.play.visible import View

OPEN_FILES = 1024
"""Descriptors that a process may have open."""
PORT = 7013
"""Where a bot that speaks tcp finds the arena on the loopback of its own box."""
HANDOVER_SECONDS = 10.0
"""How long its box may take to open that port."""
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
_BY_SIGNAL = 128
"""A shell's status of a process that was ended by signal 0; bubblewrap's too."""


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


class Boxed(Limited):
    """A limited cell in namespaces of its own, made by bubblewrap.

    The process that is started is bubblewrap's; it ends when the bot does, with the bot's status,
    and everything in the namespaces with it.
    """

    _privileges = ()
    """bubblewrap takes them itself, and may be a program that needs some."""

    def __init__(
        self,
        entrant: Entrant,
        sandbox: Sandbox,
        scratch: Path,
        group: Group | None,
        home: Path | None,
        view: View,
    ) -> None:
        super().__init__(entrant, sandbox, scratch, group, home)
        self._view = view
        self._passwd = scratch / "passwd"
        users = "".join(
            f"{name}:x:{uid}:65534::{home or visible.SCRATCH}:/bin/sh\n"
            for name, uid in (("nobody", visible.NOBODY), ("bot", os.getuid()))
        )
        self._passwd.write_text(users)
        self._inside = 0
        self._news, self._news_end = os.pipe()
        os.set_blocking(self._news, False)
        self.descriptors = (self._news_end,)
        self._ours: socket.socket | None = None
        if entrant.transport == "tcp" and not home:
            self._ours, theirs = socket.socketpair()
            self.descriptors += (theirs.detach(),)

    def confinement(self) -> Confinement | None:
        return None

    def _wrapper(self) -> Sequence[str]:
        words = (*self._view.words(str(self._passwd)), "--info-fd", str(self._news_end), "--")
        if not self._ours:
            return words
        script = Path(handover.__file__)
        return (
            *words,
            sys.executable,
            "-I",
            "-S",
            str(script),
            str(self.descriptors[1]),
            str(PORT),
        )

    def _scratch_folder(self) -> str:
        return visible.SCRATCH

    def started(self) -> None:
        self._close_inherited()

    def _close_inherited(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = ()

    def listener(self) -> int | None:
        if not self._ours:
            return None
        self._ours.settimeout(HANDOVER_SECONDS)
        try:
            _, found, _, _ = socket.recv_fds(self._ours, 1, 1)
        except OSError:
            return None
        return found[0] if found else None

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Send a signal to the bot itself; bubblewrap needs none but the last."""
        if inside := self._leader():
            super().signal(inside, number)
        if not inside or number in (signal.SIGKILL, signal.SIGCONT):
            send(pid, number)

    def _leader(self) -> int:
        """Return the id of the group that the bot began in, 0 while bubblewrap has not told it."""
        if not self._inside:
            with contextlib.suppress(BlockingIOError):
                found = re.search(rb'"child-pid": (\d+)', os.read(self._news, 4096))
                self._inside = int(found[1]) if found else 0
        return self._inside

    def ending(self, code: int) -> str:
        by_signal = code > _BY_SIGNAL and code - _BY_SIGNAL in signal.valid_signals()
        return super().ending(_BY_SIGNAL - code if by_signal else code)

    def close(self) -> None:
        os.close(self._news)
        self._close_inherited()
        if self._ours:
            self._ours.close()
        self._passwd.unlink(missing_ok=True)
        super().close()


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

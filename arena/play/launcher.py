"""Starts bots in Python by a fork of an interpreter that has loaded what they import.

Importing pyzmq takes four fifths of the start of a small bot; a fork takes a millisecond.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from msgspec import Struct

from arena.errors import BotError
from arena.model import Entrant, Sandbox
from arena.play import zygote

ANSWER_SECONDS = 10.0
"""How long an answer may take before what should give it counts as gone."""
LOOK_SECONDS = 0.25
"""After this time without an answer it may have been stopped."""
GONE = "the process that forks bots is gone"


class Confinement(Struct, frozen=True):
    """What a process that was forked has to do by itself to be in its cell.

    ``inherited`` is what the interpreter that is forked has of the arena's environment.
    ``entrances`` are files to write its id to, ``limits`` those of ``resource``, by their numbers.
    """

    inherited: dict[str, str]
    entrances: tuple[str, ...] = ()
    limits: tuple[tuple[int, int], ...] = ()
    no_new_privs: bool = False


class Zygote:
    """The interpreter that is forked, as a child of this process."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Start it; it answers as soon as it has loaded what bots import."""
        self.gone = False
        self._socket, theirs = _pair(socket.SOCK_SEQPACKET)
        with theirs:
            words = ("-P", "-m", zygote.__name__, str(theirs.fileno()), str(os.getpid()))
            self._process = subprocess.Popen(
                [sys.executable, *words],
                env=environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )

    def ask(self, request: Mapping[str, Any], *descriptors: int) -> int | None:
        """Return what it answers.

        Raise OSError when it is gone, or does not answer in time: it is ended then, so that no
        answer is ever taken for that to another question.
        """
        if self.gone:
            raise OSError(GONE)
        try:
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            answer = self._answer()
            if not answer:
                raise OSError(GONE)
        except OSError:
            self.end()
            raise
        number: int | None = json.loads(answer)
        return number

    def _answer(self) -> bytes:
        """Wait for an answer, and let it go on where somebody, such as a bot, has stopped it."""
        deadline = time.monotonic() + ANSWER_SECONDS
        self._socket.settimeout(LOOK_SECONDS)
        while True:
            self._process.send_signal(signal.SIGCONT)
            try:
                return self._socket.recv(zygote.LARGEST)
            except TimeoutError:
                if time.monotonic() > deadline:
                    raise

    def lives(self) -> bool:
        """Return whether it can be asked still."""
        return not self.gone and self._process.poll() is None

    def end(self) -> None:
        """End it, and with it all that it has forked."""
        self.gone = True
        self._socket.close()
        self._process.kill()
        self._process.wait()


class Forked:
    """A bot that was forked, in the manner of ``subprocess.Popen``.

    It is a child of the zygote, which alone can be told how it has ended, and ends with it.
    """

    def __init__(self, parent: Zygote, pid: int, stdin: IO[bytes]) -> None:
        self.pid = pid
        self.stdin = stdin
        self.returncode: int | None = None
        self._parent = parent

    @property
    def lost(self) -> bool:
        """Whether nobody knows how it has ended, because the zygote was gone first."""
        return self.returncode is None and self._parent.gone

    def poll(self) -> int | None:
        """Return the return code, None while the process runs; its id stays taken."""
        return self._ask(reap=False) if self.returncode is None else self.returncode

    def wait(self) -> int:
        """Reap the process, which has ended or is about to; return its return code."""
        code = self._ask(reap=True) if self.returncode is None else self.returncode
        assert code is not None
        if not self.lost:
            self.returncode = code
        return code

    def _ask(self, *, reap: bool) -> int | None:
        try:
            return self._parent.ask({"pid": self.pid, "reap": reap})
        except OSError:
            return -signal.SIGKILL


class Launcher:
    """The zygote of a pool; it is started with the first bot that it is to fork, and anew after it
    was lost."""

    def __init__(self) -> None:
        self._zygote: Zygote | None = None

    def launches(self, entrant: Entrant) -> bool:
        """Whether a bot has asked for this, and can be forked on this system."""
        return (
            entrant.prewarmed
            and sys.platform == "linux"
            and len(entrant.command) == 2
            and os.path.normpath(entrant.command[0]) == os.path.normpath(sys.executable)
        )

    def start(
        self, entrant: Entrant, environment: Mapping[str, str], log: int, cell: Confinement
    ) -> Forked:
        """Start a bot with its output going to the descriptor ``log``.

        Raise BotError when it cannot be started, and OSError when the zygote cannot fork; all that
        it has forked is ended then, and the next bot gets another one.
        """
        read_end, write_end = os.pipe()
        stdin = os.fdopen(write_end, "wb", 0)
        try:
            forked, own = self._fork(cell, stdin)
            with own:
                order = {
                    "script": entrant.command[1],
                    "folder": entrant.folder,
                    "environment": dict(environment),
                    "entrances": cell.entrances,
                    "limits": cell.limits,
                    "no_new_privs": cell.no_new_privs,
                }
                trouble = _ordered(own, order, (read_end, log))
        except OSError:
            stdin.close()
            self.close()
            raise
        finally:
            os.close(read_end)
        if trouble is not None:
            forked.wait()
            stdin.close()
            if forked.lost:
                raise OSError(GONE)
            raise BotError(f"cannot be started: {trouble}")
        return forked

    def _fork(self, cell: Confinement, stdin: IO[bytes]) -> tuple[Forked, socket.socket]:
        """Return a fork of the zygote that waits for its orders, and the socket for these."""
        if self._zygote and not self._zygote.lives():
            self.close()
        self._zygote = self._zygote or Zygote(cell.inherited)
        ours, theirs = _pair(socket.SOCK_STREAM)
        try:
            with theirs:
                pid = self._zygote.ask({}, theirs.fileno())
        except OSError:
            ours.close()
            raise
        assert pid is not None
        return Forked(self._zygote, pid, stdin), ours

    def close(self) -> None:
        """End the zygote, and with it all that it has forked."""
        if self._zygote and not self._zygote.gone:
            self._zygote.end()
        self._zygote = None


def unheeded(entrants: Iterable[Entrant], sandbox: Sandbox) -> str:
    """Return what to tell of bots that are prewarmed in vain in a settled sandbox, or nothing."""
    names = ", ".join(dict.fromkeys(bot.name for bot in entrants if bot.prewarmed and bot.active))
    if not names or sandbox.level != "full":
        return ""
    return f"sandbox: full starts every bot anew; prewarmed = true does nothing for {names}"


def _pair(kind: socket.SocketKind) -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    ours.settimeout(ANSWER_SECONDS)
    return ours, theirs


def _ordered(
    link: socket.socket, order: Mapping[str, Any], descriptors: Sequence[int]
) -> str | None:
    """Tell a fork which bot it is; return why it cannot be that bot, None if it is.

    An environment may be larger than a message can be, so the orders are a stream.
    """
    with contextlib.suppress(ConnectionError):
        socket.send_fds(link, [b"\0"], descriptors)
        link.sendall(json.dumps(order).encode())
        link.shutdown(socket.SHUT_WR)
        said = link.recv(zygote.LARGEST)
        if said:
            return None if said == zygote.READY else said.decode()
    return "its process has ended"

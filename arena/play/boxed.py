"""A cell that bounds what a bot can see and reach: namespaces of its own."""

import contextlib
import os
import re
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.model import Entrant, Sandbox
from arena.play import handover, visible
from arena.play.cell import Limited, send
from arena.play.cgroup import Group
from arena.play.launcher import Confinement
from arena.play.visible import View

PORT = 7013
"""Where a bot that speaks tcp finds the arena on the loopback of its own box."""
HANDOVER_SECONDS = 10.0
"""How long its box may take to open that port."""
_BY_SIGNAL = 128
"""A shell's status of a process that was ended by signal 0; bubblewrap's too."""


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

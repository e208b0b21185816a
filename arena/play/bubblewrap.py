"""bubblewrap: how its command line begins, whether it runs here, and what a kill leaves of it."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
from pathlib import Path

from arena.play import visible
from arena.play.visible import View

PROBE_SECONDS = 10.0
_BOX = (
    "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
    "--hostname", "arena",
)  # fmt: skip
_NOBODY = ("--unshare-user", "--uid", str(visible.NOBODY), "--gid", str(visible.NOBODY))


@functools.cache
def command() -> tuple[tuple[str, ...], str]:
    """Return the beginning of bubblewrap's command line, or an empty one and why it cannot run."""
    program = shutil.which("bwrap")
    if not program:
        return (), "there is no program bwrap; install bubblewrap"
    why_not = ""
    for more in (_NOBODY, ()):
        words = (program, *_BOX, *more)
        why_not = _trial(words)
        if not why_not:
            return words, ""
    return (), why_not


def _trial(words: tuple[str, ...]) -> str:
    """Return why nothing can be run by bubblewrap, empty if it can."""
    view = View(words, Path("/"), 1 << 20, visible.languages())
    try:
        done = subprocess.run(
            (*view.words(), "--", "/bin/sh", "-c", ":"),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said else f"bwrap ends with status {done.returncode}"


def end_lost_boxes() -> None:
    """End the boxes that killed arenas have left half made.

    The first process of a box waits for the bubblewrap that started it, and only after that asks
    to be killed with it: where that one is killed before, it waits for ever.
    """
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text() == "bwrap\n" and _is_lost(folder):
                os.kill(int(folder.name), signal.SIGKILL)


def _is_lost(folder: Path) -> bool:
    """Return whether this is the first process of an arena's box, without the one that forked it,
    which has the same command line."""
    line = (folder / "cmdline").read_bytes()
    words = line.split(b"\0")[1 : len(_BOX) + 1]
    if tuple(words) != tuple(map(os.fsencode, _BOX)):
        return False
    lines = (folder / "status").read_text().splitlines()
    found = {key: values.split() for key, _, values in (text.partition(":") for text in lines)}
    inside, (parent,) = found.get("NSpid", [])[1:], found["PPid"]
    return inside[-1:] == ["1"] and (folder.parent / parent / "cmdline").read_bytes() != line

"""Run arena as its users do: in a process of its own, in a folder with bots and a league file."""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import leftovers
import pytest

REPOSITORY = Path(__file__).parents[1]
LIMIT_SECONDS = 60
ARENA = (sys.executable, "-m", "arena")
MARK = "LC_PLACE_OF_A_TEST"

STOCK = ("first", "greedy", "miser", "random")
"""Shipped bots; the same seeds make them play the same."""
STUBBORN = """
import os, signal
os.close(0)
os.open("/dev/zero", os.O_RDONLY)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
from arena.bot import run
run(lambda observation, legal: legal[-1])
"""
"""A bot that knows no reason to end but SIGKILL, and that a sandbox has to end with the arena."""
QUICK: dict[str, Any] = {
    "game": "leaves",
    "seed": 13,
    "seats": 3,
    "options": {"variant": "basic"},
    "format": {"blocks": 2},
    "sandbox": {"level": "none"},
}
"""A league of short matches. Its bots may do everything: they tell the tests what they see in files
of their own, and attack the arena as no bot in a box can."""


class Place:
    """A user's folder, with a folder for temporary files that nothing else uses.

    Every process that is started in it carries ``MARK`` in its environment, so that those that
    are left behind are found.
    """

    def __init__(self, folder: Path, temporary: Path) -> None:
        self.folder = folder
        self.temporary = temporary
        self._started: list[subprocess.Popen[str]] = []

    @property
    def environment(self) -> dict[str, str]:
        own = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "FORCE_COLOR")}
        paths = [str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]
        return own | {
            MARK: self.temporary.name,
            "TMPDIR": str(self.temporary),
            "ARENA_CACHE": str(self.temporary / "cache"),
            "PYTHONPATH": os.pathsep.join(paths),
            "TERM": "xterm",
        }

    def bot(self, name: str, source: str) -> dict[str, str]:
        """Write a Python bot; return its entry for the league file."""
        folder = self.folder / "bots" / name
        folder.mkdir(parents=True)
        (folder / "main.py").write_text(source)
        (folder / "bot.toml").write_text(f'name = "{name}"\ngames = ["*"]\npython = "main.py"\n')
        return {"path": str(folder)}

    def league(self, *bots: str | Mapping[str, Any], **keys: Any) -> Path:
        """Write a league file: ``QUICK`` with other keys, of shipped bots and others."""
        path = self.folder / "league.toml"
        sections = {**QUICK, **keys}
        lines = [
            f"{key} = {json.dumps(value)}"
            for key, value in sections.items()
            if not isinstance(value, dict)
        ]
        for key, values in sections.items():
            if isinstance(values, dict):
                lines += [f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in values.items())]
        for bot in bots:
            entry = {"path": str(REPOSITORY / "bots" / bot)} if isinstance(bot, str) else bot
            lines += ["[[bots]]", *(f"{k} = {json.dumps(v)}" for k, v in entry.items())]
        path.write_text("\n".join(lines) + "\n")
        return path

    def start(
        self, *words: str | Path, program: Sequence[str] = ARENA, **settings: Any
    ) -> "subprocess.Popen[str]":
        """Start ``arena WORDS``; both of its outputs are pipes, unless told otherwise."""
        usual = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "env": self.environment}
        process = subprocess.Popen(
            [*program, *map(str, words)],
            cwd=self.folder,
            text=True,
            **{**usual, "stderr": subprocess.PIPE, **settings},
        )
        self._started.append(process)
        return process

    def arena(self, *words: str | Path, **settings: Any) -> "subprocess.CompletedProcess[str]":
        """Run ``arena WORDS`` to its end."""
        process = self.start(*words, **settings)
        out, err = process.communicate(timeout=LIMIT_SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def clear(self) -> None:
        """Kill what was started and has not ended."""
        for process in self._started:
            process.kill()
            process.communicate()

    def processes(self, seconds: float = 0.0) -> dict[int, str]:
        """Return the command lines of the processes that were started here and are still there
        after ``seconds``."""
        return leftovers.remaining(MARK, self.temporary.name, seconds)

    def left_behind(self) -> list[str]:
        """Return the names of all that runs have left in the folder for temporary files."""
        own = self.temporary / f"arena-{os.getuid()}"
        return sorted(path.name for path in own.glob("*") if not path.name.startswith("core-"))


def has_ended(pid: int, seconds: float) -> bool:
    """Return whether a process, not only of this one's children, ends within ``seconds``."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ready, _, _ = select.select([descriptor], [], [], seconds)
    os.close(descriptor)
    return bool(ready)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A folder of a user's own; its temporary folder has a path that is short enough."""
    with tempfile.TemporaryDirectory(prefix="a-") as temporary:
        place = Place(tmp_path, Path(temporary))
        yield place
        place.clear()

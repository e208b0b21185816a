"""The command line run in this process, as a reader of the terminal sees it."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Place

from arena.cli import main

CHOOSERS = {"first": "legal[0]", "last": "legal[-1]", "middle": "legal[len(legal) // 2]"}
"""Bots whose play depends on the rules alone."""


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    """Return a function that runs a command line and returns it with its output and exit code.

    The current folder is ``tmp_path``, which reads as FOLDER.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))

    def run(line: str) -> str:
        monkeypatch.setattr(sys, "argv", ["arena", *shlex.split(line)])
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        shown = f"$ arena {line}\n{out}{err}[exit {code}]\n"
        return shown.replace(str(tmp_path), "FOLDER")

    return run


@pytest.fixture
def choosers(place: Place) -> Path:
    """Write a league of three bots that depend on nothing but the rules."""
    bots = [
        place.bot(name, f"from arena.bot import run\nrun(lambda observation, legal: {choice})\n")
        for name, choice in CHOOSERS.items()
    ]
    return place.league(*bots)

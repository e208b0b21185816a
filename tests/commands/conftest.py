"""What tests of commands share."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import main

Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command in this process; return its exit code, output and messages."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["arena", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return run

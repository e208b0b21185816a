"""What messages say to type next."""

import sys
from pathlib import Path

import pytest

from arena.errors import installing

CLONE = Path(__file__).parents[1]


def test_an_extra_is_installed_into_the_clone_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(CLONE / ".venv"))
    assert installing("report") == "./scripts/install report in the clone of arena"


def test_an_extra_is_installed_by_pip_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    assert installing("report") == "pip install 'arena[report]'"

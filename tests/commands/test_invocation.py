"""What a message tells to type starts the program that printed it."""

import sys
from pathlib import Path

import pytest

from arena.commands.invocation import program


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed program that was started by its path, in the folder above its own."""
    path = tmp_path / "bin" / "arena"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    return path


@pytest.mark.usefixtures("installed")
def test_a_program_that_is_not_on_path_is_told_by_its_path_from_here() -> None:
    assert program() == "./bin/arena"


def test_a_program_in_another_folder_is_told_by_its_whole_path(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert program() == str(installed)


def test_the_program_on_path_is_told_by_its_name(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "arena").symlink_to(installed)
    monkeypatch.setenv("PATH", str(tmp_path / "links"))
    assert program() == "arena"


def test_another_program_on_path_is_not_told(installed: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "arena"
    other.parent.mkdir()
    other.write_bytes(installed.read_bytes())
    other.chmod(0o755)
    assert program() == "./bin/arena"


@pytest.mark.parametrize("called", ["arena", "/usr/lib/arena/__main__.py"])
def test_without_a_path_of_the_program_it_is_told_by_its_name(
    called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    assert program() == "arena"

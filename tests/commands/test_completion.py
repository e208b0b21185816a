"""Tab completes names of games, bots and runs, in the shells that people use."""

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from needed import needed
from running import Place
from terminal import Terminal

from arena.cli import cli
from arena.commands import completing
from arena.commands.completing import VARIABLE
from arena.league.journal import Journal

SHELLS = ("bash", "zsh", "fish")


def offered(line: str) -> list[tuple[str, str]]:
    """Return type and value of what is offered at the end of a command line."""
    *words, incomplete = line.split(" ")[1:]
    complete = ShellComplete(cli, {}, "arena", VARIABLE)
    return [(item.type, item.value) for item in complete.get_completions(words, incomplete)]


def names(line: str) -> list[str]:
    return [value for kind, value in offered(line) if kind == "plain"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with runs and bots."""
    for run in ("runs/league", "runs/play-1", "old"):
        (tmp_path / run).mkdir(parents=True)
        (tmp_path / run / "journal.sqlite").touch()
    (tmp_path / "runs" / "empty").mkdir()
    for name, game in (("greta", "thirteen"), ("deep/gregor", "*")):
        (tmp_path / name).mkdir(parents=True)
        text = f'games = ["{game}"]\ncommand = ["true"]\n'
        (tmp_path / name / "bot.toml").write_text(text)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "bot.toml").write_text("games = 1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("arena play ", ["leaves", "thirteen"]),
        ("arena match le", ["leaves"]),
        ("arena rules th", ["thirteen"]),
        ("arena check --game th", ["thirteen"]),
        ("arena standings ", ["old", "runs/league", "runs/play-1"]),
        ("arena watch runs/l", ["runs/league"]),
        ("arena replay o", ["old"]),
        ("arena play leaves gre", ["greedy"]),
        ("arena play thirteen gre", ["greta"]),
        ("arena play leaves first gre", ["greedy"]),
        ("arena match leaves first deep/", ["deep/gregor"]),
        ("arena check gre", ["greedy", "greta"]),
        ("arena check br", ["broken"]),
        ("arena play thirteen br", []),
        ("arena play leaves --hint cou", ["counter"]),
        ("arena compare greedy min", []),
        ("arena compare greedy mise", ["miser"]),
        ("arena compare greedy miser --against rand", ["random"]),
        ("arena new mine --language ru", ["rust"]),
        ("arena completion z", ["zsh"]),
        ("arena stand", ["standings"]),
        ("arena standings runs/league --table cr", ["cross"]),
    ],
)
def test_names_are_offered(line: str, right: list[str]) -> None:
    assert names(line) == right


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("arena play leaves dee", "dir"),
        ("arena standings nowhere", "dir"),
        ("arena tournament conf", "file"),
    ],
)
def test_paths_are_left_to_the_shell(line: str, kind: str) -> None:
    assert offered(line) == [(kind, line.split(" ")[-1])]


def test_the_bots_of_a_run_are_offered(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)
    assert names("arena feedback run g") == []
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    assert names("arena standings ") == ["run"]
    assert names("arena feedback run ") == ["first", "greedy", "random"]
    assert names("arena feedback run g") == ["greedy"]


def test_the_matches_of_a_run_are_offered_unless_they_are_too_many(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.folder)
    assert names("arena replay run ") == []
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    with closing(Journal.read(Path("run"))) as journal:
        matches = sorted(journal.played())
    for command in ("replay", "rerun", "debug"):
        assert names(f"arena {command} run ") == matches
    assert names(f"arena replay run {matches[1][:-1]}") == [matches[1]]
    monkeypatch.setattr(completing, "MOST_MATCHES", len(matches) - 1)
    assert names("arena replay run ") == []


def test_a_plug_in_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.plugins.names", lambda kind: ("high-card", kind))
    assert names("arena play hi") == ["high-card"]


@pytest.mark.process
@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes(shell: str, place: Place, tmp_path: Path) -> None:
    if not shutil.which(shell):
        needed(shell)
    program = tmp_path / "bin" / "arena"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m arena "$@"\n')
    program.chmod(0o755)
    (tmp_path / "runs" / "autumn").mkdir(parents=True)
    (tmp_path / "runs" / "autumn" / "journal.sqlite").touch()
    script = place.arena("completion", shell)
    assert (script.returncode, script.stderr) == (0, "")
    (tmp_path / "script").write_text(script.stdout)
    start = {
        "bash": ["bash", "--norc", "--noprofile", "-i"],
        "zsh": ["zsh", "-f", "-i"],
        "fish": ["fish", "--no-config", "-i"],
    }
    before = {"zsh": "autoload -Uz compinit; compinit -u -D; "}.get(shell, "")
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    terminal = Terminal(place, program=start[shell], env={"PATH": path, "HOME": str(tmp_path)})
    terminal.type(f"{before}. {tmp_path / 'script'}; echo rea''dy\n")
    terminal.wait_for(r"ready\r?\n")
    for begun, whole in (("play thirt", "thirteen"), ("watch runs/au", "runs/autumn")):
        terminal.type(f"arena {begun}\t")
        terminal.wait_for(whole)
        terminal.type("\x15")
    terminal.type("exit\n")
    assert terminal.rest() == 0

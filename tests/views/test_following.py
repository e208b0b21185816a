"""How a comparison is followed, and the words of its result."""

import io
import re
from pathlib import Path

import pytest
from results.leagues import outcome

from arena.league import comparison
from arena.model import Entrant, League, Outcome, Terms
from arena.results.versus import Versus
from arena.views import progress, versus
from arena.views.versus import conclusion, following

LEAGUE = League(
    name="old and new",
    seed="13",
    seats=(2,),
    terms=Terms(game="thirteen"),
    format=comparison.KEY,
    format_options={
        "old": "old",
        "new": "new",
        "margin": 0.3,
        "alpha": 0.05,
        "max_blocks": 50,
        "rotations": 2,
    },
    entrants=tuple(Entrant(name, ("true",), "/") for name in ("old", "new")),
)


def block(number: int, winners: tuple[str, str]) -> list[Outcome]:
    return [
        outcome(seats, number, turn, tuple(1 if name == winner else 2 for name in seats))
        for turn, (seats, winner) in enumerate(
            zip([("old", "new"), ("new", "old")], winners, strict=True), 1
        )
    ]


def followed(*blocks: tuple[str, str]) -> Versus:
    found = comparison.versus(LEAGUE)
    for number, winners in enumerate(blocks, 1):
        for match in block(number, winners):
            found.add(match)
    return found


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([("new", "new")] * 12, "new is better than old"),
        ([("old", "old")] * 12, "new is worse than old"),
        ([("old", "new")] * 30, "new and old are equal within 0.3"),
        ([("new", "new")], "new and old: undecided"),
    ],
)
def test_the_result_is_told_in_words(blocks: list[tuple[str, str]], words: str) -> None:
    assert conclusion(followed(*blocks), 0.05).splitlines()[0] == words


def test_the_result_has_its_figures() -> None:
    assert conclusion(followed(("new", "new")), 0.1).splitlines()[1:] == [
        "share of new less that of old: +1.000, from -0.980 to +1.000 "
        "(90%, however often it is looked at)",
        "2 matches in 1 block",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, value in {"COLUMNS": "100", "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    found = Terminal()
    monkeypatch.setattr(versus, "error_stream", lambda: found)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "FRAME_SECONDS", 0.0)
    return found


def follow(*, quiet: bool = False) -> None:
    """Follow a run of three blocks that goes on after the first."""
    watch = following(Path("runs/x"), comparison.versus(LEAGUE), quiet=quiet)
    watch.begin(LEAGUE, 100, 2, iter(block(1, ("new", "new"))))
    for number in (2, 3):
        for match in block(number, ("old", "new")):
            watch.finished(match)
            watch.tick()
    watch.end()


def test_a_terminal_shows_the_interval_as_it_narrows(stream: Terminal) -> None:
    follow()
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", stream.getvalue())
    shown = re.findall(r"new less old ([+-]\d\.\d+), from ([+-]\d\.\d+) to ([+-]\d\.\d+)", text)
    assert shown[0][0] == "+1.000"
    assert shown[-1][0] == "+0.333"
    widths = [float(high) - float(low) for _, low, high in shown]
    assert widths == sorted(widths, reverse=True)


def test_a_log_has_lines_and_a_quiet_run_has_none(
    stream: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(quiet=True)
    assert stream.getvalue() == ""
    monkeypatch.setattr(stream, "isatty", lambda: False)
    follow()
    lines = stream.getvalue().splitlines()
    assert lines[0] == "arena: old and new: 100 matches, 2 are there already"
    assert lines[-1].startswith("arena: 6 of 100 matches at most, 0 faults; new less old +0.333, ")

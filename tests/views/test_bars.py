"""Shares as bars."""

import io

import pytest

from arena.results.tables import Standings
from arena.views.bars import ASCII, UNICODE, bar, below, chart, marks
from arena.views.grid import cell_width


@pytest.mark.parametrize(
    ("low", "share", "high", "drawn"),
    [
        (None, None, None, ".........."),
        (None, 0.5, None, ".....O...."),
        (0.2, 0.45, 0.7, "..==O===.."),
        (-0.1, 0.0, 0.1, "O=........"),
        (0.95, 1.0, 1.2, ".........O"),
    ],
)
def test_a_bar(low: float | None, share: float | None, high: float | None, drawn: str) -> None:
    assert bar(low, share, high, 10, ASCII) == drawn


@pytest.mark.parametrize(
    ("encoding", "right"),
    [("utf-8", UNICODE), ("ascii", ASCII), ("latin-1", ASCII), ("none", ASCII), (None, ASCII)],
)
def test_the_marks_are_those_that_an_encoding_has(encoding: str | None, right: object) -> None:
    assert marks(encoding) == right


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_a_chart_fits_and_has_a_line_for_each_bot(table: Standings, columns: int) -> None:
    lines = chart(table, columns, UNICODE).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [row.bot for row in table.rows]
    assert max(map(cell_width, lines)) <= columns
    assert len({cell_width(line) for line in lines[1:] if line.endswith(tuple("0123456789"))}) == 1
    assert lines[0].split() == ["0", "0.5", "1"]


def test_there_is_no_chart_where_it_would_be_too_narrow(table: Standings) -> None:
    assert chart(table, 20, UNICODE) == ""


def test_bars_are_for_terminals(table: Standings, monkeypatch: pytest.MonkeyPatch) -> None:
    tape = io.StringIO()
    assert below(table, tape) == ""
    monkeypatch.setattr(tape, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    assert below(table, tape) == f"\n{chart(table, 59, ASCII)}"
    monkeypatch.setenv("COLUMNS", "20")
    assert below(table, tape) == ""

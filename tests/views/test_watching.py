"""A run as it is followed from another terminal."""

import io
import itertools

from msgspec.structs import replace

from arena.model import FaultKind
from arena.results.tables import Standings
from arena.views.grid import cell_width
from arena.views.watching import Drawing, Lines, Moment

FAULTS = {
    ("slow", FaultKind.TIMEOUT): 3,
    ("slow", FaultKind.ILLEGAL): 1,
    ("mad\x1b[31m", FaultKind.EXITED): 9,
}


def moment(table: Standings, done: int = 58) -> Moment:
    return Moment("autumn", "leaves", done, 200, FAULTS, table, playing=True)


class Tape(io.StringIO):
    encoding = "utf-8"


def test_a_picture_has_progress_standings_and_who_is_at_fault(table: Standings) -> None:
    seconds = itertools.count(step=10)
    drawing = Drawing(Tape(), lambda: float(next(seconds)))
    drawing.picture(moment(table, 8), 79, 23)
    lines = drawing.picture(moment(table), 79, 23)
    assert lines[:2] == ["autumn, leaves", "58 of 200 matches, 13 faults, 2.5/s, 57 s left"]
    assert lines[2].count("━") == 77 * 58 // 200
    assert lines[-4:-2] == ["mad\ufffd[31m: 9 exited", "slow: 1 illegal, 3 timeout"]
    assert max(map(cell_width, lines)) <= 79
    assert sum("●" in line for line in lines) == len([r for r in table.rows if r.share is not None])


def test_a_picture_fits_a_small_terminal(table: Standings) -> None:
    lines = Drawing(Tape()).picture(moment(table), 39, 11)
    assert len(lines) <= 11
    assert max(map(cell_width, lines)) <= 39


def test_lines_are_said_now_and_then(table: Standings) -> None:
    tape, seconds = Tape(), iter([1.0, 1.0, 1.0, 5.0, 12.0, 12.0, 12.0, 12.0])
    lines = Lines(tape, lambda: next(seconds))
    for done in (0, 10, 20):
        lines.show(moment(table, done))
    said = tape.getvalue().splitlines()
    assert [line.split(" of ")[0] for line in said] == ["autumn, leaves: 0", "autumn, leaves: 20"]
    assert said[1].endswith(f"; first: {table.rows[0].bot}")


def test_how_a_run_was_left(table: Standings) -> None:
    board = Lines(Tape())
    assert board.ending(moment(table, 0)).startswith("not begun: nobody plays it; 0 of 200 ")
    assert board.ending(moment(table)).startswith("stopped: nobody plays it; 58 of 200 matches")
    assert board.ending(replace(moment(table), done=200)) == "finished: all 200 matches are played"

"""Shares as bars: where each bot stands between 0 and 1, and how far that can be believed."""

import shutil
from typing import TextIO

from msgspec import Struct

from arena.results.tables import Standings
from arena.views.grid import cell_width, cut, printable
from arena.views.text import WIDTH, number

_LONGEST_NAME = 20
_WIDEST = 60
_NARROWEST = 10


class Marks(Struct, frozen=True):
    """The characters of a bar: what is empty, the interval and the share in it."""

    empty: str
    interval: str
    share: str


UNICODE = Marks("·", "━", "●")
ASCII = Marks(".", "=", "O")


def marks(encoding: str | None) -> Marks:
    """Return the characters that an encoding has."""
    try:
        "".join((UNICODE.empty, UNICODE.interval, UNICODE.share)).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return UNICODE


def bar(low: float | None, share: float | None, high: float | None, width: int, by: Marks) -> str:
    """Return a bar of ``width`` cells from 0 to 1, without an interval where there is none."""

    def cell(value: float) -> int:
        return min(width - 1, max(0, int(value * width)))

    cells = [by.empty] * width
    if low is not None and high is not None:
        for at in range(cell(low), cell(high) + 1):
            cells[at] = by.interval
    if share is not None:
        cells[cell(share)] = by.share
    return "".join(cells)


def chart(table: Standings, columns: int, by: Marks) -> str:
    """Return the shares of standings with their 95% intervals, a bot a line, by rank.

    It is empty where ``columns`` are too few.
    """
    names = [cut(printable(row.bot), _LONGEST_NAME) for row in table.rows]
    longest = max(map(cell_width, names), default=0)
    width = min(_WIDEST, columns - longest - len("    0.000"))
    if width < _NARROWEST or not names:
        return ""
    lines = [" " * (longest + 2) + _scale(width)]
    for name, row in zip(names, table.rows, strict=True):
        space = " " * (longest - cell_width(name))
        drawn = bar(row.low, row.share, row.high, width, by)
        lines.append(f"{name}{space}  {drawn}  {number(row.share, 3)}")
    return "\n".join(lines) + "\n"


def below(table: Standings, stream: TextIO) -> str:
    """Return an empty line and the chart of standings for a terminal; empty for another stream."""
    if not stream.isatty():
        return ""
    columns = min(WIDTH, shutil.get_terminal_size().columns)
    drawn = chart(table, columns - 1, marks(stream.encoding))
    return f"\n{drawn}" if drawn else ""


def _scale(width: int) -> str:
    """Return 0, 0.5 and 1 over the cells that they are."""
    line = list(f"{'0':<{width - 1}}1")
    line[width // 2 : width // 2 + 3] = "0.5"
    return "".join(line)

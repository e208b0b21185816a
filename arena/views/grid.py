"""Tables of text: the same cells as aligned columns for a terminal or as Markdown."""

import re

from msgspec import Struct

_GAP = "  "
_NARROWEST = 8
_LONGEST = 1 << 14
"""Letters of what a bot prints or answers that a page quotes; a run keeps no more of it."""
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|&~])")


class Column(Struct, frozen=True):
    """A heading and the side to which the column's cells are aligned."""

    heading: str
    align: str


class Grid(Struct, frozen=True):
    """A table of text cells and the notes below it.

    ``flexible`` is the index of the column that is cut when the table is too wide.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    flexible: int


def columns(*headings: str) -> tuple[Column, ...]:
    """Return columns from headings such as ``"<bot"`` and ``">wins"``."""
    return tuple(Column(heading[1:], heading[0]) for heading in headings)


def printable(text: str) -> str:
    """Return the text with a replacement character for all that a terminal would act upon."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def printed(output: str) -> list[str]:
    """Return the lines of a program's output as ``printable`` ones, tabs as spaces."""
    return [printable(line.expandtabs()) for line in output.splitlines()]


def quoted(text: str) -> str:
    """Return what a bot has said as printable lines; of more than a bot can say, the beginning."""
    more = "\n…" if len(text) > _LONGEST else ""
    return "\n".join(printed(text[:_LONGEST])) + more


def first_line(text: str) -> str:
    """Return the first line of a text that may have none."""
    return next(iter(text.splitlines()), "")


def as_text(grid: Grid, width: int) -> str:
    """Return the grid as lines of at most ``width`` cells where the flexible column allows it."""
    head = tuple(column.heading for column in grid.columns)
    rows = [tuple(map(printable, row)) for row in (head, *grid.rows)]
    widths = [max(map(cell_width, cells)) for cells in zip(*rows, strict=True)]
    surplus = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    if surplus > 0:
        least = min(widths[grid.flexible], _NARROWEST)
        widths[grid.flexible] = max(least, widths[grid.flexible] - surplus)
    lines = [
        _GAP.join(
            _fit(cell, size, column.align)
            for cell, size, column in zip(row, widths, grid.columns, strict=True)
        ).rstrip()
        for row in rows
    ]
    notes = ["", *map(printable, grid.notes)] if grid.notes else []
    return "\n".join([*lines, *notes]) + "\n"


def as_markdown(grid: Grid) -> str:
    """Return the grid as a Markdown table, with everything escaped that Markdown would read."""
    head = [escaped(column.heading) for column in grid.columns]
    rule = ["--:" if column.align == ">" else ":--" for column in grid.columns]
    rows = [[escaped(cell) for cell in row] for row in grid.rows]
    lines = [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]
    notes = [line for note in grid.notes for line in ("", escaped(note))]
    return "\n".join([*lines, *notes]) + "\n"


def escaped(text: str) -> str:
    """Return the text so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def cell_width(text: str) -> int:
    """Return the number of terminal cells that the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, width: int) -> str:
    """Return the text in at most ``width`` cells, with an ellipsis where something was cut."""
    if cell_width(text) <= width:
        return text
    text = text[:width]
    while cell_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _fit(text: str, width: int, align: str) -> str:
    text = cut(text, width)
    space = " " * (width - cell_width(text))
    return space + text if align == ">" else text + space

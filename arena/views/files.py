"""The result files in a run's folder.

``standings.csv``, ``standings.json`` and ``standings.md`` are the same to the byte for the same
outcomes in any order; ``times.csv`` and ``head.txt`` hold what differs from run to run.

``arena/league/STANDINGS.md`` describes ``standings.json``.
"""

import contextlib
import os
from pathlib import Path

import msgspec

from arena.play import wary
from arena.results.tables import Standings
from arena.results.times import Times
from arena.views import analysis, sheets, text
from arena.views.grid import as_markdown

FORMAT = 2


def write(folder: Path, table: Standings, times: Times, head: str) -> tuple[Path, ...]:
    """Write the result files, each of them whole or not at all, and return their paths."""
    contents = texts(table, times, head)
    for name, content in contents.items():
        write_atomically(folder / name, content)
    return tuple(folder / name for name in contents)


def texts(table: Standings, times: Times, head: str) -> dict[str, str]:
    """Return the result files, name and content; ``head`` is the end of the journal's chain."""
    return {
        "standings.csv": sheets.as_csv(sheets.main_sheet(table)),
        "standings.json": json_text(table),
        "standings.md": markdown_text(table),
        "times.csv": sheets.as_csv(sheets.time_sheet(times)),
        "head.txt": f"{head}\n",
    }


def json_text(table: Standings) -> str:
    """Return the standings as a JSON document of format 2."""
    return pretty({"format": FORMAT, **msgspec.structs.asdict(table)})


def markdown_text(table: Standings) -> str:
    """Return the tables of the standings as a Markdown document."""
    parts = (
        ("Standings", text.main_grid(table)),
        ("Each against each", text.cross_grid(table)),
        ("Differences", analysis.pair_grid(table)),
        *([("Ratings", analysis.rating_grid(table))] if table.ratings else []),
        ("Seats", text.seat_grid(table)),
        ("With each bot left out", analysis.without_grid(table)),
        ("Ends of matches", analysis.end_grid(table)),
    )
    return "\n".join(f"## {title}\n\n{as_markdown(grid)}" for title, grid in parts)


def pretty(document: object) -> str:
    """Return a document as indented JSON with a final newline."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by one with this text, so that no reader ever meets a part of it.

    Raise OSError, which names the file, when that cannot be done; the old one stays then.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        with os.fdopen(wary.create(draft), "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error

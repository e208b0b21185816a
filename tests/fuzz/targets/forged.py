"""Journals with rows that somebody changed: read, or an error that says so; never written to."""

import contextlib
import io
import os
import sqlite3
import tempfile
import zlib
from pathlib import Path
from typing import Any

import msgspec
import scripted
from choices import Choices, change
from msgspec.structs import replace

from arena.commands.figures import standings_of, times_of
from arena.commands.leaks import verify_leaks
from arena.commands.reading import reading
from arena.commands.records import export, verify_run
from arena.errors import ArenaError
from arena.league.journal import FILE
from arena.league.seasons import by_version
from arena.views.show import TABLES, show

LEAGUE = replace(
    scripted.LEAGUE,
    seats=(3,),
    format_options={"blocks": 1, "rotations": "all"},
    entrants=scripted.LEAGUE.entrants[:3],
)
FOLDER = tempfile.TemporaryDirectory(prefix="arena-fuzz-")
RUN = Path(FOLDER.name) / "run"
scripted.record(LEAGUE, scripted.play_all(LEAGUE), RUN)
WHOLE = (RUN / FILE).read_bytes()
COLUMNS = (
    ("results", "outcome"),
    ("records", "record"),
    ("notes", "body"),
    ("notes", "kind"),
    ("notes", "after"),
    ("results", "match"),
    ("results", "number"),
    ("records", "number"),
    ("results", "chain"),
)
VALUES = (None, -1, 0, 1, 3, 1 << 62, 0.5, "", "league", "void", "0", b"", b"{}", b"x\x9c")
SEEDS = [bytes([n % len(COLUMNS), *range(n, 2 * n)]) for n in range(2, 60, 7)]


def run(data: bytes) -> None:
    choices = Choices(data)
    (RUN / FILE).unlink(missing_ok=True)
    (RUN / FILE).write_bytes(WHOLE)
    _rewrite(choices)
    left = (RUN / FILE).read_bytes()
    for read in (_show, _export, _verify, _look_for_leaks):
        with contextlib.suppress(ArenaError), contextlib.redirect_stdout(io.StringIO()):
            read()
    assert (RUN / FILE).read_bytes() == left


def _rewrite(choices: Choices) -> None:
    """Change a row, and most of the time make the chain anew, as a forger would."""
    with contextlib.closing(sqlite3.connect(RUN / FILE)) as db, db:
        table, column = choices.one_of(COLUMNS)
        rows = db.execute(f"SELECT rowid, {column} FROM {table} ORDER BY number").fetchall()
        number, value = choices.one_of(rows)
        update = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
        with contextlib.suppress(sqlite3.IntegrityError):
            db.execute(update, (_changed(value, choices), number))
        if choices.below(4):
            scripted.chain_anew(db)


def _changed(value: Any, choices: Choices) -> Any:
    """Return a value with something changed in the JSON that it is, or another one altogether."""
    packed = isinstance(value, bytes) and value.startswith(b"x")
    try:
        document = msgspec.json.decode(zlib.decompress(value) if packed else value)
    except (TypeError, msgspec.DecodeError):
        return choices.one_of(VALUES)
    while choices and document and isinstance(document, dict | list):
        change(document, choices)
    text = msgspec.json.encode(document)
    return zlib.compress(text) if packed else text if isinstance(value, bytes) else text.decode()


def _show() -> None:
    with reading(RUN) as journal:
        table = standings_of(journal, by_version)
        for name in TABLES:
            show(name, "text", table, journal.outcomes())
        times_of(journal)
        for result in journal.results():
            journal.result(result.outcome.match)


def _export() -> None:
    export(RUN, Path(os.devnull))


def _verify() -> None:
    verify_run(RUN)


def _look_for_leaks() -> None:
    verify_leaks(RUN, (), None)

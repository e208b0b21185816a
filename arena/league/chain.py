"""The hash chain of a journal: every row holds a hash of its columns and of the row before it.

The rows of ``results``, with their records, and those of ``notes`` are one sequence: a note stands
behind as many results as its column ``after`` says. ``RECORDS.md`` beside this file describes the
hash, so that another program can follow the chain.
"""

import contextlib
import hashlib
import itertools
import sqlite3
from collections.abc import Iterator, Mapping

from msgspec import Struct

GENESIS = hashlib.sha256(b"arena journal").digest()
"""What stands for the row before the first one."""
Value = bytes | str | int | float | None
"""What a column of SQLite may hold."""

_CHANGED = "{name}: what is stored does not agree with its chain"
_RESULTS = """
SELECT number, match, outcome, record, chain
FROM results LEFT JOIN records USING (number) ORDER BY number
"""
_NOTES = "SELECT number, after, kind, body, chain FROM notes ORDER BY number"


class Broken(Exception):
    """What a journal holds is not what was written into it; the message names the first row."""


class Row(Struct, frozen=True):
    """A row of the journal: its table, its number there, the other columns, and its chain.

    ``after`` counts the results before it.
    """

    table: str
    number: int
    after: int
    values: tuple[Value, ...]
    chain: Value

    @property
    def name(self) -> str:
        """What people call the row."""
        if self.is_result:
            return f"row {self.number} (match {_shown(self.values[0])})"
        return f"note {self.number} ({_shown(self.values[1])})"

    @property
    def is_result(self) -> bool:
        return self.table == "results"

    def link(self, previous: bytes) -> bytes:
        """Return what the chain of this row should be behind a row with another."""
        return link(previous, self.table, self.number, *self.values)


class Proof(Struct, frozen=True):
    """A chain that agrees: how many results and notes it has, and the hash at its end.

    ``head`` is empty where there is no chain. ``found`` is the number of results up to the hash
    that was looked for, None if it is not there.
    """

    results: int
    notes: int
    head: str
    found: int | None = None


def link(previous: bytes, *values: Value) -> bytes:
    """Return the hash of values behind a row with the hash ``previous``."""
    digest = hashlib.sha256(previous)
    for value in values:
        kind, data = _canonical(value)
        digest.update(f"{kind}{len(data)}:".encode())
        digest.update(data)
    return digest.digest()


def head(db: sqlite3.Connection) -> bytes:
    """Return the chain of the last row of a journal; raise Broken if it is none."""
    order = "ORDER BY number DESC LIMIT 1"
    result = db.execute(f"SELECT number, chain FROM results {order}").fetchone()
    number, chain = result or (0, GENESIS)
    note = db.execute(f"SELECT after, chain FROM notes {order}").fetchone()
    after, noted = note or (0, GENESIS)
    last = noted if after == number else chain
    if not isinstance(last, bytes):
        raise Broken(f"the last row has {last!r} for its chain")
    return last


def rows(db: sqlite3.Connection) -> Iterator[Row]:
    """Yield the rows of a journal in the order of the chain, whatever they hold."""
    notes = (
        Row("notes", number, after if isinstance(after, int) else 0, (after, *rest), chain)
        for number, after, *rest, chain in db.execute(_NOTES)
    )
    note = next(notes, None)
    for number, *values, chain in db.execute(_RESULTS):
        if not isinstance(number, int):
            raise sqlite3.DatabaseError(f"a row has the number {number!r}")
        while note and note.after < number:
            yield note
            note = next(notes, None)
        yield Row("results", number, number, tuple(values), chain)
    if note:
        yield from itertools.chain((note,), notes)


def check(db: sqlite3.Connection, wanted: str = "", *, linked: bool = True) -> Proof:
    """Follow the chain of a journal, and look for a hash, given in hexadecimal, or its beginning.

    Raise Broken at the first row that does not agree, or is not where it should be; the latter
    alone where the rows are not ``linked``. Raise DatabaseError where the file is damaged.
    """
    if fault := _file_fault(db):
        raise sqlite3.DatabaseError(fault)
    counts, found, previous = {"results": 0, "notes": 0}, None, GENESIS
    lost = _lost_note(db)
    with _any_text(db):
        for row in rows(db):
            counts[row.table] += 1
            agrees = not linked or row.chain == (previous := row.link(previous))
            if fault := _misplaced(row, counts) or ("" if agrees else _CHANGED):
                missing = counts["notes"] + 1 == lost
                named = f"note {lost} was removed" if missing else fault.format(name=row.name)
                raise Broken(f"{named}; nothing that comes after it can be vouched for")
            if wanted and previous.hex().startswith(wanted):
                found = counts["results"]
    _check_records(db)
    return Proof(counts["results"], counts["notes"], previous.hex() if linked else "", found)


def _file_fault(db: sqlite3.Connection) -> str:
    """Return in one line what SQLite finds fault with in a file, empty if nothing."""
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else str(found).splitlines()[-1]


def _misplaced(row: Row, counts: Mapping[str, int]) -> str:
    """Return what is wrong with the place of a row; ``counts`` are those of the rows up to it."""
    number = counts[row.table]
    if row.number > number:
        return f"{'row' if row.is_result else 'note'} {number} was removed"
    if row.number < number:
        return "{name} was put in"
    if not row.is_result and row.values[0] != row.after:
        return "{name} stands behind no number of results"
    return f"row {counts['results'] + 1} was removed" if row.after > counts["results"] else ""


def _lost_note(db: sqlite3.Connection) -> int:
    """Return the first number below others that no note has, 0 if there is none."""
    numbers = [number for (number,) in db.execute("SELECT number FROM notes ORDER BY number")]
    return next((n for n, number in enumerate(numbers, 1) if n != number), 0)


def _check_records(db: sqlite3.Connection) -> None:
    """Raise Broken where there are more records than results."""
    query = "SELECT min(number) FROM records WHERE number NOT IN (SELECT number FROM results)"
    (stray,) = db.execute(query).fetchone()
    if stray is not None:
        raise Broken(f"record {stray} belongs to no match")


def _canonical(value: Value) -> tuple[str, bytes]:
    """Return a letter for the type of a value, and its bytes."""
    if value is None:
        return "n", b""
    if isinstance(value, bytes):
        return "b", value
    if isinstance(value, str):
        return "t", value.encode("utf-8", "surrogateescape")
    return "i" if isinstance(value, int) else "r", repr(value).encode()


@contextlib.contextmanager
def _any_text(db: sqlite3.Connection) -> Iterator[None]:
    """Let texts be read that are no UTF-8."""
    usual = db.text_factory
    db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        db.text_factory = usual


def _shown(value: Value) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text.encode("ascii", "backslashreplace").decode()[:40]

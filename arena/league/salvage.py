"""What can be read of a damaged journal: a copy of its rows, and what is to be said of the others.

The file itself is not written to. Rows are found wherever they lie, see ``_pages``.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from arena.league import _packing, _pages, _schema
from arena.league._pages import Value
from arena.league.chain import GENESIS, rows
from arena.model import League, Void
from arena.words import plural

_MOST = 1 << 40
"""No row has a greater number."""


def salvaged(path: Path) -> tuple[sqlite3.Connection | None, list[str]]:
    """Return a journal of all that can be read of a file, in a place that goes with it, and in
    words what cannot be read; None if there is no match and no league."""
    db = sqlite3.connect("", isolation_level=None)
    _schema.make_tables(db)
    with db:
        db.execute("BEGIN")
        old_notes = _copy(path, db)
        if not db.execute("SELECT 1 FROM notes").fetchone():
            _add_notes(db, old_notes)
        _drop_unreadable(db)
        changed = _drop_changed(db)
    if not db.execute("SELECT 1 FROM notes UNION ALL SELECT 1 FROM results").fetchone():
        db.close()
        return None, []
    return db, list(_losses(db, changed))


def _copy(path: Path, db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Copy the rows of a file; return the notes that a journal of schema 1 would have."""
    old, voids = dict[str, str](), list[tuple[str, str]]()
    for number, columns in _pages.rows(path):
        if number is None:
            match columns:
                case (str(key), str(value)):
                    old[key] = value
        elif 0 < number < _MOST:
            match columns:
                case (None, str(), bytes() | str(), bytes()):
                    _insert(db, "results", number, *columns[1:])
                case (None, str(), bytes()):
                    _insert(db, "results", number, *columns[1:], None)
                case (None, bytes()):
                    _insert(db, "records", number, *columns[1:])
                case (None, int(), str(), str(), bytes()):
                    _insert(db, "notes", number, *columns[1:])
                case (None, str(match), str(reason)):
                    void = msgspec.json.encode({"match": match, "reason": reason})
                    voids.append(("void", void.decode()))
    sandboxes = list[str]()
    with contextlib.suppress(msgspec.MsgspecError):
        sandboxes = msgspec.json.decode(old.get("sandboxes", "[]"), type=list[str])
    league = [("league", old["league"])] if "league" in old else []
    return [*league, *(("sandbox", sandbox) for sandbox in sandboxes), *voids]


def _insert(db: sqlite3.Connection, table: str, *values: Value) -> None:
    """Add a row, unless there is one of its number; one with a chain replaces one without."""
    with contextlib.suppress(sqlite3.IntegrityError):
        if table == "results" and values[-1] is not None:
            db.execute("DELETE FROM results WHERE number = ? AND chain IS NULL", values[:1])
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def _add_notes(db: sqlite3.Connection, notes: list[tuple[str, str]]) -> None:
    for number, (kind, body) in enumerate(notes, 1):
        db.execute("INSERT INTO notes VALUES (?, 0, ?, ?, x'')", (number, kind, body))


def _drop_unreadable(db: sqlite3.Connection) -> None:
    """Remove what cannot be decoded: a record alone, or a result with its record."""
    found = db.execute(
        "SELECT number, outcome, record FROM results LEFT JOIN records USING (number)"
    )
    for number, outcome, record in found.fetchall():
        if not _decodes(_packing.outcome, outcome):
            db.execute("DELETE FROM results WHERE number = ?", (number,))
        elif record is None or _decodes(_packing.result, outcome, record):
            continue
        db.execute("DELETE FROM records WHERE number = ?", (number,))
    kinds = {"league": League, "void": Void}
    for number, kind, body in db.execute("SELECT number, kind, body FROM notes").fetchall():
        if kind in kinds and not _decodes(msgspec.json.Decoder(kinds[kind]).decode, body):
            db.execute("DELETE FROM notes WHERE number = ?", (number,))


def _decodes(decode: Callable[..., object], *data: bytes) -> bool:
    try:
        decode(*data)
    except (msgspec.MsgspecError, zlib.error, UnicodeError):
        return False
    return True


def _losses(db: sqlite3.Connection, changed: list[int]) -> Iterator[str]:
    """Yield what is lost, and what nothing vouches for."""
    results, records = (_numbers(db, table) for table in ("results", "records"))
    (noted,) = db.execute("SELECT max(after) FROM notes").fetchone()
    last = max(noted or 0, *results, *records, *changed, 0)
    yield f"{plural(len(results), 'match')} can be read, out of {last} or more"
    lost = sorted({*range(1, last + 1)} - results - {*changed})
    if lost:
        yield f"lost: {_ranges(lost)}, counting matches as they were recorded"
    if changed:
        yield f"left out, not in agreement with the chain: {_ranges(changed)}"
    if bare := sorted(results - records):
        yield f"lost of {_ranges(bare)}: the record of its deals; the outcome is there"
    if unproven := _doubtful(db)[1]:
        yield f"not vouched for by the chain: {_ranges(unproven)}"


def _drop_changed(db: sqlite3.Connection) -> list[int]:
    """Remove the results that are likely not what was recorded; return their numbers."""
    changed, _ = _doubtful(db)
    for number in changed:
        for table in ("results", "records"):
            db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    return changed


def _doubtful(db: sqlite3.Connection) -> tuple[list[int], list[int]]:
    """Return the numbers of the results that do not agree with the chain: those that must have been
    changed, as they follow at once on a row that does and no note is seen to be lost, and the
    others."""
    noted = _has_its_notes(db)
    changed, unproven = list[int](), list[int]()
    previous, vouched = GENESIS, True
    counts = {"results": 0, "notes": 0}
    for row in rows(db):
        agrees = row.chain == row.link(previous)
        follows = row.number == counts[row.table] + 1 and None not in row.values
        if row.is_result and row.chain is not None and not agrees:
            (changed if noted and vouched and follows else unproven).append(row.number)
        counts[row.table] = row.number
        previous, vouched = row.chain if isinstance(row.chain, bytes) else GENESIS, agrees
    return changed, unproven


def _has_its_notes(db: sqlite3.Connection) -> bool:
    """Return whether no note is missing among others, and there is the league, as ever."""
    query = "SELECT count(*) = max(number) AND sum(kind = 'league') > 0 FROM notes"
    return bool(db.execute(query).fetchone()[0])


def _numbers(db: sqlite3.Connection, table: str) -> set[int]:
    return {number for (number,) in db.execute(f"SELECT number FROM {table}")}


def _ranges(numbers: list[int]) -> str:
    """Return ascending numbers in words, such as "match 3, 7-12"."""
    parts, begin = [], numbers[0]
    for number, following in zip(numbers, [*numbers[1:], -1], strict=True):
        if following != number + 1:
            parts.append(f"{begin}" if begin == number else f"{begin}-{number}")
            begin = following
    return f"{'match' if len(numbers) == 1 else 'matches'} {', '.join(parts)}"

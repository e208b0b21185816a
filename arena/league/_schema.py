"""The tables of a journal, and how one of an earlier version is read and brought to this one.

Schema 1 had no chain: its league and its sandboxes were values in ``meta``, which were replaced.
"""

import itertools
import json
import sqlite3
from typing import TypedDict

import msgspec

from arena import __version__
from arena.league.chain import GENESIS, Broken, head, link, rows

SCHEMA = 2
_NOTES = """
CREATE TABLE notes (
  number INTEGER PRIMARY KEY, after INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
  chain BLOB NOT NULL);
"""
_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
  number INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, outcome BLOB NOT NULL, chain BLOB);
CREATE TABLE records (number INTEGER PRIMARY KEY REFERENCES results, record BLOB NOT NULL);
{_NOTES}
"""
_OLD_NOTES = """
SELECT 'schema' AS kind, json_object('arena', value, 'schema', 1) AS body, 0 AS part, 0 AS place
  FROM main.meta WHERE key = 'arena'
UNION ALL SELECT 'league', value, 1, 0 FROM main.meta WHERE key = 'league'
UNION ALL SELECT 'sandbox', value, 2, key
  FROM json_each((SELECT value FROM main.meta WHERE key = 'sandboxes'))
UNION ALL SELECT 'void', json_object('match', match, 'reason', reason), 3, number FROM main.voids
ORDER BY part, place
"""
"""What became notes, out of the tables of schema 1."""
_VIEWS = f"""
CREATE TEMP VIEW results AS SELECT number, match, outcome, NULL AS chain FROM main.results;
CREATE TEMP VIEW notes AS
  SELECT row_number() OVER () AS number, 0 AS after, kind, body, NULL AS chain FROM ({_OLD_NOTES});
"""


class _Version(TypedDict):
    arena: str
    schema: int


_decoded = msgspec.json.Decoder(_Version).decode


def create(db: sqlite3.Connection) -> None:
    """Make the tables of a new journal, within a transaction."""
    make_tables(db)
    note_version(db)


def make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a journal, without a row."""
    _execute(db, _TABLES)


def append_result(db: sqlite3.Connection, match: str, outcome: bytes, record: bytes) -> None:
    """Add a result and its record behind all that a journal has, within a transaction."""
    (number,) = db.execute("SELECT ifnull(max(number), 0) + 1 FROM results").fetchone()
    chain = link(head(db), "results", number, match, outcome, record)
    db.execute("INSERT INTO results VALUES (?, ?, ?, ?)", (number, match, outcome, chain))
    db.execute("INSERT INTO records VALUES (?, ?)", (number, record))


def append_note(db: sqlite3.Connection, kind: str, body: str) -> None:
    """Add a note behind all that a journal has, within a transaction."""
    after, number = db.execute(
        "SELECT (SELECT ifnull(max(number), 0) FROM results),"
        " (SELECT ifnull(max(number), 0) + 1 FROM notes)"
    ).fetchone()
    _insert_note(db, head(db), number, after, kind, body)


def look_through(db: sqlite3.Connection) -> None:
    """Let a journal of schema 1 be read as if it had the tables of this one; nothing is written."""
    _execute(db, _VIEWS)


def migrate(db: sqlite3.Connection) -> None:
    """Bring a journal of schema 1 to this one: all of it or, if that fails, nothing.

    What it holds gets the chain that it would have had, from then on vouched for.
    """
    with db:
        db.execute("BEGIN IMMEDIATE")
        (first, *others) = db.execute(f"SELECT kind, body FROM ({_OLD_NOTES})").fetchall()
        _execute(db, f"ALTER TABLE results ADD COLUMN chain BLOB; {_NOTES}")
        _insert_note(db, GENESIS, 1, 0, *first)
        db.executemany("UPDATE results SET chain = ? WHERE number = ?", _made_up(db))
        db.execute("DROP TABLE voids")
        db.execute("DELETE FROM meta WHERE key IN ('league', 'sandboxes')")
        note_version(db)
        for kind, body in others:
            append_note(db, kind, body)


def note_version(db: sqlite3.Connection) -> None:
    """Write the versions of this arena and of the tables where all arenas look for them, and into
    the chain, within a transaction."""
    version = {"arena": __version__, "schema": SCHEMA}
    db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", version.items())
    append_note(db, "schema", json.dumps(version))


def arenas(db: sqlite3.Connection) -> list[str]:
    """Return the versions of arena that have written a journal, one after the other."""
    return [arena for arena, _ in itertools.groupby(noted["arena"] for _, noted in _versions(db))]


def check_version(db: sqlite3.Connection) -> None:
    """Raise Broken unless the version of the tables is the one that was last noted."""
    _, noted = _versions(db)[-1]
    meta = dict(db.execute("SELECT key, value FROM meta"))
    if meta != {key: str(value) for key, value in noted.items()}:
        raise Broken(f"the version of the tables should be {noted}, the file has {meta}")


def unchained(db: sqlite3.Connection) -> int:
    """Return how many results a journal had before it had a chain."""
    versions = ((after, noted["schema"]) for after, noted in _versions(db))
    return next((after for after, schema in versions if schema > 1), 0)


def _versions(db: sqlite3.Connection) -> list[tuple[int, _Version]]:
    """Return the versions that the tables had, each with the number of results before it."""
    query = "SELECT after, CAST(body AS TEXT) FROM notes WHERE kind = 'schema' ORDER BY number"
    try:
        versions = [(after, _decoded(body)) for after, body in db.execute(query)]
    except msgspec.MsgspecError as error:
        raise Broken(f"a note of the version of the tables cannot be read: {error}") from error
    if not versions:
        raise Broken("the version of the tables was not noted")
    return versions


def _made_up(db: sqlite3.Connection) -> list[tuple[bytes, int]]:
    """Return the chain, and the number, of each result that has none yet."""
    made, chain = [], GENESIS
    for row in rows(db):
        chain = row.link(chain)
        if row.is_result:
            made.append((chain, row.number))
    return made


def _insert_note(
    db: sqlite3.Connection, previous: bytes, number: int, after: int, kind: str, body: str
) -> None:
    chain = link(previous, "notes", number, after, kind, body)
    db.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?)", (number, after, kind, body, chain))


def _execute(db: sqlite3.Connection, statements: str) -> None:
    """Execute statements without ending the transaction that they are in."""
    for statement in statements.split(";"):
        db.execute(statement)

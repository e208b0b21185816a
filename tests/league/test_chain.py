"""The chain of a journal: whatever is changed in it is found, and the first such row is named."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
import scripted
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.league import chain
from arena.league.chain import Broken
from arena.league.journal import FILE, Journal
from arena.model import Void

RESULTS = tuple(scripted.play_all(scripted.LEAGUE))[:8]
COLUMNS = [
    ("results", "match"),
    ("results", "outcome"),
    ("results", "chain"),
    ("records", "record"),
    ("notes", "kind"),
    ("notes", "body"),
    ("notes", "chain"),
]
CHANGED = "what is stored does not agree with its chain"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A journal with notes before, between and after its results."""
    folder = tmp_path_factory.mktemp("run")
    journal = Journal.create(folder, scripted.LEAGUE)
    journal.note_sandbox("none")
    for number, result in enumerate(RESULTS):
        if number == 3:
            journal.add_void(Void(result.outcome.match, "a worker was killed"))
            journal.set_league(replace(scripted.LEAGUE, workers=1))
        journal.add(result)
    journal.note_sandbox("full")
    journal.close()
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        yield db


def fault(db: sqlite3.Connection) -> str:
    """Return what is found fault with; empty when all of the chain agrees."""
    try:
        chain.check(db)
    except Broken as found:
        return str(found)
    return ""


def tampered(db: sqlite3.Connection, *statements: str, values: tuple[Any, ...] = ()) -> str:
    """Return what is found fault with after a change, which is undone."""
    db.execute("SAVEPOINT before")
    for statement in statements:
        db.execute(statement, values)
    found = fault(db)
    db.execute("ROLLBACK TO before")
    db.execute("RELEASE before")
    return found


def test_a_journal_as_it_was_written_agrees(db: sqlite3.Connection) -> None:
    proof = chain.check(db)
    assert (proof.results, proof.notes) == (len(RESULTS), 6)
    assert proof.head == chain.head(db).hex()


def test_every_head_that_there_was_is_found(db: sqlite3.Connection) -> None:
    for row in list(chain.rows(db)):
        assert isinstance(row.chain, bytes)
        assert chain.check(db, row.chain.hex()).found == row.after
    assert chain.check(db, "0" * 64).found is None


def test_notes_stand_where_they_were_written(db: sqlite3.Connection) -> None:
    order = [(row.table, row.number) for row in chain.rows(db)]
    notes = [number for table, number in order if table == "notes"]
    assert notes == [1, 2, 3, 4, 5, 6]
    assert order[6:8] == [("notes", 4), ("notes", 5)]
    assert order[5] == ("results", 3)


@pytest.mark.parametrize(("table", "column"), COLUMNS)
@given(data=st.data())
def test_a_flipped_bit_is_found_and_its_row_is_named(
    db: sqlite3.Connection, table: str, column: str, data: st.DataObject
) -> None:
    query = f"SELECT number, typeof({column}), CAST({column} AS BLOB) FROM {table}"
    number, kind, content = data.draw(st.sampled_from(db.execute(query).fetchall()))
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    flipped = bytearray(content)
    flipped[bit // 8] ^= 1 << bit % 8
    change = f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE number = {number}"
    found = tampered(db, change, values=(bytes(flipped),))
    begin = f"note {number} (" if table == "notes" else f"row {number} (match "
    assert found.startswith(begin)
    assert CHANGED in found


@given(number=st.integers(1, len(RESULTS)), other=st.integers(-3, 12))
def test_a_note_put_elsewhere_is_found(db: sqlite3.Connection, number: int, other: int) -> None:
    number = 1 + number % 6
    (after,) = db.execute("SELECT after FROM notes WHERE number = ?", (number,)).fetchone()
    found = tampered(db, f"UPDATE notes SET after = {other} WHERE number = {number}")
    assert bool(found) == (other != after)


@pytest.mark.parametrize("tables", [("results", "records"), ("results",), ("records",), ("notes",)])
def test_a_row_that_was_removed_is_found(db: sqlite3.Connection, tables: tuple[str, ...]) -> None:
    (count,) = db.execute(f"SELECT count(*) FROM {tables[0]}").fetchone()
    for number in range(1, count):
        found = tampered(db, *(f"DELETE FROM {t} WHERE number = {number}" for t in tables))
        if tables == ("records",):
            assert found.startswith(f"row {number} (match ")
        else:
            kind = "note" if tables == ("notes",) else "row"
            assert found.startswith(f"{kind} {number} was removed")


def test_the_last_result_cannot_be_removed_before_a_note(db: sqlite3.Connection) -> None:
    last = len(RESULTS)
    removed = [f"DELETE FROM {table} WHERE number = {last}" for table in ("results", "records")]
    assert tampered(db, *removed).startswith(f"row {last} was removed")


def test_a_record_without_a_result_is_found(db: sqlite3.Connection) -> None:
    assert tampered(db, "INSERT INTO records VALUES (99, x'00')") == (
        "record 99 belongs to no match"
    )


def test_a_note_that_stands_behind_no_number_is_found(db: sqlite3.Connection) -> None:
    db.execute("SAVEPOINT before")
    db.execute("UPDATE notes SET after = x'00' WHERE number = 1")
    scripted.chain_anew(db)
    found = fault(db)
    db.execute("ROLLBACK TO before")
    db.execute("RELEASE before")
    assert found.startswith("note 1 (schema) stands behind no number of results")


@given(st.lists(st.integers(1, len(RESULTS)), min_size=2, max_size=2, unique=True), st.booleans())
def test_two_rows_that_changed_places_are_found(
    db: sqlite3.Connection, rows: list[int], with_chain: bool
) -> None:
    columns = "match, outcome, chain" if with_chain else "match, outcome"
    one, two = sorted(rows)
    first = db.execute(f"SELECT {columns} FROM results WHERE number = {one}").fetchone()
    second = db.execute(f"SELECT {columns} FROM results WHERE number = {two}").fetchone()
    marks = ", ".join("?" * len(first))
    db.execute("SAVEPOINT before")
    db.execute("UPDATE results SET match = 'other' WHERE number = ?", (one,))
    for number, values in ((two, first), (one, second)):
        db.execute(f"UPDATE results SET ({columns}) = ({marks}) WHERE number = {number}", values)
    found = fault(db)
    db.execute("ROLLBACK TO before")
    db.execute("RELEASE before")
    assert found.startswith(f"row {one} (match ")


@pytest.mark.parametrize("number", [-1, 0, len(RESULTS) + 1, len(RESULTS) + 2])
def test_a_row_that_was_put_in_is_found(db: sqlite3.Connection, number: int) -> None:
    copies = [
        f"INSERT INTO results SELECT {number}, 'other', outcome, chain FROM results LIMIT 1",
        f"INSERT INTO records SELECT {number}, record FROM records LIMIT 1",
    ]
    found = tampered(db, *copies)
    if number <= 0:
        assert found.startswith(f"row {number} (match other) was put in")
    else:
        assert found.startswith(f"row {len(RESULTS) + 1} ")


@pytest.mark.parametrize("what", ["ann", scripted.LEAGUE.entrants[0].fingerprint, '"seed":"13"'])
def test_a_league_that_was_changed_is_found(db: sqlite3.Connection, what: str) -> None:
    change = f"UPDATE notes SET body = replace(body, '{what}', '0') WHERE number = 2"
    assert tampered(db, change).startswith(f"note 2 (league): {CHANGED}")


def test_types_and_borders_of_values_count() -> None:
    groups: list[tuple[chain.Value, ...]] = [
        ("ab", "c"), ("a", "bc"), (b"ab", "c"), ("abc",), ("ab", "c", ""), ("ab", "c", None),
        (1,), ("1",), (1.0,), (b"1",), (None,), ("",), (b"",), (),
    ]  # fmt: skip
    hashes = {chain.link(chain.GENESIS, *values) for values in groups}
    assert len(hashes) == len(groups)


def test_the_chain_is_what_the_document_says() -> None:
    """Follow a small chain by hand."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE results (number INTEGER PRIMARY KEY, match, outcome, chain)")
    db.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, record)")
    db.execute("CREATE TABLE notes (number INTEGER PRIMARY KEY, after, kind, body, chain)")
    begin = hashlib.sha256(b"arena journal").digest()
    note = hashlib.sha256(begin + b"t5:notesi1:1i1:0t6:leaguet2:{}").digest()
    row = hashlib.sha256(note + b"t7:resultsi1:1t2:abb2:{}b3:xyz").digest()
    db.execute("INSERT INTO notes VALUES (1, 0, 'league', '{}', ?)", (note,))
    db.execute("INSERT INTO results VALUES (1, 'ab', x'7b7d', ?)", (row,))
    db.execute("INSERT INTO records VALUES (1, x'78797a')")
    assert chain.check(db).head == row.hex()
    db.close()

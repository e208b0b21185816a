"""A damaged journal: what can be read of it is read, the rest is named, and nothing is written."""

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import scripted
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaError, JournalError
from arena.league import _pages
from arena.league import journal as journals
from arena.league.journal import FILE, Journal
from arena.model import MatchResult

RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
PAGE = 4096
WAL = f"{FILE}-wal"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs: one that was closed, and one whose writer was killed."""
    folder = tmp_path_factory.mktemp("runs")
    scripted.record(scripted.LEAGUE, iter(RESULTS), folder / "closed")
    (folder / "writing").mkdir()
    journal = Journal.create(folder / "writing", scripted.LEAGUE)
    for result in RESULTS:
        journal.add(result)
    shutil.copytree(folder / "writing", folder / "killed")
    journal.close()
    return folder


@pytest.fixture
def closed(runs: Path, tmp_path: Path) -> Path:
    return shutil.copytree(runs / "closed", tmp_path / "closed")


@pytest.fixture
def killed(runs: Path, tmp_path: Path) -> Path:
    return shutil.copytree(runs / "killed", tmp_path / "killed")


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Journal]:
    """Read a journal, whose files must not be written to."""
    before = {name: path.read_bytes() for name in (FILE, WAL) if (path := folder / name).exists()}
    journal = Journal.read(folder)
    yield journal
    journal.close()
    assert {name: (folder / name).read_bytes() for name in before} == before


def overwrite(path: Path, place: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)


def numbers(ranges: str) -> set[int]:
    """Return the numbers of words such as "matches 3, 7-12, counting ..."."""
    found: set[int] = set()
    for part in ranges.partition(" ")[2].split(", "):
        if part[0].isdigit():
            begin, _, end = part.partition("-")
            found |= set(range(int(begin), int(end or begin) + 1))
    return found


def lost(journal: Journal) -> set[int]:
    """Return the numbers of the results that a journal says are lost or left out."""
    said = [line.split(": ", 1) for line in journal.losses]
    gone = [rest for what, *rest in said if what == "lost" or what.startswith("left out")]
    return {number for (ranges,) in gone for number in numbers(ranges)}


def check_what_is_read(journal: Journal) -> list[MatchResult]:
    """Return the matches that can be read; all of them are as they were, and the rest is told."""
    outcomes = list(journal.outcomes())
    found = list(journal.results())
    at = {result.outcome.match: number for number, result in enumerate(RESULTS, 1)}
    read = {at[outcome.match] for outcome in outcomes}
    assert [RESULTS[number - 1].outcome for number in sorted(read)] == outcomes
    assert [RESULTS[at[result.outcome.match] - 1] for result in found] == found
    last = max([*read, *lost(journal), 0])
    assert lost(journal) == set(range(1, last + 1)) - read
    return found


def test_a_sound_journal_has_no_losses(closed: Path, killed: Path) -> None:
    for folder in (closed, killed):
        with reading(folder) as journal:
            assert check_what_is_read(journal) == list(RESULTS)
            assert journal.league() == scripted.LEAGUE
            assert journal.losses == ()


@pytest.mark.parametrize("length", [16, 100, PAGE])
def test_without_a_header_every_match_is_found(closed: Path, length: int) -> None:
    overwrite(closed / FILE, 0, random.Random(1).randbytes(length))
    with reading(closed) as journal:
        assert check_what_is_read(journal) == list(RESULTS)
        assert journal.league() == scripted.LEAGUE
        assert journal.prove() is None
        assert journal.losses == (
            f"{closed / FILE} is damaged: file is not a database",
            f"{len(RESULTS)} matches can be read, out of {len(RESULTS)} or more",
        )


@pytest.mark.parametrize("content", ["zeros", "noise"])
def test_any_page_may_be_lost(closed: Path, content: str) -> None:
    whole = (closed / FILE).read_bytes()
    pages = len(whole) // PAGE
    kept = []
    for page in range(pages):
        (closed / FILE).write_bytes(whole)
        noise = bytes(PAGE) if content == "zeros" else random.Random(page).randbytes(PAGE)
        overwrite(closed / FILE, page * PAGE, noise)
        with reading(closed) as journal:
            kept.append(len(check_what_is_read(journal)))
    assert len(RESULTS) - 8 < min(kept) < max(kept) == len(RESULTS)


def test_a_file_that_was_cut_gives_what_is_left(closed: Path) -> None:
    whole = (closed / FILE).read_bytes()
    kept = []
    for length in range(0, len(whole), 5000):
        (closed / FILE).write_bytes(whole[:length])
        try:
            with reading(closed) as journal:
                kept.append(len(check_what_is_read(journal)))
        except ArenaError:
            kept.append(0)
    assert kept == sorted(kept)
    assert len(set(kept)) > 8


def test_an_index_that_does_not_agree_costs_nothing(closed: Path) -> None:
    with contextlib.closing(sqlite3.connect(closed / FILE)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'").fetchone()
    overwrite(closed / FILE, (page - 1) * PAGE, bytes(PAGE))
    with reading(closed) as journal:
        assert journal.played() == {result.outcome.match for result in RESULTS}


def test_what_sqlite_finds_is_told_in_a_line(closed: Path) -> None:
    with contextlib.closing(sqlite3.connect(closed / FILE)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'notes'").fetchone()
    overwrite(closed / FILE, (page - 1) * PAGE + 8, b"\xff\xff")
    with reading(closed) as journal:
        assert journal.prove() is None
        assert journal.losses[0].startswith(f"{closed / FILE} is damaged: ")
        assert all(line.isprintable() for line in journal.losses), journal.losses


@pytest.mark.parametrize("place", [0, 1, 5, 40])
def test_a_damaged_log_of_a_killed_run_is_told_and_read(killed: Path, place: int) -> None:
    """SQLite would leave out all that was committed after the damage, and say nothing."""
    overwrite(killed / WAL, place * (PAGE + 24) + 32 * bool(place) + 8, b"\1\2\3\4\5\6\7\10")
    with reading(killed) as journal:
        assert len(check_what_is_read(journal)) >= len(RESULTS) - 1
        assert (
            journal.losses[0]
            == f"{killed / FILE} is damaged: its write-ahead log does not hold together"
        )


def test_a_torn_last_commit_is_no_damage(killed: Path) -> None:
    size = (killed / WAL).stat().st_size
    overwrite(killed / WAL, size - 3000, bytes(3000))
    with reading(killed) as journal:
        assert check_what_is_read(journal) == list(RESULTS[:-1])
        assert journal.losses == ()


@given(
    st.sampled_from(["closed", "killed"]),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1),
    st.floats(0.5, 1),
)
def test_whatever_is_damaged_reading_ends_well(
    runs: Path, name: str, changes: list[tuple[float, int]], length: float
) -> None:
    folder = runs / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(runs / name, folder)
    path = folder / (WAL if name == "killed" else FILE)
    data = bytearray(path.read_bytes())
    for where, value in changes:
        data[int(where * len(data))] = value
    path.write_bytes(data[: int(length * len(data))])
    with contextlib.suppress(ArenaError), reading(folder) as journal:
        read = [
            list(journal.outcomes()), list(journal.results()), journal.played(), journal.voids(),
            journal.sandboxes(), journal.unchained(), journal.league(), journal.prove(),
        ]  # fmt: skip
        assert len(read) == 8


def test_a_run_does_not_go_on_in_a_damaged_journal(closed: Path) -> None:
    whole = (closed / FILE).stat().st_size
    overwrite(closed / FILE, whole - PAGE, random.Random(1).randbytes(PAGE))
    with pytest.raises(JournalError, match=r"arena tournament --restart puts the run aside"):
        Journal.open(closed)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM results WHERE number = 3",
        "UPDATE results SET outcome = x'7b7d' WHERE number = 3",
        "UPDATE notes SET body = '{}' WHERE kind = 'league'",
        "UPDATE meta SET value = 'x' WHERE key = 'schema'",
    ],
)
def test_a_run_does_not_go_on_in_a_journal_that_was_changed(closed: Path, change: str) -> None:
    """A match that was removed would be played again, and the run never be whole."""
    with contextlib.closing(sqlite3.connect(closed / FILE)) as db, db:
        assert db.execute(change).rowcount == 1
    before = (closed / FILE).read_bytes()
    with pytest.raises(JournalError, match=r"arena tournament --restart puts the run aside"):
        Journal.open(closed)
    assert (closed / FILE).read_bytes() == before


@pytest.mark.parametrize("use", [Journal.open, journals.exists])
def test_a_run_does_not_go_on_with_a_damaged_log(
    killed: Path, use: Callable[[Path], object]
) -> None:
    """All of this one is in its log: without, a new journal would be begun in the same file."""
    overwrite(killed / WAL, 5 * (PAGE + 24) + 40, b"\1\2\3\4\5\6\7\10")
    before = (killed / FILE).read_bytes(), (killed / WAL).read_bytes()
    with pytest.raises(JournalError, match=r"log does not hold together; .* --restart puts"):
        use(killed)
    assert ((killed / FILE).read_bytes(), (killed / WAL).read_bytes()) == before


VALUES = st.one_of(
    st.none(),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=50),
    st.binary(max_size=50),
    st.integers(0, 3 * PAGE).map(bytes),
)


@given(st.dictionaries(st.integers(1, 1 << 40), st.lists(VALUES, min_size=3, max_size=3)))
def test_pages_give_the_rows_that_sqlite_gives(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[int, list[_pages.Value]]
) -> None:
    path = tmp_path_factory.mktemp("pages") / "rows.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, a, b, c)")
        for number, values in rows.items():
            db.execute("INSERT INTO t VALUES (?, ?, ?, ?)", (number, *values))
    found = {n: list(columns) for n, columns in _pages.rows(path) if columns[:1] == (None,)}
    assert found == {number: [None, *values] for number, values in rows.items()}

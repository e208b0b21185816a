"""The journal: what goes in comes out, nobody writes it twice, and it says what is wrong."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import __version__
from arena.errors import ConfigError, JournalError
from arena.league import _schema
from arena.league import journal as journals
from arena.league.journal import FILE, Journal
from arena.model import (
    DealRecord,
    Entrant,
    Fault,
    FaultKind,
    League,
    MatchResult,
    Outcome,
    Terms,
    Void,
)

LEAGUE = League(
    name="test",
    seed="13",
    seats=(2,),
    terms=Terms(game="leaves", options={"target": 10}),
    format="round-robin",
    format_options={"blocks": 2, "rotations": "all"},
    entrants=(Entrant("ann", ("true",), "/", {"LEVEL": "2"}), Entrant("bob", ("true",), "/")),
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
MS = st.none() | st.floats(0, 1e6)
COUNT = st.integers(0, 1000)


def by_seat(seats: int, values: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(values, min_size=seats, max_size=seats).map(tuple)


@st.composite
def results(draw: st.DrawFn) -> MatchResult:
    """Any match of two to four seats, as far as the journal is concerned."""
    seats = draw(st.integers(2, 4))
    seat = st.integers(0, seats - 1)
    fault = st.builds(
        Fault, seat, COUNT, st.none() | COUNT, st.sampled_from(FaultKind), MS, TEXT, TEXT, TEXT
    )
    deal = st.builds(
        DealRecord,
        setup=st.dictionaries(TEXT, st.lists(COUNT, max_size=3), max_size=2),
        actions=st.lists(st.tuples(seat, TEXT, MS), max_size=4).map(tuple),
        penalties=st.none() | by_seat(seats, COUNT),
        truncated=st.booleans(),
    )
    outcome = st.builds(
        Outcome,
        match=st.text("0123456789abcdef", min_size=16, max_size=16),
        composition=TEXT,
        block=COUNT,
        rotation=COUNT,
        seats=by_seat(seats, TEXT),
        totals=by_seat(seats, COUNT),
        places=by_seat(seats, st.integers(1, seats)),
        deals=COUNT,
        forfeited=st.lists(seat, max_size=seats).map(tuple),
        faults=st.lists(fault, max_size=2).map(tuple),
        ended=st.sampled_from(["complete", "forfeit"]),
        times=by_seat(seats, st.dictionaries(COUNT, COUNT, max_size=3)),
        stale=by_seat(seats, COUNT),
    )
    return draw(
        st.builds(
            MatchResult,
            outcome=outcome,
            game=TEXT,
            options=st.dictionaries(TEXT, st.none() | COUNT | TEXT, max_size=2),
            block_seed=TEXT,
            deals=st.lists(deal, max_size=2).map(tuple),
            fingerprints=by_seat(seats, TEXT),
        )
    )


def result(match: str) -> MatchResult:
    outcome = Outcome(
        match=match,
        composition="c",
        block=1,
        rotation=1,
        seats=("ann", "bob"),
        totals=(3, 20),
        places=(1, 2),
        deals=1,
        forfeited=(),
        faults=(),
        ended="complete",
        times=({}, {}),
    )
    return MatchResult(outcome, "leaves", {}, "seed", ())


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@given(results())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_match_comes_back_as_it_went_in(
    tmp_path_factory: pytest.TempPathFactory, match: MatchResult
) -> None:
    folder = tmp_path_factory.mktemp("run")
    journal = Journal.create(folder, LEAGUE)
    journal.add(match)
    assert list(journal.outcomes()) == [match.outcome]
    assert journal.result(match.outcome.match) == match
    journal.close()


def test_what_was_recorded_is_there_after_opening_again(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    journal.add_void(Void("bbbb", "the worker died"))
    journal.close()
    journal = Journal.open(tmp_path)
    journal.add(result("0000"))
    assert journal.league() == LEAGUE
    assert journal.played() == {"aaaa", "0000"}
    assert [outcome.match for outcome in journal.outcomes()] == ["aaaa", "0000"]
    assert journal.voids() == [Void("bbbb", "the worker died")]
    journal.close()


def test_a_league_that_was_extended_replaces_the_old_one(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    more = replace(LEAGUE, format_options={"blocks": 3, "rotations": "all"})
    journal.set_league(more)
    journal.close()
    reader = Journal.read(tmp_path)
    assert reader.league() == more
    reader.close()


def test_no_match_can_be_recorded_twice(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    with pytest.raises(JournalError, match=r"UNIQUE constraint failed: results\.match"):
        journal.add(result("aaaa"))
    journal.add(result("bbbb"))
    assert [outcome.match for outcome in journal.outcomes()] == ["aaaa", "bbbb"]
    journal.close()


def test_the_beginning_of_an_id_is_enough_when_it_is_unique(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    for match in ("ab12", "ab34", "%_cd"):
        journal.add(result(match))
    assert journal.result("ab1").outcome.match == "ab12"
    assert journal.result("%").outcome.match == "%_cd"
    with pytest.raises(ConfigError, match=r"'ab' is the beginning of more than .*: ab12, ab34$"):
        journal.result("ab")
    for match in "cdef":
        journal.add(result(match))
    with pytest.raises(ConfigError, match=r"match id: %_cd, ab12, ab34, c, d, [.][.][.]$"):
        journal.result("")
    for unknown in ("x", "AB12", "_", "ab123"):
        with pytest.raises(ConfigError, match=f"has no match {unknown!r}"):
            journal.result(unknown)
    journal.close()


def test_a_folder_without_a_journal_is_no_run(tmp_path: Path) -> None:
    assert not journals.exists(tmp_path)
    assert not journals.exists(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=f"{tmp_path} is not a run"):
        Journal.read(tmp_path)


@pytest.mark.parametrize(
    ("folder", "problem"),
    [
        ("leage", "there is no such folder; did you mean 'runs/league'?"),
        ("runs/leage", "there is no such folder; did you mean 'runs/league'?"),
        ("league", "there is no such folder; did you mean 'runs/league'?"),
        ("nothing", "there is no such folder"),
        ("league.toml", "it is a file, not a folder"),
    ],
)
def test_what_is_no_run_is_told_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, problem: str
) -> None:
    run = tmp_path / "runs" / "league"
    run.mkdir(parents=True)
    Journal.create(run, LEAGUE).close()
    (tmp_path / "league.toml").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        Journal.read(Path(folder))
    assert str(caught.value) == f"{folder} is not a run: {problem}"


@pytest.mark.parametrize("born", ["empty", "no tables"])
def test_a_journal_cut_off_at_birth_is_begun_again(tmp_path: Path, born: str) -> None:
    (tmp_path / FILE).touch()
    if born == "no tables":
        db = sqlite3.connect(tmp_path / FILE)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("VACUUM")
        db.close()
        assert (tmp_path / FILE).stat().st_size > 0
    assert not journals.exists(tmp_path)
    with pytest.raises(ConfigError, match="is not a run"):
        Journal.read(tmp_path)
    journal = Journal.create(tmp_path, LEAGUE)
    assert journal.league() == LEAGUE
    journal.close()
    assert journals.exists(tmp_path)


@pytest.mark.parametrize("use", [Journal.open, Journal.read])
def test_what_a_killed_writer_has_only_begun_is_taken_back(
    tmp_path: Path, use: Callable[[Path], Journal]
) -> None:
    """The journal is closed, or is on a network file system: then it is written with a file that
    tells how to go back, which a connection that only reads may not use."""
    alive, killed = tmp_path / "alive", tmp_path / "killed"
    for folder in (alive, killed):
        folder.mkdir()
    journal = Journal.create(alive, LEAGUE)
    journal.add(result("aaaa"))
    journal.close()
    db = sqlite3.connect(alive / FILE, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM results")
    db.execute("CREATE TABLE half AS SELECT zeroblob(100000)")
    assert files(alive) == [FILE, f"{FILE}-journal"]
    for name in files(alive):
        shutil.copy(alive / name, killed / name)
    db.close()
    assert journals.exists(killed)
    journal = use(killed)
    assert journal.played() == {"aaaa"}
    journal.close()
    assert files(killed) == [FILE]


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    for use in (Journal.open, Journal.read, journals.exists):
        with pytest.raises(JournalError, match=rf"{tmp_path / FILE}: file is not a database"):
            use(tmp_path)


def test_a_journal_of_a_newer_arena_is_refused_by_its_version(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.close()
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE meta SET value = '7' WHERE key = 'schema'")
        db.execute("UPDATE meta SET value = '9.9' WHERE key = 'arena'")
    db.close()
    with pytest.raises(JournalError) as caught:
        Journal.read(tmp_path)
    assert "written by arena 9.9 with schema 7" in str(caught.value)
    assert f"this is arena {__version__}, which reads schemas 1 to 2" in str(caught.value)


def test_the_versions_of_arena_that_play_are_noted_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Journal.create(tmp_path, LEAGUE).close()
    for version in (__version__, "9.8", "9.8", __version__):
        monkeypatch.setattr(journals, "__version__", version)
        monkeypatch.setattr(_schema, "__version__", version)
        journal = Journal.open(tmp_path)
        journal.note_arena()
        journal.close()
    journal = Journal.read(tmp_path)
    assert journal.arenas() == [__version__, "9.8", __version__]
    assert journal.prove() is not None
    journal.close()


def noted_connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Return a list to which every connection that is opened from now on is added."""
    opened: list[sqlite3.Connection] = []

    def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(real(*args, **kwargs))
        return opened[-1]

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)
    return opened


@pytest.mark.parametrize("use", [lambda folder: Journal.create(folder, LEAGUE), Journal.open])
def test_a_recorded_match_is_on_the_disk_before_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: Callable[[Path], Journal]
) -> None:
    if use == Journal.open:
        Journal.create(tmp_path, LEAGUE).close()
    opened = noted_connections(monkeypatch)
    journal = use(tmp_path)
    (full,) = opened[-1].execute("PRAGMA synchronous").fetchone()
    journal.close()
    assert full == 2


@pytest.mark.parametrize("refused", ["another kind", "newer"])
def test_a_journal_that_is_refused_is_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    if refused == "newer":
        monkeypatch.setattr(_schema, "SCHEMA", 7)
        Journal.create(tmp_path, LEAGUE).close()
        monkeypatch.undo()
    else:
        (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    opened = noted_connections(monkeypatch)
    for use in (Journal.open, Journal.read):
        with pytest.raises(JournalError):
            use(tmp_path)
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
    assert opened


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    journal.close()
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE records SET record = x'00'")
    db.close()
    reader = Journal.read(tmp_path)
    with pytest.raises(JournalError, match=FILE):
        reader.result("aaaa")
    reader.close()


@pytest.mark.parametrize(
    ("damage", "read"),
    [
        ("UPDATE results SET outcome = 5 WHERE match = 'ab'", (1, 1)),
        ("UPDATE records SET record = 'text' WHERE number = 1", (2, 1)),
        ("UPDATE notes SET body = x'ff00' WHERE kind = 'league'", (2, 2)),
        ("UPDATE notes SET body = '{}' WHERE kind = 'league'", (2, 2)),
        ("DELETE FROM notes WHERE kind = 'league'", (2, 2)),
    ],
)
def test_what_a_foreign_hand_wrote_is_a_damage_of_the_journal(
    tmp_path: Path, damage: str, read: tuple[int, int]
) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("ab"))
    journal.add(result("cd"))
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        assert db.execute(damage).rowcount == 1
    journal = Journal.read(tmp_path)
    if "notes" in damage:
        with pytest.raises(JournalError, match=FILE):
            journal.league()
    assert (len(list(journal.outcomes())), len(list(journal.results()))) == read
    assert journal.losses[0].startswith(f"{tmp_path / FILE} is damaged: ")
    journal.close()


def test_a_clean_close_leaves_a_single_file(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    assert files(tmp_path) == [FILE, f"{FILE}-shm", f"{FILE}-wal"]
    journal.close()
    assert files(tmp_path) == [FILE]


def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    reader = Journal.read(tmp_path)
    halfway = reader.outcomes()
    assert next(halfway).match == "aaaa"
    journal.add(result("bbbb"))
    assert reader.played() == {"aaaa", "bbbb"}
    reader.close()
    journal.close()


@pytest.mark.timeout(5)
def test_a_reader_does_not_hold_up_the_close(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    for match in ("aaaa", "bbbb"):
        journal.add(result(match))
    reader = Journal.read(tmp_path)
    halfway = reader.outcomes()
    next(halfway)
    journal.close()
    assert next(halfway).match == "bbbb"
    reader.close()
    again = Journal.open(tmp_path)
    assert again.played() == {"aaaa", "bbbb"}
    again.close()
    assert files(tmp_path) == [FILE]


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, LEAGUE)
    journal.close()
    (tmp_path / FILE).chmod(0o444)
    tmp_path.chmod(0o555)
    before = (tmp_path / FILE).read_bytes()
    try:
        reader = Journal.read(tmp_path)
        assert reader.league() == LEAGUE
        with pytest.raises(JournalError, match="readonly"):
            reader.add(result("aaaa"))
        reader.close()
    finally:
        tmp_path.chmod(0o755)
    assert files(tmp_path) == [FILE]
    assert (tmp_path / FILE).read_bytes() == before


def test_without_writing_ahead_the_journal_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network file system refuses the shared memory that writing ahead needs."""

    class Refusing(sqlite3.Connection):
        def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
            if sql == "PRAGMA journal_mode = WAL":
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql, *args)

    real = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *args, **kwargs: real(*args, factory=Refusing, **kwargs)
    )
    journal = Journal.create(tmp_path, LEAGUE)
    journal.add(result("aaaa"))
    assert files(tmp_path) == [FILE]
    journal.close()
    journal = Journal.open(tmp_path)
    assert journal.played() == {"aaaa"}
    journal.close()


HOLD = """
import sys
from pathlib import Path
from arena.league.journal import lock
with lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_holder_of_the_lock_is_refused_with_the_first_one_s_process(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdin
    assert holder.stdout
    try:
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(JournalError, match=f"is being played by process {holder.pid}$"),
            journals.lock(tmp_path),
        ):
            pytest.fail("two processes hold the lock")
    finally:
        holder.communicate(timeout=10)
    with journals.lock(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_a_killed_holder_of_the_lock_does_not_hold_it_any_more(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    holder.kill()
    holder.communicate(timeout=10)
    with journals.lock(tmp_path):
        pass


def test_the_lock_tells_whether_a_run_is_played(tmp_path: Path) -> None:
    assert not journals.is_being_played(tmp_path)
    with journals.lock(tmp_path):
        assert journals.is_being_played(tmp_path)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for text in (str(gone.pid), "", "none", "9" * 30, str(os.getpid()), "1"):
        (tmp_path / "lock").write_text(text)
        assert not journals.is_being_played(tmp_path)


@pytest.mark.parametrize("trap", ["pipe", "link", "endless"])
def test_what_a_bot_puts_in_the_place_of_the_lock_is_not_opened(trap: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    lock = tmp_path / "lock"
    if trap == "pipe":
        os.mkfifo(lock)
    else:
        lock.symlink_to("mine" if trap == "link" else "/dev/zero")
    assert not journals.is_being_played(tmp_path)
    with pytest.raises(OSError, match=r"plain file|symbolic"), journals.lock(tmp_path):
        pass
    assert (tmp_path / "mine").read_text() == "kept"

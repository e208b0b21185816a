"""A journal of an earlier version is read as it is, and goes on as one of this version.

``tests/league/data/schema-1.sqlite`` was written by the last arena of schema 1: a league of three
shipped bots that was played for a block, then for another one; a void was added by hand.
"""

import contextlib
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from running import REPOSITORY

from arena.commands.figures import standings_of, times_of
from arena.league import _schema, tournament
from arena.league.journal import FILE, Journal
from arena.league.tournament import Ending
from arena.model import Void
from arena.views import files

OLD = REPOSITORY / "tests" / "league" / "data" / "schema-1.sqlite"
MATCHES = 6
ROWS = """\
rank,bot,matches,blocks,wins
1,greedy,6,2,4.0
2,first,6,2,2.0
3,random,6,2,0.0
"""
Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The run of schema 1."""
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(OLD, folder / FILE)
    return folder


def content(journal: Journal) -> tuple[object, ...]:
    """Return all that a journal holds, and the result files that it gives, but for its head."""
    texts = files.texts(standings_of(journal), times_of(journal), "")
    results = list(journal.results())
    return journal.league(), results, journal.voids(), journal.sandboxes(), journal.played(), texts


def migrated(run: Path) -> None:
    Journal.open(run).close()


def test_it_is_read_as_it_is_and_not_written_to(run: Path) -> None:
    before = (run / FILE).read_bytes()
    journal = Journal.read(run)
    league, results, voids, sandboxes, played, texts = content(journal)
    assert (len(results), len(played)) == (MATCHES, MATCHES)
    assert [bot.name for bot in league.entrants] == ["first", "greedy", "random"]
    assert [stage.since for stage in league.stages] == [0, 3]
    assert voids == [Void(results[1].outcome.match, "the worker was killed")]
    assert sandboxes == ["none; bots may do whatever you may do"]
    rows = [line.split(",")[:5] for line in texts["standings.csv"].splitlines()]
    assert "\n".join(map(",".join, rows)) + "\n" == ROWS
    assert (journal.schema, journal.head(), journal.unchained()) == (1, "", MATCHES)
    journal.close()
    assert (run / FILE).read_bytes() == before
    assert [path.name for path in run.iterdir()] == [FILE]


def test_it_holds_the_same_after_it_was_brought_to_this_version(run: Path) -> None:
    with contextlib.closing(Journal.read(run)) as journal:
        before = content(journal)
    with contextlib.closing(Journal.open(run)) as journal:
        assert journal.schema == 1
    with contextlib.closing(Journal.read(run)) as journal:
        assert journal.schema == 2
        assert content(journal) == before
        assert journal.prove().results == MATCHES
        assert journal.unchained() == MATCHES


def test_opening_it_again_changes_nothing(run: Path) -> None:
    migrated(run)
    before = (run / FILE).read_bytes()
    migrated(run)
    with contextlib.closing(sqlite3.connect(run / FILE)) as db:
        kinds = [kind for (kind,) in db.execute("SELECT kind FROM notes ORDER BY number")]
    assert kinds == ["schema", "schema", "league", "sandbox", "void"]
    assert len((run / FILE).read_bytes()) == len(before)


def test_a_migration_that_fails_leaves_the_old_journal(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(_schema, "append_note", fail)
    with pytest.raises(Exception, match="disk is full"):
        Journal.open(run)
    monkeypatch.undo()
    with contextlib.closing(Journal.read(run)) as journal:
        assert journal.schema == 1
        assert len(list(journal.results())) == MATCHES


def test_verify_says_what_it_can_of_it(arena: Arena, run: Path) -> None:
    code, out, err = arena("verify", run)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{run}: 6 matches verified: deals, actions, penalties, places",
        "chain: none: the journal has schema 1; the next arena tournament gives it one",
        "sandbox: none; bots may do whatever you may do",
        "void: 1 match, played again",
    ]
    migrated(run)
    code, out, err = arena("verify", run)
    assert (code, err) == (0, "")
    assert out.splitlines()[2] == (
        "chain: it was made for the first 6 matches when the journal was brought to schema 2, "
        "not when they were played"
    )


@pytest.mark.parametrize("brought", [False, True])
def test_matches_from_before_there_were_digests_are_verified_without(
    arena: Arena, run: Path, brought: bool
) -> None:
    with contextlib.closing(sqlite3.connect(run / FILE)) as db, db:
        db.execute("UPDATE results SET outcome = json_remove(outcome, '$.digest') WHERE number < 4")
    if brought:
        migrated(run)
    code, out, err = arena("verify", run)
    assert (code, err) == (0, "")
    assert (
        "no digest: 3 matches of an early arena; blocks that repeat others are not known among them"
    ) in out.splitlines()


@pytest.mark.parametrize("what", ["a match changed", "a match removed"])
def test_what_was_changed_after_it_was_brought_to_this_version_is_found(
    arena: Arena, run: Path, what: str
) -> None:
    migrated(run)
    with contextlib.closing(sqlite3.connect(run / FILE)) as db, db:
        if what == "a match changed":
            db.execute("UPDATE results SET outcome = replace(outcome, 'greedy', 'first')")
        else:
            db.execute("DELETE FROM results WHERE number = 1")
    code, _, err = arena("verify", run)
    assert code == 1
    assert ("row 1 (match " if what == "a match changed" else "row 1 was removed") in err


class Listener:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.begun: tuple[int, int] = (0, 0)

    def begin(self, _league: object, total: int, done: int, _outcomes: object) -> None:
        self.begun = (done, total)

    def notice(self, text: str) -> None:
        self.notices.append(text)

    def finished(self, _outcome: object) -> None:
        """Nothing is kept of it."""

    def tick(self) -> None:
        """Nothing is kept of it."""


@pytest.mark.process
def test_a_run_goes_on_from_it(run: Path, arena: Arena) -> None:
    with contextlib.closing(Journal.read(run)) as journal:
        league = journal.league()
    bots = tuple(
        replace(
            bot,
            folder=str(REPOSITORY / "bots" / bot.name),
            command=(sys.executable, str(REPOSITORY / "bots" / bot.name / "main.py")),
        )
        for bot in league.entrants
    )
    league = replace(league, entrants=bots, format_options={"blocks": 3, "rotations": "all"})
    listener = Listener()
    assert tournament.play(league, run, listener) == Ending(played=3, missing=0)
    assert listener.begun == (MATCHES, MATCHES + 3)
    assert listener.notices[0] == f"{run / FILE} had schema 1: it was brought to schema 2"
    code, out, _ = arena("verify", run)
    assert code == 0
    assert out.startswith(f"{run}: 9 matches verified: deals, actions, penalties, places\n")

"""The journal of a run: one SQLite file that holds all that is known about it.

Each finished match is one transaction. A match that is not in the journal has not been played.
Outcomes and records are kept apart, so that standings read little. Nothing is ever replaced: what
changes in a run is noted behind what was there before, and a hash chain runs through all of it.
"""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena import __version__
from arena.errors import ConfigError, JournalError
from arena.league import _packing, _schema, chain
from arena.league._file import (
    Source,
    advised,
    connected,
    explained,
    is_begun,
    no_folder,
    no_run,
    reader,
    writer,
)
from arena.league._schema import SCHEMA
from arena.league.chain import Broken, Proof
from arena.model import League, MatchResult, Outcome, Void
from arena.play import wary

FILE = "journal.sqlite"
SUGGESTIONS = 5
"""Ids that are told when a beginning is that of several."""
_LOCK_SIZE = 32
"""Bytes of a lock that are read: the id of a process and no more."""
_OUTCOME, _RECORD = "CAST(outcome AS BLOB)", "CAST(record AS BLOB)"
"""What a foreign hand wrote into these columns may be of another type."""
_OUTCOMES = f"SELECT number, {_OUTCOME} FROM results"
_RESULTS = f"SELECT number, {_OUTCOME}, {_RECORD} FROM results JOIN records USING (number)"


class Journal:
    """An open journal. Only one process may write; any number may read.

    A damaged one can be read: it gives what can be read of it.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.path = source.path

    @classmethod
    def create(cls, folder: Path, league: League) -> "Journal":
        """Start the journal of a new run in a folder that has none."""
        path = folder / FILE
        with explained(path), connected(path, "rwc") as db, db:
            db.execute("BEGIN IMMEDIATE")
            _schema.create(db)
            _schema.append_note(db, "league", msgspec.json.encode(league).decode())
        return cls(Source(path, db, SCHEMA, mends=False))

    @classmethod
    def open(cls, folder: Path) -> "Journal":
        """Open the journal of a run to go on writing it."""
        if not exists(folder):
            raise no_run(folder / FILE)
        return cls(writer(folder / FILE))

    @classmethod
    def read(cls, folder: Path) -> "Journal":
        """Open the journal of a run to read it."""
        if not folder.is_dir():
            raise no_folder(folder, FILE)
        if not (folder / FILE).is_file():
            raise no_run(folder / FILE)
        return cls(reader(folder / FILE))

    @property
    def schema(self) -> int:
        """The version of the tables when the journal was opened."""
        return self._source.schema

    @property
    def losses(self) -> tuple[str, ...]:
        """What is damaged and what is lost, as far as it was met, in words; empty if nothing."""
        return self._source.losses

    def league(self) -> League:
        """Return the league as it was last played."""
        return self._source.run(_league)

    def set_league(self, league: League) -> None:
        """Note the league as it goes on, after bots or blocks were added."""
        self._note("league", msgspec.json.encode(league).decode())

    def note_arena(self) -> None:
        """Record that the matches are played by this version of arena from now on."""
        if self.arenas()[-1] != __version__:
            with explained(self.path), self._source.db as db:
                db.execute("BEGIN IMMEDIATE")
                _schema.note_version(db)

    def arenas(self) -> list[str]:
        """Return the versions of arena that played the matches, one after the other."""
        return self._source.run(_schema.arenas)

    def note_sandbox(self, text: str) -> None:
        """Record in which sandbox the matches are played from now on."""
        if self.sandboxes()[-1:] != [text]:
            self._note("sandbox", text)

    def sandboxes(self) -> list[str]:
        """Return the sandboxes in which the matches were played, one after the other."""
        return self._source.run(lambda db: _notes(db, "sandbox"))

    def note_floor(self, text: str) -> None:
        """Record what noise floor of the machine was known when matches were played."""
        if self.floors()[-1:] != [text]:
            self._note("floor", text)

    def floors(self) -> list[str]:
        """Return the noise floors that were known, one after the other."""
        return self._source.run(lambda db: _notes(db, "floor"))

    def add(self, result: MatchResult) -> None:
        """Record a finished match, in one transaction."""
        outcome, record = _packing.packed(result)
        with explained(self.path), self._source.db as db:
            db.execute("BEGIN IMMEDIATE")
            _schema.append_result(db, result.outcome.match, outcome, record)

    def add_void(self, void: Void) -> None:
        """Record that the arena failed to finish a match."""
        self._note("void", msgspec.json.encode(void).decode())

    def played(self) -> set[str]:
        """Return the ids of all finished matches."""
        return {str(match) for (match,) in self._all("SELECT match FROM results")}

    def prove(self, head: str = "") -> Proof | None:
        """Follow the chain, if there is one, and look for a hash of it or its beginning.

        Raise JournalError at the first row that does not agree. Return None for a journal that is
        damaged: what is left of its chain is told by ``losses``.
        """

        def read(db: sqlite3.Connection) -> Proof | Broken:
            try:
                proof = chain.check(db, head, linked=self.schema > 1)
                if proof.head:
                    _schema.check_version(db)
            except Broken as broken:
                return broken
            return proof

        found = None if self.losses else self._source.run(read)
        if self.losses:
            return None
        if isinstance(found, Broken):
            raise JournalError(f"{self.path}: {found}")
        return found

    def head(self) -> str:
        """Return the end of the chain in hexadecimal, empty if there is no chain."""
        return self._source.run(chain.head).hex() if self.schema > 1 else ""

    def unchained(self) -> int:
        """Return how many matches were recorded while the journal had no chain."""
        if self.schema == 1 or self.losses:
            return len(self.played())
        return self._source.run(_schema.unchained)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcomes in the order in which they were recorded."""
        return self._source.each(_OUTCOMES, _packing.outcome)

    def voids(self) -> list[Void]:
        """Return all voids, oldest first."""
        decode = msgspec.json.Decoder(Void).decode
        return self._source.run(lambda db: [decode(body) for body in _notes(db, "void")])

    def result(self, match: str) -> MatchResult:
        """Return one match by its id or by a beginning of it that is unique."""
        query = "SELECT match FROM results WHERE substr(match, 1, ?) = ? ORDER BY match LIMIT ?"
        values = (len(match), match, SUGGESTIONS + 1)
        ids = [str(identity) for (identity,) in self._all(query, *values)]
        if not ids:
            raise ConfigError(
                f"{self.path.parent} has no match {match!r}; `arena export` has the ids of all"
            )
        if len(ids) > 1:
            more = ["..."] * (len(ids) > SUGGESTIONS)
            raise ConfigError(
                f"{match!r} is the beginning of more than one match id: "
                + ", ".join([*ids[:SUGGESTIONS], *more])
            )
        return self._source.run(lambda db: _one(db, ids[0]))

    def results(self) -> Iterator[MatchResult]:
        """Yield all matches in the order in which they were recorded."""
        return self._source.each(_RESULTS, _packing.result)

    def close(self) -> None:
        """Close the journal at once; a writer leaves a single file, if nobody else has it open."""
        self._source.close()

    def _note(self, kind: str, body: str) -> None:
        with explained(self.path), self._source.db as db:
            db.execute("BEGIN IMMEDIATE")
            _schema.append_note(db, kind, body)

    def _all(self, query: str, *values: int | str) -> list[tuple[object, ...]]:
        return self._source.run(lambda db: db.execute(query, values).fetchall())


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold a run folder for this process; raise JournalError when another one does."""
    path = folder / "lock"
    with wary.opened(path, os.O_RDWR | os.O_CREAT) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, _LOCK_SIZE).decode("ascii", "replace").strip()
            raise JournalError(f"{folder} is being played by process {holder}") from None
        try:
            os.truncate(file, 0)
            os.write(file, b"%d\n" % os.getpid())
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from error
        yield


def _is_there(holder: bytes) -> bool:
    """Return whether there is a process with the id that a lock names."""
    try:
        os.kill(int(holder), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def is_being_played(folder: Path) -> bool:
    """Return whether a process holds a run folder.

    The lock is tried only where the process that was the last to hold it is there, or one of the
    same number, so that nobody who begins to play finds it held.
    """
    try:
        with wary.opened(folder / "lock") as file:
            if not _is_there(os.read(file, _LOCK_SIZE)):
                return False
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def exists(folder: Path) -> bool:
    """Return whether a folder holds a journal that was begun; a file cut off at birth is none."""
    path = folder / FILE
    if not path.is_file():
        return False
    with explained(path), advised(), connected(path, "ro") as db, contextlib.closing(db):
        return is_begun(db, path)


def _league(db: sqlite3.Connection) -> League:
    noted = _notes(db, "league")
    if not noted:
        raise Broken("the league is not there; arena export prints the matches that are")
    return msgspec.json.decode(noted[-1], type=League)


def _notes(db: sqlite3.Connection, kind: str) -> list[str]:
    query = "SELECT body FROM notes WHERE kind = ? ORDER BY number"
    return [str(body) for (body,) in db.execute(query, (kind,))]


def _one(db: sqlite3.Connection, match: str) -> MatchResult:
    row = db.execute(f"{_RESULTS} WHERE match = ?", (match,)).fetchone()
    if not row:
        raise Broken(f"match {match} has no record")
    return _packing.result(*row[1:])

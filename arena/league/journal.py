"""The journal of a run: one SQLite file that holds all that is known about it.

Each finished match is one transaction. A match that is not in the journal has not been played.
Outcomes and records are kept apart, so that standings read little. Nothing is ever replaced: what
changes in a run is noted behind what was there before, and a hash chain runs through all of it.
"""

import contextlib
import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from arena import __version__
from arena.errors import ConfigError, JournalError
from arena.league import _schema, chain
from arena.league._schema import SCHEMA
from arena.league.chain import Broken, Proof
from arena.league.room import is_full
from arena.model import DealRecord, League, MatchResult, Outcome, Void

FILE = "journal.sqlite"
SUGGESTIONS = 5
"""Ids that are told when a beginning is that of several."""
_OUTCOME, _RECORD = "CAST(outcome AS BLOB)", "CAST(record AS BLOB)"
"""What a foreign hand wrote into these columns may be of another type."""


class _Record(Struct, frozen=True):
    """What is kept of a match beside its outcome."""

    game: str
    options: dict[str, Any]
    block_seed: str
    deals: tuple[DealRecord, ...]
    fingerprints: tuple[str, ...]


class Journal:
    """An open journal. Only one process may write; any number may read.

    ``schema`` is the version of its tables when it was opened.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, schema: int = SCHEMA) -> None:
        self._db = connection
        self.path = path
        self.schema = schema

    @classmethod
    def create(cls, folder: Path, league: League) -> "Journal":
        """Start the journal of a new run in a folder that has none."""
        path = folder / FILE
        with _explained(path), _connected(path, "rwc") as db:
            journal = cls(db, path)
            with db:
                db.execute("BEGIN IMMEDIATE")
                _schema.create(db)
                _schema.append_note(db, "league", msgspec.json.encode(league).decode())
        return journal

    @classmethod
    def open(cls, folder: Path) -> "Journal":
        """Open the journal of a run to go on writing it."""
        return cls._open(folder, "rw")

    @classmethod
    def read(cls, folder: Path) -> "Journal":
        """Open the journal of a run to read it."""
        return cls._open(folder, "ro")

    @classmethod
    def _open(cls, folder: Path, mode: str) -> "Journal":
        path = folder / FILE
        if not folder.is_dir():
            raise ConfigError(f"{folder} is not a run: there is no such folder")
        if not exists(folder):
            raise ConfigError(f"{folder} is not a run: it has no {FILE}, or an empty one")
        with _explained(path), _connected(path, mode) as db:
            schema = _version(db, path)
            if schema < SCHEMA and mode == "ro":
                _schema.look_through(db)
            elif schema < SCHEMA:
                _schema.migrate(db)
        return cls(db, path, schema)

    def league(self) -> League:
        """Return the league as it was last played."""
        with _explained(self.path):
            return msgspec.json.decode((self._notes("league") or [""])[-1], type=League)

    def set_league(self, league: League) -> None:
        """Note the league as it goes on, after bots or blocks were added."""
        self._note("league", msgspec.json.encode(league).decode())

    def note_sandbox(self, text: str) -> None:
        """Record in which sandbox the matches are played from now on."""
        if self.sandboxes()[-1:] != [text]:
            self._note("sandbox", text)

    def sandboxes(self) -> list[str]:
        """Return the sandboxes in which the matches were played, one after the other."""
        with _explained(self.path):
            return self._notes("sandbox")

    def add(self, result: MatchResult) -> None:
        """Record a finished match, in one transaction."""
        outcome = msgspec.json.encode(result.outcome)
        fields = msgspec.structs.asdict(result)
        del fields["outcome"]
        record = zlib.compress(msgspec.json.encode(_Record(**fields)))
        with _explained(self.path), self._db as db:
            db.execute("BEGIN IMMEDIATE")
            _schema.append_result(db, result.outcome.match, outcome, record)

    def add_void(self, void: Void) -> None:
        """Record that the arena failed to finish a match."""
        self._note("void", msgspec.json.encode(void).decode())

    def played(self) -> set[str]:
        """Return the ids of all finished matches."""
        with _explained(self.path):
            return {match for (match,) in self._db.execute("SELECT match FROM results")}

    def prove(self, head: str = "") -> Proof:
        """Follow the chain, if there is one, and look for a hash of it or its beginning.

        Raise JournalError at the first row that does not agree.
        """
        with _explained(self.path):
            proof = chain.check(self._db, head, linked=self.schema > 1)
            if proof.head:
                _schema.check_version(self._db)
        return proof

    def head(self) -> str:
        """Return the end of the chain in hexadecimal, empty if there is no chain."""
        with _explained(self.path):
            return chain.head(self._db).hex() if self.schema > 1 else ""

    def unchained(self) -> int:
        """Return how many matches were recorded while the journal had no chain."""
        with _explained(self.path):
            return _schema.unchained(self._db) if self.schema > 1 else len(self.played())

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcomes in the order in which they were recorded."""
        decode = msgspec.json.Decoder(Outcome).decode
        with _explained(self.path):
            query = f"SELECT {_OUTCOME} FROM results ORDER BY number"
            for (outcome,) in self._db.execute(query):
                yield decode(outcome)

    def voids(self) -> list[Void]:
        """Return all voids, oldest first."""
        decode = msgspec.json.Decoder(Void).decode
        with _explained(self.path):
            return [decode(body) for body in self._notes("void")]

    def result(self, match: str) -> MatchResult:
        """Return one match by its id or by a beginning of it that is unique."""
        query = "SELECT match FROM results WHERE substr(match, 1, ?) = ? ORDER BY match LIMIT ?"
        with _explained(self.path):
            rows = self._db.execute(query, (len(match), match, SUGGESTIONS + 1))
            ids = [identity for (identity,) in rows]
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
        return next(self._results("WHERE match = ?", (ids[0],)))

    def results(self) -> Iterator[MatchResult]:
        """Yield all matches in the order in which they were recorded."""
        return self._results("ORDER BY number", ())

    def _results(self, clause: str, values: tuple[int | str, ...]) -> Iterator[MatchResult]:
        query = f"SELECT {_OUTCOME}, {_RECORD} FROM results JOIN records USING (number) {clause}"
        outcomes, records = msgspec.json.Decoder(Outcome), msgspec.json.Decoder(_Record)
        with _explained(self.path):
            for outcome, packed in self._db.execute(query, values):
                record = records.decode(zlib.decompress(packed))
                yield MatchResult(outcomes.decode(outcome), **msgspec.structs.asdict(record))

    def close(self) -> None:
        """Close the journal at once; a writer leaves a single file, if nobody else has it open."""
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("PRAGMA busy_timeout = 0")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()

    def _note(self, kind: str, body: str) -> None:
        with _explained(self.path), self._db as db:
            db.execute("BEGIN IMMEDIATE")
            _schema.append_note(db, kind, body)

    def _notes(self, kind: str) -> list[str]:
        query = "SELECT body FROM notes WHERE kind = ? ORDER BY number"
        return [str(body) for (body,) in self._db.execute(query, (kind,))]


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold a run folder for this process; raise JournalError when another one does."""
    path = folder / "lock"
    with path.open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().decode("ascii", "replace").strip()
            raise JournalError(f"{folder} is being played by process {holder}") from None
        try:
            file.truncate(0)
            file.write(b"%d\n" % os.getpid())
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from error
        yield


def exists(folder: Path) -> bool:
    """Return whether a folder holds a journal that was begun; a file cut off at birth is none."""
    path = folder / FILE
    if not path.is_file():
        return False
    with _explained(path), _connected(path, "ro") as db, contextlib.closing(db):
        return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is not None


@contextlib.contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a journal for writing ahead, where the file system can; ``mode`` is SQLite's.

    The connection stays open unless an exception leaves the block.
    """
    if mode == "ro":
        _take_back(path)
    db = _connect(path, mode)
    try:
        if mode != "ro":
            with contextlib.suppress(sqlite3.OperationalError):
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        yield db
    except BaseException:
        db.close()
        raise


def _version(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of a journal's tables; raise JournalError if this arena is too old."""
    meta: dict[str, str] = dict(db.execute("SELECT key, value FROM meta"))
    schema = msgspec.convert(meta.get("schema"), int, strict=False)
    if schema > SCHEMA:
        raise JournalError(
            f"{path} was written by arena {meta.get('arena')} with schema {schema}; "
            f"this is arena {__version__}, which reads schemas 1 to {SCHEMA}"
        )
    return schema


def _take_back(path: Path) -> None:
    """Let SQLite undo what a killed writer has only begun: to a connection that just reads the
    file would be closed."""
    if not path.with_name(f"{path.name}-journal").exists():
        return
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect(path, "rw")) as db:
        db.execute("SELECT 1 FROM sqlite_master")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise JournalError(f"{path}: {error}{_advice(error, path)}") from error
    except (sqlite3.Error, msgspec.MsgspecError, zlib.error, Broken) as error:
        raise JournalError(f"{path}: {error}") from error


def _advice(error: sqlite3.OperationalError, path: Path) -> str:
    """Return what to do when the disk is full, which SQLite calls an I/O error at times."""
    full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    if not full and not is_full(path.parent):
        return ""
    return f"; make room in {path.parent} and go on: all matches that were finished are kept"

"""The file of a journal: how it is opened, and how it is read even when it is damaged."""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec

from arena import __version__
from arena.errors import ConfigError, JournalError, similar
from arena.league import _schema, chain
from arena.league._pages import log_is_damaged
from arena.league._schema import SCHEMA
from arena.league.chain import Broken
from arena.league.room import is_full
from arena.league.salvage import salvaged
from arena.words import escaped

T = TypeVar("T")
_BIRTH = 2 << 12
"""A file without tables, of no more bytes, was cut off when it was begun."""
_UNHARMED = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Errors of SQLite that say nothing of the state of a file."""
_WAYS_OUT = (
    "arena standings, arena export and arena verify tell what can be read, "
    "arena tournament --restart puts the run aside and begins anew"
)
_LOG = "its write-ahead log does not hold together"
_FAULTS = (sqlite3.Error, msgspec.MsgspecError, zlib.error, UnicodeDecodeError, Broken)


class Source:
    """The rows of a journal. A damaged one that is opened to be read gives those that can be read.

    ``schema`` is the version of its tables when it was opened. ``losses`` says in words what is
    damaged and what is lost; it is empty as long as nothing was met.
    """

    def __init__(
        self,
        path: Path,
        db: sqlite3.Connection,
        schema: int,
        *,
        mends: bool,
        losses: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.db = db
        self.schema = schema
        self.losses = losses
        self._mends = mends
        self._opened = [db]

    def run(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what is read; if that meets a damage, read it again from what is left."""
        db = self.db
        try:
            return read(db)
        except _FAULTS as error:
            self._mend(error, db)
        with explained(self.path):
            return read(self.db)

    def each(self, query: str, decode: Callable[..., T]) -> Iterator[T]:
        """Yield what the rows of a query, which have a number first, decode to, in its order."""
        last = 0
        while True:
            db, whole = self.db, self._mends and not self.losses
            try:
                top = _top(db) if whole else 0
                for number, *columns in db.execute(f"{query} ORDER BY number"):
                    if not isinstance(number, int):
                        raise Broken(f"a match has the number {number!r}")
                    if number > last:
                        _expect(number, last + 1 if whole else number)
                        if None in columns:
                            raise Broken(f"of match number {number} something is not there")
                        item = decode(*columns)
                        last = number
                        yield item
                _expect(last, max(last, top))
            except _FAULTS as error:
                self._mend(error, db)
            else:
                return

    def close(self) -> None:
        """Close the file at once; a writer leaves a single one, if nobody else has it open."""
        with contextlib.suppress(sqlite3.Error):
            self.db.execute("PRAGMA busy_timeout = 0")
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.db.execute("PRAGMA journal_mode = DELETE")
        for db in self._opened:
            db.close()

    def _mend(self, error: Exception, db: sqlite3.Connection) -> None:
        """Go on with what can be read, if an error in ``db`` means that the file is damaged."""
        if db is not self.db:
            return
        if not self._mends or self.losses:
            raise JournalError(f"{self.path}: {_told(error)}") from error
        self.db, self.losses = _rest(self.path, error)
        self._opened.append(self.db)


def reader(path: Path) -> Source:
    """Open a journal to read it; raise ConfigError where there is none."""
    try:
        if log_is_damaged(path):
            raise Broken(_LOG)
        with connected(path, "ro") as db:
            if not is_begun(db, path):
                raise no_run(path)
            schema = _version(db, path)
            if schema < SCHEMA:
                _schema.look_through(db)
    except _FAULTS as error:
        db, losses = _rest(path, error)
        return Source(path, db, SCHEMA, mends=True, losses=losses)
    return Source(path, db, schema, mends=True)


def writer(path: Path) -> Source:
    """Open a journal to go on writing it, and bring it to the present schema.

    Raise JournalError, before anything is written, if it is damaged or does not agree with its
    chain.
    """
    with explained(path):
        with advised(), connected(path, "ro") as db, contextlib.closing(db):
            _check(db, path)
        with connected(path, "rw") as db:
            schema = _version(db, path)
            if schema < SCHEMA:
                _schema.migrate(db)
    return Source(path, db, schema, mends=False)


def is_begun(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether a file has the tables of a journal; raise Broken if it has lost them."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return True
    if path.stat().st_size > _BIRTH:
        raise Broken("there are no tables in it")
    if log_is_damaged(path):
        raise Broken(_LOG)
    return False


def no_folder(folder: Path, file: str) -> ConfigError:
    """Return what to raise where there is no folder of a run; ``file`` is that of a journal."""
    if folder.exists():
        return ConfigError(f"{folder} is not a run: it is a file, not a folder")
    runs = {
        str(journal.parent)
        for place in (folder.parent, Path("runs"))
        for journal in place.glob(f"*/{file}")
    }
    within = Path("runs", folder)
    hint = f"; did you mean '{within}'?" if str(within) in runs else similar(folder, runs)
    return ConfigError(f"{folder} is not a run: there is no such folder{hint}")


def no_run(path: Path) -> ConfigError:
    """Return what to raise where there is no journal that was begun."""
    return ConfigError(f"{path.parent} is not a run: it has no {path.name}, or an empty one")


@contextlib.contextmanager
def connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
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


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what goes wrong with a journal into a JournalError that names it."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise JournalError(f"{path}: {_told(error)}{_advice(error, path)}") from error
    except _FAULTS as error:
        raise JournalError(f"{path}: {_told(error)}") from error


@contextlib.contextmanager
def advised() -> Iterator[None]:
    """Add what can be done to what is found to be damaged."""
    try:
        yield
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, Broken) as error:
        raise Broken(f"{error}; {_WAYS_OUT}") from error


def _advice(error: sqlite3.OperationalError, path: Path) -> str:
    """Return what to do when the disk is full, which SQLite calls an I/O error at times."""
    full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    if not full and not is_full(path.parent):
        return ""
    return f"; make room in {path.parent} and go on: all matches that were finished are kept"


def _take_back(path: Path) -> None:
    """Let SQLite undo what a killed writer has only begun: a connection that just reads cannot."""
    if not path.with_name(f"{path.name}-journal").exists():
        return
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect(path, "rw")) as db:
        db.execute("SELECT 1 FROM sqlite_master")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)


def _version(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of a journal's tables; raise JournalError if this arena is too old."""
    meta: dict[str, str] = dict(db.execute("SELECT key, value FROM meta"))
    try:
        schema = msgspec.convert(meta.get("schema"), int, strict=False)
    except msgspec.ValidationError:
        raise Broken(f"there is no schema {meta.get('schema')}") from None
    if schema > SCHEMA:
        raise JournalError(
            f"{path} was written by arena {meta.get('arena')} with schema {schema}; "
            f"this is arena {__version__}, which reads schemas 1 to {SCHEMA}"
        )
    if schema < 1:
        raise Broken(f"there is no schema {schema}")
    return schema


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Raise Broken unless all of a journal is as it was written."""
    if log_is_damaged(path):
        raise Broken(_LOG)
    schema = _version(db, path)
    if schema < SCHEMA:
        _schema.look_through(db)
    chain.check(db, linked=schema > 1)


def _top(db: sqlite3.Connection) -> int:
    """Return the number of the last match; raise Broken if its record is not the last one."""
    query = "SELECT (SELECT max(number) FROM results), (SELECT max(number) FROM records)"
    result, record = db.execute(query).fetchone()
    if result != record:
        raise Broken(f"the last match has number {result}, the last record {record}")
    return int(result or 0)


def _expect(number: int, right: int) -> None:
    if number != right:
        raise Broken(f"match number {right} is not there")


def _rest(path: Path, error: Exception) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """Return what can be read of a damaged file, and what is to be said of it.

    Raise JournalError if nothing can be read, or the error does not mean that there is a damage.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    db, losses = (None, []) if code & 0xFF in _UNHARMED else salvaged(path)
    if not db:
        raise JournalError(f"{path}: {_told(error)}") from error
    return db, (f"{path} is damaged: {_told(error)}", *losses)


def _told(error: Exception) -> str:
    """Return an error as it can be told: SQLite repeats what it finds in a file."""
    return escaped(str(error))

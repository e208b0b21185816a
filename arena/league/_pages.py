"""Read rows out of an SQLite file page by page, whatever state the file is in.

SQLite refuses a file whose header or whose inner pages are damaged, although the rows lie in other
pages. Here every page that looks like one with rows is read, and a row that does not hold together
is passed over. https://www.sqlite.org/fileformat2.html describes the file and its names.
"""

import os
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

USUAL = 4096
"""The size of a page where the file does not say."""
_TABLE_LEAF, _INDEX_LEAF = 13, 10
_LOG_HEADER, _FRAME = 32, 24
"""Bytes at the beginning of a write-ahead log, and before each of its pages."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer by its serial type."""

Value = bytes | str | int | float | None
Found = tuple[int | None, tuple[Value, ...]]
"""The number of a row, None for one of an index, and its columns."""


def rows(path: Path) -> Iterator[Found]:
    """Yield all rows that can be read, those of the write-ahead log included.

    Rows that were moved may come twice.
    """
    with path.open("rb") as file, _log(path) as log:
        pages = _Pages(file, log)
        for number in range(1, pages.count + 1):
            yield from pages.rows(number)


def log_is_damaged(path: Path) -> bool:
    """Return whether SQLite would leave out, and not say so, what was committed to the log.

    The last commit may be torn: nobody was told that it was there. A log that is begun anew while
    it is looked at is none that is damaged.
    """
    with _log(path) as log:
        header = os.pread(log.fileno(), _LOG_HEADER, 0)
        if len(header) < _LOG_HEADER:
            return False
        size = int.from_bytes(header[8:12], "big")
        size = size if _is_size(size) else USUAL
        before, broken = header[24:], header[24:] != _checksum(header, header[:24])
        torn, following = 0, _LOG_HEADER
        for frame, place in _frames(log, size):
            broken = broken or place != following
            following = place + _FRAME + size
            if not broken:
                content = frame[:8] + os.pread(log.fileno(), size, place + _FRAME)
                broken = len(content) < 8 + size or frame[16:] != (
                    before := _checksum(header, content, before)
                )
            torn += broken and frame[4:8] != bytes(4)
        return torn > 1 and header == os.pread(log.fileno(), _LOG_HEADER, 0)


class _Torn(Exception):
    """What is read does not hold together."""


class _Pages:
    """The pages of a database, each in its newest committed state."""

    def __init__(self, file: BinaryIO, log: BinaryIO) -> None:
        self._file, self._log = file, log
        self._size = _page_size(file.read(100))
        self._newer = dict(_committed(log, self._size))
        self._length = os.fstat(file.fileno()).st_size
        self.count = max(-(-self._length // self._size), *self._newer, 0)

    def rows(self, number: int) -> Iterator[Found]:
        """Yield the rows of a page."""
        page, start = self._page(number), 100 if number == 1 else 0
        if len(page) < self._size or page[start] not in (_TABLE_LEAF, _INDEX_LEAF):
            return
        (count,) = struct.unpack_from(">H", page, start + 3)
        for place in range(start + 8, min(start + 8 + 2 * count, self._size - 1), 2):
            (at,) = struct.unpack_from(">H", page, place)
            try:
                yield self._row(page, at, table=page[start] == _TABLE_LEAF)
            except (_Torn, IndexError, struct.error, UnicodeDecodeError, OverflowError):
                continue

    def _row(self, page: bytes, at: int, *, table: bool) -> Found:
        size, at = _varint(page, at)
        number = None
        if table:
            number, at = _varint(page, at)
        most = self._size - 35 if table else (self._size - 12) * 64 // 255 - 23
        if size <= most:
            return number, _columns(page[at : at + size])
        if size > self._length + (self.count * self._size):
            raise _Torn
        least = (self._size - 12) * 32 // 255 - 23
        local = least + (size - least) % (self._size - 4)
        local = local if local <= most else least
        (following,) = struct.unpack_from(">I", page, at + local)
        return number, _columns(page[at : at + local] + self._overflow(following, size - local))

    def _overflow(self, number: int, size: int) -> bytes:
        parts = []
        while size > 0:
            page = self._page(number)
            (number,) = struct.unpack_from(">I", page)
            parts.append(page[4 : 4 + size])
            size -= self._size - 4
        return b"".join(parts)

    def _page(self, number: int) -> bytes:
        """Return a page, shorter where the file is; pages are counted from 1."""
        place, file = self._newer.get(number, None), self._log
        if place is None:
            place, file = (number - 1) * self._size, self._file
        try:
            return os.pread(file.fileno(), self._size, place) if number else b""
        except (OSError, OverflowError):
            return b""


def _log(path: Path) -> BinaryIO:
    """Open the write-ahead log of a database, an empty one where there is none."""
    try:
        return path.with_name(f"{path.name}-wal").open("rb")
    except OSError:
        return open(os.devnull, "rb")


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big") if header.startswith(b"SQLite format 3") else 0
    size = 1 << 16 if size == 1 else size
    return size if _is_size(size) else USUAL


def _is_size(size: int) -> bool:
    return 512 <= size <= 1 << 16 and size & (size - 1) == 0


def _committed(log: BinaryIO, size: int) -> Iterator[tuple[int, int]]:
    """Yield page numbers of the log with where the page lies, later ones after earlier ones."""
    waiting = list[tuple[int, int]]()
    for frame, place in _frames(log, size):
        number, commit = struct.unpack_from(">II", frame)
        waiting.append((number, place + _FRAME))
        if commit:
            yield from waiting
            waiting.clear()


def _frames(log: BinaryIO, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield the head of each frame that belongs to the log, and where it lies."""
    places = range(_LOG_HEADER, os.fstat(log.fileno()).st_size, _FRAME + size)
    heads = [os.pread(log.fileno(), _FRAME, place) for place in places]
    header = os.pread(log.fileno(), _LOG_HEADER, 0)
    salts = header[16:24]
    if heads and header[24:] != _checksum(header, header[:24]):
        salts = Counter(head[8:16] for head in heads).most_common(1)[0][0]
    for head, place in zip(heads, places, strict=True):
        if head[8:16] == salts:
            yield head, place


def _checksum(header: bytes, data: bytes, before: bytes = bytes(8)) -> bytes:
    """Return the checksum of SQLite's write-ahead log of what follows something with another."""
    order = ">" if header[3:4] == b"\x83" else "<"
    one, two = struct.unpack(">II", before)
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for word in words:
        one = (one + word + two) & 0xFFFFFFFF
        two = (two + next(words) + one) & 0xFFFFFFFF
    return struct.pack(">II", one, two)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of variable length and where it ends."""
    value = 0
    for byte in data[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1


def _columns(data: bytes) -> tuple[Value, ...]:
    """Return the columns of a row; raise _Torn unless they take all of its bytes."""
    end, at = _varint(data, 0)
    place, columns = end, list[Value]()
    while at < end:
        kind, at = _varint(data, at)
        if kind >= 12:
            length = (kind - 12) // 2
            column = data[place : place + length]
            columns.append(column.decode() if kind % 2 else column)
        elif kind == 7:
            length = 8
            columns.append(float(struct.unpack_from(">d", data, place)[0]))
        else:
            length = _INTEGERS.get(kind, 0)
            number = int.from_bytes(data[place : place + length], "big", signed=True)
            columns.append(None if kind == 0 else kind - 8 if kind in (8, 9) else number)
        place += length
    if place != len(data):
        raise _Torn
    return tuple(columns)

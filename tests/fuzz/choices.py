"""Read bytes as choices, so that a fuzzer's bytes always mean something."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Choices made by bytes, from the first to the last; after them every number is 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        """Whether there are bytes left."""
        return self._at < len(self._data)

    def some(self, size: int) -> bytes:
        """Return the next bytes, fewer where there are no more."""
        found = self._data[self._at : self._at + size]
        self._at += size
        return found

    def below(self, n: int) -> int:
        """Return a number from 0 to ``n - 1``."""
        size = (max(n - 1, 1).bit_length() + 7) // 8
        return int.from_bytes(self.some(size), "little") % n

    def one_of(self, things: Sequence[T]) -> T:
        """Return one of the things."""
        return things[self.below(len(things))]

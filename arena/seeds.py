"""Seeds and shuffles that another program can derive again.

A **seed** is text. ``derive(seed, *labels)`` is the first 32 hex digits of the SHA-256 of the
JSON array ``[seed, label, ...]``, written without spaces in ASCII.

The **stream** of a seed is the SHAKE-256 output of the seed's ASCII text, read as 32-bit
big-endian words. ``below(n)`` takes words until one is less than the largest multiple of ``n``
that fits into 2**32, and returns that word modulo ``n``. ``shuffled(items)`` is Fisher-Yates
from the end: for i = len-1 .. 1 swap item i with item ``below(i + 1)``.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")
_WORDS = 64


def derive(seed: int | str, *labels: int | str) -> str:
    """Return 32 hex digits that depend on ``seed`` and on every label, and on nothing else."""
    text = json.dumps([str(seed), *labels], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


class Chance(Protocol):
    """A source of random numbers; games draw all their chance from one."""

    def below(self, n: int) -> int:
        """Return an integer from 0 to ``n - 1``, each equally likely."""

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a new order, each order equally likely."""


class Stream:
    """An endless stream of random numbers that is a pure function of one seed."""

    def __init__(self, seed: str) -> None:
        self._word = _words(seed).__next__

    def below(self, n: int) -> int:
        """Return an integer from 0 to ``n - 1``, each equally likely; ``n`` is at most 2**32."""
        limit = (1 << 32) // n * n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a new order, each order equally likely."""
        cards = list(items)
        below = self.below
        for i in range(len(cards) - 1, 0, -1):
            j = below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def _words(seed: str) -> Iterator[int]:
    """Yield the stream's words; SHAKE's longer output begins with its shorter one."""
    shake = hashlib.shake_256(seed.encode("ascii"))
    start, stop = 0, _WORDS
    while True:
        yield from struct.unpack(f">{stop}I", shake.digest(4 * stop))[start:]
        start, stop = stop, stop * 2

"""Read bytes as choices, so that a fuzzer's bytes always mean something."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, TypeVar

T = TypeVar("T")
STRANGE = (None, True, -1, 0, 1, 2, 1 << 62, 0.5, 1e300, "", "0", "play 7x3", "pass 5", [], {}, [0])


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


def change(node: Any, choices: Choices) -> None:
    """Go down from a node by choices, and change what is there."""
    while keys := list(node) if isinstance(node, dict) else list(range(len(node))):
        key = choices.one_of(keys)
        if isinstance(node[key], dict | list) and choices.below(8):
            node = node[key]
            continue
        kind = choices.below(4)
        if kind == 0:
            del node[key]
        elif kind == 1:
            node[key] = deepcopy(choices.one_of(STRANGE))
        elif kind == 2:
            node[key] = deepcopy(node[choices.one_of(keys)])
        elif isinstance(node, list):
            node.insert(key, deepcopy(node[key]))
        else:
            node[key] = choices.some(8).decode("latin-1")
        return

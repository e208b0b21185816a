"""The legal moves as a person is shown them, by number, and what the person types."""

import re
from collections.abc import Mapping, Sequence

from arena.games.base import Face
from arena.views.grid import cell_width, printable
from arena.views.paint import Paint

_GAP = 3
_COLOUR = re.compile(r"\x1b\[\d*m")


def menu(legal: Sequence[str], paint: Paint, width: int) -> list[str]:
    """Return lines of at most ``width`` cells with all moves, numbered from 1 down the columns."""
    digits = len(str(len(legal)))
    cells = [f"{number:{digits}} {paint(printable(move))}" for number, move in enumerate(legal, 1)]
    widest = max(map(_width, cells)) + _GAP
    rows = -(-len(cells) // max(1, (width + _GAP) // widest))
    return [
        "".join(cell + " " * (widest - _width(cell)) for cell in cells[row::rows]).rstrip()
        for row in range(rows)
    ]


def understood(text: str, legal: Sequence[str], faces: Mapping[str, Face]) -> str:
    """Return the move that a person has typed: one of the legal ones where that is clear.

    That is its number, its words in upper or lower case, with cards as they are shown, or all its
    words but the first. Another text is returned as the game might spell it.
    """
    if re.fullmatch("[0-9]{1,9}", text) and 1 <= int(text) <= len(legal):
        return legal[int(text) - 1]
    for word, face in faces.items():
        text = text.replace(face.text, word)
    words = [word.upper() if word.upper() in faces else word.lower() for word in text.split()]
    typed = " ".join(words)
    same = [move for move in legal if move.lower() == typed.lower()]
    ends = [move for move in legal if move.partition(" ")[2].lower() == typed.lower()]
    return (same or (ends if len(ends) == 1 else [typed]))[0]


def _width(text: str) -> int:
    return cell_width(_COLOUR.sub("", text))

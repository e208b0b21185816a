"""Show cards as people know them, where the terminal can: ``7♥`` in red for ``7H``."""

import codecs
import os
import re
from collections.abc import Callable, Mapping
from typing import TextIO

from arena.games.base import Game

Paint = Callable[[str], str]
"""Returns a text of a game, such as an action or the table, as it is to be shown."""

_COLOURS = {"red": "31"}


def plain(text: str) -> str:
    """Return the text unchanged."""
    return text


def painter(game: Game, stream: TextIO) -> Paint:
    """Return how a game's texts are shown on a stream.

    They stay as they are unless it is a UTF-8 terminal; colours are left out where ``NO_COLOR`` is
    set or the terminal is dumb.
    """
    if not game.faces or not stream.isatty() or not _is_utf8(stream):
        return plain
    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if not coloured:
        return faced(game)
    return _replacing(
        {word: _coloured(face.text, face.colour) for word, face in game.faces.items()}
    )


def faced(game: Game) -> Paint:
    """Return how a game's texts are shown where there are good letters, and no colours."""
    return _replacing({word: face.text for word, face in game.faces.items()})


def _replacing(shown: Mapping[str, str]) -> Paint:
    """Return what puts texts for words."""
    if not shown:
        return plain
    words = re.compile(rf"\b({'|'.join(map(re.escape, shown))})\b")
    return lambda text: words.sub(lambda word: shown[word[0]], text)


def _coloured(text: str, colour: str) -> str:
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if colour else text


def _is_utf8(stream: TextIO) -> bool:
    try:
        return codecs.lookup(stream.encoding or "").name == "utf-8"
    except LookupError:
        return False

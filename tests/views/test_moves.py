"""The menu of legal moves, and what a person types."""

import pytest

from arena import games
from arena.games.base import Face
from arena.views.grid import cell_width
from arena.views.moves import menu, understood
from arena.views.paint import plain

LEAVES = ("play 7x1", "play 7x2", "play 12x1", "pass 7", "pass 12")
DRAWS = ("draw stock", "draw discard")
LAST = ("out 7H", "discard 7H", "discard TS")
FACES = games.load("thirteen").faces


def test_moves_are_numbered_down_the_columns() -> None:
    assert menu(LEAVES, plain, 50) == [
        "1 play 7x1    3 play 12x1   5 pass 12",
        "2 play 7x2    4 pass 7",
    ]
    assert menu(LEAVES, plain, 10) == [f"{n} {move}" for n, move in enumerate(LEAVES, 1)]


def test_colours_take_no_room_and_what_a_terminal_obeys_is_not_shown() -> None:
    assert menu(("a", "b"), lambda text: f"\x1b[31m{text}\x1b[0m", 11) == [
        "1 \x1b[31ma\x1b[0m   2 \x1b[31mb\x1b[0m"
    ]
    assert menu(("a\x1b[2J",), plain, 80) == ["1 a\ufffd[2J"]
    assert max(map(cell_width, menu([f"card {n}" for n in range(200)], plain, 78))) <= 78


@pytest.mark.parametrize(
    ("text", "legal", "faces", "move"),
    [
        ("2", LEAVES, {}, "play 7x2"),
        ("6", LEAVES, {}, "6"),
        ("0", LEAVES, {}, "0"),
        ("PLAY  7X2 ", LEAVES, {}, "play 7x2"),
        ("12x1", LEAVES, {}, "play 12x1"),
        ("play 7", LEAVES, {}, "play 7"),
        ("stock", DRAWS, FACES, "draw stock"),
        ("7h", LAST, FACES, "7H"),
        ("out 7♥", LAST, FACES, "out 7H"),
        ("10♠", LAST, FACES, "discard TS"),
        ("OUT kc", LAST, FACES, "out KC"),
        ("", LAST, FACES, ""),
    ],
)
def test_what_is_typed(
    text: str, legal: tuple[str, ...], faces: dict[str, Face], move: str
) -> None:
    assert understood(text, legal, faces) == move

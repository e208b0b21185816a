"""How cards are shown on a terminal."""

import io
from typing import Any

import pytest

from arena import games
from arena.views.paint import painter, plain


class Terminal(io.StringIO):
    encoding = "UTF-8"

    def isatty(self) -> bool:
        return True


class LatinTerminal(Terminal):
    encoding = "latin-1"


class OddTerminal(Terminal):
    encoding = "nonsense"


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_cards_have_their_suits_and_red_ones_are_red_on_a_terminal() -> None:
    paint = painter(games.load("thirteen"), Terminal())
    assert paint("discard TH") == "discard \x1b[31m10♥\x1b[0m"
    assert paint("AS | 7C KD") == "A♠ | 7♣ \x1b[31mK♦\x1b[0m"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert painter(games.load("thirteen"), Terminal())("out TH") == "out 10♥"


def test_only_whole_words_are_cards() -> None:
    paint = painter(games.load("thirteen"), Terminal())
    assert paint("3s wild  ASH x7C discard") == "3s wild  ASH x7C discard"


@pytest.mark.parametrize("stream", [io.StringIO(), LatinTerminal(), OddTerminal()])
def test_texts_stay_as_they_are_elsewhere(stream: Any) -> None:
    assert painter(games.load("thirteen"), stream) is plain


def test_a_game_without_faces_stays_as_it_is() -> None:
    assert painter(games.load("leaves"), Terminal()) is plain

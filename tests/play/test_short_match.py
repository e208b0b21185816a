"""The short match in ``bots/PROTOCOL.md`` is one that is played."""

import os
import re

import pytest
from rooms import room
from snapshots import REWRITE

from arena import __version__, games
from arena.entrants import load_bot, shipped_bots
from arena.model import Fixture, Terms
from arena.play.table import play_at_table

DOCUMENT = shipped_bots() / "PROTOCOL.md"
BOTS = ("greedy", "first", "miser")
SEAT = 1
OPTIONS = {"variant": "basic", "hand_size": 4}
SEED = "23"
TOKEN = "8e0f3b6c1d3f4a52a1f6d8c0b7e95a24"
BLOCK = re.compile(r"(?<=^## A short match\n)(.*?^```text\n)(.*?)(?=^```)", re.M | re.S)


def play() -> str:
    """Play the match; return all frames of one seat, each with who sent it, but another token."""
    frames: list[str] = []

    def listen(bot: str, sender: str, frame: bytes) -> None:
        if bot == BOTS[SEAT]:
            frames.append(f"{sender:5}  {frame.decode()}\n")

    fixture = Fixture("9b1c64f0a7d2e835", BOTS, "", 1, 1, SEED)
    terms, game = Terms("leaves", OPTIONS), games.load("leaves")
    with room(terms, wire=listen) as own:
        bots = [load_bot(name, base=shipped_bots()) for name in BOTS]
        result = play_at_table(fixture, bots, terms=terms, game=game, pool=own.pool)
    assert result.outcome.faults == ()
    return re.sub(r'(?<="token": ")\w+', TOKEN, "".join(frames))


@pytest.mark.process
def test_the_short_match_of_the_document_is_played_again() -> None:
    played, document = play(), DOCUMENT.read_text(encoding="utf-8")
    if os.environ.get(REWRITE):
        document = BLOCK.sub(lambda found: found[1] + played, document)
        DOCUMENT.write_text(document, encoding="utf-8")
    found = BLOCK.search(document)
    assert found
    assert found[2] == played, f"run pytest with {REWRITE}=1 if the new match is right"
    assert f'"arena":"{__version__}"' in played

"""What is printed on a terminal of 80 columns: calm, narrow, and plain where that is asked."""

import re
import time

import pytest
from running import Place
from terminal import COLUMNS, Terminal

from arena.views.grid import cell_width

pytestmark = pytest.mark.process

COLOUR = re.compile(r"\x1b\[(?:\d+;)*[349][0-9](?:;\d+)*m")
MATCHES = 18


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_league_and_its_tables(env: dict[str, str], place: Place) -> None:
    first = "from arena.bot import run\nrun(lambda observation, legal: legal[0])"
    bot = place.bot("a-bot-with-a-name-as-long-as-they-can-be", first)
    league = place.league(bot, "greedy", "random", format={"blocks": MATCHES // 3})
    begun = time.monotonic()
    terminal = Terminal(place, "tournament", league, "--out", "run", env=env)
    assert terminal.rest() == 0
    seconds = time.monotonic() - begun
    standings = Terminal(place, "standings", "run", env=env)
    assert standings.rest() == 0
    text = terminal.text + standings.text
    assert bool(COLOUR.search(text)) == (not env)
    assert ("\x1b" in text) == ("TERM" not in env)
    assert "●" in terminal.text
    assert "●" in standings.text
    pictures = len(re.findall(rf"\d of {MATCHES} matches", terminal.text))
    assert pictures <= 3 + 2 * seconds
    assert max(map(cell_width, standings.lines)) <= COLUMNS

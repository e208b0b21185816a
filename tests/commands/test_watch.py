"""A run is followed from another terminal while it is played, and when it is not."""

import re
import signal
import subprocess
from pathlib import Path

import pytest
from running import Place
from terminal import COLUMNS, Terminal

from arena.league import journal

pytestmark = pytest.mark.process

GATED = """
import pathlib, time
from arena.bot import run

def choose(observation, legal):
    while not pathlib.Path(GATE).exists():
        time.sleep(0.05)
    return legal[0]

run(choose)
"""


def gated(place: Place) -> tuple[Path, Path]:
    """Write a league in which a bot waits for a file; return both."""
    gate = place.folder / "gate"
    bot = place.bot("gated", f"GATE = {str(gate)!r}\n{GATED}")
    limits = {"first_move": 60_000}
    return place.league(bot, "first", "random", limits=limits), gate


def begun(place: Place, league: Path) -> "subprocess.Popen[str]":
    """Start a league that waits at its gate."""
    process = place.start("tournament", league, "--out", "run", "--workers", "1")
    assert process.stderr
    while "matches" not in (line := process.stderr.readline()):
        assert line, "it has ended"
    return process


def test_a_run_is_followed_to_its_end(place: Place) -> None:
    league, gate = gated(place)
    runner = begun(place, league)
    assert journal.is_being_played(place.folder / "run")
    terminal = Terminal(place, "watch", "run")
    terminal.wait_for("0 of 6 matches, 0 faults, 0.0/s, starting")
    lines = place.start("watch", "run")
    assert lines.stdout
    assert lines.stdout.readline() == "league, leaves: 0 of 6 matches, 0 faults, 0.0/s, starting\n"
    gate.touch()
    assert terminal.rest() == 0
    assert runner.wait(60) == 0
    out, err = lines.communicate(timeout=60)
    standings = place.arena("standings", "run").stdout
    assert err == ""
    assert out == f"{standings}\nfinished: all 6 matches are played\n"
    assert max(map(len, terminal.lines)) < COLUMNS
    end = terminal.text.replace("\r\n", "\n").partition(standings)[2]
    assert re.match(r"\n +0 +0\.5 +1\n(\w+ +[·━●]+  \d\.\d{3}\n){3}\nfinished: ", end)
    assert not journal.is_being_played(place.folder / "run")
    assert sorted(path.name for path in (place.folder / "run").glob("journal*")) == [journal.FILE]
    assert place.arena("verify", "run").returncode == 0


def test_who_leaves_does_not_disturb_the_run(place: Place) -> None:
    league, gate = gated(place)
    runner = begun(place, league)
    terminal = Terminal(place, "watch", "run")
    terminal.wait_for("Ctrl-C leaves")
    terminal.type("\x03")
    assert terminal.rest() == 0
    assert terminal.text.endswith("arena: left; the run goes on\r\n")
    assert terminal.text.count("\x1b[?25l") == terminal.text.count("\x1b[?25h")
    gate.touch()
    out, _ = runner.communicate(timeout=60)
    assert runner.returncode == 0
    assert "6 matches in 2 blocks" in out


def test_a_run_that_nobody_plays_is_told_as_it_is(place: Place) -> None:
    league, _ = gated(place)
    assert place.arena("watch", "run").returncode == 2
    assert "run is not a run: there is no such folder" in place.arena("watch", "run").stderr
    runner = begun(place, league)
    runner.send_signal(signal.SIGTERM)
    runner.communicate(timeout=30)
    told = place.arena("watch", "run")
    assert (told.returncode, told.stderr) == (0, "")
    assert re.search("(stopped|not begun): nobody plays it; [0-5] of 6 matches, ", told.stdout)


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii"}])
def test_plain_terminals_are_told_what_they_can_show(env: dict[str, str], place: Place) -> None:
    league, gate = gated(place)
    runner = begun(place, league)
    terminal = Terminal(place, "watch", "run", env=env)
    terminal.wait_for("0 of 6 matches")
    gate.touch()
    assert (terminal.rest(), runner.wait(60)) == (0, 0)
    assert terminal.text.isascii() == ("TERM" not in env)
    assert ("\x1b" in terminal.text) == ("TERM" not in env)

"""``arena check`` as an author uses it."""

import json
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from running import Place

pytestmark = pytest.mark.process

PLUGIN = Path(__file__).parents[1] / "e2e" / "plugin" / "high_card.py"
LIAR = "from arena.bot import run\nprint('I lie')\nrun(lambda observation, legal: 'most')\n"


def test_a_bot_that_passes(place: Place) -> None:
    done = place.arena("check", "first", "--only", "handshake", "--only", "bye", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "checking first\n")
    head, handshake, bye, _, counts, _, seed = done.stdout.splitlines()
    assert head.split() == ["check", "result", "what", "was", "seen"]
    assert handshake.startswith("handshake  passed   hello came ")
    assert bye == "bye        passed   exited with status 0 after bye"
    assert counts == "2 checks: 2 passed"
    assert seed == "seed 7"
    assert place.left_behind() == []


def test_a_failure_is_told_in_full_and_can_be_had_again(place: Place) -> None:
    place.bot("liar", LIAR)
    words = ("check", "bots/liar", "--game", "leaves", "--only", "plays", "--limit", "move=900")
    done = place.arena(*words, "--json")
    assert done.returncode == 1
    assert done.stderr.endswith(
        "arena: liar failed plays-leaves-3, plays-leaves-4, plays-leaves-5, plays-leaves-6\n"
    )
    report = json.loads(done.stdout)
    assert (report["bot"], report["passed"]) == ("liar", False)
    finding = report["checks"][2]
    assert finding["detail"].startswith("illegal: 'most' is not legal here; legal: ")
    assert finding["output"] == "I lie"
    assert [frame["sender"] for frame in finding["messages"]][-2:] == ["arena", "bot"]

    again = place.arena(*shlex.split(finding["repeat"])[1:])
    assert again.returncode == 1
    assert f"plays-leaves-5 failed: {finding['detail']}\n" in again.stdout
    assert finding["messages"][-2]["text"] in again.stdout
    assert finding["repeat"] in again.stdout


def test_a_bot_that_does_not_play_a_game_is_refused(place: Place) -> None:
    done = place.arena("check", "counter", "--game", "thirteen")
    assert done.returncode == 2
    assert "does not have the game to be played, 'thirteen'" in done.stderr


def test_a_game_that_there_is_not_is_named_with_its_file(place: Place) -> None:
    place.bot("liar", LIAR)
    path = place.folder / "bots" / "liar" / "bot.toml"
    path.write_text('games = ["leafs"]\npython = "main.py"\n')
    done = place.arena("check", "bots/liar")
    assert done.returncode == 2
    assert f"{path}: games: there is no game 'leafs'; did you mean 'leaves'?" in done.stderr


def test_a_game_from_outside_needs_no_rare_deals(place: Place) -> None:
    words = ("check", "first", "--game", "high_card:PLUGIN", "--only", "plays", "--only", "memory")
    shutil.copy(PLUGIN, place.folder)
    done = place.arena(*words, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    keys = [finding["check"] for finding in report["checks"]]
    assert keys[0].startswith("plays-high")
    assert keys[-1] == "memory"
    assert {finding["status"] for finding in report["checks"]} == {"passed"}


def test_an_interrupted_check_leaves_nothing_behind(place: Place) -> None:
    place.bot("hangs", "import sys\nsys.stdin.read()\n")
    checking = place.start("check", "bots/hangs")
    deadline = time.monotonic() + 20
    while not any("hangs/main.py" in line for line in place.processes().values()):
        assert time.monotonic() < deadline, "the bot was not started"
        time.sleep(0.01)
    checking.send_signal(signal.SIGINT)
    _, errors = checking.communicate(timeout=20)
    assert checking.returncode == 130
    assert "arena: stopped by SIGINT" in errors
    assert place.left_behind() == []
    assert place.processes(seconds=2) == {}


def test_a_bot_is_built_before(place: Place) -> None:
    place.bot("made", LIAR)
    path = place.folder / "bots" / "made"
    (path / "main.py").rename(path / "source.py")
    (path / "bot.toml").write_text(
        'build = ["cp", "source.py", "main.py"]\n'
        f"command = {json.dumps([sys.executable, 'main.py'])}\n"
    )
    done = place.arena("check", "bots/made", "--only", "handshake")
    assert done.returncode == 0, done.stderr

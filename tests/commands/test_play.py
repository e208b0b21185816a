"""A person at the terminal plays against bots: through a terminal of 80 columns, and a pipe."""

import json
import re
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import LIMIT_SECONDS, Place
from terminal import COLUMNS, Terminal

pytestmark = pytest.mark.process

PROMPT = r"your move, 1 to (\d+) \(\? for help\): "
FIRST = "1\n" * 2000
UNBOXED = "arena: sandbox: none; bots may do whatever you may do\n"
SLOW = """
import pathlib, time
from arena.bot import run

def choose(observation, legal):
    pathlib.Path("asked").touch()
    time.sleep(60)

run(choose)
"""
SPY = """
import sys
from arena.bot import Bot, run

class Spy(Bot):
    def match_start(self, message):
        print("match", message["seat"], message["limits"]["move"])
    def deal_start(self, message):
        print("deal", message["deal"], message["observation"]["hand"], flush=True)
    def events(self, events):
        for event in events:
            print("event", *event)
    def choose(self, observation, legal):
        print("asked", observation["turn"], flush=True)
        return legal[-1]

run(Spy)
"""


def plays(place: Place, typed: str, *words: str | Path) -> tuple[int, str, str]:
    """Return exit code, output and messages of ``arena play WORDS`` with a pipe to type into."""
    process = place.start("play", *words, "--sandbox", "none", stdin=-1)
    out, err = process.communicate(typed, timeout=60)
    return process.returncode, out, err


def record(place: Place, run: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(place.arena("export", run).stdout)
    return found


@pytest.mark.parametrize(
    ("game", "bots", "seat"),
    [("leaves", ("greedy", "miser"), 2), ("thirteen", ("rummy-greedy", "rummy-watcher"), 0)],
)
def test_a_whole_match_through_a_pipe_is_recorded(
    game: str, bots: tuple[str, ...], seat: int, place: Place
) -> None:
    words = (game, *bots, "--seat", str(seat), "--seed", "13", "--option", "max_turns=24")
    code, out, err = plays(place, FIRST, *words)
    assert (code, err) == (0, UNBOXED)
    assert max(map(len, out.splitlines())) <= COLUMNS
    assert out.isascii()
    assert re.search(r"^Result$", out, re.MULTILINE)
    assert "recorded: runs/play-1, seed 13\n" in out
    verified = place.arena("verify", "runs/play-1")
    assert (verified.returncode, verified.stderr) == (0, "")
    played = record(place, "runs/play-1")
    names = played["seats"]
    assert isinstance(names, list)
    assert names.index("you") == seat
    again = place.arena("replay", "runs/play-1", str(played["match"])[:6], "--seat", str(seat))
    assert (again.returncode, again.stderr) == (0, "")
    assert not place.processes()
    assert not place.left_behind()


@pytest.mark.parametrize(
    ("game", "bots"), [("leaves", ("greedy", "first")), ("thirteen", ("rummy-greedy",))]
)
def test_a_whole_match_at_a_terminal(game: str, bots: tuple[str, ...], place: Place) -> None:
    options = {"leaves": ("--option", "variant=basic"), "thirteen": ("--option", "max_turns=4")}
    terminal = Terminal(place, "play", game, *bots, "--seed", "13", *options[game])
    while terminal.wait_for(rf"{PROMPT}|\r\nResult\r\n")[1]:
        terminal.type("1\n")
    assert terminal.rest() == 0
    assert max(map(len, terminal.lines)) <= COLUMNS
    assert ("\x1b[31m" in terminal.text) == (game == "thirteen")
    assert place.arena("verify", "runs/play-1").returncode == 0


def test_colours_can_be_refused(place: Place) -> None:
    terminal = Terminal(place, "play", "thirteen", "rummy-greedy", env={"NO_COLOR": "1"})
    terminal.wait_for(PROMPT)
    terminal.type("q\n")
    assert terminal.rest() == 0
    assert "\x1b" not in terminal.text
    assert "hand  " in terminal.text


def test_what_is_not_legal_is_explained_by_its_rule(place: Place) -> None:
    typed = "\n".join(
        ["play 1x9", "?", "why not put 5", "? pass 6", "? 1", "77", "?", "help", "t", "r", "q"]
    )
    out = plays(place, f"{typed}\n", "leaves", "first", "first", "--seed", "3")[1]
    answers = [answer.strip() for answer in re.split(PROMPT, out)[2::2]]
    assert answers[0].endswith(
        "'play 1x9' is no action: there are 2 cards of value 1 (L01); ? tells more"
    )
    assert "  L01  62 cards with values from 1 to 13 and no suits." in answers[1]
    assert "write 'play VxN' or 'pass V'" in answers[2]
    assert re.search(r"\(L1[13]\)\n  L1[13]  ", answers[3])
    assert answers[4].endswith(" is legal")
    assert re.search("there is no move 77: they are 1 to ", answers[5])
    assert "ask first for a hint" in answers[7]
    assert "hand  " in answers[8]
    assert "  L22  " in answers[9]
    assert answers[10].startswith("q\n\nyou quit in deal 1; totals   0 you: 0, ")


def test_the_ways_to_type_a_move(place: Place) -> None:
    """By number, by words, by the end of the words, in any case, with cards as they look."""
    terminal = Terminal(place, "play", "thirteen", "rummy-greedy", "--seed", "13")
    for typed in ("draw stock", "{}", "STOCK", "DISCARD {}", " draw   stock ", "{}", "1", "1"):
        terminal.wait_for(PROMPT)
        card = terminal.lines and re.findall(r"drawn (\S+)", "\n".join(terminal.lines))
        terminal.type(typed.format(card[-1] if card else "") + "\n")
    terminal.wait_for(PROMPT)
    assert "; ? tells more" not in terminal.text
    terminal.type("q\n")
    assert terminal.rest() == 0


def test_a_bot_gives_hints_and_hears_what_the_seat_hears(place: Place) -> None:
    spy = place.bot("spy", SPY)["path"]
    words = ("leaves", "greedy", "miser", "--hint", spy, "--seed", "13")
    typed = "1\n" * 3 + "h\n1\n" * 4 + "1\n" * 3 + "h\n" + FIRST
    code, out, _ = plays(place, typed, *words)
    assert code == 0
    for menu, number, move in re.findall(r"\n\n((?: *1 .*\n(?:.+\n)*))\n.*h\nspy: (\d+) (.*)", out):
        assert re.search(rf"(^| ){number} {move}( |$)", menu, re.MULTILINE)
    assert len(re.findall(r"^spy: \d+ (play|pass) ", out, re.MULTILINE)) == 5
    played = record(place, "runs/play-1")
    heard = next(Path(place.folder, "runs/play-1/logs").glob("spy*")).read_text().splitlines()
    assert heard[0] == "match 0 1000"
    deals = played["deals"]
    assert isinstance(deals, list)
    told = [line for line in heard if line.startswith("event")]
    happened = [f"event {seat} {action}" for deal in deals for seat, action, _ in deal["actions"]]
    assert len(told) > 10
    assert told == happened[: len(told)]
    assert f"deal 1 {deals[0]['hands'][0]}" in heard
    asked = [int(line.split()[1]) for line in heard if line.startswith("asked")]
    turns = [n for deal in deals for n, move in enumerate(deal["actions"]) if move[0] == 0]
    assert asked == turns[: len(asked)]


def test_bots_that_fail_do_not_end_the_match(place: Place) -> None:
    broken = place.bot("broken", "raise SystemExit(7)")["path"]
    words = ("leaves", "first", broken, "--hint", broken, "--option", "variant=basic")
    code, out, _ = plays(place, "h\nh\n" + FIRST, *words)
    assert code == 0
    assert out.count("broken: no hint, not_ready: ") == 2
    assert "(the house plays)" in out
    assert "broken: fault in match " in out
    assert place.arena("verify", "runs/play-1").returncode == 0


def test_a_hint_that_is_no_move_is_cut_and_moves_no_cursor(place: Place) -> None:
    loud = place.bot("loud", "from arena.bot import run\nrun(lambda *_: '\\33[2J' + 'A' * 100000)")
    words = ("leaves", "first", "miser", "--hint", loud["path"], "--option", "variant=basic")
    _, out, _ = plays(place, "h\nq\n", *words)
    assert "loud: '\ufffd[2JAAA" in out
    assert "which is not legal" in out
    assert len(out) < 3000


@pytest.mark.parametrize("typed", ["1\nq\n", "1\n"])
def test_quitting_and_the_end_of_input_leave_nothing(typed: str, place: Place) -> None:
    words = "leaves greedy miser --seed 13 --seat 1 --option hand_size=9"
    code, out, err = plays(place, typed, *words.split())
    assert (code, err) == (0, UNBOXED)
    assert re.search(r"^(you quit|there is no more input) in deal 1; totals   0 \w+: 0", out, re.M)
    assert re.search(rf"^nothing is recorded; the same cards again: .* play {words}$", out, re.M)
    assert not list(place.folder.glob("runs/*"))
    assert not place.processes()
    assert not place.left_behind()


def test_control_c_and_a_closed_terminal_end_the_bots(place: Place) -> None:
    terminal = Terminal(place, "play", "leaves", "greedy", "miser", "--hint", "counter")
    terminal.wait_for(PROMPT)
    terminal.type("h\n")
    terminal.wait_for("counter: ")
    terminal.type("\x03")
    assert terminal.rest() == 130
    assert "stopped by SIGINT in deal 1; totals   0 you: 0" in terminal.text
    assert "Traceback" not in terminal.text
    closed = Terminal(place, "play", "leaves", "greedy", "miser")
    closed.wait_for(PROMPT)
    closed.close()
    assert closed.process.wait(20) in (0, 1, 130)
    assert not place.processes()
    assert not place.left_behind()
    assert not list(place.folder.glob("runs/*"))


def test_a_signal_ends_the_bots_while_one_of_them_thinks(place: Place) -> None:
    slow = place.bot("slow", SLOW)["path"]
    process = place.start("play", "leaves", slow, "first", "--sandbox", "none", stdin=-1)
    assert process.stdin
    process.stdin.write("1\n" * 9)
    process.stdin.flush()
    end = time.monotonic() + LIMIT_SECONDS
    while not (Path(slow) / "asked").exists():
        assert time.monotonic() < end, "the bot is not asked"
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 130
    assert not place.processes()


def test_a_game_that_does_not_draw_is_played_by_its_observation(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copy(Path(__file__).parents[1] / "e2e/plugin/high_card.py", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    typed = "card 99\n?\nh\n" + FIRST
    code, out, _ = plays(place, typed, "high_card:PLUGIN", "first", "--option", "deals=2")
    assert code == 0
    assert re.search(r"^hand: \[\d+,\d+,\d+\]$", out, re.MULTILINE)
    assert "'card 99' is not one of the legal moves" in out
    assert place.arena("verify", "runs/play-1").returncode == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("leaves", "first"), "leaves has 3 to 6 seats, not 2, yours included"),
        (("leaves", "first", "first", "--seat", "3"), "--seat 3: the seats are 0 to 2"),
        (("leaves", "first", "frist"), "there is no bot 'frist'"),
        (("leaves", "first", "first", "--hint", "gredy"), "did you mean 'greedy'?"),
        (("leaf", "first", "first"), "did you mean 'leaves'?"),
        (("leaves", "first", "first", "--option", "target=no"), "--option target: "),
        (("leaves", "first", "first", "--seed", ""), "--seed '' must be a text of 1 to"),
        (("leaves", "first", "first", "--out", "bots"), "--out bots: there is something already"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: tuple[str, ...],
    told: str,
    arena: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "file").touch()
    monkeypatch.chdir(tmp_path)
    code, out, err = arena("play", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert not (tmp_path / "runs").exists()

"""``arena debug`` as its users meet it: what the bot is told, and what is said of its answers."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from running import LIMIT_SECONDS, REPOSITORY, Place

from arena import games
from arena.entrants import load_bot
from arena.league.journal import Journal
from arena.model import Entrant, Fixture, League, Limits, Terms
from arena.play.pool import Pool
from arena.play.table import play_at_table

pytestmark = pytest.mark.process

BAD = REPOSITORY / "tests" / "bots_bad" / "bad.py"
LIMITS = Limits(start=10_000, first_move=4_000, move=2_000)
LAST = """\
from arena.bot import run


def choose(observation, legal):
    return legal[-1]


run(choose)
"""


def shipped(name: str, call: str = "") -> Entrant:
    return replace(load_bot(name, base=REPOSITORY / "bots"), name=call or name)


def bad(switch: str) -> Entrant:
    """Return the bot of ``tests/bots_bad`` with a switch."""
    return Entrant(switch, (sys.executable, str(BAD), switch), str(BAD.parent))


def record(place: Place, game: str, *bots: Entrant, **options: Any) -> list[tuple[str, str, bytes]]:
    """Play a match in fresh processes and write the journal of a run with it.

    Return (bot, sender, frame) of all that went over the wire.
    """
    heard: list[tuple[str, str, bytes]] = []
    terms = Terms(game, options, LIMITS)
    fixture = Fixture("m1", tuple(bot.name for bot in bots), "all", 1, 1, "seed")
    pool = Pool(
        terms,
        sockets=place.temporary / "s",
        logs=place.folder / "logs",
        label="1",
        wire=lambda *frame: heard.append(frame),
    )
    with contextlib.closing(pool):
        result = play_at_table(fixture, bots, terms=terms, game=games.load(game), pool=pool)
    league = League("league", "1", (len(bots),), terms, "round-robin", {}, bots)
    (place.folder / "run").mkdir()
    journal = Journal.create(place.folder / "run", league)
    journal.add(result)
    journal.close()
    return heard


def frames(output: str, sender: str) -> list[bytes]:
    """Return the frames of a sender that ``--wire`` has printed."""
    return [text.encode() for text in re.findall(rf"^ *[\d.]+ ms  {sender} +(.*)$", output, re.M)]


def told(heard: list[tuple[str, str, bytes]], bot: str) -> list[bytes]:
    return [frame for name, sender, frame in heard if (name, sender) == (bot, "arena")]


@pytest.mark.parametrize(
    ("game", "bots", "options"),
    [
        ("leaves", ("greedy", "first", "random"), {"max_turns": 9, "target": 30}),
        ("thirteen", ("rummy-greedy", "random"), {"max_turns": 30}),
    ],
)
def test_every_bot_is_told_the_same_to_the_byte_and_answers_the_same(
    place: Place, game: str, bots: tuple[str, ...], options: dict[str, Any]
) -> None:
    heard = record(place, game, *map(shipped, bots), **options)
    for seat, name in enumerate(bots):
        done = place.arena("debug", "run", "m1", "--seat", str(seat), "--wire")
        assert done.returncode == 0, done.stdout[-500:] + done.stderr
        assert frames(done.stdout, "arena") == told(heard, name)
        answers = sum(b'"action"' in frame for frame in frames(done.stdout, "bot"))
        assert done.stdout.splitlines()[-1] == f"the same again: {answers} answers"


@pytest.mark.parametrize("switch", ["Illegal", "WrongType", "ExitsInMatch"])
def test_the_seat_of_a_forfeiter_is_told_the_same_up_to_its_bye(place: Place, switch: str) -> None:
    bots = (shipped("greedy"), bad(switch), shipped("random"))
    heard = record(place, "leaves", *bots, target=5)
    done = place.arena("debug", "run", "m1", "--seat", "1", "--wire")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "the same again: 2 answers")
    assert frames(done.stdout, "arena") == told(heard, switch)
    for seat in ("0", "2"):
        assert place.arena("debug", "run", "m1", "--seat", seat).returncode == 0


def test_the_version_that_played_is_named(place: Place) -> None:
    bot = place.bot("mine", LAST)
    league = place.league("first", "random", bot, format={"blocks": 1, "rotations": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    match = json.loads(place.arena("export", "run").stdout)
    seat = match["seats"].index("mine")
    words = ("debug", "run", match["match"], "--seat", str(seat))
    played = f"mine, seat {seat}, played as version {match['fingerprints'][seat]}"
    same = place.arena(*words)
    assert (same.returncode, same.stdout.splitlines()[0]) == (0, f"{played}, and has not changed")
    (Path(bot["path"]) / "main.py").write_text(LAST + "\n# changed\n")
    changed = place.arena(*words)
    assert changed.returncode == 0
    assert re.match(rf"{played}; it has changed: version [0-9a-f]{{16}}\n", changed.stdout)
    other = place.arena(*words, "--bot", "random")
    assert re.match(rf"{played}; random, version [0-9a-f]{{16}}, has its seat now\n", other.stdout)
    (Path(bot["path"]) / "main.py").rename(place.folder / "elsewhere.py")
    gone = place.arena(*words)
    assert gone.returncode == 2
    assert gone.stderr.endswith("; name a bot with --bot\n")


def test_every_other_answer_is_shown_with_the_table_as_the_seat_saw_it(place: Place) -> None:
    bots = (shipped("first"), shipped("greedy"), shipped("random"))
    record(place, "leaves", *bots, target=5)
    (match,) = (json.loads(line) for line in place.arena("export", "run").stdout.splitlines())
    place.bot("last", LAST)
    done = place.arena("debug", "run", "m1", "--seat", "0", "--bot", "bots/last")
    shown = re.findall(r"^deal (\d+), action (\d+): recorded (.+), now (.+)$", done.stdout, re.M)
    assert shown
    for deal, action, recorded, now in shown:
        seat, then, _ = match["deals"][int(deal) - 1]["actions"][int(action)]
        assert (seat, then) == (0, recorded)
        assert now != recorded
    count = sum(actor == 0 for deal in match["deals"] for actor, *_ in deal["actions"])
    message = f"{len(shown)} of {count} answers differ from the record"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"arena: {message}")
    table = re.search(r"\n\n(turn .*\n(?:.*\n){3})deal ", done.stdout)
    assert table
    hands = [re.findall(r"\d+", line.partition("cards")[2]) for line in table[1].splitlines()[1:]]
    assert [bool(hand) for hand in hands] == [True, False, False]


@pytest.mark.parametrize(
    ("switch", "says", "summary"),
    [
        ("Illegal", "a fault, illegal: 'most' is not legal here", r"\d+ of \d+ answers differ"),
        ("ExitsInMatch", "a fault, exited: exited with status 4", r"1 of 2 .*; \d+ more were not"),
        ("Reconnects", "a fault, malformed: the connection was lost", r"1 of 2 .*; \d+ more were"),
        ("ExitsAtStart", "", "not_ready: exited with status 3 before it said hello"),
    ],
)
def test_a_bot_that_fails_where_the_record_has_an_answer_is_shown(
    place: Place, switch: str, says: str, summary: str
) -> None:
    bots = (shipped("first"), shipped("greedy"), shipped("random"))
    record(place, "leaves", *bots, target=5)
    command = f"{sys.executable} {BAD} {switch}"
    done = place.arena("debug", "run", "m1", "--seat", "0", "--bot", command)
    assert done.returncode == 1
    assert says in done.stdout
    assert re.search(summary, done.stderr.splitlines()[-1])


def test_a_bot_in_a_debugger_is_asked_without_limits(place: Place) -> None:
    bots = (shipped("first"), shipped("greedy"), shipped("random"))
    heard = record(place, "leaves", *bots, target=5)
    words = ("debug", "run", "m1", "--seat", "0", "--bot", "manual", "--wire")
    asking = place.start(*words)
    with asking, by_hand(asking, bots[0]):
        output, _ = asking.communicate(timeout=LIMIT_SECONDS)
    assert asking.returncode == 0
    assert frames(output, "arena") == told(heard, "first")


def by_hand(asking: "subprocess.Popen[str]", bot: Entrant) -> "subprocess.Popen[bytes]":
    """Start a bot as the arena asks a person to."""
    assert asking.stderr
    lines = iter(asking.stderr.readline, "")
    said = next(line for line in lines if "ARENA_ENDPOINT" in line)
    own = dict(word.split("=", 1) for word in said.split()[:2])
    return subprocess.Popen(bot.command, env={"PYTHONPATH": str(REPOSITORY), **own})


@pytest.fixture
def absent(place: Place) -> Place:
    """A run with a match in which seat 1 was not ready."""
    bots = (shipped("first"), bad("ExitsAtStart"), shipped("random"))
    record(place, "leaves", *bots, target=5)
    return place


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--seat", "1"),
            "seat 1, ExitsAtStart, was told nothing: not_ready: exited with status 3",
        ),
        (("--seat", "3"), "there is no seat 3: the match has 0 to 2"),
        (("--seat", "0", "--bot", "rummy-greedy"), "does not have the game to be played, 'leaves'"),
        ((), "Missing option '--seat'"),
    ],
)
def test_what_cannot_be_asked_is_said(absent: Place, words: tuple[str, ...], message: str) -> None:
    done = absent.arena("debug", "run", "m1", *words)
    assert done.returncode == 2
    assert message in done.stderr

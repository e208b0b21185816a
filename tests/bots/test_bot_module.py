"""``arena.bot`` as a process, against an arena played by the test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fake_arena import TOKEN, FakeArena, act, end, match_start

from arena import bot
from arena.play import protocol
from arena.play.protocol import Action, Bye, DealEnd, DealStart, MatchEnd, Ping, Pong

pytestmark = pytest.mark.process

FIRST = "from arena.bot import run\nrun(lambda observation, legal: legal[0])"
RANDOM = "import random, arena.bot\narena.bot.run(lambda observation, legal: random.choice(legal))"
FAILING = """
from arena.bot import run

def choose(observation, legal):
    print("thinking")
    raise LookupError("no idea")

run(choose)
"""
REMEMBERING = """
import json
from arena.bot import Bot, run

class Remembering(Bot):
    def __init__(self):
        self.calls = []
    def match_start(self, message):
        self.calls.append(["match_start", message["match"]])
    def deal_start(self, message):
        self.calls.append(["deal_start", message["deal"]])
    def events(self, events):
        self.calls.append(["events", events])
    def choose(self, observation, legal):
        self.calls.append(["choose", observation, legal])
        return legal[-1]
    def deal_end(self, message):
        self.calls.append(["deal_end", message["penalties"]])
    def match_end(self, message):
        self.calls.append(["match_end", message["places"]])
        print(json.dumps(self.calls))

"""


def test_module_speaks_the_version_of_this_arena() -> None:
    assert bot.PROTOCOL == protocol.VERSION


def test_module_loads_nothing_else_of_arena(arena: FakeArena) -> None:
    source = "import sys, arena.bot; print(*sorted(sys.modules))"
    _, output, _ = end(arena.start_python(source))
    loaded = output.split()
    assert [name for name in loaded if name.startswith("arena")] == ["arena", "arena.bot"]
    assert "msgspec" not in loaded


def test_bot_says_hello_answers_ping_and_act_and_exits_on_bye(arena: FakeArena) -> None:
    process = arena.start_python(FIRST)
    assert arena.welcome() == protocol.Hello(protocol.VERSION, TOKEN)
    assert arena.ask(Ping(3)) == Pong(3)
    assert arena.ask(act(7, ["pass 5", "pass 7"])) == Action(7, "pass 5")
    assert arena.ask(act(8, ["play 1x1"])) == Action(8, "play 1x1")
    arena.send(Bye("enough"))
    assert end(process) == (0, "", "")


def test_a_bot_without_choose_is_told_so(arena: FakeArena) -> None:
    process = arena.start_python("from arena.bot import Bot, run\nclass Mine(Bot): pass\nrun(Mine)")
    arena.welcome()
    arena.send(act(7, ["pass 5"]))
    code, _, err = end(process)
    assert code == 1
    assert err.endswith("NotImplementedError: Mine has no method choose\n")


def test_unknown_types_and_keys_are_ignored(arena: FakeArena) -> None:
    arena.start_python(FIRST)
    arena.welcome()
    arena.send_frame(b'{"type": "weather", "sun": true}')
    arena.send_frame(b'{"type": "ping", "id": 4, "sun": true}')
    assert arena.receive() == Pong(4)


@pytest.mark.parametrize("player", ["Remembering", "Remembering()"])
def test_hooks_are_called_in_order_for_a_class_and_an_object(arena: FakeArena, player: str) -> None:
    process = arena.start_python(f"{REMEMBERING}run({player})")
    arena.welcome()
    arena.send(match_start("seed"))
    arena.send(DealStart(1, {}))
    question = protocol.Act(1, {"turn": 2}, ("a", "b"), [(3, "x"), (0, "y")], 1000)
    assert arena.ask(question) == Action(1, "b")
    arena.send(DealEnd(1, (0, 5), (0, 5), False, [(1, "z")]))
    arena.send(MatchEnd((0, 5), (1, 2), ()))
    arena.send(Bye("enough"))
    _, output, _ = end(process)
    assert json.loads(output) == [
        ["match_start", "match"],
        ["deal_start", 1],
        ["events", [[3, "x"], [0, "y"]]],
        ["choose", {"turn": 2}, ["a", "b"]],
        ["events", [[1, "z"]]],
        ["deal_end", [0, 5]],
        ["match_end", [1, 2]],
    ]


def test_random_is_seeded_by_the_match(arena: FakeArena) -> None:
    arena.start_python(RANDOM)
    arena.welcome()
    legal = [str(number) for number in range(1000)]
    answers = []
    for seed in ("one", "one", "two"):
        arena.send(match_start(seed))
        answers.append(arena.ask(act(1, legal)))
    assert answers[0] == answers[1] != answers[2]


def test_exception_shows_its_traceback_and_fails(arena: FakeArena) -> None:
    process = arena.start_python(FAILING)
    arena.welcome()
    arena.send(act(1, ["pass 5"]))
    status, output, errors = end(process)
    assert (status, output) == (1, "thinking\n")
    assert errors.startswith("Traceback (most recent call last):\n")
    assert errors.endswith("LookupError: no idea\n")


def test_a_process_that_lives_on_decodes_with_msgspec(arena: FakeArena) -> None:
    source = (
        "import sys\nfrom arena.bot import run\n"
        "run(lambda observation, legal: legal['msgspec' in sys.modules])"
    )
    arena.start_python(source)
    arena.welcome()
    for number, expected in ((bot.WARM, "json"), (bot.WARM + 1, "json"), (bot.WARM + 2, "msgspec")):
        question = protocol.Act(number, {"é": [1.5, None, "\n"]}, ("json", "msgspec"), [], 1000)
        assert arena.ask(question) == Action(number, expected)
        arena.send(MatchEnd((0, 5), (1, 2), ()))


def test_bot_exits_when_stdin_ends(arena: FakeArena) -> None:
    process = arena.start_python(FIRST)
    arena.welcome()
    assert arena.ask(Ping(1)) == Pong(1)
    assert process.stdin
    process.stdin.close()
    assert process.wait(20) == 0


def test_bot_exits_when_stdin_ends_before_the_arena_has_answered(arena: FakeArena) -> None:
    process = arena.start_python(FIRST)
    assert process.stdin
    process.stdin.close()
    assert process.wait(20) == 0


def test_what_comes_from_stdin_is_ignored(arena: FakeArena) -> None:
    process = arena.start_python(FIRST)
    arena.welcome()
    assert process.stdin
    process.stdin.write("hello\n")
    process.stdin.flush()
    assert arena.ask(Ping(1)) == Pong(1)
    assert arena.ask(Ping(2)) == Pong(2)


def test_bot_started_by_hand_without_a_pipe_plays_on(arena: FakeArena, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with (tmp_path / "empty").open() as empty:
        for stdin in (subprocess.DEVNULL, empty):
            process = arena.start([sys.executable, "-c", FIRST], stdin)
            arena.welcome()
            assert arena.ask(Ping(1)) == Pong(1)
            arena.send(Bye("enough"))
            assert end(process) == (0, "", "")


def test_bot_started_with_stdin_closed_plays_on(arena: FakeArena) -> None:
    process = arena.start(["sh", "-c", 'exec "$0" -c "$1" <&-', sys.executable, FIRST])
    arena.welcome()
    assert arena.ask(Ping(1)) == Pong(1)
    arena.send(Bye("enough"))
    assert end(process) == (0, "", "")


@pytest.mark.parametrize("missing", ["ARENA_ENDPOINT", "ARENA_TOKEN"])
def test_missing_environment_is_explained_with_status_2(arena: FakeArena, missing: str) -> None:
    process = arena.start([sys.executable, "-c", FIRST], **{missing: ""})
    assert end(process) == (
        2,
        "",
        "ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for the bots that it"
        " starts.\nTry: arena match leaves FOLDER greedy random first --show\n",
    )


def test_endpoint_that_is_none_is_named_with_status_2(arena: FakeArena) -> None:
    process = arena.start([sys.executable, "-c", FIRST], ARENA_ENDPOINT="nowhere")
    status, _, errors = end(process)
    assert status == 2
    assert errors.startswith("cannot connect to ARENA_ENDPOINT=nowhere: ")
    assert "Traceback" not in errors


def test_refusal_of_the_hello_is_shown_with_status_2(arena: FakeArena) -> None:
    process = arena.start_python(FIRST)
    arena.receive()
    arena.send(Bye("hello has a wrong token"))
    assert end(process) == (2, "", "the arena refused this bot: hello has a wrong token\n")

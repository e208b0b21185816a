"""The starters, each in a language of its own: they say what the protocol asks, and play."""

import tomllib

import pytest
from fake_arena import SECONDS, FakeArena, act, end, match_start
from in_process import BOTS, SHIPPED
from running import Place
from toolchains import BUILD_SECONDS, PROGRAMS, built

from arena.play.protocol import VERSION, Action, Bye, DealEnd, DealStart, MatchEnd, Ping, Pong

pytestmark = [
    pytest.mark.process,
    pytest.mark.toolchain,
    pytest.mark.timeout(BUILD_SECONDS),
    pytest.mark.parametrize("name", PROGRAMS),
]

LEGAL = [f"play {value}x1" for value in range(1, 14)]


def answers(arena: FakeArena, seed: str) -> list[str]:
    """Play a match with the bot that is connected; return its actions."""
    arena.send(match_start(seed))
    arena.send(DealStart(1, {"seat": 0}))
    actions = []
    for number in range(1, 9):
        answer = arena.ask(act(number, LEGAL))
        assert isinstance(answer, Action)
        assert answer.id == number
        actions.append(answer.action)
    arena.send(DealEnd(1, (0, 1, 2, 3), (0, 1, 2, 3), False, [(1, "pass 5")]))
    arena.send(MatchEnd((0, 1, 2, 3), (1, 2, 3, 4), ()))
    return actions


def test_a_starter_says_what_the_protocol_asks(name: str, arena: FakeArena) -> None:
    bot = built(name)
    process = arena.start(bot.command, folder=bot.folder)
    hello = arena.welcome()
    assert (hello.protocol, hello.name) == (VERSION, name)
    first = answers(arena, "a seed")
    assert set(first) <= set(LEGAL)
    assert len(set(first)) > 1
    arena.send_frame(b'{"type": "news", "of": "a later version"}')
    assert arena.ask(Ping(99)) == Pong(99)
    assert answers(arena, "another seed") != first
    assert answers(arena, "a seed") == first
    arena.send(Bye("enough"))
    assert end(process) == (0, "leaves: place 1 of 4\n" * 3, "")


def test_a_starter_ends_when_its_standard_input_does(name: str, arena: FakeArena) -> None:
    bot = built(name)
    process = arena.start(bot.command, folder=bot.folder)
    arena.welcome()
    assert process.stdin
    process.stdin.close()
    assert process.wait(SECONDS) == 0


@pytest.mark.parametrize("variable", ["ARENA_ENDPOINT", "ARENA_TOKEN"])
def test_a_starter_names_what_is_not_set(name: str, variable: str, arena: FakeArena) -> None:
    bot = built(name)
    del arena.environment[variable]
    status, output, errors = end(arena.start(bot.command, folder=bot.folder))
    assert status not in (0, None)
    assert (output, variable in errors) == ("", True)


@pytest.mark.parametrize("game", ["leaves", "thirteen"])
def test_a_starter_plays_both_games(name: str, game: str, place: Place) -> None:
    built(name)
    done = place.arena("match", game, name, "random", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fault" not in done.stdout
    assert f"2 {name}-2" in done.stdout


def test_a_starter_is_complete(name: str) -> None:
    folder = BOTS / name
    bot = tomllib.loads((folder / "bot.toml").read_text())
    assert (bot["name"], bot["games"]) == (name, ["*"])
    assert name in SHIPPED
    assert f"arena build {name}" in (folder / "README.md").read_text() or "build" not in bot

"""What ``bots/README.md`` tells a bot's author is so."""

import re
import tomllib
from pathlib import Path

import pytest
from fake_arena import FakeArena, act, end, match_start
from in_process import BOTS, NAMES, SHIPPED

from arena import fingerprint, games
from arena.entrants import load_bot
from arena.model import Limits
from arena.play.build import LIMIT_SECONDS
from arena.play.protocol import Action, Bye, DealEnd, DealStart, MatchEnd, Ping, Pong

README = (BOTS / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def chapter(title: str) -> str:
    """Return the text from a heading to the next one."""
    return re.split(r"^#+ ", README.split(f"# {title}\n")[1], maxsplit=1, flags=re.M)[0]


def rows(title: str) -> list[str]:
    """Return the keys in the first column of a chapter's tables."""
    cells = re.findall(r"^\| (`.*?) \|", chapter(title), re.M)
    return [key for cell in cells for key in re.findall(r"`(\w+)`", cell)]


def test_every_shipped_bot_has_a_row_and_no_other() -> None:
    assert sorted(re.findall(r"^\| \[`([\w-]+)`\]\(\1/main\.py\)", README, re.M)) == list(NAMES)
    starters = re.findall(r"^\| \[`([\w-]+)`\]\(\1/README\.md\)", README, re.M)
    assert sorted([*NAMES, *starters]) == list(SHIPPED)


def test_the_first_bot_has_ten_lines() -> None:
    assert blocks("python")[0].count("\n") <= 10


@pytest.mark.process
@pytest.mark.parametrize("source", blocks("python"))
def test_every_python_program_plays(arena: FakeArena, source: str) -> None:
    process = arena.start_python(source)
    arena.welcome()
    arena.send(match_start("seed"))
    arena.send(DealStart(1, {}))
    assert arena.ask(act(1, ["pass 5"])) == Action(1, "pass 5")
    arena.send(DealEnd(1, (0, 1, 2, 3), (0, 1, 2, 3), False, [(1, "pass 5")]))
    arena.send(MatchEnd((0, 1, 2, 3), (1, 2, 3, 4), ()))
    assert arena.ask(Ping(2)) == Pong(2)
    arena.send(Bye("enough"))
    status, _, errors = end(process)
    assert (status, errors) == (0, "")


@pytest.mark.process
@pytest.mark.parametrize("source", blocks("python"))
def test_every_python_program_exits_when_the_arena_is_gone(arena: FakeArena, source: str) -> None:
    process = arena.start_python(source)
    arena.welcome()
    assert arena.ask(Ping(1)) == Pong(1)
    assert process.stdin
    process.stdin.close()
    assert process.wait(20) == 0


def test_every_observation_key_is_told() -> None:
    leaves = games.load("leaves")
    state = leaves.deal(4, "seed", 1, leaves.resolve({}, 4))
    assert set(rows("A bot in Python")) == {*state.observe(0), "deal", "totals"}


def test_bot_files_have_only_the_keys_of_the_table() -> None:
    known = set(rows("bot.toml"))
    for block in blocks("toml"):
        assert set(tomllib.loads(block)) <= known


def test_every_key_of_the_table_is_accepted(tmp_path: Path) -> None:
    values = {
        "name": '"mine"',
        "description": '"plays"',
        "games": '["*"]',
        "python": '"main.py"',
        "command": '["sh", "-c", "true"]',
        "build": '["make"]',
        "transport": '"tcp"',
        "env": '{ LEVEL = "2" }',
        "prewarmed": "false",
    }
    assert rows("bot.toml") == list(values)
    (tmp_path / "main.py").touch()
    for other in ("python", "command"):
        lines = [f"{key} = {value}" for key, value in values.items() if key != other]
        (tmp_path / "bot.toml").write_text("\n".join(lines))
        entrant = load_bot(".", base=tmp_path, game="leaves")
        assert (entrant.name, entrant.transport, entrant.env) == ("mine", "tcp", {"LEVEL": "2"})


def test_every_folder_of_what_builds_make_is_told() -> None:
    told = set(re.findall(r"`(\w+)`", chapter("Building")))
    assert told >= fingerprint.BUILT
    assert LIMIT_SECONDS == 15 * 60


def test_time_limits_are_the_defaults() -> None:
    limits = Limits()
    told = re.findall(r"(\d+) seconds?", chapter("Time limits and faults"))
    assert told == [str(ms // 1000) for ms in (limits.start, limits.first_move, limits.move)]


def test_the_games_are_told_apart_by_the_keys_that_are_named() -> None:
    keys = {}
    for key in ("leaves", "thirteen"):
        game = games.load(key)
        keys[key] = set(game.deal(3, "seed", 1, game.resolve({}, 3)).observe(0))
    assert "`table` is in that of 13 Leaves only, `phase` in that of Thirteen\nonly" in README
    assert "table" in keys["leaves"] - keys["thirteen"]
    assert "phase" in keys["thirteen"] - keys["leaves"]

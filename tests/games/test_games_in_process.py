"""The interface to games for programs of one's own."""

import doctest
import runpy
from pathlib import Path
from typing import Any

import pytest

from arena import games
from arena.errors import ConfigError, OptionError

EXAMPLE = Path(__file__).parents[2] / "scripts" / "example_in_process.py"


def first(_observation: dict[str, Any], legal: tuple[str, ...]) -> str:
    return legal[0]


def test_the_examples_of_the_documentation_are_right() -> None:
    outcome = doctest.testmod(games)
    assert outcome.failed == 0
    assert outcome.attempted > 8


def test_the_example_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["shedder", "random", "random"]


def test_play_gives_the_observation_with_deal_and_totals() -> None:
    seen: list[dict[str, Any]] = []

    def watching(observation: dict[str, Any], legal: tuple[str, ...]) -> str:
        seen.append(observation)
        return legal[0]

    result = games.play("leaves", [watching, first, first], seed=1)
    assert seen[0]["deal"] == 1
    assert seen[0]["totals"] == [0, 0, 0]
    assert seen[-1]["deal"] == result.deals > 1
    assert max(seen[-1]["totals"]) < 20 <= max(result.totals)
    assert {observation["seat"] for observation in seen} == {0}


def test_play_counts_every_decision() -> None:
    asked: list[int] = []

    def counting(observation: dict[str, Any], legal: tuple[str, ...]) -> str:
        asked.append(observation["seat"])
        return legal[-1]

    result = games.play(games.load("leaves"), [counting] * 4, 7, {"variant": "basic"})
    assert (result.decisions, result.deals) == (len(asked), 1)


def test_a_number_and_its_text_are_the_same_seed() -> None:
    assert games.play("leaves", [first] * 4, 5) == games.play("leaves", [first] * 4, "5")
    assert games.play("leaves", [first] * 4, 5) != games.play("leaves", [first] * 4, 6)


def test_a_policy_may_use_any_spelling_that_a_bot_may() -> None:
    def short(_observation: dict[str, Any], legal: tuple[str, ...]) -> str:
        return legal[0].removesuffix("x1")

    assert games.play("leaves", [short] * 3, 5) == games.play("leaves", [first] * 3, 5)


def test_an_illegal_answer_is_raised() -> None:
    with pytest.raises(games.IllegalAction, match="sing"):
        games.play("leaves", [lambda _observation, _legal: "sing"] * 3, 5)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ConfigError, match="there is no game 'leafs'; did you mean 'leaves'"):
        games.play("leafs", [first] * 3, 5)
    with pytest.raises(ConfigError, match="2 policies for leaves, which has 3 to 6 players"):
        games.play("leaves", [first] * 2, 5)
    with pytest.raises(OptionError, match="did you mean 'target'"):
        games.play("leaves", [first] * 3, 5, {"targets": 5})


def test_names_lists_the_games() -> None:
    assert "leaves" in games.names()


def test_a_policy_cannot_change_the_totals() -> None:
    def cheating(observation: dict[str, Any], legal: tuple[str, ...]) -> str:
        observation["totals"][observation["seat"]] = 0
        return legal[0]

    assert games.play("leaves", [cheating] * 3, 1) == games.play("leaves", [first] * 3, 1)

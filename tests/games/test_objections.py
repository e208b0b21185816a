"""Why an action is not legal: a test for each rule that forbids something."""

from collections.abc import Sequence
from typing import Any

import pytest

from arena import games
from arena.games import leaves
from arena.games.base import State

LEAVES, THIRTEEN = games.load("leaves"), games.load("thirteen")
OPTIONS = THIRTEEN.resolve({}, 2)
STOCK = ["2C", "4D", "6H", "8S"]


def row(*played: str, hand: Sequence[int] = (2, 6, 6, 9)) -> State:
    """Return 13 Leaves after these actions, with the seat to act that has the hand."""
    hands = [[5, 5, 7, 7, 7, 13] for _ in range(3)]
    hands[len(played) % 3] = list(hand)
    state: State = leaves.start(hands, 0, 1000)
    for action in played:
        state = state.apply(action)
    return state


def turn(*actions: str, **setup: Any) -> State:
    """Return Thirteen for two after these actions; seat 0 begins."""
    hands = [["KC", "KD", "KH"], ["2H", "5S", "9D"]]
    dealt = {"dealer": 1, "hands": hands, "stock": STOCK, "discard": "TC", "reshuffles": []}
    state = THIRTEEN.restore(dealt | setup, OPTIONS)
    for action in actions:
        state = state.apply(action)
    return state


@pytest.mark.parametrize(
    ("played", "action", "rule"),
    [
        ([], "play 1x3", "L01"),
        ([], "play 14", "L01"),
        ([], "pass 0", "L01"),
        ([], "play 9x2", "L05"),
        (["play 5x2", "play 7x3"], "play 6", "L06"),
        (["play 5x2", "play 7x3"], "play 2", "L07"),
        (["play 5x2", "play 7x3"], "play 9x1", "L07"),
        (["play 5x2"], "play 6x1", "L07"),
        (["play 5x2", "play 7x3"], "pass 6", "L11"),
        ([], "pass 5", "L13"),
    ],
)
def test_the_rule_of_leaves_that_forbids_an_action(
    played: list[str], action: str, rule: str
) -> None:
    state = row(*played)
    told = games.objection(state, action)
    assert f"({rule})" in told
    assert state.canonical(action) not in state.legal_actions()
    (text,) = games.cited(LEAVES, told)
    assert text.startswith(f"{rule}  ")


@pytest.mark.parametrize(
    ("state", "action", "rule"),
    [
        (turn(), "discard KC", "T06"),
        (turn("draw stock"), "draw discard", "T06"),
        (turn(stock=[]), "draw stock", "T19"),
        (turn("draw stock", "out 2C", "draw stock"), "out 5S", "T16"),
        (turn("draw stock"), "out KC", "T14"),
    ],
)
def test_the_rule_of_thirteen_that_forbids_an_action(state: State, action: str, rule: str) -> None:
    told = games.objection(state, action)
    assert f"({rule})" in told
    assert action not in state.legal_actions()
    assert [text[:3] for text in games.cited(THIRTEEN, told)] == [rule]


def test_what_is_no_action_is_told_how_to_be_written() -> None:
    assert "write 'play VxN'" in games.objection(row(), "put 5")
    assert "write 'draw stock'" in games.objection(turn(), "draw king")
    assert "the hand holds no 2S" in games.objection(turn("draw stock"), "discard 2S")


@pytest.mark.parametrize("state", [row(), row("play 5x1"), turn(), turn("draw stock")])
def test_nothing_is_said_against_legal_actions(state: State) -> None:
    assert [games.objection(state, action) for action in state.legal_actions()] == [
        "" for _ in state.legal_actions()
    ]


def test_a_rule_is_told_whole_and_once() -> None:
    (text,) = games.cited(LEAVES, "one (L07) and again (L07), and none (L99)")
    assert text.splitlines() == [
        "L07  The number of cards played must be at least the number that lies at that",
        "       end, also when the value equals the end: then the cards are added to its",
        "       stack.",
    ]

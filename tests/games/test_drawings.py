"""The table as a person sees it: exact for known moments, narrow enough for all."""

import random

import pytest

from arena import games
from arena.games import leaves
from arena.games.base import Drawn, State

STOCK = "the stock was empty: the discard pile is shuffled into a new one"
NAMES = ("0 you", "1 greedy", "2 miser")


def test_a_row_of_leaves_with_two_ends() -> None:
    state = leaves.start([[5, 5, 6], [1, 7, 7, 7], [2, 2, 9]], 0, 1000)
    for action in ("play 5x2", "play 7x3", "pass 7"):
        state = state.apply(action)
    assert leaves.PLUGIN.draw(state.observe(0), NAMES).splitlines() == [
        "row   5 5 | 7 7",
        "      play 1 to 5: 2 cards or more; 7 to 13: 2 cards or more",
        "",
        "0 you      1 cards",
        "1 greedy   1 cards",
        "2 miser    4 cards  passed",
        "",
        "hand  6",
    ]


@pytest.mark.parametrize(
    ("actions", "line"),
    [
        ([], "play anything: one card or more of one value"),
        (["play 5x2"], "play any value: 2 cards or more"),
        (["play 5x2", "play 8x3"], "play 1 to 5: 2 cards or more; 8 to 13: 3 cards or more"),
        (["play 1x1", "play 13x1"], "play 1: 1 card or more; 13: 1 card or more"),
    ],
)
def test_what_may_be_played(actions: list[str], line: str) -> None:
    state: State = leaves.start([[1, 5, 5, 8], [13, 8, 8, 8], [2, 2, 9]], 0, 1000)
    for action in actions:
        state = state.apply(action)
    assert leaves.PLUGIN.draw(state.observe(0), NAMES).splitlines()[1].strip() == line


def test_thirteen_shows_piles_seats_hand_and_melds() -> None:
    game = games.load("thirteen")
    assert isinstance(game, Drawn)
    setup = {
        "dealer": 2,
        "hands": [["4H", "5H", "9C", "KD"], ["2C", "6S", "8D", "QH"], ["AS", "2D", "7C", "JH"]],
        "stock": ["9S", "KS", "TC"],
        "discard": "6H",
        "reshuffles": [],
    }
    state = game.restore(setup, game.resolve({}, 3))
    for action in ("draw stock", "discard KD", "draw discard", "discard QH", "draw stock"):
        state = state.apply(action)
    assert game.draw(state.observe(2), NAMES).splitlines() == [
        "4s are wild   stock 1   discard QH   under it 6H",
        "",
        "0 you      4 cards",
        "1 greedy   4 cards  holds KD",
        "2 miser    5 cards  dealer",
        "",
        "hand  AS 2D 7C JH KS   drawn KS",
        "best  no melds   rest AS 2D 7C JH KS, 30 points",
    ]


@pytest.mark.parametrize("key", ["leaves", "thirteen"])
def test_no_line_is_too_long_and_none_shows_more_than_the_seat_sees(key: str) -> None:
    game = games.load(key)
    assert isinstance(game, Drawn)
    rng = random.Random(13)
    players = game.players[-1]
    names = [f"{seat} {'x' * 18}" for seat in range(players)]
    state = game.deal(players, "drawing", 11, game.resolve({"max_turns": 24}, players))
    while state.to_act is not None:
        for seat in range(players):
            text = game.draw(state.observe(seat), names)
            assert max(map(len, text.splitlines())) <= 78
            assert text == game.draw(state.resample(seat, rng).observe(seat), names)
        state = state.apply(rng.choice(state.legal_actions()))
    for seat in range(players):
        assert max(map(len, game.draw(state.observe(seat), names).splitlines())) <= 78


def test_the_end_of_a_round_is_remarked() -> None:
    state: State = leaves.start([[5, 6], [5, 7], [2, 2]], 0, 1000)
    remarks = []
    for action in ("play 5x1", "pass 5", "play 2x1", "pass 2"):
        after = state.apply(action)
        remarks.append(leaves.PLUGIN.remark(state.observe(0), after.observe(0)))
        state = after
    assert remarks == ["", "", "", "the round is over"]


@pytest.mark.parametrize(
    ("actions", "remark"),
    [
        (("draw stock", "discard 9H"), ""),
        (("draw stock", "out 9H"), "all others have one more turn"),
        (("draw stock", "discard 9H", "draw stock", "discard 2S"), STOCK),
    ],
)
def test_remarks_of_thirteen(actions: tuple[str, ...], remark: str) -> None:
    game = games.load("thirteen")
    assert isinstance(game, Drawn)
    setup = {
        "dealer": 1,
        "hands": [["KC", "KD", "KH"], ["2C", "6S", "8D"]],
        "stock": ["9H", "2S"],
        "discard": "6H",
        "reshuffles": [],
    }
    state = game.restore(setup, game.resolve({}, 2))
    for action in actions:
        before, state = state, state.apply(action)
    assert game.remark(before.observe(0), state.observe(0)) == remark

"""The bots that search: legal at every table, repeatable, within their budget."""

import random
import time
from collections.abc import Sequence

import pytest
from in_process import load

from arena import games
from arena.bot import Bot, Event

SEARCH = [("search-leaves", "counter", "leaves"), ("search-thirteen", "rummy-greedy", "thirteen")]
TABLES = [
    pytest.param(
        *(name, other, game, seats),
        marks=[] if seats in (min(games.load(game).players), 4) else [pytest.mark.slow],
        id=f"{name}-{seats}",
    )
    for name, other, game in SEARCH
    for seats in games.load(game).players
]


def play_deal(bots: Sequence[Bot], game: str, number: int) -> list[Event]:
    """Play one deal, bots by seat, and return its events; raise IllegalAction."""
    rules = games.load(game)
    options = rules.resolve({}, len(bots))
    state = rules.deal(len(bots), "deal", number, options)
    added = {"deal": number, "totals": [0] * len(bots)}
    random.seed(number)
    for seat, bot in enumerate(bots):
        bot.match_start({"game": game, "options": options, "seat": seat})
        bot.deal_start({"observation": {**state.observe(seat), **added}})
    events: list[Event] = []
    heard = [0] * len(bots)
    while (seat := state.to_act) is not None:
        bots[seat].events(events[heard[seat] :])
        heard[seat] = len(events)
        action = bots[seat].choose({**state.observe(seat), **added}, list(state.legal_actions()))
        state = state.apply(action)
        events.append([seat, action])
    return events


@pytest.mark.parametrize(("name", "other", "game", "seats"), TABLES)
def test_it_plays_legal_actions_at_every_table_and_repeats_itself(
    name: str, other: str, game: str, seats: int
) -> None:
    names = [name, *[other] * (seats - 2), name]
    once, again = (play_deal([load(name) for name in names], game, seats) for _ in range(2))
    assert once == again


def first_decision(bot: Bot, game: str) -> float:
    """Let the bot take a decision with much to think about; return the seconds that it took."""
    rules = games.load(game)
    options = rules.resolve({}, 4)
    state = rules.deal(4, "budget", 11, options)
    seat = state.to_act
    assert seat is not None
    observation = {**state.observe(seat), "deal": 11, "totals": [3, 5, 7, 9]}
    random.seed(1)
    bot.match_start({"game": game, "options": options, "seat": seat, "seed": "1"})
    bot.deal_start({"observation": observation})
    if observation.get("phase") == "draw":
        state = state.apply("draw stock")
        observation = {**state.observe(seat), "deal": 11, "totals": [3, 5, 7, 9]}
        bot.events([[seat, "draw stock"]])
    begin = time.perf_counter()
    assert bot.choose(observation, list(state.legal_actions())) in state.legal_actions()
    return time.perf_counter() - begin


@pytest.mark.parametrize(("name", "game"), [(name, game) for name, _, game in SEARCH])
def test_a_budget_of_time_ends_the_search(
    name: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMULATIONS", "1000000000")
    monkeypatch.setenv("BUDGET_MS", "50")
    assert first_decision(load(name), game) < 5


def test_search_leaves_goes_out_when_it_can() -> None:
    bot = load("search-leaves")
    observation = {
        "seat": 0,
        "hand": [8, 8],
        "table": [[7, 1]],
        "counts": [2, 1, 9],
        "passed": [False, False, False],
        "discarded": [0] * 13,
        "first": 2,
        "turn": 1,
        "deal": 1,
        "totals": [0, 0, 0],
    }
    fresh = {**observation, "table": [], "turn": 0, "counts": [2, 1, 10]}
    bot.match_start({"options": {"target": 20, "max_turns": 1000}})
    bot.deal_start({"observation": fresh})
    bot.events([[2, "play 7x1"]])
    assert bot.choose(observation, ["play 8x1", "play 8x2", "pass 7"]) == "play 8x2"

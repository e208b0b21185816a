"""The deal of Thirteen that a seat imagines, where it is hard: stocks that are shuffled again."""

import itertools
import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.base import Glance
from arena.games.thirteen import PLUGIN


def choose(legal: tuple[str, ...], rng: random.Random, greed: float) -> str:
    """Return an action that goes on with the deal, and takes the top discard with some chance."""
    if legal[0].startswith("draw"):
        return legal[-1] if rng.random() < greed else legal[0]
    return rng.choice([action for action in legal if action.startswith("discard")])


@settings(max_examples=12, deadline=None)
@given(
    players=st.integers(2, 8),
    number=st.integers(1, 11),
    greed=st.sampled_from([0.0, 0.2, 0.6]),
    seed=st.integers(0, 1 << 32),
)
def test_worlds_agree_with_the_glances_over_many_stocks(
    players: int, number: int, greed: float, seed: int
) -> None:
    options, rng = PLUGIN.resolve({}, players), random.Random(seed)
    state = PLUGIN.deal(players, str(seed), number, options)
    glances: list[list[Glance]] = [[([], state.observe(seat))] for seat in range(players)]
    heard: list[list[tuple[int, str]]] = [[] for _ in range(players)]
    stocks = rng.sample(range(400), 12)
    for turn in range(400):
        if (seat := state.to_act) is None:
            break
        glances[seat].append((heard[seat], state.observe(seat)))
        heard[seat] = []
        if turn in stocks:
            world = PLUGIN.imagine(glances[seat], options)
            for like in (world, world.resample(seat, rng)):
                assert json.dumps(like.observe(seat)) == json.dumps(state.observe(seat))
                assert like.legal_actions() == state.legal_actions()
        action = choose(state.legal_actions(), rng, greed)
        for events in heard:
            events.append((seat, action))
        state = state.apply(action)


def test_the_hand_of_a_player_who_went_out_is_the_one_shown() -> None:
    options = PLUGIN.resolve({}, 2)
    for seed in itertools.count():
        state = PLUGIN.deal(2, str(seed), 1, options)
        first = state.to_act
        assert first is not None
        other = 1 - first
        glances: list[Glance] = [([], state.observe(other))]
        events = []
        while state.to_act == first:
            events.append((first, state.legal_actions()[0]))
            state = state.apply(events[-1][1])
        if state.went_out == first:
            glances.append((events, state.observe(other)))
            world = PLUGIN.imagine(glances, options)
            assert world.hands[first] == state.hands[first]
            assert world.observe(other) == state.observe(other)
            return

"""What the parts of ``search-leaves`` do: its costs, its playouts, its beliefs, its tree."""

import importlib
import random
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from in_process import load, modules_of

from arena import games
from arena.bot import Event
from arena.games.leaves import LeavesState, start

LEAVES = games.load("leaves")
TABLES = LEAVES.players
DEALS = 12


@pytest.fixture(scope="module")
def search() -> SimpleNamespace:
    """Return the modules of the bot."""
    names = ("beliefs", "costs", "playouts", "tree")
    with modules_of("search-leaves"):
        return SimpleNamespace(**{name: importlib.import_module(name) for name in names})


def moments(seats: int, number: int) -> Iterator[tuple[LeavesState, list[Event]]]:
    """Yield the moments of a deal between bots ``counter``, each with what was done before it."""
    bots = [load("counter") for _ in range(seats)]
    state = LEAVES.deal(seats, "moments", number, LEAVES.resolve({}, seats))
    events: list[Event] = []
    for seat, bot in enumerate(bots):
        bot.deal_start({"observation": state.observe(seat)})
    while (seat := state.to_act) is not None:
        yield state, list(events)
        action = bots[seat].choose(state.observe(seat), list(state.legal_actions()))
        events.append([seat, action])
        state = state.apply(action)
        for bot in bots:
            bot.events(events[-1:])


def text(value: int, count: int) -> str:
    return f"play {value + 1}x{count}" if count else f"pass {value + 1}"


@pytest.mark.parametrize("seats", TABLES)
def test_the_cheapest_action_is_that_of_counter(search: SimpleNamespace, seats: int) -> None:
    for state, events in moments(seats, 1):
        bot, me = load("counter"), state.to_act
        bot.deal_start({"observation": state.observe(me)})
        bot.events(events)
        chosen = bot.choose(state.observe(me), list(state.legal_actions()))
        costs = {text(*action): cost for cost, *action in search.costs.Root(state, me).actions()}
        assert sorted(costs) == sorted(state.legal_actions())
        assert costs[chosen] == pytest.approx(min(costs.values()))


@pytest.mark.parametrize("seats", TABLES)
def test_playouts_keep_to_the_rules_and_score_as_they_do(
    search: SimpleNamespace, seats: int
) -> None:
    state = next(state for state, _ in moments(seats, 2) if state.turn == 5)
    rng = random.Random(1)
    worlds = [state.resample(state.to_act, rng) for _ in range(DEALS)]
    playouts = search.playouts.Playouts(np.array([world.hands for world in worlds]), state)
    unknown = search.costs.unseen(state, state.to_act)

    def follow(_: object, value: np.ndarray, passing: np.ndarray) -> None:
        held = playouts.held(value)
        for row in np.flatnonzero(playouts.alive):
            deal = playouts.ids[row]
            assert playouts.seat[row] == worlds[deal].to_act
            action = text(value[row], 0 if passing[row] else held[row])
            worlds[deal] = worlds[deal].apply(action)

    penalties = playouts.finish(search.costs.Costs(state.discarded, unknown), follow)
    assert penalties.tolist() == [list(world.penalties) for world in worlds]


@pytest.mark.parametrize("seats", TABLES)
def test_worlds_that_are_believed_agree_with_what_was_seen(
    search: SimpleNamespace, seats: int
) -> None:
    for state, events in moments(seats, 3):
        if state.turn % 10:
            continue
        beliefs = believed(search, state, events)
        hands = beliefs.hands()
        assert (hands.sum(axis=2) == [sum(hand) for hand in state.hands]).all()
        assert (hands >= beliefs.known).all()
        assert (hands[:, state.to_act] == state.hands[state.to_act]).all()
        unknown = search.costs.unseen(state, state.to_act)
        assert (beliefs.hidden.sum(axis=1) == unknown).all()
        assert (beliefs.hidden >= 0).all()


def believed(search: SimpleNamespace, state: LeavesState, events: list[Event]) -> object:
    """Return what the seat to act believes."""
    me, rng = state.to_act, random.Random(1)
    options = LEAVES.resolve({}, len(state.hands))
    past = search.beliefs.Past(LEAVES.restore(state.record(), options), events)
    worlds = [state.resample(me, rng) for _ in range(64)]
    unknown = search.costs.unseen(state, me)
    beliefs = search.beliefs.Beliefs(worlds, me, unknown, past, np.random.default_rng(1))
    beliefs.move(12, lambda: False)
    return beliefs


def test_the_hands_of_rivals_are_known_better_than_by_chance(search: SimpleNamespace) -> None:
    found, chance = 0.0, 0.0
    for state, events in moments(4, 4):
        if state.turn % 8 != 7:
            continue
        beliefs, me = believed(search, state, events), state.to_act
        truth = np.array(state.hands) - beliefs.known
        even = beliefs.hidden[0].sum(axis=0) / beliefs.hidden[0].sum()
        for seat in {0, 1, 2, 3} - {me}:
            found += ((beliefs.hidden[:, seat].mean(axis=0) - truth[seat]) ** 2).sum()
            chance += ((even * truth[seat].sum() - truth[seat]) ** 2).sum()
    assert found < 0.8 * chance


def test_one_that_plays_a_single_card_is_believed_to_have_no_more_of_it(
    search: SimpleNamespace,
) -> None:
    hands = [[1, 2, 3, 4, 5], [7, 8, 8, 9, 10], [7, 7, 9, 9, 11]]
    state = start(hands, 1, 100).apply("play 7x1").apply("pass 7")
    beliefs = believed(search, state, [[1, "play 7x1"], [2, "pass 7"]])
    sevens = beliefs.hidden[:, 1, 6].mean()
    assert sevens < 0.5 * beliefs.hidden[:, 3, 6].mean() * 4 / beliefs.hidden[0, 3].sum()


def test_a_node_prefers_what_has_done_well_and_tries_all(search: SimpleNamespace) -> None:
    node = search.tree.Node()
    node.grow([code << search.playouts.CODES for code in (0, 100, 200)])
    for _ in range(100):
        number = node.select()
        node.begun[number] += 1
        node.ended[number] += 1
        node.worth[number] += (0.3, 0.2, 0.6)[number]
    assert min(node.begun) > 0
    assert max(node.begun) == node.begun[2]

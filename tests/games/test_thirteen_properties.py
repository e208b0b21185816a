"""What holds in every deal of Thirteen, by random play, often with bots that try to go out."""

import hashlib
import json
import random
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import DECK, by_packing

from arena.games._thirteen import ThirteenState
from arena.games.base import IllegalAction
from arena.games.thirteen import PLUGIN, can_go_out, least_penalty

EVERY_ACTION = [
    "draw stock",
    "draw discard",
    *(f"{verb} {card}" for verb in ("out", "discard") for card in DECK),
]
SEEDS = st.integers(0, 2**32).map(random.Random)


class Position:
    """A state that play reached, the options, and the actions that led to it."""

    def __init__(self, state: ThirteenState, options: Mapping[str, Any]) -> None:
        self.state = state
        self.options = options
        self.actions: list[str] = []

    def act(self, action: str) -> None:
        self.actions.append(action)
        self.state = self.state.apply(action)

    def replayed(self, world: ThirteenState) -> ThirteenState:
        """Return what the same actions come to in the deal that a state is recorded to have."""
        record = json.loads(json.dumps(world.record()))
        state = PLUGIN.restore(record, self.options)
        for action in self.actions:
            state = state.apply(action)
        return state


@st.composite
def positions(draw: st.DrawFn) -> Position:
    rng = draw(SEEDS)
    players = draw(st.integers(2, 8))
    options = {"ace": rng.choice(["low", "high-or-low"]), "max_turns": rng.choice([50, 200, 400])}
    number = draw(st.integers(1, 11))
    position = Position(PLUGIN.deal(players, str(rng.random()), number, options), options)
    choose = rng.choice([anything, emptying, sensible])
    for _ in range(draw(st.sampled_from([0, 3, 10, 30, 100, 250, 500]))):
        if position.state.to_act is None:
            break
        position.act(choose(position.state, rng))
    return position


def anything(state: ThirteenState, rng: random.Random) -> str:
    return rng.choice(state.legal_actions())


def emptying(state: ThirteenState, rng: random.Random) -> str:
    """Draw from the stock, so that it is reshuffled often."""
    legal = state.legal_actions()
    return legal[0] if "draw stock" in legal else rng.choice(legal)


def sensible(state: ThirteenState, rng: random.Random) -> str:
    """Go out if possible, and mostly discard what is in no meld."""
    legal = state.legal_actions()
    if legal[0].startswith("out"):
        return legal[0]
    rest = state.observe(state.to_act or 0)["best"]["rest"]
    useless = [action for action in legal if action.split()[1] in rest]
    return rng.choice(useless if useless and rng.random() < 0.9 else legal)


def cards_in_play(state: ThirteenState) -> Counter[str]:
    """Return all cards in hands, stock and pile."""
    players = range(len(state.hands))
    hands = [card for seat in players for card in state.observe(seat)["hand"]]
    pile = [card for card, _, taker in state.observe(0)["discards"] if taker is None]
    return Counter([*hands, *pile, *(DECK[card] for card in state.stock)])


@given(positions())
def test_legal_actions_are_those_of_the_rules_in_order(position: Position) -> None:
    state, options = position.state, position.options
    if state.to_act is None:
        return
    seen = state.observe(state.to_act)
    if seen["phase"] == "draw":
        assert state.legal_actions() == ("draw stock", "draw discard")[not seen["stock"] :]
        return
    cards = sorted(set(seen["hand"]), key=DECK.index)
    outs = []
    for card in cards if seen["went_out"] is None else ():
        rest = list(seen["hand"])
        rest.remove(card)
        if not least_penalty(rest, seen["wild"], options["ace"]):
            outs.append(f"out {card}")
    assert state.legal_actions() == (*outs, *(f"discard {card}" for card in cards))
    if seen["went_out"] is None:
        assert can_go_out(seen["hand"], seen["wild"], options["ace"]) == bool(outs)


@given(positions())
def test_exactly_the_legal_actions_can_be_applied(position: Position) -> None:
    legal = position.state.legal_actions()
    for action in EVERY_ACTION:
        if action in legal:
            position.state.apply(action)
        else:
            with pytest.raises(IllegalAction, match=action):
                position.state.apply(action)


@given(positions())
def test_no_card_is_lost_or_made(position: Position) -> None:
    state = position.state
    decks = (len(state.hands) + 1) // 2
    assert cards_in_play(state) == dict.fromkeys(DECK, decks)


@given(positions())
def test_the_penalties_are_those_of_the_hands(position: Position) -> None:
    state, ace = position.state, position.options["ace"]
    while state.to_act is not None:
        state = state.apply(state.house_move())
    wild = state.observe(0)["wild"]
    hands = [state.observe(seat)["hand"] for seat in range(len(state.hands))]
    assert state.penalties == tuple(by_packing(hand, wild, ace) for hand in hands)


@given(positions())
def test_known_cards_are_in_the_hand(position: Position) -> None:
    state = position.state
    known = state.observe(0)["known"]
    for seat, cards in enumerate(known):
        assert Counter(cards) <= Counter(state.observe(seat)["hand"])


@given(positions())
def test_a_record_replays_without_the_seed(position: Position) -> None:
    assert position.replayed(position.state) == position.state


@given(positions(), SEEDS)
def test_a_resampled_deal_has_the_same_public_history(
    position: Position, rng: random.Random
) -> None:
    state = position.state
    for seat in range(len(state.hands)):
        world = state.resample(seat, rng)
        assert world.observe(seat) == state.observe(seat)
        assert cards_in_play(world) == cards_in_play(state)
        assert position.replayed(world) == world
        again = world.resample(rng.randrange(len(state.hands)), rng)
        assert position.replayed(again) == again


@given(positions(), SEEDS)
def test_what_a_seat_drew_was_the_same_in_a_resampled_deal(
    position: Position, rng: random.Random
) -> None:
    seat = rng.randrange(len(position.state.hands))
    record = position.state.resample(seat, rng).record()
    there = PLUGIN.restore(record, position.options)
    here = PLUGIN.restore(position.state.record(), position.options)
    for action in position.actions:
        assert there.observe(seat) == here.observe(seat)
        here, there = here.apply(action), there.apply(action)
    assert there.observe(seat) == here.observe(seat)


def test_resampling_reaches_every_unseen_card_and_keeps_known_ones() -> None:
    state = PLUGIN.deal(2, "seed", 1, {"ace": "low", "max_turns": 200})
    first = state.to_act or 0
    other = 1 - first
    state = state.apply("draw stock").apply(state.apply("draw stock").house_move())
    top = state.observe(first)["top"]
    state = state.apply("draw discard")
    state = state.apply(next(a for a in state.legal_actions() if top not in a))
    worlds = [state.resample(first, random.Random(n)) for n in range(800)]
    hands = [world.observe(other)["hand"] for world in worlds]
    assert all(top in hand for hand in hands)
    pile = [card for card, _, taker in state.observe(first)["discards"] if taker is None]
    unseen = set(DECK) - set(state.observe(first)["hand"]) - set(pile)
    assert set().union(*hands) == unseen
    assert {DECK[world.stock[0]] for world in worlds} == unseen - {top}


def test_resampled_states_go_on_differently() -> None:
    """Stocks that are still to be shuffled are drawn anew as well."""
    state = PLUGIN.deal(2, "seed", 11, {"ace": "low", "max_turns": 200})
    while len(state.stock) > 0:
        state = state.apply(state.house_move())
    worlds = [state.resample(0, random.Random(n)) for n in range(20)]
    stocks = {tuple(world.apply(world.house_move()).stock) for world in worlds}
    assert len(stocks) > 1


def test_the_cards_of_a_deal_can_be_derived_by_another_program() -> None:
    def below(words: Iterator[int], n: int) -> int:
        return next(word for word in words if word < 2**32 // n * n) % n

    def words(seed: str) -> Iterator[int]:
        return iter(struct.unpack(">512I", hashlib.shake_256(seed.encode()).digest(2048)))

    def shuffled(seed: str, items: list[str]) -> list[str]:
        cards, stream = list(items), words(seed)
        for i in range(len(cards) - 1, 0, -1):
            j = below(stream, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    def derive(*labels: object) -> str:
        text = json.dumps(labels, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    own = derive("my seed", "deal", 10)
    cards = shuffled(own, DECK)
    dealer = (below(words(derive("my seed", "dealer")), 2) + 9) % 2
    state = PLUGIN.deal(2, "my seed", 10, PLUGIN.resolve({}, 2))
    pile = [cards[24]]
    while not state.record()["reshuffles"]:
        action = state.house_move()
        state = state.apply(action)
        pile += [action[-2:]] * action.startswith("discard")
    assert state.record() == {
        "dealer": dealer,
        "hands": [sorted(cards[at : at + 12], key=DECK.index) for at in (0, 12)],
        "stock": cards[25:],
        "discard": cards[24],
        "reshuffles": [shuffled(derive(own, "reshuffle", 1), pile[:-1])],
        "melds": [],
    }

"""The rare deals that bots are checked with are possible ones, and are what they are said to be."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from arena import games
from arena.games._cards import NAMES
from arena.games._leaves import COPIES, cards_of
from arena.games.base import Edge, Game, Policy, Rehearsed

KEYS = [key for key in games.names() if isinstance(games.load(key), Rehearsed)]


def edges(key: str, seed: int = 1) -> list[Edge]:
    game = games.load(key)
    assert isinstance(game, Rehearsed)
    return list(game.edges(random.Random(seed)))


def first(_observation: dict[str, Any], legal: tuple[str, ...]) -> str:
    return legal[0]


def at_random(_observation: dict[str, Any], legal: tuple[str, ...]) -> str:
    return random.Random(str(legal)).choice(legal)


def questions(game: Game, edge: Edge, bot: Policy) -> Iterator[tuple[dict[str, Any], Any]]:
    """Play the match of an edge; yield what the seat that it is for is asked."""
    options = game.resolve(edge.options, edge.players)
    totals, deals = [0] * edge.players, 0
    while not game.match_over(totals, deals, options):
        deals += 1
        setup = edge.setup(deals)
        state = (
            game.deal(edge.players, "seed", deals, options)
            if setup is None
            else game.restore(setup, options)
        )
        while (seat := state.to_act) is not None:
            seen = {**state.observe(seat), "deal": deals, "totals": totals}
            legal = state.legal_actions()
            if seat == edge.seat:
                yield seen, legal
            state = state.apply((bot if seat == edge.seat else edge.policy)(seen, legal))
        totals = [a + b for a, b in zip(totals, state.penalties or (), strict=True)]


@pytest.mark.parametrize("bot", [first, at_random])
@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_edge_is_met(key: str, bot: Policy) -> None:
    game = games.load(key)
    met: Counter[str] = Counter()
    for edge in edges(key):
        met.update(edge.name for asked in questions(game, edge, bot) if edge.meets(*asked))
    assert {edge.name for edge in edges(key)} == set(met)
    assert sum(met.values()) > 300


@pytest.mark.parametrize("key", KEYS)
def test_the_same_seed_gives_the_same_edges(key: str) -> None:
    def told(seed: int) -> list[Any]:
        return [(e.name, e.players, e.seat, e.options, e.setup(2)) for e in edges(key, seed)]

    assert told(1) == told(1)
    assert told(1) != told(2)


@pytest.mark.parametrize("key", KEYS)
def test_quick_options_fit_every_table(key: str) -> None:
    game = games.load(key)
    assert isinstance(game, Rehearsed)
    for players in game.players:
        game.resolve(game.quick, players)


def test_deals_of_leaves_are_of_its_62_cards() -> None:
    for edge in edges("leaves"):
        if setup := edge.setup(1):
            options = games.load("leaves").resolve(edge.options, edge.players)
            assert {len(hand) for hand in setup["hands"]} == {options["hand_size"]}
            dealt = Counter(card for hand in setup["hands"] for card in hand)
            assert dealt <= Counter(cards_of(COPIES))
            assert 0 <= setup["first"] < edge.players


def test_deals_of_thirteen_are_of_whole_decks_and_the_dealer_rotates() -> None:
    for edge in edges("thirteen"):
        setups = [setup for number in range(1, 12) if (setup := edge.setup(number))]
        for number, setup in enumerate(setups, start=1):
            assert {len(hand) for hand in setup["hands"]} == {number + 2}
            cards = [*setup["stock"], setup["discard"], *(c for h in setup["hands"] for c in h)]
            assert Counter(cards) == Counter(NAMES * ((edge.players + 1) // 2))
        dealers = [setup["dealer"] for setup in setups]
        assert all((b - a) % edge.players == 1 for a, b in pairwise(dealers))

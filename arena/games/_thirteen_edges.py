"""Deals of Thirteen that chance seldom brings, for bots to be checked with."""

import random
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from arena.games._cards import NAMES, RANKS, SUITS
from arena.games._edges import dealt
from arena.games._thirteen import ACES, DRAW_DISCARD
from arena.games.base import Edge

Observation = dict[str, Any]
Legal = tuple[str, ...]
Given = Callable[[int], Mapping[int, list[str]]]
"""The cards that seats are given in a deal of so many cards, first those that matter most."""

QUICK: Mapping[str, Any] = MappingProxyType({"max_turns": 6})
"""Options of matches that are soon over: eleven deals are many."""
SIZES = (2, 3, 4, 8)
"""Tables that differ: one deck, two, two, four."""
FEWEST = 3
DEALS = 11


def edges(rng: random.Random) -> Iterator[Edge]:
    """Yield every kind of edge at tables of several sizes."""
    for players in SIZES:
        for kind in KINDS:
            yield kind(players, rng.randrange(players), rng)
    yield _reshuffled(2, rng.randrange(2), rng)
    yield _long_pile(8, rng.randrange(8), rng)


def _draw(observation: Observation, legal: Legal) -> str:
    """Draw from the stock, discard the card drawn, never go out."""
    drawn = observation["drawn"]
    return f"discard {drawn}" if drawn else legal[0]


def _out(observation: Observation, legal: Legal) -> str:
    """Go out if that is legal."""
    return legal[0] if legal[0].startswith("out") else _draw(observation, legal)


def _collect(observation: Observation, legal: Legal) -> str:
    """Take from the pile, and discard another card."""
    if DRAW_DISCARD in legal:
        return DRAW_DISCARD
    kept = f"discard {observation['drawn']}"
    return next((action for action in reversed(legal) if action != kept), kept)


def _complete(players: int, seat: int, rng: random.Random) -> Edge:
    """The bot can go out in its first turn."""
    return Edge(
        "complete hand",
        players,
        seat,
        QUICK,
        _deals(players, rng, lambda size: {seat: _run(size)}),
        _draw,
        lambda _, legal: legal[0].startswith("out"),
    )


def _last_turns(players: int, seat: int, rng: random.Random) -> Edge:
    """Another seat goes out in its first turn (T15)."""
    other = (seat + 1) % players
    return Edge(
        "last turn after another went out",
        players,
        seat,
        QUICK,
        _deals(players, rng, lambda size: {other: _run(size)}),
        _out,
        lambda seen, _: seen["went_out"] is not None,
    )


def _wilds(players: int, seat: int, rng: random.Random) -> Edge:
    """The hand is of wilds, as many as there are."""
    copies = len(SUITS) * _decks(players)
    return Edge(
        "hand of wilds",
        players,
        seat,
        QUICK,
        _deals(players, rng, lambda size: {seat: _wild(size) * _decks(players)}),
        _draw,
        lambda seen, _: _count(seen) >= min(copies, len(seen["hand"]) - 1),
    )


def _stopped(players: int, seat: int, rng: random.Random) -> Edge:
    """The turn limit ends the deals, some of them before the bot is asked (T24)."""
    limit = rng.randrange(1, 2 * players)
    return Edge(
        "last turn before the limit",
        players,
        seat,
        {"max_turns": limit},
        lambda _: None,
        _draw,
        lambda seen, _: bool(seen["turn"] == limit - 1),
    )


def _high_ace(players: int, seat: int, rng: random.Random) -> Edge:
    """Queen, king, ace is a run (T22)."""
    return Edge(
        "high ace",
        players,
        seat,
        {**QUICK, "ace": ACES[1]},
        _deals(players, rng, lambda _: {seat: ["QH", "KH", "AH"]}),
        _draw,
        lambda seen, _: {"QH", "KH", "AH"} <= set(seen["hand"]),
    )


def _collected(players: int, seat: int, rng: random.Random) -> Edge:
    """All have seen every other seat take cards from the pile."""
    return Edge(
        "cards known of all",
        players,
        seat,
        {"max_turns": 3 * players},
        _deals(players, rng, lambda _: {}),
        _collect,
        lambda seen, _: all(known for s, known in enumerate(seen["known"]) if s != seat),
    )


def _twins(players: int, seat: int, rng: random.Random) -> Edge:
    """The hand has identical cards, if there is more than one deck."""
    pairs = [name for name in NAMES[:: len(SUITS)] for _ in range(min(2, _decks(players)))]
    return Edge(
        "identical cards",
        players,
        seat,
        QUICK,
        _deals(players, rng, lambda _: {seat: pairs}),
        _draw,
        lambda seen, _: len(set(seen["hand"])) < len(seen["hand"]) or _decks(players) == 1,
    )


def _reshuffled(players: int, seat: int, rng: random.Random) -> Edge:
    """The stock runs out and is made anew (T19): the bot has no wilds, the others never go out."""
    return Edge(
        "reshuffle",
        players,
        seat,
        {"max_turns": 60},
        _deals(players, rng, lambda size: {seat + 1: _wild(size)}),
        _draw,
        lambda seen, _: len(seen["discards"]) <= seen["turn"],
    )


def _long_pile(players: int, seat: int, rng: random.Random) -> Edge:
    """The discard pile is long."""
    return Edge(
        "long discard pile",
        players,
        seat,
        {"max_turns": 60},
        _deals(players, rng, lambda size: {seat + 1: _wild(size) * _decks(players)}),
        _draw,
        lambda seen, _: len(seen["discards"]) >= 40,
    )


KINDS = (_complete, _last_turns, _wilds, _stopped, _high_ace, _collected, _twins)


def _decks(players: int) -> int:
    return (players + 1) // 2


def _run(size: int) -> list[str]:
    return [rank + "C" for rank in RANKS[:size]]


def _wild(size: int) -> list[str]:
    return [RANKS[size - 1] + suit for suit in SUITS]


def _count(seen: Observation) -> int:
    """Return how many wilds are in the hand."""
    return sum(card[0] == seen["wild"] for card in seen["hand"])


def _deals(players: int, rng: random.Random, given: Given) -> Callable[[int], Mapping[str, Any]]:
    """Return deals in which seats hold what they are ``given``; seats count modulo the players."""
    seed, first = rng.getrandbits(64), rng.randrange(players)

    def setup(number: int) -> Mapping[str, Any]:
        own = random.Random(seed + number)
        size = (number - 1) % DEALS + FEWEST
        pack = list(NAMES) * _decks(players)
        own.shuffle(pack)
        hands = dealt(pack, players, size, given(size))
        return {
            "dealer": (first + number - 1) % players,
            "hands": hands,
            "discard": pack.pop(),
            "stock": pack,
            "reshuffles": [],
        }

    return setup

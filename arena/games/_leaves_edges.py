"""Deals of 13 Leaves that chance seldom brings, for bots to be checked with."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from arena.games._edges import dealt
from arena.games._leaves import CARDS, COPIES, HAND_SIZES, MOVES, cards_of
from arena.games.base import Edge

Observation = dict[str, Any]
Legal = tuple[str, ...]
Make = Callable[[int, random.Random], Edge]

QUICK: Mapping[str, Any] = MappingProxyType({"variant": "basic"})
"""Options of matches that are soon over."""
ROUNDS = 6
"""How often each kind of edge comes at each size of table."""
NOTHING: Mapping[int, Sequence[int]] = MappingProxyType({})


def edges(sizes: range, rng: random.Random) -> Iterator[Edge]:
    """Yield every kind of edge at tables of all sizes, and again."""
    for _ in range(ROUNDS):
        for kind in KINDS:
            for players in sizes:
                yield kind(players, rng)
    for players in sizes:
        yield _many_points(players, rng)


def _first(_: Observation, legal: Legal) -> str:
    return legal[0]


def _largest(_: Observation, legal: Legal) -> str:
    """Play as many cards as possible."""
    return max(legal, key=lambda action: MOVES[action][1])


def _pass(_: Observation, legal: Legal) -> str:
    """Pass if that is legal."""
    return legal[-1]


def _empty(observation: Observation, legal: Legal) -> str:
    """Take the only card from the table, else play a single one."""
    table = observation["table"]
    return legal[-1] if len(table) == 1 and table[0][1] == 1 else legal[0]


def _stretch(observation: Observation, legal: Legal) -> str:
    """Make the row long: play the single card that closes as little as possible."""
    table = observation["table"] or [[7, 1]]
    singles = [action for action in legal if MOVES[action][1] == 1] or legal
    ends = (table[0][0], table[-1][0])
    return min(singles, key=lambda action: min(abs(MOVES[action][0] - end) for end in ends) or 99)


def _emptied(players: int, rng: random.Random) -> Edge:
    """The card that was played was taken, and the bot must play on an empty table (L13)."""
    seat = rng.randrange(players)
    return Edge(
        "empty table",
        players,
        seat,
        QUICK,
        _by_chance(players, rng, first=seat - 2),
        _empty,
        lambda seen, _: not seen["table"] and any(seen["passed"]),
    )


def _forced(players: int, rng: random.Random) -> Edge:
    """More cards lie on the table than the bot has of any value: it can only pass."""
    seat = rng.randrange(players)
    return Edge(
        "forced pass",
        players,
        seat,
        QUICK,
        _by_chance(
            players, rng, first=seat - 1, given={seat - 1: [7] * 8, seat: [1, 2, 3, 4, 5, 6, 8, 9]}
        ),
        _largest,
        lambda _, legal: len(legal) == 1 and legal[0].startswith("pass"),
    )


def _single(players: int, rng: random.Random) -> Edge:
    """Every hand is one card; in most deals another seat goes out before the bot is asked."""
    return Edge(
        "hand of one card",
        players,
        rng.randrange(players),
        {"hand_size": 1, "target": 8},
        lambda _: None,
        _first,
        lambda seen, _: len(seen["hand"]) == 1,
    )


def _huge(players: int, rng: random.Random) -> Edge:
    """The hands are as large as they can be."""
    size = min(20, CARDS // players)
    return Edge(
        "huge hand",
        players,
        rng.randrange(players),
        {"variant": "basic", "hand_size": size},
        lambda _: None,
        rng.choice((_first, _largest, _pass)),
        lambda seen, _: len(seen["hand"]) >= size,
    )


def _last_turn(players: int, rng: random.Random) -> Edge:
    """The turn limit ends the deals, some of them before the bot is asked (L21)."""
    limit = rng.randrange(1, 2 * players)
    return Edge(
        "last turn",
        players,
        rng.randrange(players),
        {"max_turns": limit},
        lambda _: None,
        _first,
        lambda seen, _: bool(seen["turn"] == limit - 1),
    )


def _alone(players: int, rng: random.Random) -> Edge:
    """All but one have passed when the bot is asked: its pass would end the round (L14)."""
    seat = rng.randrange(players)
    return Edge(
        "last to pass",
        players,
        seat,
        QUICK,
        _by_chance(players, rng, first=seat + 1),
        _pass,
        lambda seen, _: sum(seen["passed"]) == players - 2,
    )


def _long_row(players: int, rng: random.Random) -> Edge:
    """Many stacks lie on the table."""
    seat = rng.randrange(players)
    return Edge(
        "long row",
        players,
        seat,
        QUICK,
        _by_chance(players, rng, first=seat + 1),
        _stretch,
        lambda seen, _: len(seen["table"]) >= players - 1,
    )


def _near_out(players: int, rng: random.Random) -> Edge:
    """Another seat has one card left."""
    seat = rng.randrange(players)
    return Edge(
        "rival about to go out",
        players,
        seat,
        {"variant": "basic", "hand_size": 4},
        lambda _: None,
        _first,
        lambda seen, _: min(n for other, n in enumerate(seen["counts"]) if other != seat) == 1,
    )


def _many_points(players: int, rng: random.Random) -> Edge:
    """The match goes on to totals that are seldom reached."""
    return Edge(
        "high totals",
        players,
        rng.randrange(players),
        {"target": 60},
        lambda _: None,
        _first,
        lambda seen, _: max(seen["totals"]) >= 30,
    )


KINDS: tuple[Make, ...] = (
    _emptied, _forced, _single, _huge, _last_turn, _alone, _long_row, _near_out,
)  # fmt: skip


def _by_chance(
    players: int, rng: random.Random, first: int, given: Mapping[int, Sequence[int]] = NOTHING
) -> Callable[[int], Mapping[str, Any]]:
    """Return deals of the usual size in which seat ``first`` begins and seats hold as many of the
    cards as they are ``given``; seats count modulo the number of players."""
    seed, size = rng.getrandbits(64), HAND_SIZES[players]

    def setup(number: int) -> Mapping[str, Any]:
        own = random.Random(seed + number)
        pack = cards_of(COPIES)
        own.shuffle(pack)
        hands = dealt(pack, players, size, given)
        return {"hands": [sorted(hand) for hand in hands], "first": first % players}

    return setup

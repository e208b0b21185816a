"""Seat players at tables of near-equal standing, with as few repeats of table-mates as possible."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Shape(NamedTuple):
    """A table of so many players, and whether a house bot fills its last seat."""

    players: int
    house: bool


def shapes_of(sizes: Sequence[int], *, house: bool) -> tuple[Shape, ...]:
    """Return the tables that there may be, those with the house bot last."""
    filled = [Shape(size - 1, house=True) for size in sizes if house]
    return (*(Shape(size, house=False) for size in sizes), *filled)


def layout(players: int, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return the tables for as many of the players as can be seated, large ones first.

    There are as few tables as possible, and of those as few with the house bot.
    """
    best: list[tuple[Shape, ...] | None] = [()]
    for count in range(1, players + 1):
        ways = [
            (*rest, shape)
            for shape in shapes
            if shape.players <= count and (rest := best[count - shape.players]) is not None
        ]
        best.append(min(ways, key=_effort, default=None))
    return tuple(sorted(next(tables for tables in reversed(best) if tables is not None))[::-1])


def seat(
    ranked: Sequence[str], tables: Sequence[Shape], met: Counter[frozenset[str]]
) -> list[tuple[str, ...]]:
    """Return the players of each table, given in the order of standing.

    ``met`` counts how often pairs of players have met. First of all these counts are kept low,
    then the differences of rank at a table.
    """
    players = iter(ranked)
    seated = [list(itertools.islice(players, table.players)) for table in tables]
    rank = {player: n for n, player in enumerate(ranked)}
    weight = len(ranked) ** 4

    def cost(player: str, mates: Sequence[str]) -> int:
        return sum(
            weight * met[frozenset((player, mate))] + (rank[player] - rank[mate]) ** 2
            for mate in mates
        )

    def better(one: list[str], a: int, two: list[str], b: int) -> bool:
        x, y = one[a], two[b]
        others, strangers = one[:a] + one[a + 1 :], two[:b] + two[b + 1 :]
        now = cost(x, others) + cost(y, strangers)
        return cost(y, others) + cost(x, strangers) < now

    improved = True
    while improved:
        improved = False
        for one, two in itertools.combinations(seated, 2):
            for a, b in itertools.product(range(len(one)), range(len(two))):
                if better(one, a, two, b):
                    one[a], two[b] = two[b], one[a]
                    improved = True
    return [tuple(table) for table in seated]


def _effort(tables: Sequence[Shape]) -> tuple[int, int]:
    return len(tables), sum(table.house for table in tables)

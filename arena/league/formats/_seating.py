"""Choose the rotations of blocks that are not played in all of them, so that seats are fair."""

from collections import Counter
from collections.abc import Mapping, Sequence

from arena.league.formats._blocks import Block, Bots, base_order, rotations
from arena.model import League

PASSES = 4
Place = tuple[str, int, int]
"""The name of a bot, the size of a table, and a seat at it."""
Played = Mapping[tuple[Bots, int], set[int]]
"""The rotations, from 0, that were played of blocks."""


def turned(
    league: League, blocks: Sequence[Block], played: Played, seats: Counter[Place]
) -> list[Block]:
    """Return the blocks with first rotations by which bots have each seat as equally often as can
    be, and add what they have to ``seats``. A block keeps the rotations that were played of it."""
    choices = [_choices(league, block, played) for block in blocks]
    turns: dict[int, int] = {}
    for _ in range(PASSES):
        for index, places in enumerate(choices):
            if index in turns:
                seats.subtract(places[turns[index]])
            costs = {turn: sum(seats[place] for place in had) for turn, had in places.items()}
            turns[index] = min(costs, key=costs.__getitem__)
            seats.update(places[turns[index]])
    return [block._replace(turn=turns[index]) for index, block in enumerate(blocks)]


def _choices(league: League, block: Block, played: Played) -> dict[int, list[Place]]:
    """Return the places that bots have in a block by the first rotation that it may have."""
    _, order = base_order(league, block)
    size = len(order)
    count = rotations(league.format_options, size)
    choices = {}
    for turn in range(size):
        window = [(turn + n) % size for n in range(count)]
        if played.get((block.bots, block.number), set()).issubset(window):
            choices[turn] = [
                (name, size, seat)
                for rotation in window
                for seat, name in enumerate(order[rotation:] + order[:rotation])
            ]
    return choices

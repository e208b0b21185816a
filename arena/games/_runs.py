"""Runs of one suit in a hand of Thirteen: the choices there are, and how one is laid down.

A run covers places from 0 (ace) to 12 (king), and to 13 for the ace above the king where it may
be high. Two facts keep the choices few.

- A run may as well use the card itself where the hand still has it, and a wild only where it has
  not. So the runs of a suit are told by how many of them cover each place: their **shape**. Of
  the open runs the longest may as well end first; one shorter than 3 is filled up by wilds.
- A run of one card and two wilds may as well be a set.

Numbers by place or by rank are packed into one integer, 4 bits each.
"""

from collections import Counter
from functools import lru_cache

from msgspec import Struct

from arena.games._cards import Cards

SHORTEST = 3
KING = 12
HIGH_ACE = 13
_WHOLE = 11
"""The length of the longest run that is laid down as one, so that it can take in two wilds."""


class Runs(Struct, frozen=True, gc=False):
    """One choice of runs. ``used`` counts the cards in them by rank, packed; ``wilds`` is the
    number of wilds that they need; ``shape`` counts the runs at each place, packed."""

    used: int
    wilds: int
    shape: int


NO_RUNS = (Runs(0, 0, 0),)


@lru_cache(maxsize=1 << 12)
def runs(ranks: Cards, budget: int, ace_high: bool) -> tuple[Runs, ...]:
    """Return the choices of runs of a suit that need ``budget`` wilds at most.

    ``ranks`` are those of the suit's cards but wilds, ascending. Of choices that use the same
    cards there is one with the fewest wilds. To have no runs is the first choice.
    """
    if len(ranks) < 2 or len(ranks) + budget < SHORTEST:
        return NO_RUNS
    counts = Counter(ranks)
    states: dict[_Open, tuple[int, int]] = {(0, 0, 0, 0): (0, 0)}
    for place in range(ranks[0], ranks[-1] + 1):
        states = _next(states, place, 4 * place, counts[place], budget)
    if ace_high and counts[0]:
        for place in range(ranks[-1] + 1, HIGH_ACE):
            states = _next(states, place, 0, 0, budget)
        states = _next(states, HIGH_ACE, 0, counts[0], budget)
    best: dict[int, tuple[int, int]] = {}
    for (used, one, two, _), (wilds, shape) in states.items():
        ended = (wilds + two, shape)
        if not one and ended[0] <= budget and ended < best.get(used, (budget + 1, 0)):
            best[used] = ended
    ordered = sorted((wilds, used, shape) for used, (wilds, shape) in best.items())
    return tuple(Runs(used, wilds, shape) for wilds, used, shape in ordered)


_Open = tuple[int, int, int, int]
"""The cards used so far, and the numbers of open runs of length 1, 2 and more."""


def _next(
    states: dict[_Open, tuple[int, int]], place: int, shift: int, held: int, budget: int
) -> dict[_Open, tuple[int, int]]:
    """Return what can follow at a place: the fewest wilds with their shape.

    ``held`` cards fit there, less those used before; they are counted at bit ``shift``.
    """
    following: dict[_Open, tuple[int, int]] = {}
    for (used, one, two, more), (wilds, shape) in states.items():
        going = one + two + more
        there = held - (used >> shift & 15) if held else 0
        for cover in range(max(going, there) + 1):
            ended = max(going - cover, 0)
            ended_more = min(ended, more)
            ended_two = ended - ended_more
            own = min(cover, there)
            spent = wilds + cover - own + ended_two
            if ended_two > two or spent > budget:
                continue
            key = (
                used + (own << shift),
                max(cover - going, 0),
                one,
                two - ended_two + more - ended_more,
            )
            value = (spent, shape + (cover << 4 * place))
            if value < following.get(key, (budget + 1, 0)):
                following[key] = value
    return following


class Laid:
    """A run as it is laid down: its first place and its cards, None where a wild is to lie."""

    def __init__(self, start: int, cards: list[int | None]) -> None:
        self.start = start
        self.cards = cards

    def add_wild(self, top: int) -> None:
        """Lengthen the run by a wild, above if the run does not reach ``top``."""
        if self.start + len(self.cards) <= top:
            self.cards.append(None)
        else:
            self.cards.insert(0, None)
            self.start -= 1


def lay(shape: int, suit: int, held: Counter[int], top: int) -> list[Laid]:
    """Return the runs of a shape; ``held`` is left with the cards that are not in them."""
    done: list[Laid] = []
    going: list[Laid] = []
    for place in range(top + 2):
        cover = shape >> 4 * place & 15
        while len(going) > cover:
            done.append(going.pop(0))
        while len(going) < cover:
            going.append(Laid(place, []))
        card = place % HIGH_ACE * 4 + suit
        for run in going:
            run.cards.append(card if held[card] else None)
            held[card] -= bool(held[card])
    pieces = [piece for run in done for piece in _pieces(run)]
    for run in pieces:
        while len(run.cards) < SHORTEST:
            run.add_wild(top)
    return pieces


def _pieces(run: Laid) -> list[Laid]:
    if len(run.cards) <= _WHOLE:
        return [run]
    half = len(run.cards) // 2
    return [Laid(run.start, run.cards[:half]), Laid(run.start + half, run.cards[half:])]

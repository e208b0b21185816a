"""What actions cost, as in the bot ``counter``, in tables for many positions at once.

Cards are counted by value, from 0 for the value 1 to 12 for 13. Costs are whole numbers, ``UNIT``
of them for the 1 of ``counter``.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import comb

import numpy as np
from numpy.typing import NDArray

from arena.games.leaves import LeavesState

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

COPIES = np.array((2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2))
VALUES = np.arange(13)
COUNTS = np.arange(10)
"""Numbers of cards of a value that tables have a place for."""
UNIT = 1024

MIDDLE = 0.6
"""What a group in the middle of the cards still in the deal costs more than one at an end."""
COMPANY = 0.29
"""What each of up to three more cards takes off the cost of a group."""
HURRY = 0.6
"""What a card in hand costs when a rival has one card left, half of it for two cards, ..."""
NEAR = 3
"""The size of a hand from which on a rival is feared to go out."""
ENOUGH = NEAR + 1
"""So many cards at an end of the row keep all rivals near the end of their hands out."""

_SIZES = np.arange(1, NEAR + 1)
_RIVALS = 6
"""More than the rivals at any table."""
CROWDS = np.concatenate([[0], _RIVALS ** np.arange(NEAR)])
"""What a rival counts by the size of its hand, from 0: the sum over the rivals that may play is
their crowd, a number that says how many have one card, two, ..."""


class Costs:
    """What it costs to change a hand, and what the rivals' chances to go out cost.

    ``drop`` and ``take`` are by the size of the smallest other hand, value and number of cards
    held: to play all of them, and to take one more. The dangers are the expected number of rivals
    that can go out: ``low`` and ``high`` at an end of the row, by crowd, number of cards needed
    and value; ``single`` where a row has one stack, by crowd and number of cards needed.
    """

    def __init__(self, discarded: Sequence[int], unknown: Sequence[int]) -> None:
        group = groups(discarded)
        hurry = HURRY / np.maximum(1, np.arange(COPIES.sum() + 1))[:, None, None]
        self.drop = whole(-group - hurry * COUNTS)
        self.take = whole(np.diff(group, append=group[:, -1:]) + hurry)
        alike = np.array([uniform([0] * 13, unknown, int(size)) for size in _SIZES])
        upto = alike.cumsum(axis=1)
        crowd = np.arange(_RIVALS**NEAR)[:, None] // CROWDS[1:] % _RIVALS
        can = np.arange(ENOUGH + 1)[:, None] <= _SIZES
        rivals = crowd[:, None] * can
        self.low = whole(rivals @ upto)
        self.high = whole(rivals @ (upto[:, -1:] - upto + alike))
        self.single = whole(rivals @ upto[:, -1])


def groups(discarded: Sequence[int]) -> Floats:
    """Return by value and number of cards how hard it is to get rid of them."""
    live = COPIES - np.asarray(discarded)
    below = live.cumsum() - live
    above = live.sum() - live - below
    middle = 2 * np.minimum(below, above) / max(1, live.sum())
    group = 1 + MIDDLE * middle[:, None] - COMPANY * np.clip(COUNTS - 1, 0, 3)
    return np.where(COUNTS > 0, group, 0.0)


def whole(costs: Floats) -> Ints:
    """Return costs as whole numbers in one row."""
    return np.rint(costs * UNIT).astype(np.int64).ravel()


def unseen(state: LeavesState, me: int) -> list[int]:
    """Return the cards of which it is not known where they are."""
    table = dict(state.table)
    known = [state.hands[me], *(hand for seat, hand in enumerate(state.known) if seat != me)]
    return [
        int(copies) - gone - table.get(value, 0) - sum(hand[value - 1] for hand in known)
        for value, (copies, gone) in enumerate(zip(COPIES, state.discarded, strict=True), 1)
    ]


def uniform(known: Sequence[int], unknown: Sequence[int], size: int) -> list[float]:
    """Return for each value the chance that all cards of a hand have it."""
    hidden = size - sum(known)
    hands = comb(sum(unknown), hidden) or 1
    return [
        comb(count, hidden) / hands if held + hidden == size else 0.0
        for held, count in zip(known, unknown, strict=True)
    ]


class Root:
    """The actions of a seat in the position that it sees, judged one by one."""

    def __init__(self, state: LeavesState, me: int) -> None:
        self.table = dict(state.table)
        self.needed = state.needed
        self.hand, self.size = state.hands[me], sum(state.hands[me])
        self.group = groups(state.discarded)
        sizes = [sum(hand) for seat, hand in enumerate(state.hands) if seat != me]
        self.hurry = HURRY / max(1, min(sizes))
        unknown = unseen(state, me)
        self.rivals = [
            (sum(hand), list(accumulate(uniform(state.known[seat], unknown, sum(hand)))))
            for seat, hand in enumerate(state.hands)
            if seat != me and not state.passed[seat]
        ]

    def actions(self) -> list[tuple[float, int, int]]:
        """Return all legal actions, the cheapest first, as cost, value and number of cards, 0 for
        a pass."""
        found = []
        for value, (held, least) in enumerate(zip(self.hand, self.needed, strict=True)):
            for count in range(least, held + 1):
                after = {**self.table, value + 1: self.table.get(value + 1, 0) + count}
                found.append((self._cost(value, -count, after), value, count))
        for card, count in self.table.items():
            after = {**self.table, card: count - 1} if len(self.rivals) > 1 else {}
            found.append((self._cost(card - 1, 1, after), card - 1, 0))
        return sorted(found)

    def _cost(self, value: int, change: int, table: dict[int, int]) -> float:
        """Return what it costs to have more cards of a value, or fewer, and to leave a table."""
        held = self.hand[value]
        group = float(self.group[value][held + change] - self.group[value][held])
        return group + change * self.hurry + self._danger(table) * (self.size + change)

    def _danger(self, table: dict[int, int]) -> float:
        """Return the expected number of rivals that could go out on the table."""
        lying = sorted(value for value, count in table.items() if count)
        if not lying:
            return sum(upto[-1] for _, upto in self.rivals)
        low, high = lying[0], lying[-1]
        found = 0.0
        for size, upto in self.rivals:
            if low == high:
                found += upto[-1] if table[low] <= size else 0.0
                continue
            if table[low] <= size:
                found += upto[low - 1]
            if table[high] <= size:
                found += upto[-1] - upto[high - 2]
        return found

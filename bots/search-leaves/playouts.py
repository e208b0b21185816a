"""Play many deals on at once, every seat taking the action of least cost.

Arrays have a row for each deal. Rules that need a word: a play is always of all cards of a value,
for fewer are never cheaper; and an empty table is a row whose low end is at 13 and whose high end
is at 1, where one card is enough.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from costs import COUNTS, CROWDS, ENOUGH, NEAR, VALUES, Costs, Ints
from numpy.typing import NDArray

from arena.games.leaves import LeavesState

LONGEST = 150
"""Turns of a deal at most."""
CROWDED = 0.8
"""The share of deals still on below which those that are over are put aside."""
FAR = 1 << 40
"""The cost of what is not legal."""
CODES = 5
"""Bits below a cost that say which action it is of: twice the value, and 1 for a pass."""

Bools = NDArray[np.bool_]
Steer = Callable[["Playouts", Ints, Ints], None]
"""What may change the values and the passes that have been chosen."""


class Playouts:
    """Deals that go on side by side from one position, in worlds of their own.

    ``hands`` (deals, seats, 13), ``sizes`` (deals, seats), ``table`` (deals, 13), ``passed`` (bits
    of the seats) and ``seat`` hold those still on and some that are over; ``ids`` are their
    numbers, ``history`` tells apart what has been done in them.
    """

    def __init__(self, hands: Ints, state: LeavesState) -> None:
        deals, self.seats = hands.shape[:2]
        self.hands = np.array(hands, order="C")
        self.sizes = np.ascontiguousarray(self.hands.sum(axis=2))
        self.table = np.zeros((deals, 13), dtype=np.int64)
        for value, count in state.table:
            self.table[:, value - 1] = count
        bits = sum(passed << seat for seat, passed in enumerate(state.passed))
        self.passed = np.full(deals, bits)
        self.seat = np.full(deals, state.to_act or 0)
        self.history = np.zeros(deals, dtype=np.int64)
        self.alive = np.ones(deals, dtype=bool)
        self.ids = np.arange(deals)
        self.penalties = np.zeros_like(self.sizes)
        self._look()

    def finish(self, costs: Costs, steer: Steer) -> Ints:
        """Play all deals to their end and return the penalties (deals, seats)."""
        for _ in range(LONGEST):
            if not self.alive.any():
                break
            value, passing = self._cheapest(costs)
            steer(self, value, passing)
            self.act(value, passing, self.held(value))
        self.penalties[self.ids[self.alive]] = self.sizes[self.alive]
        return self.penalties

    def held(self, value: Ints) -> Ints:
        """Return how many cards of a value the seats to act hold."""
        held: Ints = self.hands.ravel().take(self.rows * 13 + value)
        return held

    def act(self, value: Ints, passing: Ints, count: Ints) -> None:
        """Let the seats to act pass, taking a value, or play so many cards of it."""
        change = np.where(passing, 1, -count)
        self.history = self.history * 1_000_003 + (value * 16 + change)
        self.hands.ravel()[self.rows * 13 + value] += change
        self.sizes.ravel()[self.rows] += change
        self.table.ravel()[self.cells + value] -= change
        over = self.alive & (self.sizes.ravel().take(self.rows) == 0)
        passed = self.passed | (passing << self.seat)
        upcoming = _followers(self.seats).take((self.seat << self.seats) + passed)
        self.seat, self.passed = np.divmod(upcoming, 1 << self.seats)
        self.table[(self.passed == 0) & (passed != 0)] = 0
        if over.any():
            self.penalties[self.ids[over]] = self.sizes[over]
            self.alive &= ~over
            if np.count_nonzero(self.alive) < CROWDED * len(over):
                self._put_aside()
        self._look()

    def _put_aside(self) -> None:
        """Forget the deals that are over."""
        for name in ("hands", "sizes", "table", "passed", "seat", "history", "ids", "alive"):
            setattr(self, name, getattr(self, name)[self.alive])

    def _look(self) -> None:
        """Find the ends of the rows, and where things are in flat arrays."""
        deals = np.arange(len(self.ids))
        self.rows, self.cells = deals * self.seats + self.seat, deals * 13
        self.lying = self.table > 0
        low, high = self.lying.argmax(axis=1), 12 - self.lying[:, ::-1].argmax(axis=1)
        table = self.table.ravel()
        at_low, at_high = table.take(self.cells + low), table.take(self.cells + high)
        empty = at_low == 0
        self.low, self.high = np.where(empty, 12, low), np.where(empty, 0, high)
        self.at_low, self.at_high = np.maximum(at_low, 1), np.maximum(at_high, 1)

    def _cheapest(self, costs: Costs) -> tuple[Ints, Ints]:
        """Return the values of the actions of least cost, and 1 for those that are passes."""
        hand = self.hands.reshape(-1, 13).take(self.rows, axis=0)
        others = self.sizes.copy()
        others.ravel()[self.rows] = 99
        fewest = others.min(axis=1)
        place = hand + VALUES * len(COUNTS)
        place += (fewest * len(COUNTS) * 13)[:, None]
        self.play, self.take = costs.drop.take(place), costs.take.take(place)
        below, above = self.low[:, None] >= VALUES, self.high[:, None] <= VALUES
        legal = below & (hand >= self.at_low[:, None])
        legal |= above & (hand >= self.at_high[:, None])
        legal &= hand > 0
        if (fewest <= NEAR).any():
            free = (self.passed[:, None] >> np.arange(self.seats)) & 1 == 0
            crowd = CROWDS.take(np.where((others <= NEAR) & free, others, 0)).sum(axis=1)
            afraid = np.flatnonzero(crowd)
            self._fear(costs, afraid, crowd[afraid], hand[afraid], below[afraid], above[afraid])
        self.play <<= CODES
        self.play += VALUES * 2
        self.play[~legal] = FAR << CODES
        self.take <<= CODES
        self.take += VALUES * 2 + 1
        self.take[~self.lying] = FAR << CODES
        code = np.minimum(self.play.min(axis=1), self.take.min(axis=1)) & (1 << CODES) - 1
        return code >> 1, code & 1

    def _fear(
        self, costs: Costs, afraid: Ints, crowd: Ints, hand: Ints, below: Bools, above: Bools
    ) -> None:
        """Add to the costs in some deals what the rivals of a crowd can do after an action."""
        size = self.sizes.ravel().take(self.rows[afraid])[:, None]
        low, high = self.low[afraid], self.high[afraid]
        at_low, at_high = self.at_low[afraid], self.at_high[afraid]
        first = crowd * ((ENOUGH + 1) * 13)
        ends = first + np.minimum(at_low, ENOUGH) * 13 + low
        other_ends = first + np.minimum(at_high, ENOUGH) * 13 + high
        stack = np.minimum(hand + self.table[afraid], ENOUGH)
        there = first[:, None] + stack * 13 + VALUES
        danger = costs.low.take(np.where(below, there, ends[:, None]))
        danger += costs.high.take(np.where(above, there, other_ends[:, None]))
        singles = crowd[:, None] * (ENOUGH + 1)
        danger = np.where(below & above, costs.single.take(singles + stack), danger)
        self.play[afraid] += danger * (size - hand)

        # A pass changes the danger at the end that it takes from only; where it empties an end,
        # the next stack is taken to be the neighbour, and as high.
        no_low, no_high, single = at_low == 1, at_high == 1, low == high
        at_low, at_high = at_low - ~no_low, at_high - ~no_high
        less = first + np.minimum(at_low, ENOUGH) * 13 + low + (no_low & ~single)
        other_less = first + np.minimum(at_high, ENOUGH) * 13 + high - (no_high & ~single)
        open_low, open_high = costs.low.take(ends), costs.high.take(other_ends)
        nothing = costs.single.take(singles[:, 0])
        alone = costs.single.take(singles[:, 0] + np.where(no_low, 0, np.minimum(at_low, ENOUGH)))
        danger = np.repeat(open_low + open_high, 13)
        cells = np.arange(len(afraid)) * 13
        danger[cells + low] = np.where(single, alone, costs.low.take(less) + open_high)
        danger[cells + high] = np.where(single, alone, open_low + costs.high.take(other_less))
        danger = danger.reshape(-1, 13)
        cleared = _seats_left(self.seats).take(self.passed[afraid]) == 2
        danger[cleared] = nothing[cleared, None]
        self.take[afraid] += danger * (size + 1)


@cache
def _seats_left(seats: int) -> Ints:
    """Return by the bits of the seats that have passed how many have not."""
    return np.array([seats - bits.bit_count() for bits in range(1 << seats)])


@cache
def _followers(seats: int) -> Ints:
    """Return by the seat that has acted and the bits of the seats that have passed which seat is
    next and the bits then: a round that has ended leaves none."""
    found = []
    for seat in range(seats):
        for bits in range(1 << seats):
            order = [(seat + turn) % seats for turn in range(1, seats + 1)]
            left = [other for other in order if not bits >> other & 1] or [0]
            found.append((left[0] << seats) + (bits if len(left) > 1 else 0))
    return np.array(found)

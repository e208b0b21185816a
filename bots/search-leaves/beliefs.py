"""What the rivals may hold, given what they have done.

``resample`` draws worlds that agree with what was seen. Here each of them is changed card by card,
by the rule of Metropolis and Hastings, until such worlds are common in which the rivals' actions
were cheap ones, as they are for a bot like ``counter``.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from costs import COUNTS, HURRY, NEAR, VALUES, Floats, Ints, groups

from arena.games.leaves import LeavesState

SHARPNESS = 10.0
"""By how much the logarithm of an action's chance falls for each unit of cost above the least."""
WHIM = 0.01
"""The chance of an action, before it is normalised, that is as dear as can be."""
AFRAID = 0.6
"""The weight of what was done when a rival was near the end of its hand: costs leave fear out."""
NEVER = 9e3
"""The cost of what is not legal."""


class Past:
    """What each seat has done in a deal, as tables of what that would have cost with any hand.

    ``moved`` are by seat and action the changes of the hand from that action on to now, ``least``
    what the best action with a value would have cost by its number of cards, ``chosen`` what the
    action that was taken would.
    """

    def __init__(self, state: LeavesState, events: Sequence[Sequence[Any]]) -> None:
        seats = range(len(state.hands))
        self.moved: list[list[Ints]] = [[] for _ in seats]
        self.least: list[list[Floats]] = [[] for _ in seats]
        self.chosen: list[list[Floats]] = [[] for _ in seats]
        self.value: list[list[int]] = [[] for _ in seats]
        self.weight: list[list[float]] = [[] for _ in seats]
        for seat, action in events:
            self._add(state, seat, *parse(action))
            state = state.apply(action)

    def _add(self, state: LeavesState, seat: int, value: int, count: int) -> None:
        """Add what a seat does in a state in which the other hands' faces do not matter."""
        others = [other for other in range(len(state.hands)) if other != seat]
        sizes = [sum(hand) for hand in state.hands]
        free = [sizes[other] for other in others if not state.passed[other]]
        group = groups(state.discarded)
        hurry = HURRY / min(sizes[other] for other in others)
        needed, lying = np.array(state.needed), np.zeros(13, dtype=bool)
        lying[[card - 1 for card, _ in state.table]] = True
        drop = np.where(needed[:, None] <= COUNTS, -group - hurry * COUNTS, NEVER)
        take = np.diff(group, append=group[:, -1:]) + hurry
        part = -group[value, count:] + group[value, : len(COUNTS) - count] - hurry * count
        chosen = np.append(np.full(count, NEVER), part) if count else take[value]
        for moved in self.moved[seat]:
            moved[value] += -count or 1
        self.moved[seat].append(np.where(value == VALUES, -count or 1, 0))
        self.least[seat].append(np.where(lying[:, None], np.minimum(drop, take), drop))
        self.chosen[seat].append(chosen)
        self.value[seat].append(value)
        self.weight[seat].append(AFRAID if min(free, default=99) <= NEAR else 1.0)


class Record:
    """What one seat has done, in arrays."""

    def __init__(self, past: Past, seat: int) -> None:
        self.turns = len(past.value[seat])
        turns = np.arange(self.turns)
        first = turns[:, None] * 13 + VALUES
        self.value = np.array(past.value[seat], dtype=np.int64)
        moved = np.array(past.moved[seat], dtype=np.int64).reshape(-1, 13)
        self.places = first * len(COUNTS) - moved
        self.chosen_places = turns * len(COUNTS) - moved[turns, self.value]
        self.least = np.array(past.least[seat]).ravel()
        self.chosen = np.array(past.chosen[seat]).ravel()
        self.weight = np.array(past.weight[seat])

    def likelihood(self, hands: Ints) -> Floats:
        """Return the logarithm of the chance of all that was done by those who now hold the hands
        (worlds, 13), up to a constant."""
        if not self.turns:
            return np.zeros(len(hands))
        least = self.least.take(hands[:, None] + self.places).min(axis=2)
        chosen = self.chosen.take(hands[:, self.value] + self.chosen_places)
        chance = np.exp(np.minimum(0.0, least - chosen) * SHARPNESS)
        found: Floats = np.log(WHIM + (1 - WHIM) * chance) @ self.weight
        return found


class Beliefs:
    """Worlds that are changed again and again; ``hidden`` (worlds, seats + 1, 13) are the cards
    that nobody else knows of, last those that are not dealt."""

    def __init__(
        self,
        worlds: Sequence[LeavesState],
        me: int,
        unknown: Sequence[int],
        past: Past,
        rng: np.random.Generator,
    ) -> None:
        state, self.rng = worlds[0], rng
        seats = range(len(state.hands))
        self.known = np.array(
            [state.hands[me] if seat == me else state.known[seat] for seat in seats]
        )
        held = np.array([world.hands for world in worlds]) - self.known
        left = np.array(unknown) - held.sum(axis=1)
        self.hidden = np.concatenate([held, left[:, None]], axis=1)
        places = [place for place in range(len(seats) + 1) if self.hidden[0, place].any()]
        rivals = [seat for seat in places if seat < len(seats)]
        self.pairs = [(seat, other) for seat in rivals for other in places if other > seat]
        self.records = {seat: Record(past, seat) for seat in rivals}
        self.likelihood = {seat: self._judge(seat, self.hidden[:, seat]) for seat in rivals}

    def hands(self) -> Ints:
        """Return the hands of all seats (worlds, seats, 13)."""
        found: Ints = self.hidden[:, :-1] + self.known
        return found

    def move(self, times: int, stop: Callable[[], bool]) -> None:
        """Try so often to swap a card between each two places where hidden cards are."""
        for _ in range(times):
            if stop():
                return
            for seat, other in self.pairs:
                self._swap(seat, other)

    def _judge(self, seat: int, hidden: Ints) -> Floats:
        return self.records[seat].likelihood(hidden + self.known[seat])

    def _swap(self, seat: int, other: int) -> None:
        """Swap a card of a rival with one of another place, in the worlds where that is likely."""
        worlds = np.arange(len(self.hidden))
        given, taken = self._draw(seat), self._draw(other)
        after = {place: self.hidden[:, place].copy() for place in (seat, other)}
        for place, less, more in ((seat, given, taken), (other, taken, given)):
            after[place][worlds, less] -= 1
            after[place][worlds, more] += 1
        judged = {
            place: self._judge(place, after[place]) for place in after if place in self.records
        }
        gain = sum(judged[place] - self.likelihood[place] for place in judged)
        agreed = np.log(self.rng.random(len(worlds))) < gain
        for place, hidden in after.items():
            self.hidden[agreed, place] = hidden[agreed]
        for place, likelihood in judged.items():
            self.likelihood[place] = np.where(agreed, likelihood, self.likelihood[place])

    def _draw(self, place: int) -> Ints:
        """Draw in each world one of the hidden cards of a place."""
        upto = self.hidden[:, place].cumsum(axis=1)
        number = self.rng.random(len(upto)) * upto[:, -1]
        found: Ints = (upto > number[:, None]).argmax(axis=1)
        return found


def parse(action: str) -> tuple[int, int]:
    """Return the value and the number of cards played, 0 for a pass."""
    value, _, count = action.split()[1].partition("x")
    return int(value) - 1, int(count or 0)

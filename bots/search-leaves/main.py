"""Play on in many worlds: Monte Carlo search over what the other hands may be.

Actions are ordered by their cost, as in the bot ``counter``. The cheapest few meet in worlds that
agree with all that was seen: in each world the deal is played to its end, every seat taking the
action of least cost. Numbers of cards are lists by value, from 0 for the value 1 to 12 for 13.

``SIMULATIONS`` is how many deals are played on for a decision at most, and ``BUDGET_MS``, if it is
not 0, how long that may take; without it the same match is always played in the same way.
"""

import os
import random
import time
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import comb, exp, sqrt

from arena import games
from arena.bot import Bot, Event, Message, Observation, run
from arena.games.leaves import PLUGIN, LeavesState

CANDIDATES = 6
"""Actions that are played on."""
MARGIN = 1.0
"""Standard errors by which an action must be better than the cheapest one."""
MIDDLE = 0.6
"""What a group in the middle of the cards still in the deal costs more than one at an end."""
COMPANY = 0.29
"""What each of up to three more cards takes off the cost of a group."""
HURRY = 0.6
"""What a card in hand costs when a rival has one card left, half of it for two cards, ..."""
NEAR = 3
"""The size of a hand from which on a playout fears that it goes out."""
SPREAD = 6.0
"""How far two seats drift apart in a deal, in penalties."""
DEAL = 5.0
"""What the last seat gets in a deal, in penalties."""
LONGEST = 150
"""Turns of a playout at most."""

VALUES = range(13)
COPIES = (2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2)
Action = tuple[int, int]
"""A value and the number of cards played, 0 for a pass."""
Rival = tuple[int, Sequence[float]]
"""The size of a hand, and by value the chance that all its cards have that value or a lower one."""


class Search(Bot):
    """Remembers all that it was shown in the deal."""

    def __init__(self) -> None:
        self.simulations = int(os.environ.get("SIMULATIONS", "600"))
        self.budget = float(os.environ.get("BUDGET_MS", "0")) / 1000

    def match_start(self, message: Message) -> None:
        self.options = message["options"]

    def deal_start(self, message: Message) -> None:
        self.glances: list[games.Glance] = [([], message["observation"])]
        self.heard: list[Event] = []

    def events(self, events: list[Event]) -> None:
        self.heard += events

    def choose(self, observation: Observation, legal: list[str]) -> str:
        end = time.monotonic() + self.budget
        self.glances.append((self.heard, observation))
        self.heard = []
        if len(legal) == 1:
            return legal[0]
        state = PLUGIN.imagine(self.glances, self.options)
        seat, costs = observation["seat"], Costs(state.discarded)
        rivals = known_rivals(state, seat)
        actions = sorted(Position(state).moves(costs, rivals))[:CANDIDATES]
        texts = [text(action) for _, action in actions]
        unknown = unseen(state, seat)
        near = [tuple(accumulate(uniform([0] * 13, unknown, size))) for size in range(NEAR + 1)]
        worlds: list[LeavesState] = []

        def value(action: str, number: int) -> float:
            if number == len(worlds):
                worlds.append(state.resample(seat, random))  # type: ignore[arg-type]
            position = Position(worlds[number].apply(action))
            penalties = position.play_on(costs, near)
            return share(penalties, seat, observation["totals"], self.options["target"])

        return games.race(
            texts,
            value,
            self.simulations,
            margin=MARGIN,
            stop=lambda: bool(self.budget) and time.monotonic() > end,
        )


class Costs:
    """What the groups of a hand cost, for the cards that are still in the deal.

    ``drop`` and ``take`` are by the size of the smallest other hand, value and number of cards
    held: what it changes to play all of them, and to take one more.
    """

    def __init__(self, discarded: Sequence[int]) -> None:
        live = [copies - gone for copies, gone in zip(COPIES, discarded, strict=True)]
        total = sum(live)
        group = []
        for value in VALUES:
            middle = 2 * min(sum(live[:value]), sum(live[value + 1 :])) / total
            group.append(
                [0.0, *(1 + MIDDLE * middle - COMPANY * min(more, 3) for more in range(9))]
            )
        hurries = [HURRY / max(1, size) for size in range(64)]
        self.drop = [
            [[-cost - hurry * count for count, cost in enumerate(costs)] for costs in group]
            for hurry in hurries
        ]
        self.take = [
            [[more - cost + hurry for cost, more in pairwise(costs)] for costs in group]
            for hurry in hurries
        ]


class Position:
    """A moment of a deal that is changed in place. ``low`` and ``high`` are the ends of the row,
    -1 while the table is empty."""

    def __init__(self, state: LeavesState) -> None:
        self.hands = [list(hand) for hand in state.hands]
        self.sizes = [sum(hand) for hand in state.hands]
        self.table = [0] * 13
        for value, count in state.table:
            self.table[value - 1] = count
        self.low = state.table[0][0] - 1 if state.table else -1
        self.high = state.table[-1][0] - 1 if state.table else -1
        self.passed = list(state.passed)
        self.over = state.to_act is None
        self.seat = state.to_act or 0

    def play_on(self, costs: Costs, near: Sequence[Sequence[float]]) -> list[int]:
        """Play to the end of the deal and return the penalties."""
        turns = 0
        while not self.over and turns < LONGEST:
            turns += 1
            rivals = [
                (size, near[size])
                for seat, size in enumerate(self.sizes)
                if size <= NEAR and seat != self.seat and not self.passed[seat]
            ]
            self.act(min(self.moves(costs, rivals))[1] if rivals else self.cheapest(costs))
        return self.sizes

    def cheapest(self, costs: Costs) -> Action:
        """Return the cheapest action of those that play all cards of a value, and of the passes."""
        hand, table, low, high = self.hands[self.seat], self.table, self.low, self.high
        fewest = self.fewest()
        best, least = (0, 0), 99.0
        at_low, at_high = (table[low], table[high]) if low >= 0 else (1, 1)
        drop, take = costs.drop[fewest], costs.take[fewest]
        for value in VALUES:
            count = hand[value]
            if count and (
                (count >= at_low and value <= low) or (count >= at_high and value >= high)
            ):
                cost = drop[value][count]
                if cost < least:
                    best, least = (value, count), cost
        for value in range(max(low, 0), high + 1):
            if table[value]:
                cost = take[value][hand[value]]
                if cost < least:
                    best, least = (value, 0), cost
        return best

    def moves(self, costs: Costs, rivals: Sequence[Rival]) -> list[tuple[float, Action]]:
        """Return all legal actions with their costs; ``rivals`` are those who may go out."""
        hand, table, low, high = self.hands[self.seat], self.table, self.low, self.high
        fewest, size = self.fewest(), self.sizes[self.seat]
        drop, take = costs.drop[fewest], costs.take[fewest]
        found = []
        for value in VALUES:
            held = hand[value]
            if held and low < value < high:
                continue
            least = 1 if low < 0 else table[low] if value <= low else table[high]
            for count in range(least, held + 1):
                table[value] += count
                danger = self.danger(rivals) * (size - count)
                table[value] -= count
                found.append(
                    (danger + drop[value][held] - drop[value][held - count], (value, count))
                )
        clears = self.passed.count(False) == 2
        for value in range(max(low, 0), high + 1):
            if table[value]:
                table[value] -= 1
                danger = sum(total[-1] for _, total in rivals) if clears else self.danger(rivals)
                table[value] += 1
                found.append((danger * (size + 1) + take[value][hand[value]], (value, 0)))
        return found

    def danger(self, rivals: Sequence[Rival]) -> float:
        """Return the expected number of rivals that could go out on the table."""
        table = self.table
        lying = [value for value in VALUES if table[value]] if rivals else []
        if not lying:
            return sum(total[-1] for _, total in rivals)
        low, high = lying[0], lying[-1]
        found = 0.0
        for size, total in rivals:
            if low == high:
                found += total[12] if table[low] <= size else 0.0
                continue
            if table[low] <= size:
                found += total[low]
            if table[high] <= size:
                found += total[12] - total[high - 1]
        return found

    def fewest(self) -> int:
        """Return the size of the smallest other hand."""
        return min(size for seat, size in enumerate(self.sizes) if seat != self.seat)

    def act(self, action: Action) -> None:
        """Take an action of the seat to act."""
        value, count = action
        seat, table = self.seat, self.table
        self.hands[seat][value] += -count or 1
        self.sizes[seat] += -count or 1
        table[value] += count or -1
        self.over = not self.sizes[seat]
        if count:
            self.low = value if self.low < 0 else min(self.low, value)
            self.high = max(self.high, value)
        else:
            self.passed[seat] = True
            if self.passed.count(False) == 1:
                self.seat = self.passed.index(False)
                self.passed = [False] * len(self.passed)
                self.table, self.low, self.high = [0] * 13, -1, -1
                return
            if not table[value]:
                lying = [other for other in VALUES if table[other]] or [-1]
                self.low, self.high = lying[0], lying[-1]
        seats = len(self.passed)
        seat = (seat + 1) % seats
        while self.passed[seat]:
            seat = (seat + 1) % seats
        self.seat = seat


def known_rivals(state: LeavesState, me: int) -> list[Rival]:
    """Return the rivals that may play next, with what is known of their hands."""
    unknown = unseen(state, me)
    return [
        (sum(hand), tuple(accumulate(uniform(state.known[seat], unknown, sum(hand)))))
        for seat, hand in enumerate(state.hands)
        if seat != me and not state.passed[seat]
    ]


def unseen(state: LeavesState, me: int) -> list[int]:
    """Return the cards of which it is not known where they are."""
    table = dict(state.table)
    known = [state.hands[me], *(hand for seat, hand in enumerate(state.known) if seat != me)]
    return [
        COPIES[value]
        - state.discarded[value]
        - table.get(value + 1, 0)
        - sum(hand[value] for hand in known)
        for value in VALUES
    ]


def uniform(known: Sequence[int], unknown: Sequence[int], size: int) -> list[float]:
    """Return for each value the chance that all cards of a hand have it."""
    hidden = size - sum(known)
    hands = comb(sum(unknown), hidden) or 1
    return [
        comb(unknown[value], hidden) / hands if known[value] + hidden == size else 0.0
        for value in VALUES
    ]


def share(penalties: Sequence[int], seat: int, totals: Sequence[int], target: int | None) -> float:
    """Return the share of the match that can be expected after a deal with these penalties."""
    rivals = [other for other in range(len(penalties)) if other != seat]
    after = [total + more for total, more in zip(totals, penalties, strict=True)]
    if target is None:
        after = [min(penalty, 1) for penalty in penalties]
    ahead = [after[other] - after[seat] for other in rivals]
    if target is None or max(after) >= target:
        won = [(lead > 0) + (lead == 0) / 2 for lead in ahead]
    else:
        drift = SPREAD * sqrt(max(1.0, (target - max(after)) / DEAL))
        won = [1 / (1 + exp(-lead / drift)) for lead in ahead]
    return sum(won) / len(won)


def text(action: Action) -> str:
    value, count = action
    return f"play {value + 1}x{count}" if count else f"pass {value + 1}"


if __name__ == "__main__":
    run(Search)

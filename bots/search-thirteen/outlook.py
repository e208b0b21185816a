"""What a hand is worth in a position, judged by the cards that would help it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import exp, log, sqrt
from typing import NamedTuple

from hands import CARDS, Hand, Melds, completing, gone, plus, without

from arena.bot import Observation
from arena.games.thirteen import RANKS, SUITS

CANDIDATES = 4
"""Discards of a hand that are looked at."""
TAKE = 0.5
"""How much better a hand must be with the card of the pile, in points."""
FEEDING = 0.3
"""What a point of danger costs."""
RIVALS_PAY = {3: 10.0, 4: 6.5, 5: 6.0, 6: 13.5, 7: 8.5, 8: 7.5, 11: 6.5}
"""What a rival pays when somebody else goes out, by the number of cards dealt; else 10."""


class Prospect(NamedTuple):
    """A hand before a draw: its value, the value if it is the last draw, the cards that help."""

    value: float
    last: float
    helping: dict[str, int]


class Outlook:
    """What the hands of a decision are judged by."""

    def __init__(self, observation: Observation, melds: Melds) -> None:
        counts, discards = observation["counts"], observation["discards"]
        self.melds = melds
        self.seat: int = observation["seat"]
        self.seats = len(counts)
        self.last_turn: bool = observation["went_out"] is not None
        known: list[list[str]] = observation["known"]
        seen = Counter(
            [*observation["hand"], *(card for card, _, taker in discards if taker is None)]
        )
        for other, cards in enumerate(known):
            seen.update(cards if other != self.seat else ())
        decks = (self.seats + 1) // 2
        self.live = {card: decks - seen[card] for card in CARDS if seen[card] < decks}
        self.unseen = max(1, sum(self.live.values()))
        self.wilds = sum(self.live.get(melds.wild + suit, 0) for suit in SUITS)
        following = (self.seat + 1) % self.seats
        self.collected = known[following]
        self.refused = [card for card, by, _ in discards if by == following]
        dealt = RANKS.index(melds.wild) + 1
        stays = 1.0
        for other, cards in enumerate(known):
            if other != self.seat:
                stays *= 1 - going_out(dealt, observation["turn"] // self.seats + 1, len(cards))
        self.ending = 1 - stays
        self.first = RIVALS_PAY.get(dealt, 10.0)
        self.other = self.first * (self.seats - 2) / (self.seats - 1)
        self.shift = (0, -0.13, -0.15)[dealt % 3] - 0.84 * log(self.ending)
        self.shift_quick = (0, -0.03, -0.04)[dealt % 3] - 0.69 * log(self.ending)
        self._prospects: dict[Hand, Prospect] = {}
        self._quick: dict[Hand, float] = {}

    def draws(self, hand: Hand, top: str) -> list[str]:
        """Return the draws that are worth a thought, the one that looks best first."""
        melds = self.melds
        stock, pile = "draw stock", "draw discard"
        taken = plus(hand, top)
        if self.last_turn:
            last = self.other - self.prospect(hand).last
            return [pile if melds.after(melds.rest(taken)) < last else stock]
        if melds.goes_out(taken):
            return [pile]
        if not melds.helps(top, hand):
            return [stock]
        value = max(self.prospect(left).value for left in self.candidates(taken))
        return [pile, stock] if value > self.prospect(hand).value + TAKE else [stock, pile]

    def discards(self, hand: Hand) -> list[str]:
        """Return the discards that are worth a thought, the one that looks best first."""
        if self.last_turn:
            hands = [without(hand, card) for card in self.melds.rest(hand) or hand]
            hands.sort(key=lambda left: self.melds.cost(self.melds.rest(left)))
            return [f"discard {gone(hand, hands[0])}"]
        hands = self.candidates(hand)
        worth = {
            gone(hand, left): self.prospect(left).value - FEEDING * self.danger(gone(hand, left))
            for left in hands
        }
        return [f"discard {card}" for card in sorted(worth, key=worth.__getitem__, reverse=True)]

    def candidates(self, hand: Hand) -> list[Hand]:
        """Return the hands that the likeliest discards leave, the one that looks best first."""
        rest = self.melds.rest(hand)
        cards = dict.fromkeys(rest if len(rest) > 1 else hand)
        hands = sorted([without(hand, card) for card in cards], key=self.quick, reverse=True)
        return hands[:CANDIDATES]

    def quick(self, hand: Hand) -> float:
        """Return a first guess of what a hand is worth at the end of the own turn."""
        if hand not in self._quick:
            rest = self.melds.rest(hand)
            found: set[str] = set()
            for number, card in enumerate(rest):
                for other in rest[number + 1 :]:
                    found |= completing(card, other, self.melds.ace)
            live = sum([self.live.get(card, 0) for card in found if card[0] != self.melds.wild])
            odds = (live + (self.wilds if len(rest) > 1 else 0)) / self.unseen
            size = len(rest)
            chance = sigmoid(
                -0.65
                + self.shift_quick
                - 0.25 * size
                + 1.88 * sqrt(odds)
                - 0.07 * max(size - 2, 0)
                + 0.26 * max(size - 4, 0)
                - (6.79 * odds if size < 3 else 0)
            )
            left = sigmoid(0.56 + 0.39 * log(self.ending) + 0.3 * size) * self.melds.cost(rest)
            self._quick[hand] = (
                self.other + chance * (self.first - self.other) - (1 - chance) * left
            )
        return self._quick[hand]

    def prospect(self, hand: Hand) -> Prospect:
        """Return what a hand is worth by the cards that help it."""
        if hand not in self._prospects:
            self._prospects[hand] = self._prospect(hand)
        return self._prospects[hand]

    def _prospect(self, hand: Hand) -> Prospect:
        melds = self.melds
        rest = melds.rest(hand)
        left = [melds.points[card] for card in rest]
        cost, dearest, size = sum(left), max(left, default=0), len(rest)
        total = outs = fewer = same = 0
        helping = {}
        for card, copies in self.live.items():
            if not melds.helps(card, hand):
                total += copies * (cost + melds.points[card] - max(dearest, melds.points[card]))
                continue
            more = plus(hand, card)
            found = melds.rest(more)
            if melds.goes_out(more):
                outs += copies
            else:
                total += copies * melds.after(found)
                if len(found) < size:
                    fewer += copies
                elif len(found) == size:
                    same += copies
                else:
                    continue
            helping[card] = copies
        chance = sigmoid(
            -1.92
            + self.shift
            + (4.09 * outs + 1.8 * fewer + 1.06 * same) / self.unseen
            - 0.04 * size
        )
        last = total / self.unseen
        left_over = last * sigmoid(1.32 + 0.52 * log(self.ending) + 0.22 * size)
        value = self.other + chance * (self.first - self.other) - (1 - chance) * left_over
        return Prospect(value, self.other - last, helping)

    def danger(self, card: str) -> float:
        """Return how much the next seat may want a card."""
        if card[0] == self.melds.wild:
            return 5
        near = self.melds.near[card]
        wanted = 2 * sum(other in near for other in self.collected)
        wanted -= 0.5 * sum(other in near for other in self.refused)
        return wanted + 0.1 * sum(copies for other, copies in self.live.items() if other in near)


@cache
def going_out(dealt: int, rounds: int, taken: int) -> float:
    """Return the chance that a rival goes out in a round, having taken so many discards.

    It was fitted to 660 deals of ``rummy-watcher`` against itself.
    """
    early = {3: 1.1, 6: 0.4}.get(dealt, -0.75 if dealt % 3 == 2 else 0.0)
    return sigmoid(-3.25 + early + 0.55 * min(taken, 4) + 0.17 * min(rounds, 8))


def sigmoid(value: float) -> float:
    return 1 / (1 + exp(-value))

"""What a hand is worth in a position, judged by the cards that would help it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import exp, log
from typing import NamedTuple

from hands import CARDS, Hand, Melds, completing, gone, plus, without

from arena.bot import Observation
from arena.games.thirteen import RANKS, SUITS

CANDIDATES = 4
"""Discards of a hand that are looked at."""
FEEDING = 0.3
"""What a point of danger costs."""
RIVALS_PAY = {3: 10.0, 4: 6.5, 5: 6.0, 6: 13.5, 7: 8.5, 8: 7.5, 11: 6.5}
"""What a rival pays at a table of two when the other goes out, by the number of cards dealt; else
10."""
CROWDED = 1.3
"""How much more it is at larger tables, where deals are shorter."""


class Fit(NamedTuple):
    """How what is seen of a hand tells the chance to go out first, in logits, and the part of the
    mean penalty after a draw that is paid otherwise. Both were fitted to deals of ``rummy-watcher``
    against chance."""

    always: float
    outs: float
    fewer: float
    same: float
    size: float
    ending: float
    paid: float
    paid_ending: float
    paid_size: float


DUEL = Fit(-2.7, 5.5, 1.6, 2.4, 0.0, -0.9, -1.8, -0.4, 0.25)
TABLE = Fit(-2.9, 5.2, 3.3, 0.2, -0.07, -1.0, 1.0, 0.75, 0.15)


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
        self.fit = DUEL if self.seats == 2 else TABLE
        self.first = RIVALS_PAY.get(dealt, 10.0) * (1 if self.seats == 2 else CROWDED)
        self.other = self.first * (self.seats - 2) / (self.seats - 1)
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
        return [pile, stock] if value > self.stock(hand) else [stock, pile]

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

    def stock(self, hand: Hand) -> float:
        """Return what a hand is worth before a card of the stock is drawn."""
        prospect = self.prospect(hand)
        total = prospect.value * self.unseen
        for card, copies in prospect.helping.items():
            more = plus(hand, card)
            value = self.first
            if not self.melds.goes_out(more):
                value = self.prospect(self.candidates(more)[0]).value
            total += copies * max(value - prospect.value, 0)
        return total / self.unseen

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
            ending = log(self.ending)
            chance = sigmoid(-0.95 - 0.7 * ending - 0.06 * size + 1.7 * odds)
            paid = sigmoid(0.35 + 0.3 * ending + 0.4 * size) * self.melds.cost(rest)
            self._quick[hand] = self.mix(chance, paid)
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
        fit, ending, last = self.fit, log(self.ending), total / self.unseen
        helped = (fit.outs * outs + fit.fewer * fewer + fit.same * same) / self.unseen
        chance = sigmoid(fit.always + helped + fit.size * size + fit.ending * ending)
        paid = sigmoid(fit.paid + fit.paid_ending * ending + fit.paid_size * size) * last
        return Prospect(self.mix(chance, paid), self.other - last, helping)

    def mix(self, chance: float, paid: float) -> float:
        """Return what a hand is worth by the chance to go out first and what is paid if not."""
        return chance * self.first + (1 - chance) * (self.other - paid)

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

"""What a hand is worth in a position, judged by two networks and the cards that would help it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import exp

from features import Features
from hands import CARDS, Hand, Melds, Prospect, gone, plus, without
from network import Network

from arena.bot import Observation
from arena.games.thirteen import RANKS

CANDIDATES = 6
"""Discards of a hand that are looked at."""
CLOSE = 0.25
"""Points by which an action may look worse than the best one and still be worth a thought."""
PAYS = (11.8, 8.6, 6.8, 13.5, 11.0, 8.9, 14.0, 12.7, 10.8, 13.7, 12.4)
"""The mean penalty of a rival when somebody else goes out, by the number of cards dealt, from 3."""
PAYS_ALONE = (10.5, 6.9, 4.7, 12.4, 10.6, 7.5, 11.7, 10.1, 7.2, 11.9, 10.0)
"""The same at a table of two."""


class Outlook:
    """What the hands of a decision are judged by."""

    def __init__(self, observation: Observation, melds: Melds) -> None:
        counts = observation["counts"]
        self.melds = melds
        self.seat: int = observation["seat"]
        self.last_turn: bool = observation["went_out"] is not None
        self.live = live(observation)
        self.unseen = max(1, sum(self.live.values()))
        self.features = Features(observation, melds, self.live)
        self._judge_kept, self._judge_stock = LARGE_TABLE if len(counts) > 3 else SMALL_TABLE
        dealt = RANKS.index(melds.wild) + 1
        pays = PAYS_ALONE if len(counts) == 2 else PAYS
        self.first = pays[dealt - 3] if 3 <= dealt <= 13 else 10.0
        self.other = self.first * (len(counts) - 2) / (len(counts) - 1)
        self.ending = ending(observation, dealt)
        self._prospects: dict[Hand, Prospect] = {}
        self._kept: dict[tuple[Hand, str, int], float] = {}
        self._stock: dict[tuple[Hand, int], float] = {}

    def draws(self, hand: Hand, top: str) -> list[str]:
        """Return the draws that are worth a thought, the one that looks best first."""
        melds = self.melds
        stock, pile = "draw stock", "draw discard"
        taken = plus(hand, top)
        if self.last_turn:
            least = min(melds.cost(melds.rest(without(taken, card))) for card in taken)
            return [pile if least < self.prospect(hand).last else stock]
        if melds.goes_out(taken):
            return [pile]
        if not melds.helps(top, hand):
            return [stock]
        value = max(self.kept(taken, left) for left in self.candidates(taken))
        return worth_a_thought({stock: self.stock(hand), pile: value})

    def discards(self, hand: Hand) -> list[str]:
        """Return the discards that are worth a thought, the one that looks best first."""
        if self.last_turn:
            least = min(
                (without(hand, card) for card in hand),
                key=lambda left: self.melds.cost(self.melds.rest(left)),
            )
            return [f"discard {gone(hand, least)}"]
        return worth_a_thought(
            {f"discard {gone(hand, left)}": self.kept(hand, left) for left in self.candidates(hand)}
        )

    def candidates(self, hand: Hand) -> list[Hand]:
        """Return the hands that the likeliest discards leave: those of the least penalty, and of
        these the ones that lose a card with the least company."""
        melds = self.melds
        ranked = []
        for card in dict.fromkeys(hand):
            left = without(hand, card)
            company = sum([other in melds.beside[card] for other in hand])
            ranked.append((melds.cost(melds.rest(left)), company, left))
        return [left for _, _, left in sorted(ranked)[:CANDIDATES]]

    def kept(self, hand: Hand, left: Hand, ahead: int = 0) -> float:
        """Return what a hand is worth by which what is ``left`` is kept, some own turns ahead."""
        card = gone(hand, left)
        if (left, card, ahead) not in self._kept:
            seen = self.features.kept(self.prospect(left), left, card, ahead)
            self._kept[left, card, ahead] = self._judge_kept.value(seen)
        return self._kept[left, card, ahead]

    def stock(self, hand: Hand, ahead: int = 0) -> float:
        """Return what a hand is worth if a card of the stock is drawn next."""
        if (hand, ahead) not in self._stock:
            seen = self.features.before_draw(self.prospect(hand), hand, ahead)
            self._stock[hand, ahead] = self._judge_stock.value(seen)
        return self._stock[hand, ahead]

    def last(self, hand: Hand) -> float:
        """Return what a hand is worth when a rival has gone out and one draw is left."""
        return self.other - self.prospect(hand).last

    def prospect(self, hand: Hand) -> Prospect:
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
            helping[card] = copies
            more = plus(hand, card)
            if melds.goes_out(more):
                outs += copies
                continue
            found = melds.rest(more)
            total += copies * melds.after(found)
            fewer += copies * (len(found) < size)
            same += copies * (len(found) == size)
        unseen = self.unseen
        return Prospect(rest, outs / unseen, fewer / unseen, same / unseen, total / unseen, helping)


SMALL_TABLE = Network("kept"), Network("stock")
"""What judges a hand that is kept, and one to which a card is drawn, at two and three seats."""
LARGE_TABLE = Network("kept-4"), Network("stock-4")
"""The same at four seats and more."""


def worth_a_thought(values: dict[str, float]) -> list[str]:
    """Return the actions that look about as good as the best one, the best one first."""
    best = max(values.values())
    actions = [action for action, value in values.items() if value > best - CLOSE]
    return sorted(actions, key=values.__getitem__, reverse=True)


def live(observation: Observation) -> dict[str, int]:
    """Return the cards that the seat has not seen, or seen go into the stock again."""
    seen: Counter[str] = Counter(observation["hand"])
    seen.update(card for card, _, taker in observation["discards"] if taker is None)
    for other, cards in enumerate(observation["known"]):
        seen.update(cards if other != observation["seat"] else ())
    decks = (len(observation["counts"]) + 1) // 2
    return {card: decks - seen[card] for card in CARDS if seen[card] < decks}


def ending(observation: Observation, dealt: int) -> float:
    """Return the chance that a rival goes out before the next turn of the seat."""
    known = observation["known"]
    rounds = observation["turn"] // len(known) + 1
    stays = 1.0
    for other, cards in enumerate(known):
        if other != observation["seat"]:
            stays *= 1 - going_out(dealt, rounds, len(cards))
    return 1 - stays


@cache
def going_out(dealt: int, rounds: int, taken: int) -> float:
    """Return the chance that a rival goes out in a round, having taken so many discards.

    It was fitted to 660 deals of ``rummy-watcher`` against itself.
    """
    early = {3: 1.1, 6: 0.4}.get(dealt, -0.75 if dealt % 3 == 2 else 0.0)
    return 1 / (1 + exp(3.25 - early - 0.55 * min(taken, 4) - 0.17 * min(rounds, 8)))

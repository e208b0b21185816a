"""What the networks are told of a hand: numbers of about the size of one."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from hands import Hand, Melds, Prospect, completing

from arena.bot import Observation
from arena.games.thirteen import RANKS

NO_DISCARD = [0.0] * 8


class Rival(NamedTuple):
    """What a rival has done in the deal."""

    known: list[str]
    takes: int
    took: bool
    last: int | None
    before: int | None

    def features(self) -> list[float]:
        points = [0 if card is None else card / 10 for card in (self.last, self.before)]
        return [min(self.takes, 5) / 5, points[0], self.took, points[1]]


class Features:
    """What is seen of a position, and of the hands that may be held in it."""

    def __init__(self, observation: Observation, melds: Melds, live: dict[str, int]) -> None:
        self._melds = melds
        self._live = live
        self._unseen = max(1, sum(live.values()))
        self._seats = len(observation["counts"])
        self._turn: int = observation["turn"]
        seat = observation["seat"]
        around = [(seat + step) % self._seats for step in range(1, self._seats)]
        rivals = [rival(observation, other, melds) for other in around]
        self._next = rivals[0]
        self._refused = [card for card, by, _ in observation["discards"] if by == around[0]]
        self._position = [*self._table(observation), *self._rivals(rivals)]

    def _table(self, observation: Observation) -> list[float]:
        dealt = RANKS.index(self._melds.wild) + 1
        decks = (self._seats + 1) // 2
        wilds = sum(self._live.get(card, 0) for card in self._melds.wilds)
        takes = sum(taker == observation["seat"] for _, _, taker in observation["discards"])
        return [
            *(float(number == dealt) for number in range(3, 14)),
            *(float(min(self._seats, 4) == number) for number in range(2, 5)),
            observation["stock"] / (52 * decks),
            wilds / self._unseen,
            min(takes, 4) / 4,
            dealt,
        ]

    def _rivals(self, rivals: list[Rival]) -> list[float]:
        opposite = rivals[1].features() if len(rivals) > 2 else [0.0] * 4
        lasts = [rival.last for rival in rivals if rival.last is not None]
        melded = [self._melded(rival.known) / 4 for rival in rivals]
        wilds = sum(card in self._melds.wilds for rival in rivals for card in rival.known)
        return [
            *rivals[0].features(),
            *rivals[-1].features(),
            *opposite,
            min(max(rival.takes for rival in rivals), 5) / 5,
            min([*lasts, 10]) / 10,
            sum(lasts) / len(lasts) / 10 if lasts else 0.8,
            melded[0],
            melded[-1],
            max(melded),
            wilds / 2,
        ]

    def _melded(self, known: list[str]) -> int:
        """Return how many known cards are in melds, at least 1 for any."""
        if len(known) < 2:
            return len(known)
        return max(1, len(known) - len(self._melds.rest(tuple(sorted(known)))))

    def kept(self, prospect: Prospect, hand: Hand, discard: str, ahead: int) -> list[float]:
        """Return what is seen of a hand that is kept, some own turns ahead of the position."""
        return [*self._hand(prospect, hand, ahead), *self._discard(hand, discard)]

    def before_draw(self, prospect: Prospect, hand: Hand, ahead: int) -> list[float]:
        """Return what is seen of a hand to which a card is drawn."""
        return [*self._hand(prospect, hand, ahead), *NO_DISCARD]

    def _hand(self, prospect: Prospect, hand: Hand, ahead: int) -> list[float]:
        melds, rest = self._melds, prospect.rest
        rounds = self._turn // self._seats + ahead
        costs = sorted((melds.points[card] for card in rest), reverse=True)
        size, cost = len(rest), sum(costs)
        plain = [card for card in hand if card not in melds.wilds]
        company = sum(sum([other in melds.beside[card] for other in hand]) > 1 for card in plain)
        return [
            *self._position,
            rounds / 10,
            rounds == 0,
            1 <= rounds < 3,
            3 <= rounds < 6,
            rounds >= 6,
            cost / 10,
            size / 5,
            max(costs, default=0) / 10,
            (len(hand) - len(plain)) / 3,
            prospect.outs,
            prospect.fewer,
            prospect.same,
            prospect.last / 10,
            sqrt(prospect.outs),
            company / len(hand),
            size == 0,
            size <= 2,
            cost <= 10,
            *self._pairs(rest),
            *(card / 10 for card in [*costs, 0, 0, 0, 0][:4]),
            prospect.fewer * prospect.outs,
            prospect.last / 10 * rounds / 10,
        ]

    def _pairs(self, rest: list[str]) -> list[float]:
        """Return how likely a card is that completes two cards in no meld, how many such pairs
        there are, and how many cards have no such partner."""
        found: set[str] = set()
        paired: set[int] = set()
        pairs = 0
        for one, card in enumerate(rest):
            for two in range(one + 1, len(rest)):
                cards = completing(card, rest[two], self._melds.ace) - self._melds.wilds
                if cards:
                    paired |= {one, two}
                    pairs += any(third in self._live for third in cards)
                    found |= cards
        odds = sum([self._live.get(card, 0) for card in found]) / self._unseen
        return [odds, pairs / 4, (len(rest) - len(paired)) / 4]

    def _discard(self, hand: Hand, card: str) -> list[float]:
        """Return what a discard may be to the next seat."""
        beside = self._melds.beside[card]
        known = sum(other in beside for other in self._next.known)
        refused = sum(other in beside for other in self._refused)
        live = sum(copies for other, copies in self._live.items() if other in beside)
        wild = card in self._melds.wilds
        return [
            (5 if wild else 2 * known + 0.1 * live - 0.5 * refused) / 5,
            wild,
            self._melds.points[card] / 10,
            min(known, 4) / 4,
            min(refused, 4) / 4,
            live / self._unseen,
            min(sum(other in beside for other in hand), 4) / 4,
            known >= 2,
        ]


def rival(observation: Observation, seat: int, melds: Melds) -> Rival:
    """Return what a seat has done since the stock was last shuffled."""
    discards = observation["discards"]
    own = [number for number, (_, by, _) in enumerate(discards) if by == seat]
    points = [melds.points[discards[number][0]] for number in own]
    offered = own[-1] - 1 if own else -1
    return Rival(
        observation["known"][seat],
        sum(taker == seat for _, _, taker in discards),
        offered >= 0 and discards[offered][2] == seat,
        points[-1] if points else None,
        points[-2] if len(points) > 1 else None,
    )

"""Hands and melds: which cards help a hand, and what it costs as it is."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from arena.games.thirteen import RANKS, SUITS, best_rest, can_go_out, points

Hand = tuple[str, ...]
"""Cards in the order of their names."""

CARDS = [rank + suit for rank in RANKS for suit in SUITS]
"""All cards, by rank, then by suit, as the states of the game number them."""

MOST_LEFT = 4
"""Cards in no meld with which a hand may go out after all, if others are put into melds."""


class Prospect(NamedTuple):
    """What a draw may do for a hand. Of the cards that are not seen, as parts of 1: those that let
    it go out, those that leave fewer cards in no meld, those that leave as many; the mean penalty
    after a draw; how many there are of each card that helps."""

    rest: list[str]
    outs: float
    fewer: float
    same: float
    last: float
    helping: dict[str, int]


class Melds:
    """What hands come to by themselves; remembered for a deal."""

    def __init__(self, wild: str, ace: str) -> None:
        self.wild = wild
        self.ace = ace
        self.points = {card: points(card, ace) for card in CARDS}
        self.beside = {card: beside(card, ace) for card in CARDS}
        self.wilds = frozenset(wild + suit for suit in SUITS)
        self.near = {card: self.beside[card] | self.wilds for card in CARDS}
        self._rests: dict[Hand, list[str]] = {}
        self._outs: dict[Hand, bool] = {}

    def rest(self, hand: Hand) -> list[str]:
        """Return the cards in no meld."""
        if hand not in self._rests:
            self._rests[hand] = best_rest(hand, self.wild, self.ace)
        return self._rests[hand]

    def goes_out(self, hand: Hand) -> bool:
        """Return whether a hand with a card drawn can go out.

        To have no card left over is not enough: three melds of three have none to discard. And
        where a few cheap cards are left over, one that costs more may be left instead.
        """
        if len(self.rest(hand)) > MOST_LEFT:
            return False
        if hand not in self._outs:
            self._outs[hand] = can_go_out(hand, self.wild, self.ace)
        return self._outs[hand]

    def helps(self, card: str, hand: Hand) -> bool:
        """Return whether a card may be in a meld, which takes two others near to it, or wilds."""
        if card[0] == self.wild:
            return True
        near = self.near[card]
        return sum([other in near for other in hand]) > 1

    def cost(self, cards: Iterable[str]) -> int:
        """Return the penalty of cards in no meld."""
        return sum([self.points[card] for card in cards])

    def after(self, rest: list[str]) -> int:
        """Return the penalty after the best discard of cards in no meld."""
        return self.cost(rest) - max([self.points[card] for card in rest], default=0)


def plus(hand: Hand, card: str) -> Hand:
    return tuple(sorted((*hand, card)))


def without(hand: Hand, card: str) -> Hand:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def gone(hand: Hand, left: Hand) -> str:
    """Return the card of a hand that is not in what is left of it."""
    return next(iter(Counter(hand) - Counter(left)))


@cache
def apart(card: str, other: str, ace: str) -> int:
    """Return how far apart two cards are in a run at least."""
    return min(abs(one - two) for one in _places(card[0], ace) for two in _places(other[0], ace))


def _places(rank: str, ace: str) -> tuple[int, ...]:
    """Return the places of a rank in a run."""
    place = RANKS.index(rank)
    return (place,) if place or ace == "low" else (place, len(RANKS))


@cache
def beside(card: str, ace: str) -> frozenset[str]:
    """Return the cards that may be in a small meld with a card, each as what it is."""
    return frozenset(
        other
        for other in CARDS
        if other[0] == card[0] or (other[1] == card[1] and apart(card, other, ace) < 3)
    )


@cache
def completing(card: str, other: str, ace: str) -> frozenset[str]:
    """Return the cards but wilds that make a meld of two others."""
    if card[0] == other[0]:
        return frozenset(card[0] + suit for suit in SUITS)
    if card[1] != other[1]:
        return frozenset()
    thirds = {rank + card[1] for rank in RANKS} - {card, other}
    return frozenset(
        third
        for third in thirds
        if max(apart(*pair, ace) for pair in ((card, other), (card, third), (other, third))) < 3
    )

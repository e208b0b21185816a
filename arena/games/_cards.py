"""The cards of Thirteen: numbers inside, names outside, in the order of rank, then suit.

A card is ``4 * rank + suit``, with ranks from 0 (ace) to 12 (king) and suits from 0 (clubs) to 3
(spades). Identical cards of several decks are the same number.
"""

from collections.abc import Iterable

Cards = tuple[int, ...]
"""Cards, ascending if they are a hand."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBERS = {name: card for card, name in enumerate(NAMES)}
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""What a card left over costs, by rank (T18)."""
POINTS_HIGH = (15, *POINTS[1:])
"""The same when an ace may be high (T22)."""


def numbers(names: Iterable[str]) -> Cards:
    """Return the cards of the names, in the same order; raise KeyError for what is no name."""
    return tuple(NUMBERS[name] for name in names)


def names(cards: Iterable[int]) -> list[str]:
    """Return the names of the cards, in the same order."""
    return [NAMES[card] for card in cards]


def plus(hand: Cards, card: int) -> Cards:
    """Return the hand with one more card, ascending."""
    return tuple(sorted((*hand, card)))


def minus(hand: Cards, card: int) -> Cards:
    """Return the hand without one such card; raise ValueError if there is none."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]

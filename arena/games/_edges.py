"""What the rare deals of all games have in common."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

Card = TypeVar("Card")


def dealt(
    pack: list[Card], players: int, size: int, given: Mapping[int, Sequence[Card]]
) -> list[list[Card]]:
    """Return hands of a size from a shuffled pack, whose rest stays in it.

    Seats hold as many of the cards as they are ``given``; seats count modulo the players.
    """
    hands: list[list[Card]] = [[] for _ in range(players)]
    for seat, cards in given.items():
        for card in cards[:size]:
            pack.remove(card)
            hands[seat % players].append(card)
    for hand in hands:
        while len(hand) < size:
            hand.append(pack.pop())
    return hands

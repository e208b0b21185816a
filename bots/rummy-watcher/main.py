"""Look one card ahead over the cards still to come, and watch what the next seat collects.

A hand is worth the mean of what it costs after each card that may be drawn next; cards on the
pile and in known hands are dead. A discard that the next seat may want costs extra.
"""

from collections import Counter
from functools import cache

from arena.bot import Observation, run
from arena.games.thirteen import RANKS, SUITS, best_rest, least_penalty, points

CARDS = [rank + suit for rank in RANKS for suit in SUITS]

GOING_OUT = 20
"""What a card is worth that lets the hand go out."""
TAKE = 4
"""How much better a hand must become by a known card before it is taken from the pile."""
CANDIDATES = 4
"""Discards that are looked at in full."""
FEEDING = 0.3
"""What a point of danger costs."""


def choose(observation: Observation, legal: list[str]) -> str:
    if len(legal) == 1 or legal[0].startswith("out"):
        return legal[0]
    view = View(observation)
    if observation["phase"] == "draw":
        return legal[1] if view.wants_top() else legal[0]
    return f"discard {view.discard()}"


class View:
    """What one decision depends on."""

    def __init__(self, observation: Observation) -> None:
        counts, seat = observation["counts"], observation["seat"]
        self.hand: list[str] = observation["hand"]
        self.top: str = observation["top"]
        self.wild: str = observation["wild"]
        self.ace: str = observation["ace"]
        self.last_turn: bool = observation["went_out"] is not None
        self.penalty: int = observation["best"]["penalty"]
        seen: Counter[str] = Counter(self.hand)
        seen.update(card for card, _, taker in observation["discards"] if taker is None)
        for other, cards in enumerate(observation["known"]):
            if other != seat:
                seen.update(cards)
        decks = (len(counts) + 1) // 2
        self.live = {card: decks - seen[card] for card in CARDS if seen[card] < decks}
        following = (seat + 1) % len(counts)
        self.collected: list[str] = observation["known"][following]
        self.refused = [card for card, by, _ in observation["discards"] if by == following]

    def wants_top(self) -> bool:
        """Return whether to take the top discard."""
        taken = [*self.hand, self.top]
        least = min(self.least(without(taken, card)) for card in set(taken))
        if self.last_turn or not least:
            return least < (self.cost(self.hand) if least else 1)
        if least >= self.penalty and not any(near(self.top, card) for card in self.hand):
            return self.top[0] == self.wild
        best = min(self.cost(without(taken, card)) for card in self.candidates(taken))
        return best < self.cost(self.hand) - TAKE

    def discard(self) -> str:
        """Return the card to discard."""
        if self.last_turn:
            return min(self.hand, key=lambda card: self.least(without(self.hand, card)))
        return min(
            self.candidates(self.hand),
            key=lambda card: self.cost(without(self.hand, card)) + FEEDING * self.danger(card),
        )

    def candidates(self, cards: list[str]) -> list[str]:
        """Return the discards that leave the least penalty, those that help least first."""

        def loss(card: str) -> tuple[int, int]:
            return self.least(without(cards, card)), sum(near(card, other) for other in cards)

        return sorted(dict.fromkeys(cards), key=loss)[:CANDIDATES]

    def least(self, cards: list[str]) -> int:
        return least_penalty(cards, self.wild, self.ace)

    def cost(self, cards: list[str]) -> float:
        """Return the mean penalty after one more card and the best discard of what is left."""
        total = 0
        rest = best_rest(cards, self.wild, self.ace)
        for card, copies in self.live.items():
            more = [*rest, card]
            if self.may_meld(card, cards):
                more = best_rest([*cards, card], self.wild, self.ace)
            left = [worth(other, self.ace) for other in more]
            penalty = sum(left) - max(left, default=0)
            total += copies * (penalty or -GOING_OUT)
        return total / max(1, sum(self.live.values()))

    def may_meld(self, card: str, cards: list[str]) -> bool:
        """Return whether a card may be in a meld, which takes two others near to it, or a wild."""
        if card[0] == self.wild or self.ace != "low":
            return True
        return sum(other[0] == self.wild or near(card, other) for other in cards) > 1

    def danger(self, card: str) -> float:
        """Return how much the next seat may want a card."""
        if card[0] == self.wild:
            return 5
        wanted = sum(2 for other in self.collected if near(card, other))
        company = sum(copies for other, copies in self.live.items() if near(card, other))
        return wanted + 0.1 * company - 0.5 * sum(near(card, other) for other in self.refused)


def without(cards: list[str], card: str) -> list[str]:
    rest = cards.copy()
    rest.remove(card)
    return rest


worth = cache(points)


@cache
def near(card: str, other: str) -> bool:
    """Return whether two cards may meet in a small meld."""
    if card[0] == other[0]:
        return True
    return card[1] == other[1] and abs(RANKS.index(card[0]) - RANKS.index(other[0])) < 3


if __name__ == "__main__":
    run(choose)

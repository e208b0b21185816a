"""Play on over the cards that may come: Monte Carlo search for the own hand.

As in the bot ``rummy-watcher`` discards are judged by the mean penalty after one more card. The
best few meet in worlds that agree with all that was seen: in each world the seat draws and
discards on until it goes out or a rival does, which is drawn by chance.

``SIMULATIONS`` is how many hands are played on for a decision at most, and ``BUDGET_MS``, if it is
not 0, how long that may take; without it the same match is always played in the same way.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice

from arena import games
from arena.bot import Bot, Event, Message, Observation, run
from arena.games.thirteen import PLUGIN, RANKS, SUITS, best_rest, points

CARDS = [rank + suit for rank in RANKS for suit in SUITS]
CANDIDATES = 4
"""Discards that are played on."""
MARGIN = 1.0
"""Standard errors by which another action must be better than the one that looks best."""
GOING_OUT = 20
"""What a card is worth that lets the hand go out."""
TAKE = 4
"""How much better a hand must become by a known card before it is taken from the pile."""
FEEDING = 0.3
"""What a point of danger costs."""
RIVALS_PAY = 10
"""What a rival pays when somebody else goes out."""
KEEP = 2
"""What a card that may meet another one of the rest is worth to be kept, in points."""
HASTE = 0.03
"""By how much the chance that a rival goes out in a turn grows with every round."""
EARLY = {3: 0.13, 4: 0.04}
"""The chance in the first round, by the number of cards dealt."""
LONGEST = 8
"""Turns of the own hand that are played on at most."""


class Search(Bot):
    """Remembers all that it was shown in the deal."""

    def __init__(self) -> None:
        self.simulations = int(os.environ.get("SIMULATIONS", "160"))
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
        if len(legal) == 1 or legal[0].startswith("out"):
            return legal[0]
        view = View(observation)
        actions = view.draws() if observation["phase"] == "draw" else view.discards()
        if len(actions) == 1:
            return actions[0]
        state = PLUGIN.imagine(self.glances, self.options)
        futures: list[Future] = []

        def value(action: str, number: int) -> float:
            if number == len(futures):
                stock = state.resample(view.seat, random).stock  # type: ignore[arg-type]
                futures.append(Future(view, [CARDS[card] for card in stock]))
            return view.value(action, futures[number])

        return games.race(
            actions if state.stock else actions[:1],
            value,
            self.simulations,
            margin=MARGIN,
            stop=lambda: bool(self.budget) and time.monotonic() > end,
        )


class View:
    """What one decision depends on."""

    def __init__(self, observation: Observation) -> None:
        counts, discards = observation["counts"], observation["discards"]
        self.seat: int = observation["seat"]
        self.hand: list[str] = observation["hand"]
        self.top: str = observation["top"]
        self.wild: str = observation["wild"]
        self.ace: str = observation["ace"]
        self.rivals = len(counts) - 1
        self.dealt = RANKS.index(self.wild) + 1
        self.round: float = observation["turn"] / len(counts)
        self.last_turn: bool = observation["went_out"] is not None
        seen = Counter([*self.hand, *(card for card, _, taker in discards if taker is None)])
        for other, cards in enumerate(observation["known"]):
            seen.update(cards if other != self.seat else ())
        decks = (len(counts) + 1) // 2
        self.live = {card: decks - seen[card] for card in CARDS if seen[card] < decks}
        following = (self.seat + 1) % len(counts)
        self.collected: list[str] = observation["known"][following]
        self.refused = [card for card, by, _ in discards if by == following]

    def draws(self) -> list[str]:
        """Return the draws that are worth a thought, the one that looks best first."""
        stock, pile = "draw stock", "draw discard"
        taken = [*self.hand, self.top]
        penalty, rest = self.left(self.rest(self.hand)), self.rest(taken)
        if self.last_turn or len(rest) < 2:
            return [pile if self.after(rest) < penalty or len(rest) < 2 else stock]
        if self.after(rest) >= penalty and not self.helps(self.top, self.hand):
            return [pile if self.top[0] == self.wild else stock]
        best = min(self.cost(without(taken, card)) for card in self.candidates(taken))
        return [pile, stock] if best < self.cost(self.hand) - TAKE else [stock, pile]

    def discards(self) -> list[str]:
        """Return the discards that are worth a thought, the one that looks best first."""
        candidates = self.candidates(self.hand)
        if not self.last_turn:
            candidates.sort(
                key=lambda card: self.cost(without(self.hand, card)) + FEEDING * self.danger(card)
            )
        return [f"discard {card}" for card in candidates[: 1 if self.last_turn else None]]

    def candidates(self, cards: list[str]) -> list[str]:
        """Return the discards that leave the least penalty, those that help least first."""

        def loss(card: str) -> tuple[int, int]:
            return self.left(self.rest(without(cards, card))), self.company(card, cards)

        return sorted(dict.fromkeys(cards), key=loss)[:CANDIDATES]

    def cost(self, cards: list[str]) -> float:
        """Return the mean penalty after one more card and the best discard of what is left."""
        total, rest = 0, self.rest(cards)
        for card, copies in self.live.items():
            total += copies * (self.after(self.rest_with(cards, rest, card)) or -GOING_OUT)
        return total / max(1, sum(self.live.values()))

    def danger(self, card: str) -> float:
        """Return how much the next seat may want a card."""
        if card[0] == self.wild:
            return 5
        wanted = 2 * self.company(card, self.collected) - 0.5 * self.company(card, self.refused)
        return wanted + 0.1 * sum(
            copies for other, copies in self.live.items() if near(card, other)
        )

    def value(self, action: str, future: Future) -> float:
        """Return what an action comes to in a future, in penalties; more is better."""
        phase, card = action.split()
        if phase == "discard":
            hand = without(self.hand, card)
            return self.play_on(hand, future) - FEEDING * self.danger(card)
        card = future.next if card == "stock" else self.top
        rest = self.rest_with(self.hand, self.rest(self.hand), card)
        if len(rest) < 2:
            return RIVALS_PAY
        return self.play_on(without([*self.hand, card], self.worst(rest)), future)

    def play_on(self, hand: list[str], future: Future) -> float:
        """Play the own hand to the end of the deal: draw, go out if possible, discard."""
        rest = self.rest(hand)
        for turn, (offered, drawn) in enumerate(future.turns):
            with_offered = self.rest_with(hand, rest, offered)
            card, found = offered, with_offered
            if len(with_offered) > 1 and self.after(with_offered) > self.left(rest) - TAKE:
                card, found = drawn, self.rest_with(hand, rest, drawn)
            if turn == future.last:
                return RIVALS_PAY * (self.rivals - 1) / self.rivals - self.after(found)
            if len(found) < 2:
                return RIVALS_PAY
            gone = self.worst(found)
            hand, rest = without([*hand, card], gone), without(found, gone)
        return RIVALS_PAY * (self.rivals - 1) / self.rivals - self.left(rest)

    def worst(self, rest: list[str]) -> str:
        """Return the card to discard of those in no meld."""
        return max(rest, key=lambda card: points(card, self.ace) - KEEP * self.company(card, rest))

    def rest(self, cards: list[str]) -> list[str]:
        return best_rest(cards, self.wild, self.ace)

    def rest_with(self, cards: list[str], rest: list[str], card: str) -> list[str]:
        """Return the cards in no meld with one card more; ``rest`` are those without it."""
        if self.helps(card, cards):
            return self.rest([*cards, card])
        return [*rest, card]

    def helps(self, card: str, cards: list[str]) -> bool:
        """Return whether a card may be in a meld, which takes two others near to it, or wilds."""
        return card[0] == self.wild or self.company(card, cards) > 1

    def company(self, card: str, cards: Sequence[str]) -> int:
        """Return how many of the cards could be in a small meld with a card."""
        return sum(other[0] == self.wild or near(card, other) for other in cards)

    def left(self, rest: Sequence[str]) -> int:
        return sum(points(card, self.ace) for card in rest)

    def after(self, rest: Sequence[str]) -> int:
        """Return the penalty after the best discard of cards in no meld."""
        left = [points(card, self.ace) for card in rest]
        return sum(left) - max(left, default=0)


class Future:
    """The cards to come in a world, by own turns: one that the seat before offers, one of the
    stock; ``last`` is the number of the turn after a rival has gone out."""

    def __init__(self, view: View, stock: list[str]) -> None:
        cards = cycle(stock)
        self.next = next(cards)
        self.turns = []
        for _ in range(LONGEST):
            *_, offered, drawn = islice(cards, view.rivals + 1)
            self.turns.append((offered, drawn))
        self.last = 0
        early = EARLY.get(view.dealt, 0.0)
        while self.last < LONGEST and all(
            random.random() > early + HASTE * (view.round + self.last) for _ in range(view.rivals)
        ):
            self.last += 1


def without(cards: list[str], card: str) -> list[str]:
    rest = cards.copy()
    rest.remove(card)
    return rest


@cache
def near(card: str, other: str) -> bool:
    """Return whether two cards may meet in a small meld."""
    if card[0] == other[0]:
        return True
    return card[1] == other[1] and abs(RANKS.index(card[0]) - RANKS.index(other[0])) < 3


if __name__ == "__main__":
    run(Search)

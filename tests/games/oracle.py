"""The melds of Thirteen once more, straight from the rules, and least penalties by two ways.

Cards are names; ``wild`` is a rank; ``ace`` is the option.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = [rank + suit for rank in RANKS for suit in SUITS]


def orders(ace: str) -> tuple[str, ...]:
    """Return the orders of ranks that a run can follow: with the ace low, or at either end."""
    return (RANKS,) if ace == "low" else (RANKS, RANKS[1:] + "A")


def cost(card: str, ace: str) -> int:
    rank = card[0]
    if rank == "A":
        return 1 if ace == "low" else 15
    return int(rank) if rank.isdigit() else 10


def is_set(cards: Sequence[str], wild: str) -> bool:
    return len(cards) >= 3 and len({card[0] for card in cards if card[0] != wild}) <= 1


def is_run(cards: Sequence[str], wild: str, ace: str) -> bool:
    """Return whether the cards are a run in some order: each window of ranks is tried."""
    plain = [card for card in cards if card[0] != wild]
    ranks = {card[0] for card in plain}
    return (
        3 <= len(cards) <= 13
        and len({card[1] for card in plain}) <= 1
        and len(ranks) == len(plain)
        and any(
            ranks <= set(order[low : low + len(cards)])
            for order in orders(ace)
            for low in range(14 - len(cards))
        )
    )


def is_meld(cards: Sequence[str], wild: str, ace: str) -> bool:
    return is_set(cards, wild) or is_run(cards, wild, ace)


def by_brute_force(hand: Sequence[str], wild: str, ace: str) -> int:
    """Return the least penalty by trying every division of a hand of up to 8 cards."""

    @cache
    def least(left: tuple[str, ...]) -> int:
        if not left:
            return 0
        first, others = left[0], left[1:]
        best = cost(first, ace) + least(others)
        for size in range(2, len(others) + 1):
            for chosen in combinations(range(len(others)), size):
                if is_meld([first, *(others[i] for i in chosen)], wild, ace):
                    rest = tuple(card for i, card in enumerate(others) if i not in chosen)
                    best = min(best, least(rest))
        return best

    return least(tuple(hand))


class _Model:
    """A linear program in whole numbers: minimise the cost of cards in no meld."""

    def __init__(self) -> None:
        self.gains: list[float] = []
        self.most: list[int] = []
        self.rows: list[tuple[dict[int, int], float, float]] = []

    def variable(self, most: int, gain: float = 0.0) -> int:
        self.gains.append(gain)
        self.most.append(most)
        return len(self.gains) - 1

    def row(self, terms: dict[int, int], low: float, high: float) -> None:
        self.rows.append((terms, low, high))

    def gain(self) -> int:
        matrix = np.zeros((len(self.rows), len(self.gains)))
        for number, (terms, _, _) in enumerate(self.rows):
            for variable, factor in terms.items():
                matrix[number, variable] = factor
        result = milp(
            -np.array(self.gains),
            integrality=np.ones(len(self.gains)),
            bounds=Bounds(0, np.array(self.most)),
            constraints=LinearConstraint(
                matrix, [low for _, low, _ in self.rows], [high for _, _, high in self.rows]
            ),
        )
        assert result.success
        return round(-result.fun)


def by_packing(hand: Sequence[str], wild: str, ace: str) -> int:
    """Return the least penalty by packing melds into the hand.

    There is a variable for each card name in each meld that can hold it, one for the wilds in
    each meld, and one for how often the meld is made. A meld is the set of a rank, or a window of
    ranks in a suit.
    """
    held = Counter(card for card in hand if card[0] != wild)
    wilds = len(hand) - held.total()
    worth = max((cost(card, ace) for card in hand if card[0] == wild), default=0)
    model, used_wilds = _Model(), dict[int, int]()
    used: dict[str, dict[int, int]] = {card: {} for card in held}
    for rank in {card[0] for card in hand}:
        made = model.variable(1)
        size = {}
        for card in held:
            if card[0] == rank:
                variable = model.variable(held[card], cost(card, ace))
                size[variable] = used[card][variable] = 1
        joker = model.variable(wilds, worth)
        used_wilds[joker] = 1
        model.row({**size, joker: 1, made: -3}, 0, np.inf)
        model.row({**size, joker: 1, made: -len(hand)}, -np.inf, 0)
    for window in _windows(held, wilds, ace):
        made = model.variable(len(hand) // 3)
        size = {}
        for card in window:
            if card in held:
                variable = model.variable(held[card], cost(card, ace))
                model.row({variable: 1, made: -1}, -np.inf, 0)
                size[variable] = used[card][variable] = 1
        joker = model.variable(wilds, worth)
        used_wilds[joker] = 1
        model.row({**size, joker: 1, made: -len(window)}, 0, 0)
    for card, terms in used.items():
        model.row(terms, 0, held[card])
    model.row(used_wilds, 0, wilds)
    return sum(cost(card, ace) for card in hand) - model.gain()


def _windows(held: Counter[str], wilds: int, ace: str) -> Iterator[tuple[str, ...]]:
    """Yield the cards of every run that the hand has a card of, and wilds enough for the rest."""
    for order in orders(ace):
        for suit in SUITS:
            for low, high in combinations(range(14), 2):
                window = tuple(rank + suit for rank in order[low:high])
                missing = sum(card not in held for card in window)
                if high - low >= 3 and missing < len(window) and missing <= wilds:
                    yield window


def hard_hand(rng: random.Random) -> tuple[list[str], str, str]:
    """Return a hand with its wild rank and ace option, out of one to four decks.

    Many have several wilds, identical cards, and long runs of one or two suits.
    """
    hand: list[str] = []
    while len(hand) < 3:
        wild, ace = rng.choice(RANKS), rng.choice(["low", "high-or-low"])
        size, decks = rng.randint(3, 14), rng.randint(1, 4)
        jokers = [wild + suit for suit in SUITS] * decks
        wilds = min(rng.choice([0, 0, 1, 1, 2, 2, 3, 4, 6, 9, 13]), size, len(jokers))
        suits = rng.sample(SUITS, rng.choice([1, 1, 2, 2, 3, 4]))
        ranks = rng.sample(RANKS, rng.choice([3, 4, 5, 13, 13, 13]))
        fits = [card for card in DECK if card[0] in ranks and card[1] in suits and card[0] != wild]
        pool = fits * decks
        hand = rng.sample(jokers, wilds) + rng.sample(pool, min(size - wilds, len(pool)))
    return hand, wild, ace

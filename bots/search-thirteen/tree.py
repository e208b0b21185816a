"""A tree of the own hands that may come, over worlds that agree with all that was seen."""

from __future__ import annotations

from itertools import cycle, islice
from math import log, sqrt

from hands import CARDS, Hand, plus, without
from outlook import Outlook

from arena.games.thirteen import ThirteenState

PRIOR = 10
"""Visits that the first guess of what a hand is worth counts for."""
EXPLORE = 3.0
"""What a hand that was seldom met may be better than it looks, in points."""
BREADTH = 2
"""Discards that a simulation chooses from."""
LONGEST = 3
"""Turns of the own hand that a simulation goes down at most."""


class World:
    """The cards that come to the seat in a world, by own turns: one offered, one of the stock.

    An empty stock is made anew of the discards.
    """

    def __init__(self, state: ThirteenState, outlook: Outlook) -> None:
        near, worth = outlook.melds.near, outlook.melds.points
        hand = [CARDS[card] for card in state.hands[outlook.seat - 1]]
        spare = sorted(
            hand, key=lambda card: worth[card] - 3 * sum([other in near[card] for other in hand])
        )
        pile = [card for card, _, taker in state.discards if taker is None]
        drawn = cycle([CARDS[card] for card in state.stock] or pile or hand)
        self.next = next(drawn)
        self.turns = list(islice(zip(cycle(reversed(spare)), drawn, strict=False), LONGEST))


class Node:
    """A hand at the end of an own turn: how often it was met, and what it came to in all."""

    def __init__(self, value: float) -> None:
        self.visits = 0
        self.total = PRIOR * value

    @property
    def weight(self) -> int:
        """How much the node has been seen, its first guess included."""
        return PRIOR + self.visits


class Tree:
    """The hands met so far by the own turns until then, each with what it came to."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.nodes: dict[tuple[Hand, int], Node] = {}

    def play(self, hand: Hand, action: str, top: str, world: World) -> float:
        """Return what an action comes to in a world."""
        phase, card = action.split()
        if phase == "discard":
            return self.value(hand, without(hand, card), world, 0)
        return self.discard(plus(hand, world.next if card == "stock" else top), world, 0)

    def value(self, hand: Hand, left: Hand, world: World, turn: int) -> float:
        """Keep what is left of a hand and play on; return what it comes to."""
        outlook = self.outlook
        node = self.node(hand, left, turn)
        if not node.visits or turn == len(world.turns):
            value = outlook.kept(hand, left, turn)
        else:
            goes_on = self.draw(left, world, turn)
            value = outlook.ending * outlook.last(left) + (1 - outlook.ending) * goes_on
        node.visits += 1
        node.total += value
        return value

    def draw(self, hand: Hand, world: World, turn: int) -> float:
        """Take the offered card if that looks better, else the one of the stock."""
        outlook = self.outlook
        offered, drawn = world.turns[turn]
        if outlook.melds.helps(offered, hand):
            taken = plus(hand, offered)
            if outlook.melds.goes_out(taken):
                return outlook.first
            best = max(outlook.kept(taken, left, turn + 1) for left in self.likely(taken))
            if best > outlook.stock(hand, turn + 1):
                return self.discard(taken, world, turn + 1)
        return self.discard(plus(hand, drawn), world, turn + 1)

    def discard(self, hand: Hand, world: World, turn: int) -> float:
        """Go out, or play the discard that looks best on."""
        if self.outlook.melds.goes_out(hand):
            return self.outlook.first
        return self.value(hand, self.select(hand, turn), world, turn)

    def select(self, hand: Hand, turn: int) -> Hand:
        nodes = [(self.node(hand, left, turn), left) for left in self.likely(hand)]
        tries = log(1 + sum(node.visits for node, _ in nodes))

        def promise(pair: tuple[Node, Hand]) -> float:
            node, _ = pair
            return node.total / node.weight + EXPLORE * sqrt(tries) / node.weight

        return max(nodes, key=promise)[1]

    def likely(self, hand: Hand) -> list[Hand]:
        return self.outlook.candidates(hand)[:BREADTH]

    def node(self, hand: Hand, left: Hand, turn: int) -> Node:
        if (left, turn) not in self.nodes:
            self.nodes[left, turn] = Node(self.outlook.kept(hand, left, turn))
        return self.nodes[left, turn]

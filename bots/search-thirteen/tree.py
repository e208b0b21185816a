"""A tree of the own hands that may come, over worlds that agree with all that was seen."""

from __future__ import annotations

from itertools import cycle, islice
from math import log, sqrt

from hands import CARDS, Hand, plus, without
from outlook import FEEDING, Outlook

from arena.games.thirteen import ThirteenState

PRIOR = 10
"""Visits that the first guess of what a hand is worth counts for."""
EXPLORE = 3.0
"""What a hand that was seldom met may be better than it looks, in points."""
TAKE = 1.5
"""How much better a hand must be with an offered card, as one of the stock may do better."""
LONGEST = 6
"""Turns of the own hand that a simulation goes down at most."""


class World:
    """The cards that come to the seat in a world, by own turns: one offered, one of the stock."""

    def __init__(self, state: ThirteenState, outlook: Outlook) -> None:
        near, worth = outlook.melds.near, outlook.melds.points
        hand = [CARDS[card] for card in state.hands[outlook.seat - 1]]
        spare = sorted(
            hand, key=lambda card: worth[card] - 3 * sum([other in near[card] for other in hand])
        )
        drawn = cycle([CARDS[card] for card in state.stock])
        self.next = next(drawn)
        self.turns = list(islice(zip(cycle(reversed(spare)), drawn, strict=False), LONGEST))


class Node:
    """A hand at the end of the own turn: how often it was met, and what it came to in all."""

    def __init__(self, value: float) -> None:
        self.visits = 0
        self.total = PRIOR * value

    @property
    def weight(self) -> int:
        """How much the node has been seen, its first guess included."""
        return PRIOR + self.visits


class Tree:
    """The hands met so far, each with what it came to."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.nodes: dict[Hand, Node] = {}
        self.children: dict[Hand, list[Hand]] = {}

    def play(self, hand: Hand, action: str, top: str, world: World) -> float:
        """Return what an action comes to in a world."""
        phase, card = action.split()
        if phase == "discard":
            danger = FEEDING * self.outlook.danger(card)
            return self.value(without(hand, card), world) - danger
        return self.discard(plus(hand, world.next if card == "stock" else top), world, -1)

    def value(self, hand: Hand, world: World, turn: int = 0) -> float:
        """Play the hand on from the end of an own turn; return what it comes to."""
        outlook = self.outlook
        node = self.node(hand)
        prospect = outlook.prospect(hand)
        if not node.visits or turn == len(world.turns):
            value = prospect.value
        else:
            stays = 1 - outlook.ending
            value = outlook.ending * prospect.last + stays * self.draw(hand, world, turn)
        node.visits += 1
        node.total += value
        return value

    def draw(self, hand: Hand, world: World, turn: int) -> float:
        """Take the offered card if that helps, else the one of the stock."""
        outlook = self.outlook
        offered, drawn = world.turns[turn]
        if outlook.melds.helps(offered, hand):
            taken = plus(hand, offered)
            if outlook.melds.goes_out(taken):
                return outlook.first
            if outlook.quick(outlook.candidates(taken)[0]) > outlook.quick(hand) + TAKE:
                return self.discard(taken, world, turn)
        return self.discard(plus(hand, drawn), world, turn)

    def discard(self, hand: Hand, world: World, turn: int) -> float:
        """Go out, or play the discard that looks best on."""
        if self.outlook.melds.goes_out(hand):
            return self.outlook.first
        return self.value(self.select(hand), world, turn + 1)

    def select(self, hand: Hand) -> Hand:
        if hand not in self.children:
            self.children[hand] = self.outlook.candidates(hand)
        nodes = [(self.node(child), child) for child in self.children[hand]]
        tries = log(1 + sum(node.visits for node, _ in nodes))
        return max(
            nodes,
            key=lambda pair: (
                pair[0].total / pair[0].weight + EXPLORE * sqrt(tries) / pair[0].weight
            ),
        )[1]

    def node(self, hand: Hand) -> Node:
        if hand not in self.nodes:
            self.nodes[hand] = Node(self.outlook.quick(hand))
        return self.nodes[hand]

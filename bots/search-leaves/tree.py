"""A tree of what the seat that searches knows: it decides again further on in the deal.

Its nodes are information sets: all that has been done since the root, whatever the world. A seat
that comes to one takes the cheapest action there, as everywhere, until the node has been seen
often enough; from then on it tries others, by PUCT, and prefers those that have done well. The
rivals take the cheapest action of their hand in each world.
"""

from collections.abc import Sequence
from math import exp, sqrt

import numpy as np
from costs import UNIT, Floats, Ints
from playouts import CODES, FAR, Playouts

SEEN = 12
"""Deals that come through a node before it tries another action than the cheapest one."""
WIDTH = 3
"""Actions of a node at most."""
EXPLORE = 0.2
"""Weight of the actions that were tried seldom."""
WARMTH = 0.5
"""The cost by which an action must be dearer to be tried e times less."""


class Node:
    """Actions as (value, pass), the cheapest first, with how often each was begun and ended, and
    the sum of its worth. A new node knows the cheapest one only, by its place."""

    def __init__(self) -> None:
        self.actions: list[tuple[int, int]] = []
        self.priors: list[float] = []
        self.begun, self.ended, self.worth = [0], [0], [0.0]

    def grow(self, codes: Sequence[int]) -> None:
        """Take in the other actions, by the codes of ``Playouts``, the cheapest first."""
        self.actions = [divmod(code & (1 << CODES) - 1, 2) for code in codes]
        costs = [(code >> CODES) / UNIT for code in codes]
        priors = [exp((costs[0] - cost) / WARMTH) for cost in costs]
        self.priors = [prior / sum(priors) for prior in priors]
        for counts in (self.begun, self.ended, self.worth):
            counts += [0] * (len(codes) - 1)

    def select(self) -> int:
        """Return the number of the action to try."""
        seen = sum(self.begun)
        usual = self.worth[0] / max(1, self.ended[0])
        scores = [
            (worth / ended if ended else usual) + EXPLORE * prior * sqrt(seen) / (1 + begun)
            for worth, ended, begun, prior in zip(
                self.worth, self.ended, self.begun, self.priors, strict=True
            )
        ]
        return scores.index(max(scores))


class Tree:
    """The nodes below the actions of one decision of the seat ``me``."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.nodes: dict[int, Node] = {}
        self.paths: list[list[tuple[Node, int]]] = []
        self.within: np.ndarray = np.zeros(0, dtype=bool)

    def begin(self, deals: int) -> None:
        """Begin so many deals at the root."""
        self.paths = [[] for _ in range(deals)]
        self.within = np.ones(deals, dtype=bool)

    def steer(self, playouts: Playouts, value: Ints, passing: Ints) -> None:
        """Change what the seat does in the deals that are still within the tree."""
        mine = (playouts.seat == self.me) & playouts.alive & self.within[playouts.ids]
        for row in np.flatnonzero(mine).tolist():
            key, deal = int(playouts.history[row]), int(playouts.ids[row])
            node = self.nodes.setdefault(key, Node())
            number = 0
            if node.ended[0] >= SEEN:
                if not node.actions:
                    codes = np.sort(np.concatenate([playouts.play[row], playouts.take[row]]))
                    node.grow([code for code in codes[:WIDTH].tolist() if code >> CODES < FAR])
                number = node.select()
                value[row], passing[row] = node.actions[number]
            else:
                self.within[deal] = False
            node.begun[number] += 1
            self.paths[deal].append((node, number))

    def end(self, worth: Floats) -> None:
        """Tell the nodes what the deals have come to."""
        for path, found in zip(self.paths, worth.tolist(), strict=True):
            for node, number in path:
                node.ended[number] += 1
                node.worth[number] += found

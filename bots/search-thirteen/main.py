"""Search a tree of the own hands over worlds that agree with all that was seen.

A first look judges by two small networks what every draw and discard leads to. Where two actions
look alike, a tree is searched. A node is what the seat knows after a discard: its hand, some turns
from now. A simulation draws a world, follows the nodes that look best in the cards that come there,
and adds one node with what the networks say of its hand, which counts as some visits until there
are more of them. Rivals go out by chance, told by their takes from the pile and by the round. It is
not drawn: each node counts both ways by their weights.

``SIMULATIONS`` is how many there are for a decision, and ``BUDGET_MS``, if it is not 0, how long
they may take; without it the same match is always played in the same way.
"""

from __future__ import annotations

import os
import random
import time

from hands import Melds
from outlook import Outlook
from tree import Tree, World

from arena import games
from arena.bot import Bot, Event, Message, Observation, run
from arena.games.thirteen import PLUGIN

MARGIN = 2.0
"""Standard errors by which another action must be better than the one that looks best."""


class Search(Bot):
    """Remembers all that it was shown in the deal."""

    def __init__(self) -> None:
        self.simulations = int(os.environ.get("SIMULATIONS", "20"))
        self.budget = float(os.environ.get("BUDGET_MS", "0")) / 1000

    def match_start(self, message: Message) -> None:
        self.options = message["options"]

    def deal_start(self, message: Message) -> None:
        observation = message["observation"]
        self.glances: list[games.Glance] = [([], observation)]
        self.heard: list[Event] = []
        self.melds = Melds(observation["wild"], observation["ace"])

    def events(self, events: list[Event]) -> None:
        self.heard += events

    def choose(self, observation: Observation, legal: list[str]) -> str:
        end = time.monotonic() + self.budget
        self.glances.append((self.heard, observation))
        self.heard = []
        if len(legal) == 1 or legal[0].startswith("out"):
            return legal[0]
        outlook = Outlook(observation, self.melds)
        hand = tuple(sorted(observation["hand"]))
        actions = (
            outlook.draws(hand, observation["top"])
            if observation["phase"] == "draw"
            else outlook.discards(hand)
        )
        if len(actions) == 1:
            return actions[0]
        state = PLUGIN.imagine(self.glances, self.options)
        tree = Tree(outlook)
        worlds: list[World] = []

        def value(action: str, number: int) -> float:
            if number == len(worlds):
                world = state.resample(outlook.seat, random)  # type: ignore[arg-type]
                worlds.append(World(world, outlook))
            return tree.play(hand, action, observation["top"], worlds[number])

        return games.race(
            actions,
            value,
            self.simulations,
            margin=MARGIN,
            stop=lambda: bool(self.budget) and time.monotonic() > end,
        )


if __name__ == "__main__":
    run(Search)

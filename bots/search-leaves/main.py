"""Search in a tree of information sets, over worlds that explain what the rivals have done.

Actions are ordered by their cost, as in the bot ``counter``. The cheapest few meet in the same
worlds (``beliefs``): in each of them the deal is played to its end (``playouts``), every seat
taking the action of least cost, but for the own one where the search knows better (``tree``).

``SIMULATIONS`` is how many deals are played on for a decision at most, and ``BUDGET_MS``, if it is
not 0, how long that may take; without it the same match is always played in the same way.
"""

import itertools
import os
import random
import time
from collections.abc import Callable, Sequence
from math import copysign, inf, sqrt
from typing import Any

import numpy as np
from beliefs import Beliefs, Past
from costs import Costs, Floats, Ints, Root, unseen
from playouts import Playouts
from tree import Tree

from arena import games
from arena.bot import Bot, Event, Message, Observation, run
from arena.games.leaves import PLUGIN, LeavesState

CANDIDATES = 6
"""Actions that are played on."""
WORLDS = 64
"""Worlds at a time."""
FEWEST = 4
"""Worlds at a time at least."""
DRAWN = 16
"""Worlds that are drawn; the others begin as their likes."""
MOVES = 20
"""How often the worlds are changed before they are first used."""
MORE = 4
"""How often they are changed before they are used again."""
BEHIND = 2.0
"""Standard errors of the mean difference to the leader with which an action is given up."""
MARGIN = 1.0
"""Standard errors by which an action must be better than the cheapest one."""
SPREAD = 6.0
"""How far two seats drift apart in a deal, in penalties."""
DEAL = 5.0
"""What the last seat gets in a deal, in penalties."""

Stop = Callable[[], bool]


class Search(Bot):
    """Remembers all that it was shown in the deal."""

    def __init__(self) -> None:
        self.simulations = int(os.environ.get("SIMULATIONS", "800"))
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
        if len(legal) == 1:
            return legal[0]
        state = PLUGIN.imagine(self.glances, self.options)
        decision = Decision(state, observation, self.options)
        events = [event for more, _ in self.glances for event in more]
        value, count = decision.search(
            events, self.simulations, lambda: bool(self.budget) and time.monotonic() > end
        )
        return f"play {value + 1}x{count}" if count else f"pass {value + 1}"


class Decision:
    """The actions of one decision, the cheapest first, and what they have come to."""

    def __init__(
        self, state: LeavesState, observation: Observation, options: dict[str, Any]
    ) -> None:
        self.state, self.me, self.options = state, observation["seat"], options
        self.totals = observation["totals"]
        self.actions = [action for _, *action in Root(state, self.me).actions()[:CANDIDATES]]
        self.worth: list[Floats] = [np.zeros(0) for _ in self.actions]
        self.running = list(range(len(self.actions)))

    def search(self, events: Sequence[Sequence[Any]], simulations: int, stop: Stop) -> list[int]:
        """Return the best action as value and number of cards, 0 for a pass."""
        unknown = unseen(self.state, self.me)
        costs, tree = Costs(self.state.discarded, unknown), Tree(self.me)
        number = max(FEWEST, min(WORLDS, simulations // (2 * len(self.actions))))
        beliefs = self._beliefs(number, unknown, events)
        beliefs.move(MOVES, stop)
        while len(self.running) > 1 and simulations >= number * len(self.running) and not stop():
            simulations -= number * len(self.running)
            self._play_on(beliefs.hands(), costs, tree)
            self._give_up()
            beliefs.move(MORE, stop)
        best = max(self.running, key=self._mean)
        return self.actions[best if self._lead(best, 0) >= MARGIN else 0]

    def _beliefs(
        self, number: int, unknown: Sequence[int], events: Sequence[Sequence[Any]]
    ) -> Beliefs:
        """Return so many worlds, as they are drawn."""
        rng: Any = random
        drawn = [self.state.resample(self.me, rng) for _ in range(min(number, DRAWN))]
        worlds = list(itertools.islice(itertools.cycle(drawn), number))
        past = Past(PLUGIN.restore(self.state.record(), self.options), events)
        chance = np.random.default_rng(random.getrandbits(64))
        return Beliefs(worlds, self.me, unknown, past, chance)

    def _play_on(self, hands: Ints, costs: Costs, tree: Tree) -> None:
        """Let the actions still in the running meet in worlds with these hands."""
        playouts = Playouts(np.concatenate([hands] * len(self.running)), self.state)
        actions = np.array([self.actions[number] for number in self.running])
        value, count = actions.repeat(len(hands), axis=0).T
        playouts.act(value, (count == 0).astype(np.int64), count)
        tree.begin(len(value))
        penalties = playouts.finish(costs, tree.steer)
        worth = shares(penalties, self.me, self.totals, self.options["target"])
        tree.end(worth)
        for number, found in zip(self.running, worth.reshape(-1, len(hands)), strict=True):
            self.worth[number] = np.append(self.worth[number], found)

    def _give_up(self) -> None:
        """Take those out of the running that have fallen behind."""
        leader = max(self.running, key=self._mean)
        self.running = [
            number
            for number in self.running
            if number == leader or self._lead(leader, number) <= BEHIND
        ]

    def _mean(self, number: int) -> float:
        return float(self.worth[number].sum()) / max(1, len(self.worth[number]))

    def _lead(self, ahead: int, behind: int) -> float:
        """Return the mean difference in standard errors over the worlds that both have met."""
        met = min(len(self.worth[ahead]), len(self.worth[behind]))
        if not met:
            return 0.0
        differences = self.worth[ahead][:met] - self.worth[behind][:met]
        mean, error = float(differences.mean()), float(differences.std(ddof=1)) / sqrt(met)
        return mean / error if error else copysign(inf, mean) if mean else 0.0


def shares(penalties: Ints, seat: int, totals: Sequence[int], target: int | None) -> Floats:
    """Return for each row the share of the match that can be expected after such a deal."""
    rivals = [other for other in range(penalties.shape[1]) if other != seat]
    after = np.minimum(penalties, 1) if target is None else penalties + np.array(totals)
    ahead = after[:, rivals] - after[:, [seat]]
    final: Floats = ((ahead > 0) + (ahead == 0) / 2).mean(axis=1)
    if target is None:
        return final
    left = target - after.max(axis=1)
    drift = SPREAD * np.sqrt(np.maximum(1.0, left / DEAL))
    chances: Floats = (1 / (1 + np.exp(-ahead / drift[:, None]))).mean(axis=1)
    return np.where(left <= 0, final, chances)


if __name__ == "__main__":
    run(Search)

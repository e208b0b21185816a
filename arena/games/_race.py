"""Choose between actions by what they come to in many worlds."""

import itertools
from collections.abc import Callable, Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import TypeVar

T = TypeVar("T")
BATCH = 10
"""Worlds between two looks at who has fallen behind."""
BEHIND = 2.0
"""Standard errors of the mean difference to the leader with which an action is given up."""


def race(
    actions: Sequence[T],
    value: Callable[[T, int], float],
    simulations: int,
    *,
    margin: float = 0.0,
    stop: Callable[[], bool] = lambda: False,
) -> T:
    """Return the action with the best mean of ``value(action, world)``; worlds are numbers from 0.

    All actions meet the same worlds, so that it is differences that are compared. After every few
    worlds those are given up that have clearly fallen behind, until one is left, ``simulations``
    values were asked for, or ``stop()`` is true. The first action is the favourite: another one
    must be ahead of it by ``margin`` standard errors of the mean difference.
    """
    values: dict[T, list[float]] = {action: [] for action in actions}
    running = list(actions)
    worlds = itertools.count()
    while len(running) > 1 and simulations >= BATCH * len(running) and not stop():
        for world in itertools.islice(worlds, BATCH):
            for action in running:
                values[action].append(value(action, world))
        simulations -= BATCH * len(running)
        leader = max(running, key=lambda action: fmean(values[action]))
        running = [
            action
            for action in running
            if action == leader or _lead(values[leader], values[action]) <= BEHIND
        ]
    favourite = actions[0]
    best = max(running, key=lambda action: fmean(values[action] or [0.0]))
    if best == favourite or _lead(values[best], values[favourite]) >= margin:
        return best
    return favourite


def _lead(ahead: Sequence[float], behind: Sequence[float]) -> float:
    """Return the mean difference in standard errors over the worlds that both have met."""
    differences = [one - other for one, other in zip(ahead, behind, strict=False)]
    if len(differences) < 2:
        return 0.0
    mean, error = fmean(differences), stdev(differences) / sqrt(len(differences))
    if not error:
        return inf if mean > 0 else 0.0
    return mean / error

"""Compare two ways to play 13 Leaves, without bots or processes: python example_in_process.py.

A policy is given what its seat may know and the legal actions, and returns one of these.
"""

import random
from collections.abc import Sequence
from typing import Any

from arena import games

MATCHES = 20


def shedder(observation: dict[str, Any], legal: Sequence[str]) -> str:
    """Play as many cards as possible; else take the value that is most often in the hand."""
    plays = [action for action in legal if action.startswith("play")]
    if plays:
        return max(plays, key=lambda action: int(action.split("x")[1]))
    return max(legal, key=lambda action: observation["hand"].count(int(action.split()[1])))


def main() -> None:
    rng = random.Random(13)

    def anything(_observation: dict[str, Any], legal: Sequence[str]) -> str:
        return rng.choice(legal)

    policies = {"shedder": shedder, "random 1": anything, "random 2": anything}
    results = [games.play("leaves", list(policies.values()), seed=n) for n in range(MATCHES)]
    for seat, name in enumerate(policies):
        mean = sum(result.totals[seat] for result in results) / MATCHES
        wins = sum(result.places[seat] == 1 for result in results)
        print(f"{name:10}{wins:3} wins of {MATCHES}, {mean:5.1f} penalties a match")


if __name__ == "__main__":
    main()

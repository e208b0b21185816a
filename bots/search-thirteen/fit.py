"""Fit the networks of search-thirteen anew, to deals of its first look with rummy-watcher.

    python bots/search-thirteen/fit.py --deals 1000 FOLDER

Every seat but the watchers' now and then does something else than what looks best. What a hand
came to is told by what the network says of the next hand and by the end of the deal (a lambda
return), so that chance counts for less. The weights are written to FOLDER.
"""

import argparse
import itertools
import random
import runpy
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from hands import Hand, Melds, gone
from numpy.typing import NDArray
from outlook import Outlook

from arena import games

WATCHER = Path(__file__).parents[1] / "rummy-watcher" / "main.py"
EXPLORE = 0.1
"""The part of decisions that are left to chance."""
LAMBDA = 0.6
"""What the rest of the deal counts for, and what is said of the next hand the rest of it."""
WATCHERS = 0.65
"""The part of seats that rummy-watcher plays."""
LAYERS = (96, 32)
EPOCHS = 12
BATCH = 512
RATE = 1e-3

Numbers = NDArray[np.float32]
Weights = list[NDArray[np.float32]]


class Kept(NamedTuple):
    """A hand that was kept, what was said of it, and whether chance had a part in it."""

    features: list[float]
    value: float
    chance: bool
    before_draw: list[float] | None


class Learner:
    """Plays the first look of search-thirteen with some chance, and remembers what it kept."""

    def __init__(self, chance: random.Random) -> None:
        self.kept: list[Kept] = []
        self._chance = chance
        self._explored = False
        self._before: list[float] | None = None

    def choose(self, observation: dict[str, Any], legal: Sequence[str]) -> str:
        outlook = Outlook(observation, Melds(observation["wild"], observation["ace"]))
        hand = tuple(sorted(observation["hand"]))
        if legal[0].startswith("out"):
            return legal[0]
        if observation["phase"] == "draw":
            return self._draw(outlook, hand, observation["top"], legal)
        if outlook.last_turn:
            return outlook.discards(hand)[0]
        return self._discard(outlook, hand)

    def _draw(self, outlook: Outlook, hand: Hand, top: str, legal: Sequence[str]) -> str:
        self._explored, self._before = False, None
        action = outlook.draws(hand, top)[0] if len(legal) > 1 else legal[0]
        if len(legal) > 1 and not outlook.last_turn and self._chance.random() < EXPLORE:
            action = self._chance.choice(legal)
            self._explored = True
        if action == "draw stock":
            self._before = outlook.features.before_draw(outlook.prospect(hand), hand, 0)
        return action

    def _discard(self, outlook: Outlook, hand: Hand) -> str:
        hands = outlook.candidates(hand)
        left = max(hands, key=lambda left: outlook.kept(hand, left))
        if self._chance.random() < EXPLORE:
            left = self._chance.choice(hands)
            self._explored = True
        card = gone(hand, left)
        features = outlook.features.kept(outlook.prospect(left), left, card, 0)
        value = outlook.kept(hand, left)
        self.kept.append(Kept(features, value, self._explored, self._before))
        return f"discard {card}"

    def told(self, result: float) -> Iterable[tuple[str, list[float], float]]:
        """Return which network is told what hands came to, the result of the deal being known."""
        target = result
        following: Kept | None = None
        for kept in reversed(self.kept):
            if following:
                rest = following.value if following.chance else target
                target = (1 - LAMBDA) * following.value + LAMBDA * rest
            if not (following and following.chance):
                yield "kept", kept.features, target
            if kept.before_draw and not kept.chance:
                yield "stock", kept.before_draw, (kept.value + target) / 2
            following = kept


def watcher() -> Any:
    """Return the function by which rummy-watcher chooses."""
    with mock.patch("arena.bot.run") as run:
        runpy.run_path(str(WATCHER), run_name="__main__")
    (choose,) = run.call_args.args
    return choose


def gather(deals: int, seed: int) -> dict[str, list[tuple[list[float], float]]]:
    """Play deals at tables of two to four; return what each network is to be fitted to."""
    chance = random.Random(seed)
    rules, watch = games.load("thirteen"), watcher()
    samples: dict[str, list[tuple[list[float], float]]] = {"kept": [], "stock": []}
    for number, seats in zip(range(deals), itertools.cycle((2, 2, 3, 4, 4, 4)), strict=False):
        options = rules.resolve({}, seats)
        state = rules.deal(seats, f"fit {seed} {number}", chance.randint(1, 11), options)
        learners = {seat: Learner(chance) for seat in range(seats) if chance.random() > WATCHERS}
        while (seat := state.to_act) is not None:
            choose = learners[seat].choose if seat in learners else watch
            state = state.apply(choose(state.observe(seat), state.legal_actions()))
        penalties = state.penalties or ()
        for seat, learner in learners.items():
            others = (sum(penalties) - penalties[seat]) / (seats - 1)
            for name, features, target in learner.told(others - penalties[seat]):
                samples[name].append((features, target))
    return samples


def fit(samples: Sequence[tuple[list[float], float]], seed: int) -> dict[str, Numbers]:
    """Return the weights that tell the targets best by least squares, found with Adam."""
    rng = np.random.default_rng(seed)
    seen = np.array([features for features, _ in samples], np.float32)
    told = np.array([target for _, target in samples], np.float32)
    mean, scale = seen.mean(0), np.maximum(seen.std(0), 1e-6)
    scale[scale < 1e-5] = 1
    seen = (seen - mean) / scale
    weights = first_weights(seen.shape[1], float(told.mean()), rng)
    momentum = [np.zeros_like(part) for part in weights]
    energy = [np.zeros_like(part) for part in weights]
    steps = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2 + RATE / 50
        order = rng.permutation(len(seen))
        for batch in (order[at : at + BATCH] for at in range(0, len(order), BATCH)):
            steps += 1
            for number, slope in enumerate(slopes(weights, seen[batch], told[batch])):
                momentum[number] = 0.9 * momentum[number] + 0.1 * slope
                energy[number] = 0.999 * energy[number] + 0.001 * slope * slope
                step = momentum[number] / (1 - 0.9**steps)
                size = np.sqrt(energy[number] / (1 - 0.999**steps)) + 1e-8
                weights[number] -= (rate * step / size).astype(np.float32)
    weights[1] = weights[1] - (mean / scale) @ weights[0]
    weights[0] = weights[0] / scale[:, None]
    names = [f"{kind}{layer}" for layer in (1, 2, 3) for kind in ("weights", "bias")]
    return dict(zip(names, weights, strict=True))


def first_weights(inputs: int, mean: float, rng: np.random.Generator) -> Weights:
    weights: Weights = []
    for one, two in itertools.pairwise((inputs, *LAYERS, 1)):
        weights.append((rng.standard_normal((one, two)) * (2 / one) ** 0.5).astype(np.float32))
        weights.append(np.zeros(two, np.float32))
    weights[5] += mean
    return weights


def slopes(weights: Weights, seen: Numbers, told: Numbers) -> Weights:
    """Return the slopes of the mean squared error by all weights."""
    first, one, second, two, third, three = weights
    before_one = seen @ first + one
    hidden_one = np.maximum(before_one, 0)
    before_two = hidden_one @ second + two
    hidden_two = np.maximum(before_two, 0)
    error = (hidden_two @ third + three - told[:, None]) * (2 / len(told))
    to_two = (error @ third.T) * (before_two > 0)
    to_one = (to_two @ second.T) * (before_one > 0)
    return [
        seen.T @ to_one,
        to_one.sum(0),
        hidden_one.T @ to_two,
        to_two.sum(0),
        hidden_two.T @ error,
        error.sum(0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where kept.npz and stock.npz are written")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, samples in gather(arguments.deals, arguments.seed).items():
        weights = fit(samples, arguments.seed)
        np.savez_compressed(arguments.folder / f"{name}.npz", **weights)  # type: ignore[arg-type]
        print(f"{name}: {len(samples)} hands")


if __name__ == "__main__":
    main()

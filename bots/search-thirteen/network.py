"""A small network that tells what a hand is worth from what is seen of it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]


class Network:
    """Two layers of rectified units and one number: the points by which the rivals' mean penalty in
    the deal is above the own one.

    ``NAME.npz`` beside this file holds the weights; README.md tells where they come from.
    """

    def __init__(self, name: str) -> None:
        with np.load(Path(__file__).with_name(f"{name}.npz"), allow_pickle=False) as stored:
            self.use({key: stored[key] for key in stored.files})

    def use(self, weights: dict[str, Numbers]) -> None:
        """Take weights of the three layers, ``weights1``, ``bias1`` and so on."""
        self._layers = [(weights[f"weights{n}"], weights[f"bias{n}"]) for n in (1, 2, 3)]

    def value(self, features: list[float]) -> float:
        """Return the value of one hand."""
        (first, one), (second, two), (third, three) = self._layers
        hidden = np.maximum(np.array(features, np.float32) @ first + one, 0)
        hidden = np.maximum(hidden @ second + two, 0)
        return float((hidden @ third + three)[0])

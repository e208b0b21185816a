"""Watch a mean while its observations come in: an interval that holds the truth at all times.

Fixed-length tests looked at again and again find a difference where there is none. This interval
may be looked at after every observation, and be stopped at whenever the answer is clear: the chance
that it ever misses the true mean is at most ``alpha``.

It is the hedged grid Kelly confidence sequence of Waudby-Smith and Ramdas, "Estimating means of
bounded random variables by betting" (Journal of the Royal Statistical Society B, 2024). Whoever
doubts that the mean is m bets on it with several fractions of a stake at once, half of it on "more"
and half on "less". If the mean is m these are fair games, and the stake ever grows to 1 / alpha
with probability alpha at most. So m is excluded when it does.
"""

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

_FRACTIONS: NDArray[np.float64] = np.array([[0.05], [0.1], [0.3], [0.6], [0.95]])
"""The fractions of the stake that are bet."""
_FINEST = 2.0**-13
"""How exactly the ends of an interval are found."""


class ConfidenceSequence:
    """The interval of a mean of values from -1 to 1, which narrows as values are added."""

    def __init__(self, alpha: float) -> None:
        self.low, self.high = -1.0, 1.0
        self.count = 0
        self._total = 0.0
        self._goal = math.log(2.0 / alpha)
        self._values = Counter[float]()
        self._mirrored = Counter[float]()

    @property
    def mean(self) -> float:
        """The mean of all values, 0 where there are none."""
        return self._total / self.count if self.count else 0.0

    def add(self, value: float) -> None:
        """Take one more value into account."""
        self.count += 1
        self._total += value
        self._values[value] += 1
        self._mirrored[-value] += 1
        self.low = self._raised(self._values, self.low)
        self.high = -self._raised(self._mirrored, -self.high)

    def _raised(self, values: Mapping[float, int], bound: float) -> float:
        """Return the largest mean found that bets on "more" exclude, at least ``bound``."""
        points = np.array(list(values), dtype=np.float64)
        counts = np.array(list(values.values()), dtype=np.float64)
        if not self._excludes(points, counts, bound + _FINEST):
            return bound
        span = 1.0 - bound
        while span > _FINEST:
            span /= 2.0
            if self._excludes(points, counts, bound + span):
                bound += span
        return bound

    def _excludes(
        self, points: NDArray[np.float64], counts: NDArray[np.float64], mean: float
    ) -> bool:
        """Return whether the stake of those who bet that the true mean is above ``mean`` has grown
        to the goal."""
        gains = np.log1p(_FRACTIONS * ((points + 1.0) / (mean + 1.0) - 1.0)) @ counts
        top = gains.max()
        return bool(top + math.log(np.exp(gains - top).mean()) >= self._goal)

"""Intervals and tests for means over blocks.

A bot's blocks are a stratified sample: the compositions are fixed by the format, and the blocks
within a composition are independent. So the variance is pooled within compositions, and interval
and test are Student's with the pooled degrees of freedom.

Values are whole numbers in a unit that makes them fractions, so that sums of them are exact.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import NormalDist

MIN_BLOCKS = 5
"""Blocks below which no interval is given."""
LEVEL = 0.05
"""Two-sided error of intervals and tests."""
_MIN_FREEDOM = MIN_BLOCKS - 1
_NORMAL = NormalDist()
_MANY = 1000
"""Degrees of freedom from which Student's tail is that of a normal deviate."""


@dataclass(slots=True)
class Sums:
    """Count, sum and sum of squares of whole numbers: all that an interval needs of them."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Count one more value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def scatter(self) -> float:
        """The sum of the squared deviations from the mean; 0.0 exactly when there are none."""
        return (self.count * self.squares - self.total**2) / self.count


def together(strata: Collection[Sums]) -> Sums:
    """Return the sums of all values as if they were of one stratum."""
    return Sums(
        sum(stratum.count for stratum in strata),
        sum(stratum.total for stratum in strata),
        sum(stratum.squares for stratum in strata),
    )


def strata_kept(values: int, strata: int) -> int:
    """Return as how many strata so many values count: as one where they are too thin, see
    ``pooled``."""
    return strata if values - strata >= max(_MIN_FREEDOM, strata) else 1


def pooled(strata: Collection[Sums]) -> Collection[Sums]:
    """Return the strata; all of them as one where that many are too thin to be told apart.

    They are with fewer than 4 degrees of freedom within them, or fewer than strata (under two
    values each). One stratum is conservative.
    """
    whole = together(strata)
    return [whole] if strata_kept(whole.count, len(strata)) == 1 else strata


def interval(strata: Collection[Sums], unit: int) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of all values, clipped to 0..1; None below 5 values.

    ``strata`` holds the block means of each composition, from 0 to ``unit``, which stands for 1.

    Blocks that do not vary prove no certainty. When no value differs from its stratum the interval
    is the exact one for "a block may differ with probability p": n blocks without a
    difference leave p up to ``1 - 0.05 ** (1 / n)``, about 3 / n, and such a block may lie
    anywhere from 0 to 1.
    """
    whole = together(strata)
    if whole.count < MIN_BLOCKS:
        return None
    strata = pooled(strata)
    mean = whole.total / (unit * whole.count)
    scatter = math.fsum(stratum.scatter for stratum in strata)
    if scatter == 0.0:
        means = [stratum.total / (unit * stratum.count) for stratum in strata]
        low, high = unvaried(mean, whole.count, min(means), max(means))
    else:
        freedom = whole.count - len(strata)
        error = math.sqrt(scatter / freedom / whole.count) / unit
        half = student_975(freedom) * error
        low, high = mean - half, mean + half
    return max(0.0, low), min(1.0, high)


def unvaried(
    mean: float, count: int, least: float, most: float, floor: float = 0.0
) -> tuple[float, float]:
    """Return the interval of a mean of ``count`` blocks that lie from ``least`` to ``most`` and do
    not vary within strata, where another block may lie anywhere from ``floor`` to 1."""
    unseen = 1.0 - LEVEL ** (1.0 / count)
    return mean - unseen * (most - floor), mean + unseen * (1.0 - least)


def unvaried_tail(difference: float, count: int) -> float:
    """Return the p-value of a difference that was the same in ``count`` blocks; see ``interval``.

    Another block may have any difference from -1 to 1.
    """
    return (1.0 / (1.0 + abs(difference))) ** count


def student_975(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t by the Cornish-Fisher expansion.

    Abramowitz and Stegun, formula 26.7.5; within 0.002 from 4 degrees of freedom on.
    """
    x = _NORMAL.inv_cdf(1.0 - LEVEL / 2)
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def student_tail(t: float, freedom: int) -> float:
    """Return the probability of a Student's t of at least ``abs(t)`` on either side.

    Abramowitz and Stegun, formulas 26.7.3 and 26.7.4, exact up to rounding; from 1000 degrees of
    freedom on 26.7.8, within 1e-6.
    """
    t = abs(t)
    if freedom >= _MANY:
        z = t * (1.0 - 1.0 / (4 * freedom)) / math.sqrt(1.0 + t * t / (2 * freedom))
        return math.erfc(z / math.sqrt(2.0))
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    terms = [] if freedom == 1 else [term]
    for k in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        terms.append(term)
    inside = sine * math.fsum(terms)
    if odd:
        inside = (angle + inside) * 2.0 / math.pi
    return max(0.0, 1.0 - inside)


def separable(comparisons: int) -> float:
    """Return how many standard errors a difference must have to be found in four of five leagues
    among that many comparisons."""
    return _NORMAL.inv_cdf(1.0 - LEVEL / (2 * comparisons)) + _NORMAL.inv_cdf(0.8)


def holm(tails: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted by Holm's method, so that 5 % is the chance of any false find."""
    adjusted = [0.0] * len(tails)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(tails)), key=lambda i: tails[i])):
        least = max(least, min(1.0, tails[index] * (len(tails) - rank)))
        adjusted[index] = least
    return tuple(adjusted)

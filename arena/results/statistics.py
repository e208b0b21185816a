"""Intervals for a mean over blocks.

A bot's blocks are a stratified sample: the compositions are fixed by the format, and the blocks
within a composition are independent. So the variance is pooled within compositions, and the
interval is Student's with the pooled degrees of freedom.
"""

import math
from collections.abc import Mapping, Sequence

MIN_BLOCKS = 5
"""Blocks below which no interval is given."""
_MIN_FREEDOM = MIN_BLOCKS - 1
_NORMAL_975 = 1.959963984540054


def interval(groups: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of all values, clipped to 0..1; None below 5 values.

    ``groups`` holds the block means, each from 0 to 1, by composition. With fewer than 4 degrees
    of freedom within compositions, or fewer than compositions (under two blocks each), all blocks
    count as one group, which is conservative.

    Blocks that do not vary prove no certainty. When no value differs from its group the interval
    is the exact one for "a block may differ with probability p": n blocks without a
    difference leave p up to ``1 - 0.05 ** (1 / n)``, about 3 / n, and such a block may lie
    anywhere from 0 to 1.
    """
    strata = [tuple(values) for values in groups.values() if values]
    values = [value for stratum in strata for value in stratum]
    if len(values) < MIN_BLOCKS:
        return None
    if len(values) - len(strata) < max(_MIN_FREEDOM, len(strata)):
        strata = [tuple(values)]
    mean = math.fsum(values) / len(values)
    if all(len(set(stratum)) == 1 for stratum in strata):
        unseen = 1.0 - 0.05 ** (1.0 / len(values))
        low, high = mean - unseen * max(values), mean + unseen * (1.0 - min(values))
    else:
        half = _half_width(strata, len(values))
        low, high = mean - half, mean + half
    return max(0.0, low), min(1.0, high)


def student_975(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t by the Cornish-Fisher expansion.

    Abramowitz and Stegun, formula 26.7.5; within 0.002 from 4 degrees of freedom on.
    """
    x = _NORMAL_975
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def _half_width(strata: Sequence[Sequence[float]], n: int) -> float:
    means = [math.fsum(stratum) / len(stratum) for stratum in strata]
    squares = math.fsum(
        (value - mean) ** 2
        for stratum, mean in zip(strata, means, strict=True)
        for value in stratum
    )
    freedom = n - len(strata)
    return student_975(freedom) * math.sqrt(squares / freedom / n)

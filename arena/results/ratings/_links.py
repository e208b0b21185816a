"""Who is connected to whom by what bots won against each other, and the prior of ratings.

``wins`` is [i, j]: what bot i won against bot j, in matches.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def held(wins: Matrix, fixed: int | None) -> Sequence[int]:
    """Return the indices of bots that results, not the prior alone, hold to the one that is fixed,
    or, where none is, the most that they hold to each other."""
    together = parts(wins, strongly=True)
    if fixed is not None:
        return next(bots for bots in together if fixed in bots)
    most = max(together, key=lambda bots: (len(bots), bots))
    return most if len(most) > 1 else ()


def prior(met: Matrix) -> Matrix:
    """Return half a win for each bot and half a loss, spread over those that it met."""
    links = (met > 0).astype(float)
    each = 1.0 / np.maximum(links.sum(axis=1), 1.0)
    ties: Matrix = links * (each[:, None] + each[None, :]) / 4.0
    return ties


def parts(links: Matrix, *, strongly: bool = False) -> list[list[int]]:
    """Return the indices that are connected by positive entries, part by part; ``strongly``: in
    both directions, however long the way."""
    reach = (links > 0) | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):
        reach = reach @ reach
    if strongly:
        reach &= reach.T
    return [list(map(int, np.flatnonzero(row))) for row in np.unique(reach, axis=0)[::-1]]

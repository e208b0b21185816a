"""Resample the blocks of a league: what pairs of bots won, with other weights of the blocks."""

import hashlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.results.complete import Block

SAMPLES = 200
"""Resamples: enough for the standard error of an interval's width of 5 %."""
_WORDS = 2.0**32


class PairWins:
    """What each bot won against each other one: a tie is half a match.

    ``blocks`` counts the blocks of each of the ``names``, which are sorted. ``wins`` is [i, j]: the
    matches that i won against j. ``samples`` is [sample, i, j]: the same where each block counts
    with a random weight of mean 1, drawn from the exponential distribution (Rubin's Bayesian
    bootstrap, in which no bot ever loses all its matches). The weights of a block depend on its
    name alone.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        halves: dict[tuple[str, ...], list[tuple[str, list[int]]]] = defaultdict(list)
        for block in blocks:
            names = tuple(sorted(block[0].seats))
            halves[names].append((block[0].block_id, _halves(names, block)))
        self.names = tuple(sorted({name for names in halves for name in names}))
        self.blocks = Counter[str]()
        size = len(self.names)
        self.wins: NDArray[np.float64] = np.zeros((size, size))
        self.samples: NDArray[np.float64] = np.zeros((SAMPLES, size, size))
        for names, found in sorted(halves.items()):
            self._add(names, sorted(found))

    def _add(self, names: tuple[str, ...], blocks: Sequence[tuple[str, list[int]]]) -> None:
        self.blocks.update(dict.fromkeys(names, len(blocks)))
        won = np.array([halves for _, halves in blocks]) / 2.0
        weights = np.stack([_weights(block) for block, _ in blocks])
        places = [self.names.index(name) for name in names]
        i, j = np.array(list(itertools.permutations(places, 2))).T
        self.wins[i, j] += won.sum(axis=0)
        self.samples[:, i, j] += weights.T @ won


def _halves(names: Sequence[str], block: Block) -> list[int]:
    """Return the half points of each ordered pair of names."""
    found = dict.fromkeys(itertools.permutations(names, 2), 0)
    for match in block:
        for (a, mine), (b, other) in itertools.permutations(
            zip(match.seats, match.places, strict=True), 2
        ):
            found[a, b] += (mine < other) + (mine <= other)
    return list(found.values())


def _weights(block: str) -> NDArray[np.float64]:
    """Return the weights of a block in all samples."""
    stream = hashlib.shake_256(block.encode()).digest(4 * SAMPLES)
    words = np.frombuffer(stream, dtype="<u4").astype(np.float64)
    weights: NDArray[np.float64] = -np.log((words + 0.5) / _WORDS)
    return weights

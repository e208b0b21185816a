"""Bradley-Terry: one strength for each bot, fitted to all pairs of all matches at once.

Every two seats of a match are a game that one of them won or that was tied, half a win for each.
These games are not independent, so that intervals come from resampling whole blocks. A prior keeps
the rating of a bot finite that won or lost everything: each bot has one more tie, spread over the
bots that it met.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from arena.errors import ConfigError, installing
from arena.results.complete import Block
from arena.results.ratings._links import Matrix, held, parts, prior
from arena.results.ratings._resampling import PairWins
from arena.results.ratings.base import MEAN
from arena.results.statistics import MIN_BLOCKS, student_975
from arena.results.tables import Rating, Ratings

ELO = 400.0 / math.log(10.0)
"""Points of the Elo scale for a strength of 1: ten to one are 400 points."""
_DIGITS = 1
"""Digits behind the point that do not depend on the machine."""
_STEPS = 100_000


class BradleyTerry:
    """Elo ratings by maximum likelihood, with the package choix."""

    key = "bradley-terry"

    def check(self) -> None:
        """Raise ConfigError when choix is not installed."""
        try:
            import choix  # noqa: F401
        except ImportError:
            raise ConfigError(f"ratings need the package choix: {installing('ratings')}") from None

    def rate(self, blocks: Iterable[Block], anchor: str = "") -> Ratings:
        """Return the ratings; see ``Rater``."""
        self.check()
        pairs = PairWins(blocks)
        rows = [
            row
            for number, part in enumerate(parts(pairs.wins + pairs.wins.T), 1)
            for row in _rate_part(pairs, part, number, anchor)
        ]
        return Ratings(
            kind=self.key,
            anchor=anchor if anchor in pairs.names else "",
            parts=max((row.part for row in rows), default=0),
            rows=tuple(rows),
        )


def _rate_part(pairs: PairWins, part: Sequence[int], number: int, anchor: str) -> Iterator[Rating]:
    """Yield the ratings of bots that are connected, best first."""
    inside = np.ix_(part, part)
    wins = pairs.wins[inside]
    ties = prior(wins + wins.T)
    strengths = _fit(wins + ties)
    samples = np.stack([_fit(sample[inside] + ties, strengths) for sample in pairs.samples])
    names = [pairs.names[i] for i in part]
    fixed = names.index(anchor) if anchor in names else slice(None)
    ratings = (MEAN + ELO * (strengths - np.mean(strengths[fixed]))).tolist()
    errors = ELO * np.std(samples - _mean(samples[:, fixed]), axis=0, ddof=1)
    known = held(wins, names.index(anchor) if anchor in names else None)
    for i in sorted(range(len(part)), key=lambda i: (-round(ratings[i], _DIGITS), names[i])):
        blocks = pairs.blocks[names[i]]
        half = None
        if blocks >= MIN_BLOCKS and i in known:
            half = student_975(blocks - 1) * float(errors[i])
        yield Rating(
            bot=names[i],
            rating=round(ratings[i], _DIGITS),
            low=None if half is None else round(ratings[i] - half, _DIGITS),
            high=None if half is None else round(ratings[i] + half, _DIGITS),
            part=number,
        )


def _mean(samples: Matrix) -> Matrix:
    """Return the mean strength of each sample, as a column."""
    means: Matrix = samples.reshape(len(samples), -1).mean(axis=1, keepdims=True)
    return means


def _fit(wins: Matrix, start: Matrix | None = None) -> Matrix:
    """Return the strengths of greatest likelihood, as natural logarithms of mean 0."""
    import choix

    strengths: Matrix = choix.ilsr_pairwise_dense(wins, initial_params=start, max_iter=_STEPS)
    return strengths


PLUGIN = BradleyTerry()

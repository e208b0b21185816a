"""How the ratings of a league came about: Bradley-Terry after every so many blocks.

The ratings are those of ``ratings.bradley_terry``. Their intervals come from the same weights of
the blocks, but with one Newton step for each instead of a fit: many of them are drawn, none counts.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from arena.results.complete import Block
from arena.results.ratings._links import Matrix, held, parts, prior
from arena.results.ratings._resampling import SAMPLES, PairWins
from arena.results.ratings.base import MEAN
from arena.results.ratings.bradley_terry import ELO, PLUGIN
from arena.results.statistics import MIN_BLOCKS, student_975
from arena.results.tables import Rating, Ratings

POINTS = 20
"""How often ratings are computed."""
_STEPS = 100
_LONGEST = 2.0
"""A Newton step from far away is cut to this."""
_EXACT = 1e-9


class Point(Struct, frozen=True):
    """The ratings after so many ``blocks`` of the league, in the order of names."""

    blocks: int
    rows: tuple[Rating, ...]


def course(blocks: Iterable[Block], total: int, anchor: str = "") -> tuple[Point, ...]:
    """Return the ratings after parts of ``total`` blocks.

    The mean of bots that are connected is 1500, or ``anchor`` has 1500 among its own.
    """
    rest, sums, found = iter(blocks), _Sums(), list[Point]()
    while chunk := list(itertools.islice(rest, max(1, -(-total // POINTS)))):
        sums.add(PairWins(chunk), len(chunk))
        found.append(sums.point(anchor))
    return tuple(found)


def latest(points: Sequence[Point], anchor: str = "") -> Ratings:
    """Return the ratings at the end of a course, best first within each part."""
    rows = points[-1].rows if points else ()
    return Ratings(
        kind=PLUGIN.key,
        anchor=anchor if any(row.bot == anchor for row in rows) else "",
        parts=max((row.part for row in rows), default=0),
        rows=tuple(sorted(rows, key=lambda row: (row.part, -row.rating, row.bot))),
    )


class _Sums:
    """What bots have won against each other so far, in all blocks and in each sample of them."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._wins: Matrix = np.zeros((1 + SAMPLES, 0, 0))
        self._played = Counter[str]()
        self._blocks = 0

    def add(self, more: PairWins, blocks: int) -> None:
        """Count more blocks."""
        names = tuple(sorted({*self._names, *more.names}))
        wins: Matrix = np.zeros((1 + SAMPLES, len(names), len(names)))
        new = np.concatenate([more.wins[None], more.samples])
        for own, counted in ((self._names, self._wins), (more.names, new)):
            places = [names.index(name) for name in own]
            wins[np.ix_(range(1 + SAMPLES), places, places)] += counted
        self._names, self._wins = names, wins
        self._played += more.blocks
        self._blocks += blocks

    def point(self, anchor: str) -> Point:
        """Return the ratings of all bots so far."""
        whole, every = self._wins[0], range(1 + SAMPLES)
        rows = list[Rating]()
        for number, part in enumerate(parts(whole + whole.T), 1):
            names = [self._names[i] for i in part]
            fixed = names.index(anchor) if anchor in names else None
            ratings, errors = _rated(self._wins[np.ix_(every, part, part)], fixed)
            known = held(whole[np.ix_(part, part)], fixed)
            for i, name in enumerate(names):
                blocks = self._played[name]
                half = None
                if blocks >= MIN_BLOCKS and i in known:
                    half = student_975(blocks - 1) * float(errors[i])
                rows.append(_rating(name, float(ratings[i]), half, number))
        return Point(self._blocks, tuple(sorted(rows, key=lambda row: row.bot)))


def _rating(bot: str, rating: float, half: float | None, part: int) -> Rating:
    if half is None:
        return Rating(bot, rating, None, None, part)
    return Rating(bot, rating, rating - half, rating + half, part)


def _rated(wins: Matrix, fixed: int | None) -> tuple[Matrix, Matrix]:
    """Return the ratings of connected bots and their standard errors; ``wins`` are those of all
    blocks and then of the samples."""
    ties = prior(wins[0] + wins[0].T)
    strengths: Matrix = np.zeros(len(ties))
    for _ in range(_STEPS):
        step = _step(wins[:1] + ties, strengths)[0]
        strengths = strengths + step * min(1.0, _LONGEST / max(np.abs(step).max(), _EXACT))
        if np.abs(step).max() < _EXACT:
            break
    samples = strengths + _step(wins[1:] + ties, strengths)
    middle = slice(None) if fixed is None else slice(fixed, fixed + 1)
    ratings: Matrix = MEAN + ELO * (strengths - strengths[middle].mean())
    errors: Matrix = ELO * np.std(
        samples - samples[:, middle].mean(axis=1, keepdims=True), axis=0, ddof=1
    )
    return ratings, errors


def _step(wins: Matrix, strengths: Matrix) -> Matrix:
    """Return for each table of wins the Newton step from these strengths, of mean 0."""
    chance = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    met = wins + wins.transpose(0, 2, 1)
    slope = (wins - met * chance).sum(axis=2)
    weight = met.mean(axis=0) * chance * chance.T
    curve = np.diag(weight.sum(axis=1)) - weight
    step: Matrix = np.linalg.solve(curve + 1.0 / len(strengths), slope.T).T
    return step

"""Which bots of a league are separated, and by how much.

The difference of two mean shares is a mean over blocks: those that both bots played count as
pairs, which share their deals, the others as independent of each other.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.results.blocks import Blocks, Composition
from arena.results.statistics import (
    LEVEL,
    MIN_BLOCKS,
    Sums,
    holm,
    pooled,
    separable,
    student_975,
    student_tail,
    together,
    unvaried,
    unvaried_tail,
)
from arena.results.tables import Pair

_NOTHING = 1e-12
"""A part of the variance that is but rounding."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """One bot: its sums over all blocks, their scatter and its degrees of freedom.

    ``one`` says that all blocks count as one stratum.
    """

    whole: Sums
    scatter: float
    freedom: int
    one: bool

    @property
    def mean(self) -> float:
        return self.whole.total / self.whole.count


@dataclass(frozen=True, slots=True)
class _Difference:
    """A difference of mean shares, its standard error, and how many blocks it rests on."""

    value: float
    error: float
    freedom: int
    blocks: int

    @property
    def tail(self) -> float:
        """The p-value of the difference on its own."""
        if self.error == 0.0:
            return unvaried_tail(self.value, self.blocks)
        return student_tail(self.value / self.error, self.freedom)

    @property
    def interval(self) -> tuple[float, float]:
        if self.error == 0.0:
            low, high = unvaried(self.value, self.blocks, self.value, self.value, floor=-1.0)
        else:
            half = student_975(self.freedom) * self.error
            low, high = self.value - half, self.value + half
        return max(-1.0, low), min(1.0, high)


def pairs(blocks: Blocks) -> tuple[Pair, ...]:
    """Return the comparison of every two bots with 5 blocks or more, by mean share, then name."""
    strata = {name: found for name, found in blocks.strata().items() if _enough(found)}
    figures = {name: _figures(found) for name, found in strata.items()}
    ranked = sorted(figures, key=lambda name: (-round(figures[name].mean, 9), name))
    common = _common(blocks.compositions)
    order = list(itertools.combinations(ranked, 2))
    found = [
        _difference(figures[a], figures[b], list(_shared(common, a, b)), blocks.unit)
        for a, b in order
    ]
    adjusted = holm([difference.tail for difference in found])
    return tuple(
        Pair(
            bot=a,
            other=b,
            difference=difference.value,
            low=difference.interval[0],
            high=difference.interval[1],
            p=p,
            common=sum(part.count for part in _shared(common, a, b)),
            needed=_needed(
                difference, p, min(figures[a].whole.count, figures[b].whole.count), len(order)
            ),
        )
        for (a, b), difference, p in zip(order, found, adjusted, strict=True)
    )


def letters(compared: Sequence[Pair]) -> dict[str, tuple[str, ...]]:
    """Return the letters of each bot of the pairs: two that share one are not separated.

    This is the compact letter display by insertion and absorption (Piepho 2004).
    """
    names = list(dict.fromkeys(name for pair in compared for name in (pair.bot, pair.other)))
    groups = [frozenset(names)] if names else []
    for pair in compared:
        if pair.p >= LEVEL:
            continue
        split = [group for group in groups if {pair.bot, pair.other} <= group]
        halves = [group - {name} for group in split for name in (pair.bot, pair.other)]
        groups = [group for group in groups if group not in split]
        groups += [
            half
            for n, half in enumerate(halves)
            if not any(half <= group for group in groups)
            and not any(half < other for other in halves)
            and half not in halves[:n]
        ]
    place = {name: n for n, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    named = list(zip(_alphabet(), groups, strict=False))
    return {name: tuple(letter for letter, group in named if name in group) for name in names}


@dataclass(frozen=True, slots=True)
class _Shared:
    """Two bots in the blocks of one composition: the sums of each, and of their products."""

    count: int
    first: int
    second: int
    product: int


def _common(
    compositions: Mapping[str, Composition],
) -> dict[tuple[str, str], list[_Shared]]:
    """Return what each two bots, the first by name first, have in common, by composition."""
    found: dict[tuple[str, str], list[_Shared]] = defaultdict(list)
    for composition in compositions.values():
        for (a, b), meeting in composition.meetings.items():
            first, second = composition.bots[a], composition.bots[b]
            found[a, b].append(_Shared(first.count, first.total, second.total, meeting.product))
    return found


def _shared(
    common: Mapping[tuple[str, str], Sequence[_Shared]], a: str, b: str
) -> Iterator[_Shared]:
    if a < b:
        yield from common.get((a, b), ())
    else:
        for part in common.get((b, a), ()):
            yield _Shared(part.count, part.second, part.first, part.product)


def _enough(strata: Sequence[Sums]) -> bool:
    return together(strata).count >= MIN_BLOCKS


def _figures(strata: Sequence[Sums]) -> _Figures:
    kept = pooled(strata)
    whole = together(strata)
    return _Figures(
        whole=whole,
        scatter=math.fsum(stratum.scatter for stratum in kept),
        freedom=whole.count - len(kept),
        one=len(kept) == 1,
    )


def _difference(a: _Figures, b: _Figures, common: Sequence[_Shared], unit: int) -> _Difference:
    one = a.one or b.one
    parts = [_as_one(figures) if one else (figures.scatter, figures.freedom) for figures in (a, b)]
    (scatter_a, freedom_a), (scatter_b, freedom_b) = parts
    n_a, n_b, n = a.whole.count, b.whole.count, sum(part.count for part in common)
    spread = scatter_a / n_a**2 + scatter_b / n_b**2
    shared = 2 * _cross(a.mean, b.mean, common, one=one) / (n_a * n_b)
    variance = spread - shared if spread - shared > _NOTHING * spread else 0.0
    strata = min(1, n) if one else len(common)
    freedom = freedom_a + freedom_b - (n - strata)
    blocks = n_a + n_b - n
    return _Difference(
        value=(a.mean - b.mean) / unit,
        error=math.sqrt(variance * blocks / freedom) / unit,
        freedom=freedom,
        blocks=blocks,
    )


def _as_one(figures: _Figures) -> tuple[float, int]:
    """Return scatter and degrees of freedom of a bot's blocks as one stratum."""
    return figures.whole.scatter, figures.whole.count - 1


def _cross(mean_a: float, mean_b: float, common: Sequence[_Shared], *, one: bool) -> float:
    """Return the sum of the products of the deviations of both bots in their common blocks."""
    if one:
        return math.fsum(
            part.product - mean_b * part.first - mean_a * part.second + part.count * mean_a * mean_b
            for part in common
        )
    return math.fsum(
        (part.count * part.product - part.first * part.second) / part.count for part in common
    )


def _needed(difference: _Difference, p: float, blocks: int, comparisons: int) -> int | None:
    """Return how many more blocks each bot needs; see ``Pair``."""
    if p < LEVEL:
        return 0
    if difference.value == 0.0:
        return None
    if difference.error == 0.0:
        whole = math.log(LEVEL / comparisons) / math.log(unvaried_tail(difference.value, 1))
    else:
        whole = blocks * (separable(comparisons) * difference.error / difference.value) ** 2
    return max(1, math.ceil(whole) - blocks)


def _alphabet() -> Iterator[str]:
    """Yield a, b, ..., z, aa, ab, ..."""
    for size in itertools.count(1):
        for letters in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=size):
            yield "".join(letters)

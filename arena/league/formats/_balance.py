"""Draw compositions so that each bot, and then each pair of bots, meets as equally often as can be.

Bots are dealt to tables by need. Then bots of two tables change places at random: a change that
makes the pairs less equal by ``d`` passes with probability ``2 ** -(d * cold)``, colder and colder.
All arithmetic is in whole numbers, so that every machine draws the same.
"""

import itertools
import math
import operator
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from arena.seeds import Chance

COLD = (1, 2, 3, 4, 6, 8, 12, 24)
TRIES = 25_000
"""The most changes that are tried at each of ``COLD``; a few tables have fewer to try."""
TRIES_OF_EACH = 4


class Counts:
    """How often each bot, and each pair of bots, is at a table."""

    def __init__(self, tables: Iterable[Sequence[str]] = ()) -> None:
        self.bots: Counter[str] = Counter()
        self.pairs: Counter[frozenset[str]] = Counter()
        self.add(tables)

    def add(self, tables: Iterable[Sequence[str]]) -> None:
        """Count more tables."""
        for table in tables:
            self.bots.update(table)
            self.pairs.update(map(frozenset, itertools.combinations(table, 2)))

    def negative(self, tables: Iterable[Sequence[str]]) -> "Counts":
        """Return the counts with more tables, all below 0."""
        result = Counts(tables)
        for bot, count in (self.bots + result.bots).items():
            result.bots[bot] = -count
        for pair, count in (self.pairs + result.pairs).items():
            result.pairs[pair] = -count
        return result


def draw(
    pool: Sequence[str],
    size: int,
    count: int,
    taken: Collection[tuple[str, ...]],
    counts: Counts,
    chance: Chance,
) -> list[tuple[str, ...]]:
    """Return ``count`` different compositions of ``size`` bots of the pool, or all there are.

    None of them is in ``taken``; each has its bots in the order of the pool. They even out
    ``counts``, and are added to them.
    """
    left = math.comb(len(pool), size) - len(taken)
    if count > left // 2:
        tables = [table for table in itertools.combinations(pool, size) if table not in taken]
        if count < left:
            rest = draw(pool, size, left - count, taken, counts.negative(tables), chance)
            dropped = set(rest)
            tables = [table for table in tables if table not in dropped]
    else:
        drawing = _Drawing(pool, size, taken, counts, chance)
        for _ in range(count):
            drawing.add()
        drawing.even_bots()
        drawing.even_pairs()
        tables = sorted(tuple(pool[bot] for bot in table) for table in drawing.tables)
    counts.add(tables)
    return tables


class _Drawing:
    """Tables that are being drawn. Bots are numbers in the order of the pool."""

    def __init__(
        self,
        pool: Sequence[str],
        size: int,
        taken: Collection[tuple[str, ...]],
        counts: Counts,
        chance: Chance,
    ) -> None:
        number = {bot: n for n, bot in enumerate(pool)}
        self.tables: list[tuple[int, ...]] = []
        self._size = size
        self._used = {tuple(number[bot] for bot in table) for table in taken}
        self._met = [counts.bots[bot] for bot in pool]
        self._together = [[counts.pairs[frozenset((a, b))] for b in pool] for a in pool]
        self._order = chance.shuffled(range(len(pool)))
        self._chance = chance

    def add(self) -> None:
        """Add a table of the bots with the fewest tables, and of them those that met least."""
        bots = list(self._order)
        load = [0] * len(bots)
        chosen: list[int] = []
        for _ in range(self._size):
            fewest = min([self._met[bot] for bot in bots])
            bot = min([bot for bot in bots if self._met[bot] == fewest], key=load.__getitem__)
            bots.remove(bot)
            chosen.append(bot)
            load = list(map(operator.add, load, self._together[bot]))
        table = tuple(sorted(chosen))
        if table in self._used:
            by_need = sorted(self._order, key=self._met.__getitem__)
            tables = (tuple(sorted(t)) for t in itertools.combinations(by_need, self._size))
            table = next(t for t in tables if t not in self._used)
        self._used.add(table)
        self.tables.append(table)
        self._count(table, 1)

    def even_bots(self) -> None:
        """Give tables of a bot to another that has two fewer, until there are none to give."""
        while any(
            self._replace(index, a, b)
            for a, b in itertools.permutations(range(len(self._met)), 2)
            if self._met[a] >= self._met[b] + 2
            for index, table in enumerate(self.tables)
            if a in table and b not in table
        ):
            pass

    def _replace(self, index: int, old: int, new: int) -> bool:
        table = self.tables[index]
        changed = tuple(sorted(new if bot == old else bot for bot in table))
        if changed in self._used:
            return False
        self._put({index: changed})
        return True

    def even_pairs(self) -> None:
        """Let bots of two tables change places, until all pairs are equal or it is cold."""
        if not self.tables or self._size < 2:
            return
        excess = self._excess()
        below = self._chance.below
        places = len(self.tables) * self._size
        for cold in COLD:
            for _ in range(min(TRIES, TRIES_OF_EACH * places**2)):
                if not excess:
                    return
                (i, a), (j, b) = (
                    divmod(below(places), self._size),
                    divmod(below(places), self._size),
                )
                worse = self._try(i, a, j, b)
                if worse is None or (worse > 0 and below(1 << min(worse * cold, 31))):
                    continue
                if self._exchange(i, a, j, b):
                    excess += 2 * worse

    def _try(self, i: int, a: int, j: int, b: int) -> int | None:
        """Return by how much half the sum of squares grows if two seats change; None: cannot."""
        one, two = self.tables[i], self.tables[j]
        x, y = one[a], two[b]
        if x in two or y in one:
            return None
        of_x, of_y = self._together[x], self._together[y]
        worse = 0
        for bot in one:
            if bot != x and bot not in two:
                worse += of_y[bot] - of_x[bot] + 1
        for bot in two:
            if bot != y and bot not in one:
                worse += of_x[bot] - of_y[bot] + 1
        return worse

    def _exchange(self, i: int, a: int, j: int, b: int) -> bool:
        one, two = self.tables[i], self.tables[j]
        x, y = one[a], two[b]
        first = tuple(sorted(y if bot == x else bot for bot in one))
        second = tuple(sorted(x if bot == y else bot for bot in two))
        if first in self._used or second in self._used or first == second:
            return False
        self._put({i: first, j: second})
        return True

    def _put(self, changed: dict[int, tuple[int, ...]]) -> None:
        for index, table in changed.items():
            self._used.remove(self.tables[index])
            self._count(self.tables[index], -1)
            self._used.add(table)
            self._count(table, 1)
            self.tables[index] = table

    def _count(self, table: tuple[int, ...], times: int) -> None:
        for bot in table:
            self._met[bot] += times
            row = self._together[bot]
            for other in table:
                if other != bot:
                    row[other] += times

    def _excess(self) -> int:
        """Return the sum of the squares of the pairs' counts over the least it could be."""
        pairs = [n for bot, row in enumerate(self._together) for n in row[:bot]]
        each, more = divmod(sum(pairs), len(pairs))
        least = (len(pairs) - more) * each**2 + more * (each + 1) ** 2
        return sum(n * n for n in pairs) - least

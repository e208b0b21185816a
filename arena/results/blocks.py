"""Exact sums over the complete blocks of a league: all that shares, intervals and tests need.

A block is one observation of each of its bots, of each pair, and of each seat. Sums are kept by
composition, in whole numbers of a unit, so that they take little room and their order does not
matter.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.model import Outcome
from arena.results.statistics import Sums


@dataclass(slots=True)
class Meeting:
    """Two bots in the blocks of one composition, the first by name first.

    ``duels`` are the shares of the first against the second alone; ``product`` sums the product of
    their shares of whole blocks.
    """

    duels: Sums = field(default_factory=Sums)
    product: int = 0


@dataclass(slots=True)
class Composition:
    """The sums of one composition: of each bot by name, and of each pair of names."""

    bots: dict[str, Sums]
    meetings: dict[tuple[str, str], Meeting]
    rotations: int
    blocks: int = 0


class Blocks:
    """The sums of a league. ``unit`` stands for a share of 1 in all of them."""

    def __init__(self, rotations: Mapping[int, int]) -> None:
        self.unit = math.lcm(*(2 * (size - 1) * turns for size, turns in rotations.items()))
        self.compositions: dict[str, Composition] = {}
        self.seats: dict[int, tuple[Sums, ...]] = {}

    def add(self, matches: Sequence[Outcome]) -> None:
        """Count a complete block: all rotations of one composition."""
        first = matches[0]
        names, size = sorted(first.seats), len(first.seats)
        points, seats = dict.fromkeys(names, 0), [0] * size
        duels = dict.fromkeys(itertools.combinations(names, 2), 0)
        for match in matches:
            self._add_match(match, points, seats, duels)
        scale = self.unit // (2 * (size - 1) * len(matches))
        composition = self._composition(first.composition, names, len(matches))
        composition.blocks += 1
        for name, sums in composition.bots.items():
            points[name] *= scale
            sums.add(points[name])
        for pair, meeting in composition.meetings.items():
            meeting.duels.add(duels[pair] * scale * (size - 1))
            meeting.product += points[pair[0]] * points[pair[1]]
        for sums, halves in zip(self._seats(size), seats, strict=True):
            sums.add(halves * scale)

    @staticmethod
    def _add_match(
        match: Outcome,
        points: dict[str, int],
        seats: list[int],
        duels: dict[tuple[str, str], int],
    ) -> None:
        """Add the half points of a match to those of its block."""
        table = sorted(zip(match.seats, match.places, range(len(seats)), strict=True))
        for (name, place, seat), (other, behind, beside) in itertools.combinations(table, 2):
            halves = (place < behind) + (place <= behind)
            duels[name, other] += halves
            points[name] += halves
            points[other] += 2 - halves
            seats[seat] += halves
            seats[beside] += 2 - halves

    def _composition(self, key: str, names: Sequence[str], rotations: int) -> Composition:
        if key not in self.compositions:
            self.compositions[key] = Composition(
                {name: Sums() for name in names},
                {pair: Meeting() for pair in itertools.combinations(names, 2)},
                rotations,
            )
        return self.compositions[key]

    def _seats(self, size: int) -> tuple[Sums, ...]:
        if size not in self.seats:
            self.seats[size] = tuple(Sums() for _ in range(size))
        return self.seats[size]

    def strata(self) -> dict[str, list[Sums]]:
        """Return the shares of each bot, by composition."""
        found: dict[str, list[Sums]] = defaultdict(list)
        for composition in self.compositions.values():
            for name, sums in composition.bots.items():
                found[name].append(sums)
        return found

"""Round robin: every composition of the bots meets in the same number of blocks."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from arena.errors import OptionError, nearest
from arena.model import Fixture, League, Outcome
from arena.seeds import Stream, derive

BATCH = 16
"""Fewest blocks of which rotation 1 is played before rotation 2 of any of them, so that a bot
process rarely has to be replaced because it has met a block."""
GROWTH = 4
"""A batch has one block for this many before it: a long league replaces processes less often, and
one that is stopped early has few incomplete blocks."""


class RoundRobin:
    """All compositions of ``seats`` bots; ``blocks`` each; a block in ``rotations`` seatings."""

    key = "round-robin"

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""
        options = {"blocks": 10, "rotations": "all"}
        for key in given:
            if key not in options:
                raise OptionError(key, f"unknown key{nearest(key, options)}")
        options |= given
        _whole("blocks", options["blocks"])
        if options["rotations"] != "all":
            _whole("rotations", options["rotations"], ' or "all"')
        return options

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""
        wanted = options["rotations"]
        return seats if wanted == "all" else min(int(wanted), seats)

    def count(self, league: League) -> int:
        """Return the number of fixtures."""
        bots = len(_active(league))
        blocks = int(league.format_options["blocks"])
        return sum(
            math.comb(bots, seats) * blocks * self.rotations(league.format_options, seats)
            for seats in league.seats
        )

    def includes(self, league: League, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""
        return (
            set(outcome.seats) <= set(_active(league))
            and len(set(outcome.seats)) == len(outcome.seats)
            and len(outcome.seats) in league.seats
            and 1 <= outcome.block <= league.format_options["blocks"]
            and 1 <= outcome.rotation <= self.rotations(league.format_options, len(outcome.seats))
        )

    def fixtures(self, league: League) -> Iterator[Fixture]:
        """Yield all fixtures in the order of play; the same league gives the same fixtures."""
        for batch in _batches(self._blocks(league)):
            for rotation in range(max(league.seats)):
                for names, block in batch:
                    if rotation < self.rotations(league.format_options, len(names)):
                        yield fixture(league, names, block, rotation)

    def _blocks(self, league: League) -> Iterator[tuple[tuple[str, ...], int]]:
        names = _active(league)
        for block in range(1, int(league.format_options["blocks"]) + 1):
            for seats in league.seats:
                for composition in itertools.combinations(names, seats):
                    yield composition, block


def fixture(league: League, names: tuple[str, ...], block: int, rotation: int) -> Fixture:
    """Return one seating of a block; ``names`` are sorted, ``rotation`` counts from 0.

    The base order is drawn per composition and block, so that the cyclic rotations of different
    blocks have different neighbours.
    """
    seed = derive(league.seed, "block", league.terms.game, *names, block)
    order = Stream(derive(seed, "order")).shuffled(names)
    return Fixture(
        id=derive("fixture", *names, block, rotation + 1)[:16],
        seats=tuple(order[rotation:] + order[:rotation]),
        composition=derive("composition", *names)[:16],
        block=block,
        rotation=rotation + 1,
        block_seed=seed,
    )


def _active(league: League) -> list[str]:
    return sorted(entrant.name for entrant in league.entrants if entrant.active)


def _batches(
    blocks: Iterator[tuple[tuple[str, ...], int]],
) -> Iterator[list[tuple[tuple[str, ...], int]]]:
    before = 0
    while batch := list(itertools.islice(blocks, max(BATCH, before // GROWTH))):
        yield batch
        before += len(batch)


def _whole(key: str, value: Any, alternative: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(key, f"{value!r} must be a whole number from 1{alternative}")


PLUGIN = RoundRobin()

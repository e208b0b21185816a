"""What formats share: blocks, their fixtures in the order of play, options, and plans."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.errors import OptionError, nearest, similar
from arena.league.formats.base import Extent
from arena.model import Fixture, League, Outcome
from arena.seeds import Stream, derive

BATCH = 16
"""Fewest blocks of which one rotation is played before the next of any of them, so that a bot
process rarely has to be replaced because it has met a block."""
GROWTH = 4
"""A batch has one block for this many before it: a long league replaces processes less often, and
one that is stopped early has few incomplete blocks."""
Bots = tuple[str, ...]
"""The identities of the bots at a table, in the order of their names."""


class Block(NamedTuple):
    """The fixtures of one table that share their deals; ``turn`` is the first rotation, from 0."""

    bots: Bots
    number: int
    turn: int = 0


class Every:
    """A plan of all blocks of many compositions, which are not gone through before they must.

    ``compositions`` yields those of a size, ``number`` counts them, ``each`` counts those of one
    bot at least and at most, and ``meet`` tells whether bots are one of them.
    """

    def __init__(
        self,
        league: League,
        compositions: Callable[[int], Iterable[Bots]],
        number: Callable[[int], int],
        each: Callable[[int], tuple[int, int]],
        meet: Callable[[Bots], bool],
    ) -> None:
        self._league = league
        self._compositions = compositions
        self._number = number
        self._each = each
        self._meet = meet
        self._blocks = int(league.format_options["blocks"])

    def extent(self) -> Extent:
        """Return the size of the league."""
        numbers = {size: self._number(size) for size in self._league.seats}
        each = [self._each(size) for size in self._league.seats]
        return Extent(
            compositions=sum(numbers.values()),
            blocks=self._blocks * sum(numbers.values()),
            matches=self._blocks
            * sum(n * rotations(self._league.format_options, size) for size, n in numbers.items()),
            fewest=self._blocks * sum(low for low, _ in each),
            most=self._blocks * sum(high for _, high in each),
        )

    def includes(self, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""
        return (
            len(outcome.seats) in self._league.seats
            and 1 <= outcome.block <= self._blocks
            and 1 <= outcome.rotation <= rotations(self._league.format_options, len(outcome.seats))
            and len(set(outcome.seats)) == len(outcome.seats)
            and self._meet(bots_of(outcome))
        )

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all fixtures in the order of play."""
        return in_order(
            self._league,
            (
                Block(bots, number)
                for number in range(1, self._blocks + 1)
                for size in self._league.seats
                for bots in self._compositions(size)
            ),
        )


class Listed:
    """A plan of listed blocks."""

    def __init__(self, league: League, blocks: Sequence[Block], balance: str = "") -> None:
        self._league = league
        self._blocks = blocks
        self._turns = {(block.bots, block.number): block.turn for block in blocks}
        self._balance = balance

    def extent(self) -> Extent:
        """Return the size of the league."""
        options = self._league.format_options
        each = Counter(bot for block in self._blocks for bot in block.bots)
        counts = [each[bot] for bot in self._league.active]
        return Extent(
            compositions=len({block.bots for block in self._blocks}),
            blocks=len(self._blocks),
            matches=sum(rotations(options, len(block.bots)) for block in self._blocks),
            fewest=min(counts),
            most=max(counts),
            balance=self._balance,
        )

    def includes(self, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""
        size = len(outcome.seats)
        turn = self._turns.get((bots_of(outcome), outcome.block))
        return (
            turn is not None
            and 1 <= outcome.rotation <= size
            and (outcome.rotation - 1 - turn) % size < rotations(self._league.format_options, size)
        )

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all fixtures in the order of play."""
        return in_order(self._league, self._blocks)


def in_order(league: League, blocks: Iterable[Block]) -> Iterator[Fixture]:
    """Yield the fixtures of blocks in batches, the same rotation of all in a batch first."""
    coming = iter(blocks)
    before = 0
    while batch := list(itertools.islice(coming, max(BATCH, before // GROWTH))):
        before += len(batch)
        for rotation in range(max(league.seats)):
            for block in batch:
                if rotation < rotations(league.format_options, len(block.bots)):
                    yield _fixture(league, block, (block.turn + rotation) % len(block.bots))


def base_order(league: League, block: Block) -> tuple[str, list[str]]:
    """Return the seed of a block and its bots' names in the seating of rotation 1.

    The order is drawn per composition and block, so that the cyclic rotations of different blocks
    have different neighbours.
    """
    sitting = {league.twins.get(bot, bot): bot for bot in block.bots}
    bots = by_name(sitting)
    seed = derive(league.seed, "block", league.terms.game, *bots, block.number)
    return seed, [name_of(sitting[bot]) for bot in Stream(derive(seed, "order")).shuffled(bots)]


def _fixture(league: League, block: Block, rotation: int) -> Fixture:
    """Return one seating of a block; ``rotation`` counts from 0."""
    seed, order = base_order(league, block)
    return Fixture(
        id=derive("fixture", *block.bots, block.number, rotation + 1)[:16],
        seats=tuple(order[rotation:] + order[:rotation]),
        composition=derive("composition", *block.bots)[:16],
        block=block.number,
        rotation=rotation + 1,
        block_seed=seed,
    )


def name_of(identity: str) -> str:
    """Return the name of a bot."""
    return identity.partition("/")[0]


def by_name(identities: Iterable[str]) -> Bots:
    """Return identities in the order of the names."""
    return tuple(sorted(identities, key=name_of))


def bots_of(outcome: Outcome) -> Bots:
    """Return the bots of a match in the order of their names."""
    return by_name(outcome.identities)


def rotations(options: Mapping[str, Any], seats: int) -> int:
    """Return how many seatings of a block are played at tables of this size."""
    wanted = options["rotations"]
    return seats if wanted == "all" else min(int(wanted), seats)


def check_rotations(league: League) -> None:
    """Raise OptionError for more rotations than the largest table has seats."""
    wanted, seats = league.format_options["rotations"], max(league.seats)
    if wanted != "all" and wanted > seats:
        raise OptionError(
            "rotations", f'{wanted} is too large: a table of {seats} has {seats}, which "all" plays'
        )


def checked(given: Mapping[str, Any], defaults: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """Return the options given over their defaults; raise OptionError for a key that is neither
    among the defaults nor ``more``, and for rotations that are none."""
    for key in given:
        if key not in defaults and key not in more:
            raise OptionError(key, f"unknown key{nearest(key, [*defaults, *more])}")
    options = {**defaults, **given}
    if options["rotations"] != "all":
        check_whole("rotations", options["rotations"], ' or "all"')
    return options


def check_whole(key: str, value: Any, alternative: str = "") -> None:
    """Raise OptionError unless the value is a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(key, f"{value!r} must be a whole number from 1{alternative}")


def check_bots(key: str, names: Iterable[str], league: League) -> None:
    """Raise OptionError for a name that no bot of the league has."""
    known = {entrant.name for entrant in league.entrants}
    for name in names:
        if name not in known:
            raise OptionError(key, f"{name!r} is no bot of the league{similar(name, known)}")

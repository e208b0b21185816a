"""The standings of a run: a pure function of its outcomes, the same for any order of them.

All sums are of whole numbers or exactly rounded, so that the figures are the same to the last bit.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from msgspec import Struct, structs

from arena.model import FaultKind, Outcome
from arena.results.scoring import duel, half_points
from arena.results.statistics import interval

Order = Literal["share", "wins", "penalty"]


class Row(Struct, frozen=True):
    """One bot's line. Only complete blocks count; a figure without any match is None.

    ``share`` is the mean over blocks, ``low`` and ``high`` its 95 % interval. A win that is tied
    counts as one divided by the number of tied winners. ``mean_penalty`` is per deal, without the
    matches that the bot forfeited. ``faults`` has every kind as a key.
    """

    rank: int
    bot: str
    matches: int
    blocks: int
    wins: float
    share: float | None
    low: float | None
    high: float | None
    mean_place: float | None
    mean_penalty: float | None
    faults: dict[str, int]
    forfeits: int
    stale: int


class Duel(Struct, frozen=True):
    """The share of ``bot`` against ``opponent`` alone: the mean over the matches they shared."""

    bot: str
    opponent: str
    share: float
    matches: int


class SeatShares(Struct, frozen=True):
    """Mean shares by seat at tables of one size: of all bots, and of each bot.

    A bot that never sat in a seat has None there.
    """

    seats: int
    matches: int
    shares: tuple[float, ...]
    bots: dict[str, tuple[float | None, ...]]


class Incomplete(Struct, frozen=True):
    """A block of which some rotations are missing; it is not counted. ``bots`` are sorted."""

    block: str
    bots: tuple[str, ...]
    played: int
    rotations: int


class Standings(Struct, frozen=True):
    """The standings; ``matches`` and ``blocks`` are those that count.

    ``rows`` are in rank order, ``duels`` and the bots of ``seats`` in the order of names.
    """

    rows: tuple[Row, ...]
    duels: tuple[Duel, ...]
    seats: tuple[SeatShares, ...]
    matches: int
    blocks: int
    incomplete: tuple[Incomplete, ...]


def standings(
    outcomes: Iterable[Outcome], rotations: Mapping[int, int], names: Iterable[str] = ()
) -> Standings:
    """Return the standings of ``outcomes``, ranked by share.

    ``rotations`` gives the matches of a complete block by table size; a block with fewer is
    listed as incomplete. ``names`` are bots that appear even without a match. The outcomes are
    taken one by one and not kept once their block is complete. Raise ValueError when a block has
    a rotation twice or more matches than rotations.
    """
    ledger = _Ledger(names)
    pending: dict[str, list[Outcome]] = {}
    complete: set[str] = set()
    for outcome in outcomes:
        block = outcome.block_id
        matches = pending.setdefault(block, [])
        if block in complete or any(match.rotation == outcome.rotation for match in matches):
            raise ValueError(f"match {outcome.match} is one too many for its block {block}")
        matches.append(_slim(outcome))
        if len(matches) == rotations[len(outcome.seats)]:
            complete.add(block)
            ledger.add_block(pending.pop(block))
    incomplete = tuple(
        Incomplete(
            block=block,
            bots=tuple(sorted(matches[0].seats)),
            played=len(matches),
            rotations=rotations[len(matches[0].seats)],
        )
        for block, matches in sorted(pending.items())
    )
    for missing in incomplete:
        ledger.add_names(missing.bots)
    return ledger.close(incomplete)


def reordered(table: Standings, by: Order) -> Standings:
    """Return the standings ranked by share, wins or mean penalty, and the others after it."""
    rows = sorted(table.rows, key=lambda row: _sort_key(row, by))
    return structs.replace(
        table, rows=tuple(structs.replace(row, rank=n) for n, row in enumerate(rows, 1))
    )


def _sort_key(row: Row, by: Order) -> tuple[float | str, ...]:
    """Return the key by which the best row is first; differences of rounding are no differences."""
    keys = {
        "share": math.inf if row.share is None else -row.share,
        "wins": -row.wins,
        "penalty": math.inf if row.mean_penalty is None else row.mean_penalty,
    }
    return (round(keys.pop(by), 9), *(round(key, 9) for key in keys.values()), row.bot)


def _slim(outcome: Outcome) -> Outcome:
    """Return the outcome without what is long and does not count."""
    faults = tuple(structs.replace(fault, detail="", output="", log="") for fault in outcome.faults)
    return structs.replace(outcome, times=(), faults=faults)


@dataclass(slots=True)
class _Account:
    """The sums of one bot over complete blocks. ``shared`` counts wins by number of winners."""

    matches: int = 0
    places: int = 0
    penalties: int = 0
    deals: int = 0
    forfeits: int = 0
    stale: int = 0
    shared: Counter[int] = field(default_factory=Counter)
    faults: Counter[FaultKind] = field(default_factory=Counter)
    blocks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


class _Ledger:
    """The running sums of a league. Half points and matches are kept as pairs of counts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._accounts = {name: _Account() for name in names}
        self._duels: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        self._seats: dict[tuple[int, str, int], list[int]] = defaultdict(lambda: [0, 0])
        self._matches = 0
        self._blocks = 0

    def add_names(self, names: Iterable[str]) -> None:
        for name in names:
            self._accounts.setdefault(name, _Account())

    def add_block(self, matches: Sequence[Outcome]) -> None:
        first = matches[0]
        self.add_names(first.seats)
        points = Counter[str]()
        for match in matches:
            halves = half_points(match.places)
            for seat, name in enumerate(match.seats):
                points[name] += halves[seat]
                self._add_seat(match, seat, halves[seat])
            for fault in match.faults:
                self._accounts[match.seats[fault.seat]].faults[fault.kind] += 1
        most = 2 * (len(first.seats) - 1) * len(matches)
        for name in first.seats:
            self._accounts[name].blocks[first.composition].append(points[name] / most)
        self._matches += len(matches)
        self._blocks += 1

    def _add_seat(self, match: Outcome, seat: int, halves: int) -> None:
        name, place = match.seats[seat], match.places[seat]
        account = self._accounts[name]
        account.matches += 1
        account.places += place
        if match.stale:
            account.stale += match.stale[seat]
        if seat in match.forfeited:
            account.forfeits += 1
        else:
            account.penalties += match.totals[seat]
            account.deals += match.deals
        if place == 1:
            account.shared[match.places.count(1)] += 1
        _count(self._seats[len(match.seats), name, seat], halves)
        for other, opponent in enumerate(match.seats):
            if other != seat:
                _count(self._duels[name, opponent], duel(place, (match.places[other],)))

    def close(self, incomplete: tuple[Incomplete, ...]) -> Standings:
        table = Standings(
            rows=tuple(_row(name, account) for name, account in self._accounts.items()),
            duels=tuple(
                Duel(bot, opponent, halves / (2 * matches), matches)
                for (bot, opponent), (halves, matches) in sorted(self._duels.items())
            ),
            seats=tuple(
                self._seat_shares(size) for size in sorted({key[0] for key in self._seats})
            ),
            matches=self._matches,
            blocks=self._blocks,
            incomplete=incomplete,
        )
        return reordered(table, "share")

    def _seat_shares(self, size: int) -> SeatShares:
        cells = {key[1:]: cell for key, cell in self._seats.items() if key[0] == size}
        names = sorted({name for name, _ in cells})
        columns = [[0, 0] for _ in range(size)]
        for (_, seat), (halves, matches) in cells.items():
            columns[seat][0] += halves
            columns[seat][1] += matches
        return SeatShares(
            seats=size,
            matches=columns[0][1],
            shares=tuple(_share(column, size) for column in columns),
            bots={
                name: tuple(
                    _share(cells[name, seat], size) if (name, seat) in cells else None
                    for seat in range(size)
                )
                for name in names
            },
        )


def _count(cell: list[int], halves: int) -> None:
    cell[0] += halves
    cell[1] += 1


def _share(cell: Sequence[int], seats: int) -> float:
    halves, matches = cell
    return halves / (2 * (seats - 1) * matches)


def _row(name: str, account: _Account) -> Row:
    values = [value for means in account.blocks.values() for value in means]
    low, high = interval(account.blocks) or (None, None)
    return Row(
        rank=0,
        bot=name,
        matches=account.matches,
        blocks=len(values),
        wins=float(sum(Fraction(count, winners) for winners, count in account.shared.items())),
        share=math.fsum(values) / len(values) if values else None,
        low=low,
        high=high,
        mean_place=account.places / account.matches if values else None,
        mean_penalty=account.penalties / account.deals if account.deals else None,
        faults={kind.value: account.faults[kind] for kind in FaultKind},
        forfeits=account.forfeits,
        stale=account.stale,
    )

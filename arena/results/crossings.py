"""Who does well against whom, in which seat, and how it would be without one of the bots."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from arena.results.blocks import Blocks
from arena.results.statistics import (
    Sums,
    holm,
    interval,
    student_tail,
    together,
    unvaried_tail,
)
from arena.results.tables import Duel, LeftOut, SeatShares

Cells = Mapping[tuple[int, str, int], Sequence[int]]
"""Half points and matches by table size, bot and seat."""


def duels(blocks: Blocks) -> tuple[Duel, ...]:
    """Return the share of each bot against each one that it met, in the order of names."""
    strata: dict[tuple[str, str], list[Sums]] = defaultdict(list)
    matches: dict[tuple[str, str], int] = defaultdict(int)
    for composition in blocks.compositions.values():
        for pair, meeting in composition.meetings.items():
            strata[pair].append(meeting.duels)
            matches[pair] += meeting.duels.count * composition.rotations
    found = []
    for (first, second), sums in strata.items():
        whole = together(sums)
        most = blocks.unit * whole.count
        low, high = interval(sums, blocks.unit) or (None, None)
        met = matches[first, second]
        found.append(Duel(first, second, whole.total / most, low, high, met))
        lost = (most - whole.total) / most
        found.append(Duel(second, first, lost, _mirrored(high), _mirrored(low), met))
    return tuple(sorted(found, key=lambda duel: (duel.bot, duel.opponent)))


def without_each(blocks: Blocks) -> tuple[LeftOut, ...]:
    """Return the standings with each bot left out, by its name, then in rank order."""
    won: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for composition in blocks.compositions.values():
        most = 2 * composition.blocks * composition.rotations
        for (first, second), meeting in composition.meetings.items():
            halves = meeting.duels.total * 2 * composition.rotations // blocks.unit
            for key, gained in (((first, second), halves), ((second, first), most - halves)):
                won[key] = (won[key][0] + gained, won[key][1] + most)
    whole: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for (bot, _), (halves, most) in won.items():
        whole[bot] = (whole[bot][0] + halves, whole[bot][1] + most)
    return tuple(line for gone in sorted(whole) for line in _without(gone, whole, won))


def _without(
    gone: str,
    whole: Mapping[str, tuple[int, int]],
    won: Mapping[tuple[str, str], tuple[int, int]],
) -> Iterator[LeftOut]:
    shares: dict[str, float] = {}
    for bot, (halves, most) in whole.items():
        halves_lost, most_lost = won.get((bot, gone), (0, 0))
        if bot != gone and most > most_lost:
            shares[bot] = (halves - halves_lost) / (most - most_lost)
    ranked = sorted(shares, key=lambda bot: (-shares[bot], bot))
    return (LeftOut(gone, rank, bot, shares[bot]) for rank, bot in enumerate(ranked, 1))


def seat_shares(blocks: Blocks, cells: Cells) -> tuple[SeatShares, ...]:
    """Return the shares of each seat, by table size."""
    return tuple(
        _seat_shares(
            size,
            seats,
            blocks.unit,
            {key[1:]: cell for key, cell in cells.items() if key[0] == size},
        )
        for size, seats in sorted(blocks.seats.items())
    )


def _seat_shares(
    size: int, seats: Sequence[Sums], unit: int, cells: Mapping[tuple[str, int], Sequence[int]]
) -> SeatShares:
    intervals = [found for sums in seats if (found := interval([sums], unit))]
    return SeatShares(
        seats=size,
        matches=sum(matches for (_, seat), (_, matches) in cells.items() if seat == 0),
        shares=tuple(sums.total / (unit * sums.count) for sums in seats),
        lows=tuple(low for low, _ in intervals) or None,
        highs=tuple(high for _, high in intervals) or None,
        p=min(holm([_advantage(sums, unit) for sums in seats])) if intervals else None,
        bots={
            name: tuple(
                _share(cells[name, seat], size) if (name, seat) in cells else None
                for seat in range(size)
            )
            for name in sorted({name for name, _ in cells})
        },
    )


def _advantage(sums: Sums, unit: int) -> float:
    """Return the p-value of a seat's share if its true value is ½."""
    advantage = sums.total / (unit * sums.count) - 0.5
    freedom = sums.count - 1
    error = math.sqrt(sums.scatter / freedom / sums.count) / unit
    return (
        student_tail(advantage / error, freedom) if error else unvaried_tail(advantage, sums.count)
    )


def _share(cell: Sequence[int], seats: int) -> float:
    halves, matches = cell
    return halves / (2 * (seats - 1) * matches)


def _mirrored(bound: float | None) -> float | None:
    return None if bound is None else 1.0 - bound

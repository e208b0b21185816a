"""The running sums of a league, block by block, and the standings that they give."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from arena.model import FaultKind, Outcome
from arena.results.blocks import Blocks
from arena.results.comparisons import letters, pairs
from arena.results.crossings import duels, seat_shares, without_each
from arena.results.scoring import duel
from arena.results.statistics import Sums, interval, together
from arena.results.tables import Row, Standings

COMPLETE = "complete"
"""How a match ends for a bot that did not forfeit it."""


@dataclass(slots=True)
class _Account:
    """The counts of one bot over complete blocks. ``shared`` counts wins by number of winners."""

    matches: int = 0
    places: int = 0
    penalties: int = 0
    deals: int = 0
    stale: int = 0
    shared: Counter[int] = field(default_factory=Counter)
    faults: Counter[FaultKind] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)


class Ledger:
    """Counts complete blocks."""

    def __init__(self, rotations: Mapping[int, int], names: Iterable[str]) -> None:
        self._accounts = {name: _Account() for name in names}
        self._blocks = Blocks(rotations)
        self._seats: dict[tuple[int, str, int], list[int]] = defaultdict(lambda: [0, 0])

    def add_names(self, names: Iterable[str]) -> None:
        """Let bots appear even without a match."""
        for name in names:
            self._accounts.setdefault(name, _Account())

    def add_block(self, matches: Sequence[Outcome]) -> None:
        """Count a complete block."""
        self.add_names(matches[0].seats)
        self._blocks.add(matches)
        for match in matches:
            for seat in range(len(match.seats)):
                self._add_seat(match, seat)
            for fault in match.faults:
                self._accounts[match.seats[fault.seat]].faults[fault.kind] += 1

    def _add_seat(self, match: Outcome, seat: int) -> None:
        name, place = match.seats[seat], match.places[seat]
        account = self._accounts[name]
        account.matches += 1
        account.places += place
        account.ends[_end(match, seat)] += 1
        if match.stale:
            account.stale += match.stale[seat]
        if seat not in match.forfeited:
            account.penalties += match.totals[seat]
            account.deals += match.deals
        if place == 1:
            account.shared[match.places.count(1)] += 1
        cell = self._seats[len(match.seats), name, seat]
        cell[0] += duel(place, match.places) - 1
        cell[1] += 1

    def close(self) -> Standings:
        """Return the standings of the blocks; their rows are not ranked yet."""
        blocks, strata = self._blocks, self._blocks.strata()
        compared = pairs(blocks)
        groups = letters(compared)
        return Standings(
            rows=tuple(
                _row(name, account, strata.get(name, []), blocks.unit, groups.get(name, ()))
                for name, account in self._accounts.items()
            ),
            duels=duels(blocks),
            pairs=compared,
            seats=seat_shares(blocks, self._seats),
            without=without_each(blocks),
            matches=sum(c.blocks * c.rotations for c in blocks.compositions.values()),
            blocks=sum(c.blocks for c in blocks.compositions.values()),
            repeated=0,
            incomplete=(),
        )


def _end(match: Outcome, seat: int) -> str:
    """Return what ended the match for a seat: the kind of the fault that forfeited it."""
    if seat not in match.forfeited:
        return COMPLETE
    return [fault.kind.value for fault in match.faults if fault.seat == seat][-1]


def _row(
    name: str, account: _Account, strata: Sequence[Sums], unit: int, groups: tuple[str, ...]
) -> Row:
    whole = together(strata)
    low, high = interval(strata, unit) or (None, None)
    return Row(
        rank=0,
        bot=name,
        matches=account.matches,
        blocks=whole.count,
        wins=float(sum(Fraction(count, winners) for winners, count in account.shared.items())),
        share=whole.total / (unit * whole.count) if whole.count else None,
        low=low,
        high=high,
        groups=groups,
        mean_place=account.places / account.matches if account.matches else None,
        mean_penalty=account.penalties / account.deals if account.deals else None,
        faults={kind.value: account.faults[kind] for kind in FaultKind},
        forfeits=sum(account.ends.values()) - account.ends[COMPLETE],
        ends={end: account.ends[end] for end in (COMPLETE, *FaultKind)},
        stale=account.stale,
    )

"""Decision times by bot, from the histograms of the outcomes; processor time; the arena's lag."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from arena.model import Fault, FaultKind, Lag, Outcome, Spent, bucket_ms

LITTLE = 0.5
"""A late bot that was on a processor for less than this share of its time was not kept busy."""


class BotTimes(Struct, frozen=True):
    """How long a bot thought, in milliseconds to the width of a bucket (12 % at most).

    ``cpu`` is the mean processor time of a decision, ``off_turn`` all of it that was used in the
    ``waiting`` milliseconds for which the bot was not asked; None where it was not measured.
    """

    bot: str
    decisions: int
    median: float
    p99: float
    longest: float
    cpu: float | None = None
    off_turn: float | None = None
    waiting: float | None = None


class Times(Struct, frozen=True):
    """The times of bots by name; the lag of the arena, in all their matches, None if unknown;
    and how many answers were late, and of those with little time on a processor, ``idle``."""

    bots: tuple[BotTimes, ...]
    arena: Lag | None
    late: int
    idle: int


@dataclass(slots=True)
class _Account:
    """The times of one bot so far; ``measured`` counts decisions of which more is known."""

    histogram: Counter[int] = field(default_factory=Counter)
    measured: int = 0
    asked: float = 0.0
    off_turn: float = 0.0
    waiting: float = 0.0

    def add(self, times: dict[int, int], spent: Spent | None) -> None:
        self.histogram.update(times)
        if spent:
            self.measured += sum(times.values())
            self.asked += spent.asked
            self.off_turn += spent.off_turn
            self.waiting += spent.waiting


def decision_times(outcomes: Iterable[Outcome]) -> Times:
    """Return the times of every bot that took a decision, and of the arena.

    All outcomes count, also those of incomplete blocks.
    """
    accounts: dict[str, _Account] = {}
    arena: Lag | None = None
    late: Counter[bool] = Counter()
    for outcome in outcomes:
        arena = _together(arena, outcome.lag)
        late.update(_is_idle(fault) for fault in outcome.faults if fault.kind is FaultKind.TIMEOUT)
        spent = outcome.spent or (None,) * len(outcome.seats)
        for name, times, figures in zip(outcome.seats, outcome.times, spent, strict=True):
            accounts.setdefault(name, _Account()).add(times, figures)
    bots = tuple(
        _times(name, account)
        for name, account in sorted(accounts.items())
        if account.histogram.total()
    )
    return Times(bots, arena, late.total(), late[True])


def _is_idle(fault: Fault) -> bool:
    """Return whether a late bot is known to have spent little of its time on a processor."""
    return fault.cpu is not None and fault.ms is not None and fault.cpu < fault.ms * LITTLE


def _together(one: Lag | None, other: Lag | None) -> Lag | None:
    """Return the lag of two parts of a league as one."""
    if one is None or other is None:
        return one or other
    return Lag(
        one.decisions + other.decisions,
        one.work + other.work,
        max(one.longest_work, other.longest_work),
        None if one.wait is None or other.wait is None else one.wait + other.wait,
        max(filter(None, (one.longest_wait, other.longest_wait)), default=None),
    )


def _times(name: str, account: _Account) -> BotTimes:
    histogram, measured = account.histogram, account.measured
    return BotTimes(
        bot=name,
        decisions=histogram.total(),
        median=bucket_ms(_quantile(histogram, 50)),
        p99=bucket_ms(_quantile(histogram, 99)),
        longest=bucket_ms(_quantile(histogram, 100)),
        cpu=account.asked / measured if measured else None,
        off_turn=account.off_turn if measured else None,
        waiting=account.waiting if measured else None,
    )


def _quantile(histogram: Counter[int], percent: int) -> int:
    """Return the lowest bucket up to which at least ``percent`` of the decisions lie."""
    total, seen = histogram.total(), 0
    for bucket, count in sorted(histogram.items()):
        seen += count
        if 100 * seen >= percent * total:
            return bucket
    raise ValueError("the histogram is empty")

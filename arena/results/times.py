"""Decision times by bot, from the histograms of the outcomes, and processor time."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from arena.model import Outcome, Spent, bucket_ms


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


def decision_times(outcomes: Iterable[Outcome]) -> tuple[BotTimes, ...]:
    """Return the times of every bot that took a decision, by name.

    All outcomes count, also those of incomplete blocks.
    """
    accounts: dict[str, _Account] = {}
    for outcome in outcomes:
        spent = outcome.spent or (None,) * len(outcome.seats)
        for name, times, figures in zip(outcome.seats, outcome.times, spent, strict=True):
            accounts.setdefault(name, _Account()).add(times, figures)
    return tuple(
        _times(name, account)
        for name, account in sorted(accounts.items())
        if account.histogram.total()
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

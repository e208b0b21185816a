"""Decision times by bot, from the histograms of the outcomes."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from arena.model import Outcome, bucket_ms


class BotTimes(Struct, frozen=True):
    """How long a bot thought, in milliseconds to the width of a bucket (12 % at most)."""

    bot: str
    decisions: int
    median: float
    p99: float
    longest: float


def decision_times(outcomes: Iterable[Outcome]) -> tuple[BotTimes, ...]:
    """Return the times of every bot that took a decision, by name.

    All outcomes count, also those of incomplete blocks.
    """
    histograms: dict[str, Counter[int]] = {}
    for outcome in outcomes:
        for name, times in zip(outcome.seats, outcome.times, strict=True):
            histograms.setdefault(name, Counter()).update(times)
    return tuple(
        BotTimes(
            bot=name,
            decisions=histogram.total(),
            median=bucket_ms(_quantile(histogram, 50)),
            p99=bucket_ms(_quantile(histogram, 99)),
            longest=bucket_ms(_quantile(histogram, 100)),
        )
        for name, histogram in sorted(histograms.items())
        if histogram.total()
    )


def _quantile(histogram: Counter[int], percent: int) -> int:
    """Return the lowest bucket up to which at least ``percent`` of the decisions lie."""
    total, seen = histogram.total(), 0
    for bucket, count in sorted(histogram.items()):
        seen += count
        if 100 * seen >= percent * total:
            return bucket
    raise ValueError("the histogram is empty")

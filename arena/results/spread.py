"""How penalties and decision times are spread, bot by bot."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from arena.model import Outcome

QUANTILES = (5, 25, 50, 75, 95)
"""Percent, as people are shown them."""


class Spread:
    """Counts the outcomes of a league, complete blocks or not.

    ``penalties`` has, for each bot, its penalties of whole matches without those that it forfeited,
    ``times`` the buckets of its decision times; each with how often they came up.
    """

    def __init__(self) -> None:
        self.penalties: dict[str, Counter[int]] = defaultdict(Counter)
        self.times: dict[str, Counter[int]] = defaultdict(Counter)

    def add(self, outcome: Outcome) -> None:
        """Count one more outcome."""
        for seat, name in enumerate(outcome.seats):
            if seat not in outcome.forfeited:
                self.penalties[name][outcome.totals[seat]] += 1
            self.times[name].update(outcome.times[seat])


def quantiles(counts: Mapping[int, int], percents: Sequence[int] = QUANTILES) -> tuple[int, ...]:
    """Return for each percentage the least value up to which as much of all lies.

    Raise ValueError when nothing was counted.
    """
    total = sum(counts.values())
    if not total:
        raise ValueError("nothing was counted")
    found, seen, ordered = [], 0, iter(sorted(counts.items()))
    value = 0
    for percent in percents:
        while 100 * seen < percent * total:
            value, count = next(ordered)
            seen += count
        found.append(value)
    return tuple(found)

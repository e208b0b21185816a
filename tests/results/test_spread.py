"""How penalties and times are spread."""

from collections import Counter

import pytest
from msgspec.structs import replace
from results.leagues import outcome

from arena.results.spread import Spread, quantiles


def test_penalties_leave_out_those_who_forfeited_and_times_nobody() -> None:
    spread = Spread()
    match = outcome(("a", "b"), 1, 1, (1, 2))
    spread.add(replace(match, totals=(3, 9), forfeited=(1,), times=({5: 2}, {7: 1})))
    spread.add(replace(match, totals=(4, 9), times=({5: 1, 6: 1}, {7: 1})))
    assert spread.penalties == {"a": Counter({3: 1, 4: 1}), "b": Counter({9: 1})}
    assert spread.times == {"a": Counter({5: 3, 6: 1}), "b": Counter({7: 2})}


def test_quantiles_are_the_least_values_that_so_many_lie_up_to() -> None:
    counts = Counter(range(1, 101))
    assert quantiles(counts) == (5, 25, 50, 75, 95)
    assert quantiles(counts, (0, 1, 100)) == (0, 1, 100)
    assert quantiles({7: 3}) == (7, 7, 7, 7, 7)
    assert quantiles({0: 94, 9: 6}, (50, 95)) == (0, 9)


def test_nothing_has_no_quantiles() -> None:
    with pytest.raises(ValueError, match="nothing was counted"):
        quantiles({})

"""What the places of one match are worth, in whole numbers, so that sums are exact."""

from collections.abc import Sequence


def half_points(places: Sequence[int]) -> tuple[int, ...]:
    """Return for each seat 2 for every seat it finished ahead of and 1 for every tie.

    Divided by ``2 * (seats - 1)`` this is the seat's share of the match.
    """
    return tuple(duel(mine, places) - 1 for mine in places)


def duel(mine: int, others: Sequence[int]) -> int:
    """Return 2 for every place that is worse than ``mine`` and 1 for every equal one."""
    return sum((mine < other) + (mine <= other) for other in others)

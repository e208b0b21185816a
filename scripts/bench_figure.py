"""A measured figure, and the way to measure several things in turn."""

import statistics
from collections.abc import Callable

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One measured figure.

    ``floor`` is what it must reach, ``goal`` what it should; with ``least`` False they are
    ceilings.
    """

    name: str
    value: float
    unit: str = ""
    floor: float | None = None
    goal: float | None = None
    least: bool = True

    @property
    def passed(self) -> bool:
        if self.floor is None:
            return True
        return self.value >= self.floor if self.least else self.value <= self.floor


def rounds_of(count: int, variants: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the median of each variant over rounds that run forwards and backwards in turn."""
    seen: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(count):
        order = list(variants.items())
        for name, run in order if number % 2 == 0 else reversed(order):
            seen[name].append(run())
    return {name: statistics.median(values) for name, values in seen.items()}

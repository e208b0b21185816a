"""A measured figure, the way to measure several things in turn, and a table of what was found."""

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


def as_text(figures: list[Figure]) -> str:
    """Return figures as lines of a table, with floors and goals."""
    lines = []
    for figure in figures:
        value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        bound = "" if figure.floor is None else f"{'≥' if figure.least else '≤'} {figure.floor:,g}"
        goal = "" if figure.goal is None else f"goal {figure.goal:,g}"
        verdict = "" if figure.floor is None else "ok" if figure.passed else "MISSED"
        lines.append(
            f"{figure.name:44} {value:>10} {figure.unit:12} {bound:11} {goal:13} {verdict}".rstrip()
        )
    return "\n".join(lines)

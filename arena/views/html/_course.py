"""The chart of ratings over the course of a league."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from arena.results.course import Point
from arena.views.grid import cut
from arena.views.html._drawing import NAME, TEXT, WIDTH, drawn

LINES = 8
"""Bots that are drawn: as many as there are colours."""
_DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3))
_NAMES = 110
"""Pixels for the names behind the lines."""
_APART = 16
"""Pixels from one name to the next."""


class _Dot(Struct, frozen=True):
    """A rating of the bot of this number, with its interval if it has one."""

    blocks: int
    bot: int
    rating: float
    low: float | None
    high: float | None


def course_chart(points: Sequence[Point], bots: Sequence[str]) -> str:
    """Return the ratings of some bots, ``LINES`` at most, with bands, over the blocks played."""
    shown = list(bots)[:LINES]
    dots = [
        _Dot(point.blocks, shown.index(row.bot), row.rating, row.low, row.high)
        for point in points
        for row in point.rows
        if row.bot in shown
    ]
    height = max(260, 24 * len(shown))
    bottom, top = min(dot.rating for dot in dots), max(dot.rating for dot in dots)
    spare = max(0.12 * (top - bottom), 20.0)
    ends = {dot.bot: dot.rating for dot in dots}
    places = _apart(ends, (top - bottom + 2 * spare) * _APART / height)
    x = {
        "field": "blocks",
        "type": "quantitative",
        "title": "complete blocks",
        "scale": {"domain": [0, points[-1].blocks], "nice": False},
        "axis": {"grid": False, "format": "d", "tickCount": 6},
    }
    y = {
        "field": "rating",
        "type": "quantitative",
        "title": "rating",
        "scale": {"domain": [bottom - spare, top + spare], "zero": False, "nice": False},
        "axis": {"format": "d"},
    }
    names = [
        {"blocks": points[-1].blocks, "bot": bot, "rating": places[bot], "name": _name(shown[bot])}
        for bot in ends
    ]
    return drawn(
        {
            "width": WIDTH - _NAMES,
            "height": height,
            "layer": [_bands(dots, x, y), _lines(dots, x, y), _labels(x, y, names)],
        },
        f"Ratings of {', '.join(shown)} over the blocks played, with 95% bands",
    )


def _bands(dots: Sequence[_Dot], x: Mapping[str, Any], y: Mapping[str, Any]) -> dict[str, Any]:
    """Return the intervals, from where there are any."""
    values = [
        {"blocks": dot.blocks, "bot": dot.bot, "low": round(dot.low), "high": round(dot.high)}
        for dot in dots
        if dot.low is not None and dot.high is not None
    ]
    bounds = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {
        "data": {"values": values},
        "mark": {"type": "area", "opacity": 0.11, "clip": True},
        "encoding": {"x": x, **bounds, "color": _colour()},
    }


def _lines(dots: Sequence[_Dot], x: Mapping[str, Any], y: Mapping[str, Any]) -> dict[str, Any]:
    values = [
        {"blocks": dot.blocks, "bot": dot.bot, "rating": round(dot.rating, 1)} for dot in dots
    ]
    dash = _by_bot([list(_DASHES[n % len(_DASHES)]) for n in range(LINES)])
    return {
        "data": {"values": values},
        "mark": {"type": "line", "strokeWidth": 2.2, "clip": True},
        "encoding": {"x": x, "y": y, "color": _colour(), "strokeDash": dash},
    }


def _labels(
    x: Mapping[str, Any], y: Mapping[str, Any], names: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the names of the bots behind their lines."""
    return {
        "data": {"values": names},
        "mark": {"type": "text", "align": "left", "dx": 8, "fontSize": TEXT, "fontWeight": "bold"},
        "encoding": {"x": x, "y": y, "text": {"field": "name"}, "color": _colour()},
    }


def _colour() -> dict[str, Any]:
    return _by_bot([f"var(--series-{n})" for n in range(1, LINES + 1)])


def _by_bot(looks: Sequence[Any]) -> dict[str, Any]:
    """Return an encoding that has a look for each bot."""
    scale = {"domain": list(range(LINES)), "range": looks}
    return {"field": "bot", "type": "ordinal", "legend": None, "scale": scale}


def _name(bot: str) -> str:
    return cut(bot, NAME)


def _apart(ends: Mapping[int, float], least: float) -> dict[int, float]:
    """Return values in the order of the given ones that are at least so far from each other."""
    order = sorted(ends, key=lambda bot: ends[bot])
    places: list[float] = []
    for bot in order:
        places.append(max(ends[bot], places[-1] + least) if places else ends[bot])
    surplus = sum(place - ends[bot] for place, bot in zip(places, order, strict=True)) / len(order)
    return {bot: place - surplus for bot, place in zip(order, places, strict=True)}

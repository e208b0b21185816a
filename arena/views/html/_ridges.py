"""The charts of distributions: one hill for each bot, below each other."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from arena.model import BUCKETS_PER_DOUBLING, Limits, bucket_ms
from arena.results.spread import quantiles
from arena.views.grid import cut
from arena.views.html._drawing import NAME, TEXT, WIDTH, drawn

Counts = Mapping[int, int]
"""How often each penalty, or bucket of times, came up."""

MOST = 30
"""Bots that are drawn."""
_ROW, _PEAK = 38, 0.82
"""Pixels of a row, and how much of it the highest peak takes."""
_LETTER = 7.5
"""Pixels that a letter of a name takes at most."""
_FEWEST, _MOST = 12, 60
"""Bins of penalties, by how many matches there are."""
_BESIDE = 2 ** (0.5 / BUCKETS_PER_DOUBLING)
"""From the middle of a bucket to its ends."""


class _Hill(Struct, frozen=True):
    """The distribution of a bot: where each bin begins and what is in it; the last one is empty."""

    bot: str
    bins: Sequence[tuple[float, float]]
    median: float


def penalty_chart(penalties: Mapping[str, Counts], bots: Sequence[str]) -> str:
    """Return how the penalties of each bot in whole matches are spread."""
    shown = [bot for bot in bots if penalties.get(bot)][:MOST]
    least = min(min(penalties[bot]) for bot in shown)
    most = max(max(penalties[bot]) for bot in shown)
    matches = max(sum(penalties[bot].values()) for bot in shown)
    bins = min(_MOST, max(_FEWEST, math.isqrt(4 * matches)))
    width = math.ceil((most - least + 1) / bins)
    x = {
        "title": "penalty of a match",
        "scale": {"domain": [least, most + 1], "nice": False},
        "axis": {"format": "d", "tickCount": 8},
    }
    hills = [_binned(bot, penalties[bot], least, most, width) for bot in shown]
    return _ridges(hills, x, {}, f"How penalties of whole matches are spread: {', '.join(shown)}")


def _binned(bot: str, counts: Counts, least: int, most: int, width: int) -> _Hill:
    bins = [0] * ((most - least) // width + 2)
    for penalty, count in counts.items():
        bins[(penalty - least) // width] += count
    (median,) = quantiles(counts, (50,))
    edges = [(min(least + n * width, most + 1), count) for n, count in enumerate(bins)]
    return _Hill(bot, edges, median + 0.5)


def time_chart(times: Mapping[str, Counts], bots: Sequence[str], limits: Limits) -> str:
    """Return how the decision times of each bot are spread, with the limits of a decision."""
    shown = [bot for bot in bots if times.get(bot)][:MOST]
    first = min(min(times[bot]) for bot in shown)
    last = max(max(times[bot]) for bot in shown)
    marked = {"move": limits.move, "first move": limits.first_move}
    low = bucket_ms(first) / _BESIDE
    high = 1.3 * max(bucket_ms(last) * _BESIDE, *marked.values())
    powers = [10.0**n for n in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    x = {
        "title": "milliseconds (log scale)",
        "scale": {"type": "log", "domain": [low, high], "nice": False},
        "axis": {"values": [ms for ms in powers if low <= ms <= high], "format": "~g"},
    }
    hills = [_timed(bot, times[bot], first, last) for bot in shown]
    said = ", ".join(f"{name} {ms} ms" for name, ms in marked.items())
    return _ridges(
        hills, x, marked, f"How decision times are spread: {', '.join(shown)}; limits: {said}"
    )


def _timed(bot: str, counts: Counts, first: int, last: int) -> _Hill:
    buckets = range(first, last + 2)
    edges = [(bucket_ms(bucket) / _BESIDE, counts.get(bucket, 0)) for bucket in buckets]
    (median,) = quantiles(counts, (50,))
    return _Hill(bot, edges, bucket_ms(median))


def _ridges(
    hills: Sequence[_Hill], x: Mapping[str, Any], limits: Mapping[str, int], said: str
) -> str:
    """Return the hills, with a line from top to bottom for each limit."""
    x = {"field": "x", "type": "quantitative", **x, "axis": {**x["axis"], "domain": False}}
    scale = {"domain": [0, len(hills)], "nice": False}
    y = {"field": "y", "type": "quantitative", "axis": None, "scale": scale}
    places = {hill.bot: len(hills) - n - 1 for n, hill in enumerate(hills)}
    names = [{"y": places[hill.bot] + 0.25, "name": cut(hill.bot, NAME)} for hill in hills]
    return drawn(
        {
            "width": WIDTH - _LETTER * max(len(cut(hill.bot, NAME)) for hill in hills),
            "height": _ROW * len(hills),
            "layer": [
                _areas(hills, places, x, y),
                _medians(hills, places, x, y),
                _names(names, y),
                *(_limit(n, f"{name} {ms}", ms, x) for n, (name, ms) in enumerate(limits.items())),
            ],
        },
        said,
    )


def _areas(
    hills: Sequence[_Hill], places: Mapping[str, int], x: Mapping[str, Any], y: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "data": {"values": [value for hill in hills for value in _outline(hill, places)]},
        "mark": {
            "type": "area",
            "interpolate": "step-after",
            "fill": "var(--hill)",
            "line": {"color": "var(--accent)", "strokeWidth": 1},
        },
        "encoding": {"x": x, "y": y, "y2": {"field": "base"}, "detail": {"field": "base"}},
    }


def _outline(hill: _Hill, places: Mapping[str, int]) -> list[dict[str, float]]:
    base, peak = places[hill.bot], max(count for _, count in hill.bins)
    return [
        {"x": round(x, 5), "y": round(base + _PEAK * count / peak, 3), "base": base}
        for x, count in hill.bins
    ]


def _medians(
    hills: Sequence[_Hill], places: Mapping[str, int], x: Mapping[str, Any], y: Mapping[str, Any]
) -> dict[str, Any]:
    values = [
        {"x": round(hill.median, 5), "y": places[hill.bot], "top": places[hill.bot] + _PEAK}
        for hill in hills
    ]
    return {
        "data": {"values": values},
        "mark": {"type": "rule", "color": "var(--ink)", "strokeWidth": 2},
        "encoding": {"x": x, "y": y, "y2": {"field": "top"}},
    }


def _names(names: Sequence[Mapping[str, Any]], y: Mapping[str, Any]) -> dict[str, Any]:
    mark = {"type": "text", "align": "right", "x": -10, "fontSize": TEXT, "color": "var(--ink)"}
    return {
        "data": {"values": names},
        "mark": mark,
        "encoding": {"y": y, "text": {"field": "name"}},
    }


def _limit(number: int, name: str, ms: int, x: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dashed line; the names of limits are above each other."""
    line = {"type": "rule", "color": "var(--bad)", "strokeDash": [5, 3]}
    label = {"type": "text", "y": -8 - 15 * number, "align": "right", "dx": 4, "fontSize": TEXT}
    return {
        "data": {"values": [{"x": ms, "name": name}]},
        "encoding": {"x": x},
        "layer": [
            {"mark": line},
            {
                "mark": {**label, "color": "var(--bad)"},
                "encoding": {"text": {"field": "name"}},
            },
        ],
    }

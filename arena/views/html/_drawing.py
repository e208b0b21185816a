"""Vega-Lite drawn to SVG by vl-convert, of the extra ``arena[report]``.

Colours are the variables of the page's style, so that they follow light and dark.
"""

import importlib.util
import re
from collections.abc import Mapping
from typing import Any

WIDTH = 620
"""Of a chart with its names, in CSS pixels."""
TEXT = 12
"""Size of letters."""
NAME = 20
"""Letters that the name of a bot may have in a chart."""
_NOISE = re.compile(
    r' (?:xmlns:xlink|aria-[a-z]+|role|pointer-events|stroke-miterlimit)="[^"]*"'
    r'|<path class="(?:background|foreground)"[^>]*/>'
)
"""What a picture does not need: it has one description, for the whole of it."""
_CONFIG: dict[str, Any] = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "labelFontSize": TEXT,
        "titleFontSize": TEXT,
        "titleFontWeight": "normal",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
    },
}


def is_possible() -> bool:
    """Return whether charts can be drawn here."""
    return importlib.util.find_spec("vl_convert") is not None


def drawn(spec: Mapping[str, Any], said: str) -> str:
    """Return a picture as an SVG element that is described by ``said``.

    Texts of the league may be data of it, which the renderer escapes, but no part of an expression.
    """
    import vl_convert
    from markupsafe import escape

    svg = vl_convert.vegalite_to_svg({**spec, "padding": 4, "config": _CONFIG})
    opening, _, content = _NOISE.sub("", svg).partition(">")
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)
    if not box:
        raise ValueError(f"vl-convert drew {opening}")
    width, height = box.groups()
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(said)}">{content}'
    )

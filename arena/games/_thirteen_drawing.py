"""Thirteen as a person at the table sees it."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LAST = 8
"""Cards of the discard pile that are shown."""
WIDTH = 78


def drawing(observation: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the piles, a line or more for each seat, the hand and its best melds."""
    pile = [card for card, _, taker in observation["discards"] if taker is None]
    under = f"   under it {' '.join(pile[-2 : -LAST - 1 : -1])}" if len(pile) > 1 else ""
    lines = [
        f"{observation['wild']}s are wild   stock {observation['stock']}"
        f"   discard {observation['top'] or 'none'}{under}",
        "",
    ]
    width = max(map(len, names))
    for seat, name in enumerate(names):
        line = (
            f"{name:{width}}  {observation['counts'][seat]:2} cards  {_status(observation, seat)}"
        )
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=" " * (width + 2))
    hand = " ".join(observation["hand"])
    drawn = f"   drawn {observation['drawn']}" if observation["drawn"] else ""
    return "\n".join([*lines, "", f"hand  {hand}{drawn}", f"best  {_best(observation['best'])}"])


def remark(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return whether the last turns begin (T15) or there is a new stock (T19)."""
    if before["went_out"] is None and after["went_out"] is not None:
        return "all others have one more turn"
    if after["stock"] > before["stock"]:
        return "the stock was empty: the discard pile is shuffled into a new one"
    return ""


def _status(observation: Mapping[str, Any], seat: int) -> str:
    """Return what is known of a seat besides the number of its cards."""
    parts = ["dealer"] if seat == observation["dealer"] else []
    parts += ["out"] if seat == observation["went_out"] else []
    if shown := observation["shown"][seat]:
        parts.append(f"shows {_melds(shown)}")
    elif seat != observation["seat"] and (known := observation["known"][seat]):
        parts.append(f"holds {' '.join(known)}")
    return ", ".join(parts)


def _best(best: Mapping[str, Any]) -> str:
    rest = f"rest {' '.join(best['rest'])}, " if best["rest"] else ""
    points = "1 point" if best["penalty"] == 1 else f"{best['penalty']} points"
    return f"{_melds(best['melds']) or 'no melds'}   {rest}{points}"


def _melds(melds: Iterable[Sequence[str]]) -> str:
    return " | ".join(map(" ".join, melds))

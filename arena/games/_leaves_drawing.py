"""13 Leaves as a person at the table sees it."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from arena.games._leaves import CLOSED, COPIES, needed


def drawing(observation: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the row, what may be played on it, a line for each seat, and the hand."""
    row = tuple((value, count) for value, count in observation["table"])
    stacks = " | ".join(" ".join([str(value)] * count) for value, count in row)
    width = max(map(len, names))
    lines = [f"row   {stacks or 'empty'}", f"      {_open(row)}", ""]
    for seat, name in enumerate(names):
        status = "passed" if observation["passed"][seat] else ""
        line = f"{name:{width}}  {observation['counts'][seat]:2} cards  {status}"
        lines.append(line.rstrip())
    hand = [
        "  ".join(" ".join(map(str, same)) for _, same in itertools.groupby(observation["hand"]))
    ]
    return "\n".join([*lines, "", f"hand  {hand[0] or 'empty'}"])


def remark(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return whether a round has ended (L14)."""
    return "the round is over" if any(before["passed"]) and not any(after["passed"]) else ""


def _open(row: tuple[tuple[int, int], ...]) -> str:
    """Return which values may be played, and how many cards of each (L05-L09, L13)."""
    if not row:
        return "play anything: one card or more of one value"
    least = needed(row)
    if CLOSED not in least and len(set(least)) == 1 and len(row) == 1:
        return f"play any value: {_cards(least[0])}"
    low, high = row[0][0], row[-1][0]
    ends = [
        f"{'1' if low == 1 else f'1 to {low}'}: {_cards(least[low - 1])}",
        f"{high if high == len(COPIES) else f'{high} to {len(COPIES)}'}: {_cards(least[high - 1])}",
    ]
    return "play " + "; ".join(ends)


def _cards(least: int) -> str:
    return "1 card or more" if least == 1 else f"{least} cards or more"

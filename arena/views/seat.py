"""What a person at a table is shown: the table, what happens there, and why a move is not legal."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.games import cited
from arena.games.base import Drawn, Game
from arena.model import Fault
from arena.views.grid import cut, first_line, printable

WIDTH = 78
"""Cells of a line, so that none reaches the edge of a terminal of 80."""
_LONGEST_LABEL = 20


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return what the seats are called: the seat and the name of its bot."""
    return tuple(
        cut(f"{seat} {printable(name)}", _LONGEST_LABEL) for seat, name in enumerate(names)
    )


def table(game: Game, observation: Mapping[str, Any], seats: Sequence[str]) -> list[str]:
    """Return what a seat sees as lines; of a game that does not draw, its observation as JSON."""
    lines = []
    if "totals" in observation:
        lines = textwrap.wrap(score(seats, observation["totals"]), WIDTH, subsequent_indent="    ")
    if isinstance(game, Drawn):
        return [*lines, *game.draw(observation, seats).splitlines()]
    for key, value in observation.items():
        if key not in ("deal", "totals"):
            text = printable(f"{key}: {msgspec.json.encode(value).decode()}")
            lines += textwrap.wrap(text, WIDTH, subsequent_indent="    ")
    return lines


def happened(label: str, action: str, ms: float | None, fault: Fault | None) -> list[str]:
    """Return what a seat has done; ``action`` is painted, ``ms`` None for a house move."""
    lines = [f"{label}: {action}" + ("" if ms is not None else "  (the house plays)")]
    if fault:
        detail = cut(printable(first_line(fault.detail)), WIDTH - 4)
        lines = [f"{label}: fault, {fault.kind.value}", f"    {detail}", *lines]
    return lines


def refusal(game: Game, objection: str) -> list[str]:
    """Return an objection with the rules that it names."""
    lines = textwrap.wrap(objection, WIDTH)
    for rule in cited(game, objection):
        lines += [f"  {line}" for line in rule.splitlines()]
    return lines


def score(seats: Sequence[str], totals: Sequence[int]) -> str:
    """Return the totals of a match in one line."""
    pairs = zip(seats, totals, strict=True)
    return f"totals   {', '.join(f'{seat}: {total}' for seat, total in pairs)}"

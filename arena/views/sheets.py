"""Exact tables for other programs: one row a record, figures unrounded, None where there is none.

In CSV a text that a spreadsheet would take for a formula gets an apostrophe in front, and every
line end is ``\\n``; JSON has every text as it is.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from arena.model import FaultKind, Lag, Outcome
from arena.results.tables import Duel, LeftOut, Pair, Rating, SeatShares, Standings
from arena.results.times import BotTimes, Times
from arena.views.text import listed_faults

Cell = str | int | float | None
_FORMULA = ("=", "+", "-", "@", "\t", "\n")


class Sheet(Struct, frozen=True):
    """A table of exact values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def main_sheet(table: Standings) -> Sheet:
    """Return the standings: a column for every kind of fault."""
    figures = (
        "rank", "bot", "matches", "blocks", "wins", "share", "low", "high", "mean_place",
        "mean_penalty",
    )  # fmt: skip
    kinds = tuple(kind.value for kind in FaultKind)
    return Sheet(
        columns=(*figures, *kinds, "forfeits", "stale", "groups"),
        rows=tuple(
            (
                *(getattr(row, name) for name in figures),
                *(row.faults[kind] for kind in kinds),
                row.forfeits,
                row.stale,
                " ".join(row.groups),
            )
            for row in table.rows
        ),
    )


def cross_sheet(table: Standings) -> Sheet:
    """Return one record for each ordered pair of bots that met."""
    return _records(Duel.__struct_fields__, table.duels)


def pair_sheet(table: Standings) -> Sheet:
    """Return one record for every two bots with enough blocks."""
    return _records(Pair.__struct_fields__, table.pairs)


def without_sheet(table: Standings) -> Sheet:
    """Return one record for each bot left out and each of the others."""
    return _records(LeftOut.__struct_fields__, table.without)


def rating_sheet(table: Standings) -> Sheet:
    """Return one record for each rated bot."""
    return _records(Rating.__struct_fields__, table.ratings.rows if table.ratings else ())


def end_sheet(table: Standings) -> Sheet:
    """Return how matches ended for each bot: a column for every end."""
    kinds = tuple(table.rows[0].ends) if table.rows else ()
    return Sheet(
        columns=("bot", "matches", *kinds),
        rows=tuple((row.bot, row.matches, *row.ends.values()) for row in table.rows),
    )


def seat_sheet(table: Standings) -> Sheet:
    """Return one record for each table size, bot and seat; without a bot, of all bots."""
    return Sheet(
        columns=("seats", "bot", "seat", "share", "low", "high"),
        rows=tuple(row for size in table.seats for row in _seats(size)),
    )


def _seats(size: SeatShares) -> Iterator[tuple[Cell, ...]]:
    nothing = (None,) * size.seats
    bounds = zip(size.shares, size.lows or nothing, size.highs or nothing, strict=True)
    for seat, figures in enumerate(bounds):
        yield size.seats, None, seat, *figures
    for bot, shares in size.bots.items():
        for seat, share in enumerate(shares):
            yield size.seats, bot, seat, share, None, None


def fault_sheet(outcomes: Iterable[Outcome]) -> Sheet:
    """Return one record for each fault, with all that is known of it."""
    details = ("deal", "action", "ms", "cpu", "detail", "output", "log")
    return Sheet(
        columns=("match", "bot", "seat", "kind", *details),
        rows=tuple(
            (match, bot, fault.seat, fault.kind.value, *(getattr(fault, name) for name in details))
            for match, bot, fault in listed_faults(outcomes)
        ),
    )


def time_sheet(times: Times) -> Sheet:
    """Return decision times and processor time by bot in milliseconds; without a bot, the lag of
    the arena."""
    own, lag = BotTimes.__struct_fields__, Lag.__struct_fields__[1:]
    rows = [(*(getattr(bot, name) for name in own), *(None,) * len(lag)) for bot in times.bots]
    if times.arena:
        nothing = (None,) * (len(own) - 2)
        figures = (getattr(times.arena, name) for name in lag)
        rows.append((None, times.arena.decisions, *nothing, *figures))
    return Sheet((*own, *lag), tuple(rows))


def as_csv(sheet: Sheet) -> str:
    """Return the sheet as CSV with a heading, ``\\n`` at line ends and empty cells for None."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows([_harmless(cell) for cell in row] for row in sheet.rows)
    return text.getvalue()


def as_records(sheet: Sheet) -> list[dict[str, Cell]]:
    """Return the sheet's rows as objects."""
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def _records(names: tuple[str, ...], values: Iterable[Any]) -> Sheet:
    return Sheet(names, tuple(tuple(getattr(value, name) for name in names) for value in values))


def _harmless(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if text.startswith(_FORMULA) else text

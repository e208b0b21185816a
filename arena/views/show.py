"""Any table of a run in any form, for ``arena standings``."""

from collections.abc import Callable, Iterable
from typing import Literal, get_args

from arena.model import Outcome
from arena.results.tables import Standings
from arena.results.times import decision_times
from arena.views import analysis, files, sheets, text
from arena.views.grid import Grid, as_markdown, as_text
from arena.views.sheets import Sheet

Form = Literal["text", "csv", "json", "md"]
Table = Literal["main", "cross", "pairs", "seats", "without", "ratings", "ends", "faults", "times"]
FORMS: tuple[str, ...] = get_args(Form)
TABLES: tuple[str, ...] = get_args(Table)

_OF_STANDINGS: dict[str, tuple[Callable[[Standings], Grid], Callable[[Standings], Sheet]]] = {
    "main": (text.main_grid, sheets.main_sheet),
    "cross": (text.cross_grid, sheets.cross_sheet),
    "pairs": (analysis.pair_grid, sheets.pair_sheet),
    "seats": (text.seat_grid, sheets.seat_sheet),
    "without": (analysis.without_grid, sheets.without_sheet),
    "ratings": (analysis.rating_grid, sheets.rating_sheet),
    "ends": (analysis.end_grid, sheets.end_sheet),
}


def show(name: Table, form: Form, table: Standings, outcomes: Iterable[Outcome]) -> str:
    """Return the table ``name`` as text.

    ``outcomes`` is read for faults and times only. JSON of all other tables is the one document
    that holds them.
    """
    if form == "json":
        return _json(name, table, outcomes)
    if form == "csv":
        return sheets.as_csv(_sheet(name, table, outcomes))
    grid = _grid(name, table, outcomes)
    return as_markdown(grid) if form == "md" else as_text(grid, text.WIDTH)


def _json(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> str:
    if name in _OF_STANDINGS:
        return files.json_text(table)
    records = sheets.as_records(_sheet(name, table, outcomes))
    return files.pretty({"format": files.FORMAT, name: records})


def _grid(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> Grid:
    if name == "faults":
        return text.fault_grid(outcomes)
    if name == "times":
        return text.time_grid(decision_times(outcomes))
    return _OF_STANDINGS[name][0](table)


def _sheet(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> Sheet:
    if name == "faults":
        return sheets.fault_sheet(outcomes)
    if name == "times":
        return sheets.time_sheet(decision_times(outcomes))
    return _OF_STANDINGS[name][1](table)

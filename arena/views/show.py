"""Any table of a run in any form, for ``arena standings``."""

from collections.abc import Iterable
from typing import Literal, get_args

from arena.model import Outcome
from arena.results.standings import Standings
from arena.results.times import decision_times
from arena.views import files, sheets, text
from arena.views.grid import Grid, as_markdown, as_text
from arena.views.sheets import Sheet

Form = Literal["text", "csv", "json", "md"]
Table = Literal["main", "cross", "seats", "faults", "times"]
FORMS: tuple[str, ...] = get_args(Form)
TABLES: tuple[str, ...] = get_args(Table)


def show(name: Table, form: Form, table: Standings, outcomes: Iterable[Outcome]) -> str:
    """Return the table ``name`` as text.

    ``outcomes`` is read for faults and times only. JSON of the main, cross and seat table is the
    one document that holds all three.
    """
    if form == "json":
        return _json(name, table, outcomes)
    if form == "csv":
        return sheets.as_csv(_sheet(name, table, outcomes))
    grid = _grid(name, table, outcomes)
    return as_markdown(grid) if form == "md" else as_text(grid, text.WIDTH)


def _json(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> str:
    if name not in ("faults", "times"):
        return files.json_text(table)
    records = sheets.as_records(_sheet(name, table, outcomes))
    return files.pretty({"format": files.FORMAT, name: records})


def _grid(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> Grid:
    match name:
        case "main":
            return text.main_grid(table)
        case "cross":
            return text.cross_grid(table)
        case "seats":
            return text.seat_grid(table)
        case "faults":
            return text.fault_grid(outcomes)
        case "times":
            return text.time_grid(decision_times(outcomes))


def _sheet(name: Table, table: Standings, outcomes: Iterable[Outcome]) -> Sheet:
    match name:
        case "main":
            return sheets.main_sheet(table)
        case "cross":
            return sheets.cross_sheet(table)
        case "seats":
            return sheets.seat_sheet(table)
        case "faults":
            return sheets.fault_sheet(outcomes)
        case "times":
            return sheets.time_sheet(decision_times(outcomes))

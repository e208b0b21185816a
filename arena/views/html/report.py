"""The report of a run: what the standings say, how they came about, and what they rest on."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from arena.errors import installing
from arena.model import Fault, League, Outcome
from arena.results.course import Point, latest
from arena.results.spread import Spread, quantiles
from arena.results.tables import SeatShares, Standings
from arena.results.times import Times
from arena.views import analysis, text
from arena.views.grid import Column, Grid, columns, quoted
from arena.views.html import settings
from arena.views.html._course import LINES, course_chart
from arena.views.html._drawing import is_possible
from arena.views.html._ridges import penalty_chart, time_chart
from arena.views.html.page import Part, environment, page
from arena.views.html.page import text as file
from arena.words import plural

"""The command that installs what draws charts."""
_HEADINGS = {"#": "rank", "95%": "95% interval"}
"""What the headings of tables are called where there is more room."""
_FIRST = ("#", "bot", "share", "95%", "group", "wins")
"""Columns that come first in the standings."""
_SHADES = 4
"""Shades of a heat map on either side of an equal share."""


class Journalled(Struct, frozen=True):
    """What the journal of a run says beside its results.

    ``title`` is the game's; ``chain`` says how far the chain that ends with ``head`` agrees;
    ``missing`` counts the matches of the league that are still to be played, ``running`` says
    whether they are being played now. ``earlier`` are the versions that bots had before.
    """

    league: League
    title: str
    head: str
    chain: str
    sandboxes: Sequence[str]
    floors: Sequence[str]
    voids: int
    missing: int
    running: bool
    earlier: Sequence[str]


class Findings(Struct, frozen=True):
    """What is computed from the outcomes of a run.

    ``faults`` are some of every kind of each bot, ``remarks`` are on the clocks.
    """

    table: Standings
    times: Times
    spread: Spread
    course: Sequence[Point]
    faults: Sequence[tuple[Outcome, Fault]]
    remarks: Sequence[str]


class Setting(Struct, frozen=True):
    """Where and when a report is made: the ``run`` and the ``program`` as commands name them, the
    version of the ``arena``, and the time."""

    run: str
    program: str
    arena: str
    made: str


class Entry(Struct, frozen=True):
    """A match of the chosen sample, why it is in it, and the ``fault`` if that is why; ``step`` is
    where to look in the viewer, None if it is not there."""

    outcome: Outcome
    why: str
    fault: Fault | None = None
    step: int | None = None

    @property
    def link(self) -> str:
        """What leads there, empty if nothing does."""
        return "" if self.step is None else f"#match={self.outcome.match}&step={self.step}"


class Sample(Struct, frozen=True):
    """The chosen matches, and the ``viewer`` that shows some of them."""

    entries: Sequence[Entry] = ()
    viewer: Part = Part("")


class Drawn(Struct, frozen=True):
    """The charts, empty where there is none, and why there are none."""

    course: str = ""
    penalties: str = ""
    times: str = ""
    why_not: str = ""


def report(journalled: Journalled, findings: Findings, setting: Setting, sample: Sample) -> str:
    """Return the page."""
    league, table = journalled.league, findings.table
    links = {(entry.outcome.match, entry.fault): entry.link for entry in sample.entries}
    body = (
        environment()
        .get_template("report.html")
        .render(
            journal=journalled,
            league=league,
            settings=settings.league_text(league, seed=not journalled.missing),
            hidden=settings.HIDDEN,
            found=findings,
            setting=setting,
            sample=sample,
            drawn=_drawn(findings, league),
            grids=_grids(findings),
            order=_order(text.main_grid(table)),
            faults=[_fault(outcome, fault, setting, links) for outcome, fault in findings.faults],
            counted=sum(sum(row.faults.values()) for row in table.rows),
            shade=_shade,
            duels={(duel.bot, duel.opponent): duel for duel in table.duels},
            seat_rows=_seat_rows,
            reach=_reach,
            labels=LINES,
            headings=_HEADINGS,
            plural=plural,
            number=text.number,
            spanned=text.spanned,
        )
    )
    own = Part(body, file("report.css"), file("report.js"))
    viewer = Part("", sample.viewer.style, sample.viewer.script, sample.viewer.data)
    return page(f"{league.name}: {journalled.title}", [own, viewer], lead=_lead(table))


def _lead(table: Standings) -> str:
    """Return what was played, in a line."""
    bots = plural(len(table.rows), "bot")
    matches, blocks = plural(table.matches, "match"), plural(table.blocks, "block")
    return f"{bots}, {matches} in {blocks}"


def _grids(findings: Findings) -> dict[str, Grid]:
    """Return the tables that are shown as they are everywhere."""
    table = findings.table
    ratings = table.ratings or latest(findings.course)
    return {
        "main": text.main_grid(table),
        "cross": text.cross_grid(table),
        "seats": text.seat_grid(table),
        "times": text.time_grid(findings.times),
        "pairs": analysis.pair_grid(table),
        "without": analysis.without_grid(table),
        "ends": analysis.end_grid(table),
        "faults": _fault_grid(table),
        "penalties": _penalty_grid(findings.spread, table),
        "ratings": analysis.rating_grid(structs.replace(table, ratings=ratings)),
    }


def _order(grid: Grid) -> list[int]:
    """Return the columns of the standings with what matters most first, for narrow screens."""
    headings = [column.heading for column in grid.columns]
    first = [headings.index(heading) for heading in _FIRST]
    return first + [n for n in range(len(headings)) if n not in first]


def _fault_grid(table: Standings) -> Grid:
    """Return how many faults of each kind every bot had that had one."""
    faulty = [row for row in table.rows if any(row.faults.values())]
    kinds = [kind for kind in (faulty[0].faults if faulty else ()) if _has(faulty, kind)]
    return Grid(
        columns=(*columns("<bot"), *(Column(kind.replace("_", " "), ">") for kind in kinds)),
        rows=tuple(
            (row.bot, *(text.counted(row.faults[kind]) for kind in kinds)) for row in faulty
        ),
        notes=(),
        flexible=0,
    )


def _penalty_grid(spread: Spread, table: Standings) -> Grid:
    """Return how the penalties of whole matches are spread."""
    names = [row.bot for row in table.rows if spread.penalties.get(row.bot)]
    return Grid(
        columns=columns("<bot", ">matches", ">5th", ">25th", ">median", ">75th", ">95th"),
        rows=tuple(
            (
                name,
                str(spread.penalties[name].total()),
                *map(str, quantiles(spread.penalties[name])),
            )
            for name in names
        ),
        notes=(),
        flexible=0,
    )


def _has(rows: Sequence[Any], kind: str) -> bool:
    return any(row.faults[kind] for row in rows)


def _fault(
    outcome: Outcome, fault: Fault, setting: Setting, links: Mapping[Any, str]
) -> Mapping[str, Any]:
    """Return a fault as it is shown; ``links`` lead to some of them by match and fault."""
    command = f"{setting.program} debug {setting.run} {outcome.match} --seat {fault.seat}"
    where = f"deal {fault.deal}" if fault.deal else "before the first deal"
    return {
        "match": outcome.match,
        "bot": outcome.seats[fault.seat],
        "kind": fault.kind.value.replace("_", " "),
        "where": where if fault.action is None else f"{where}, action {fault.action}",
        "time": "" if fault.ms is None else f"{fault.ms:.1f} ms",
        "detail": quoted(fault.detail),
        "output": quoted(fault.output),
        "log": fault.log,
        "command": command,
        "link": links.get((outcome.match, fault), ""),
    }


def _seat_rows(size: SeatShares, table: Standings) -> list[tuple[str, tuple[float | None, ...]]]:
    """Return the shares of each bot by seat, in the order of the standings."""
    return [(row.bot, size.bots[row.bot]) for row in table.rows if row.bot in size.bots]


def _reach(size: SeatShares) -> float:
    """Return how far from ½ the bars of seats have to reach, a multiple of 0.05."""
    bounds = [*size.shares, *(size.lows or ()), *(size.highs or ())]
    return max(1, math.ceil(20 * max(abs(bound - 0.5) for bound in bounds))) / 20


def _shade(share: float | None) -> str:
    """Return the class of a cell of a heat map: as many shades below ½ as above."""
    if share is None:
        return ""
    step = round((share - 0.5) * 2 * _SHADES)
    return f"heat-{'low' if step < 0 else 'high'}-{abs(step)}" if step else ""


def _drawn(findings: Findings, league: League) -> Drawn:
    """Return the charts, as far as they can be drawn."""
    if not is_possible():
        return Drawn(why_not=f"Charts need an extra package: {installing('report')}")
    try:
        return _charts(findings, league)
    except ValueError as error:
        return Drawn(why_not=f"The charts could not be drawn: {error}")


def _charts(findings: Findings, league: League) -> Drawn:
    bots, spread = [row.bot for row in findings.table.rows], findings.spread
    return Drawn(
        course=course_chart(findings.course, bots) if len(findings.course) > 1 else "",
        penalties=penalty_chart(spread.penalties, bots) if any(spread.penalties) else "",
        times=time_chart(spread.times, bots, league.terms.limits)
        if any(spread.times.values())
        else "",
    )

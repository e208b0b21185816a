"""The tables of a run as people are shown them: figures rounded, a dash where there is none.

Plain text without colours, in 80 columns where the number of bots allows it.
"""

from collections.abc import Iterable, Sequence

from arena.model import Fault, Outcome
from arena.results.standings import Row, SeatShares, Standings
from arena.results.times import BotTimes
from arena.views.grid import Grid, as_text, columns, first_line

WIDTH = 80
DASH = "-"


def main_table(table: Standings) -> str:
    """Return the standings."""
    return as_text(main_grid(table), WIDTH)


def main_grid(table: Standings) -> Grid:
    """Return the standings, one row a bot."""
    return Grid(
        columns=columns(
            ">#", "<bot", ">matches", ">wins", ">share", ">95%", ">place", ">penalty", ">faults"
        ),
        rows=tuple(
            (
                str(row.rank),
                row.bot,
                str(row.matches),
                _number(row.wins, 1),
                _number(row.share, 3),
                _interval(row),
                _number(row.mean_place, 2),
                _number(row.mean_penalty, 2),
                _count(sum(row.faults.values())),
            )
            for row in table.rows
        ),
        notes=(
            f"{_plural(table.matches, 'match')} in {_plural(table.blocks, 'block')}; "
            "share with its 95% interval; mean penalty per deal",
            *_incomplete(table),
            *(note for row in table.rows for note in _misconduct(row)),
        ),
        flexible=1,
    )


def cross_grid(table: Standings) -> Grid:
    """Return the share of each row's bot against the bot of each column, by rank."""
    duels = {(duel.bot, duel.opponent): duel for duel in table.duels}
    met = sorted({duel.matches for duel in table.duels})
    return Grid(
        columns=columns(">#", "<bot", *(f">{row.rank}" for row in table.rows)),
        rows=tuple(
            (
                str(row.rank),
                row.bot,
                *(
                    _number(duels[key].share, 3) if key in duels else DASH
                    for key in ((row.bot, other.bot) for other in table.rows)
                ),
            )
            for row in table.rows
        ),
        notes=(
            "share of the row against the column",
            *([f"matches of a pair: {_span(met)}"] if met else []),
        ),
        flexible=1,
    )


def seat_grid(table: Standings) -> Grid:
    """Return mean shares by seat, for each table size all bots and then each one."""
    most = max((size.seats for size in table.seats), default=0)
    return Grid(
        columns=columns(">table", "<bot", *(f">seat {seat}" for seat in range(most))),
        rows=tuple(
            row
            for size in table.seats
            for row in (
                _seat_row(size, "(all)", size.shares, most),
                *(
                    _seat_row(size, row.bot, size.bots[row.bot], most)
                    for row in table.rows
                    if row.bot in size.bots
                ),
            )
        ),
        notes=tuple(
            f"tables of {size.seats}: {_plural(size.matches, 'match')}, mean shares"
            for size in table.seats
        ),
        flexible=1,
    )


def fault_grid(outcomes: Iterable[Outcome]) -> Grid:
    """Return every fault, also of incomplete blocks, by match."""
    faults = listed_faults(outcomes)
    return Grid(
        columns=columns("<match", "<bot", "<kind", ">deal", "<detail"),
        rows=tuple(
            (match, bot, fault.kind.value, str(fault.deal), first_line(fault.detail))
            for match, bot, fault in faults
        ),
        notes=(_plural(len(faults), "fault"),),
        flexible=4,
    )


def time_grid(times: Sequence[BotTimes]) -> Grid:
    """Return decision times in milliseconds."""
    return Grid(
        columns=columns("<bot", ">decisions", ">median", ">99%", ">longest"),
        rows=tuple(
            (
                bot.bot,
                str(bot.decisions),
                *(_number(ms, 2) for ms in (bot.median, bot.p99, bot.longest)),
            )
            for bot in times
        ),
        notes=("times of a decision in milliseconds",),
        flexible=0,
    )


def listed_faults(outcomes: Iterable[Outcome]) -> tuple[tuple[str, str, Fault], ...]:
    """Return (match, bot, fault) for every fault, in the order of matches and deals."""
    found = [
        (outcome.match, outcome.seats[fault.seat], fault)
        for outcome in outcomes
        for fault in outcome.faults
    ]
    return tuple(
        sorted(found, key=lambda item: (item[0], item[2].deal, item[2].action or 0, item[2].seat))
    )


def _seat_row(
    size: SeatShares, bot: str, shares: Sequence[float | None], most: int
) -> tuple[str, ...]:
    cells = [_number(share, 3) for share in shares]
    return (str(size.seats), bot, *cells, *[""] * (most - len(cells)))


def _incomplete(table: Standings) -> tuple[str, ...]:
    if not table.incomplete:
        return ()
    played = sum(block.played for block in table.incomplete)
    blocks = _plural(len(table.incomplete), "incomplete block")
    return (f"not counted: {_plural(played, 'match')} in {blocks}",)


def _misconduct(row: Row) -> tuple[str, ...]:
    """Return a note on the bot's faults by kind, forfeits and stale answers, if it had any."""
    parts = [f"{count} {kind}" for kind, count in row.faults.items() if count]
    if row.forfeits:
        parts.append(f"{_plural(row.forfeits, 'match')} forfeited")
    if row.stale:
        parts.append(_plural(row.stale, "stale answer"))
    return (f"{row.bot}: {', '.join(parts)}",) if parts else ()


def _interval(row: Row) -> str:
    if row.low is None or row.high is None:
        return DASH
    return f"{row.low:.2f}-{row.high:.2f}"


def _number(value: float | None, digits: int) -> str:
    return DASH if value is None else f"{value:.{digits}f}"


def _count(value: int) -> str:
    return str(value) if value else DASH


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _plural(count: int, noun: str) -> str:
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count} {noun}{ending}"

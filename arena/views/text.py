"""The tables of a run as people are shown them: figures rounded, a dash where there is none.

Plain text without colours, in 80 columns where the number of bots allows it.
"""

from collections.abc import Iterable, Iterator, Sequence

from arena.model import Fault, Lag, Outcome
from arena.results.statistics import LEVEL, MIN_BLOCKS
from arena.results.tables import Duel, Row, SeatShares, Standings
from arena.results.times import Times
from arena.views.grid import Grid, as_text, columns, first_line
from arena.words import plural, span

WIDTH = 80
DASH = "-"
_GROUPS = "bots with a group in common are not separated"
_UNSURE = f"no interval: a bot needs {MIN_BLOCKS} blocks"
_WHOLE_FAULTS = "--format json has whole details, what bots printed and where their logs are"
_OFF_TURN = "off turn: processor time used while not asked, in percent of that time"


def main_table(table: Standings) -> str:
    """Return the standings."""
    return as_text(main_grid(table), WIDTH)


def main_grid(table: Standings) -> Grid:
    """Return the standings, one row a bot."""
    return Grid(
        columns=columns(
            ">#",
            "<bot",
            ">matches",
            ">wins",
            ">share",
            ">95%",
            "<group",
            ">place",
            ">penalty",
            ">faults",
        ),
        rows=tuple(
            (
                str(row.rank),
                row.bot,
                str(row.matches),
                number(row.wins, 1),
                number(row.share, 3),
                spanned(row.low, row.high),
                _letters(row.groups),
                number(row.mean_place, 2),
                number(row.mean_penalty, 2),
                counted(sum(row.faults.values())),
            )
            for row in table.rows
        ),
        notes=(
            f"{plural(table.matches, 'match')} in {plural(table.blocks, 'block')}; "
            "share with its 95% interval; mean penalty per deal",
            *([_GROUPS] if any(row.groups for row in table.rows) else []),
            *([_UNSURE] if any(row.low is None for row in table.rows if row.matches) else []),
            *_incomplete(table),
            *_repeated(table),
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
                *(_duel(duels.get((row.bot, other.bot))) for other in table.rows),
            )
            for row in table.rows
        ),
        notes=(
            "share of the row against the column in percent, with its 95% interval",
            *([f"matches of a pair: {span(met[0], met[-1])}"] if met else []),
        ),
        flexible=1,
    )


def seat_grid(table: Standings) -> Grid:
    """Return mean shares by seat, for each table size all bots and then each one."""
    most = max((size.seats for size in table.seats), default=0)
    return Grid(
        columns=columns(">table", "<bot", *(f">seat {seat}" for seat in range(most))),
        rows=tuple(row for size in table.seats for row in _seat_rows(size, table, most)),
        notes=tuple(
            f"tables of {size.seats}: {plural(size.matches, 'match')}, mean shares{_test(size)}"
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
        notes=(
            plural(len(faults), "fault"),
            *([_WHOLE_FAULTS] if faults else []),
        ),
        flexible=4,
    )


def time_grid(times: Times) -> Grid:
    """Return decision times in milliseconds, and what bots use while they are not asked."""
    measured = any(bot.cpu is not None for bot in times.bots)
    return Grid(
        columns=columns("<bot", ">decisions", ">median", ">99%", ">longest", ">cpu", ">off turn"),
        rows=tuple(
            (
                bot.bot,
                str(bot.decisions),
                *(number(ms, 2) for ms in (bot.median, bot.p99, bot.longest, bot.cpu)),
                _share(bot.off_turn, bot.waiting),
            )
            for bot in times.bots
        ),
        notes=(
            "times of a decision in milliseconds"
            + ("; cpu: the mean of its processor time" if measured else ""),
            *([_OFF_TURN] if measured else []),
            *([lag_line(times.arena)] if times.arena else []),
        ),
        flexible=0,
    )


def lag_line(lag: Lag) -> str:
    """Return what the arena itself added to a decision."""
    mean = lag.work / lag.decisions
    line = f"arena: {mean:.2f} ms of work before a decision, longest {lag.longest_work:.1f}"
    if lag.wait is None or lag.longest_wait is None:
        return line
    return (
        f"{line}; {lag.wait / lag.decisions:.2f} ms of waits for a core, "
        f"longest {lag.longest_wait:.1f}"
    )


def _share(part: float | None, whole: float | None) -> str:
    """Return a part in percent of a whole that is not 0."""
    return f"{100 * part / whole:.1f}%" if part is not None and whole else DASH


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


def _duel(duel: Duel | None) -> str:
    """Return such as ``67±5``."""
    if duel is None:
        return DASH
    if duel.low is None or duel.high is None:
        return f"{100 * duel.share:.0f}"
    reach = max(duel.high - duel.share, duel.share - duel.low)
    return f"{100 * duel.share:.0f}±{100 * reach:.0f}"


def _seat_rows(size: SeatShares, table: Standings, most: int) -> Iterator[tuple[str, ...]]:
    lines: list[tuple[str, Sequence[str]]] = [("(all)", [number(s, 3) for s in size.shares])]
    if size.lows and size.highs:
        bounds = zip(size.lows, size.highs, strict=True)
        lines.append(("(95%)", [spanned(low, high) for low, high in bounds]))
    lines += [
        (row.bot, [number(share, 3) for share in size.bots[row.bot]])
        for row in table.rows
        if row.bot in size.bots
    ]
    for name, cells in lines:
        yield str(size.seats), name, *cells, *[""] * (most - len(cells))


def _test(size: SeatShares) -> str:
    """Return what the test of seat advantage says."""
    if size.p is None:
        return ""
    found = "a seat has an advantage" if size.p < LEVEL else "no seat is shown to have an advantage"
    return f"; {found} (p {probability(size.p)})"


def _incomplete(table: Standings) -> tuple[str, ...]:
    if not table.incomplete:
        return ()
    played = sum(block.played for block in table.incomplete)
    blocks = plural(len(table.incomplete), "incomplete block")
    return (f"not counted: {plural(played, 'match')} in {blocks}",)


def _repeated(table: Standings) -> tuple[str, ...]:
    if not table.repeated:
        return ()
    blocks = plural(table.repeated, "block")
    return (f"not counted: {blocks} in which the bots repeated another block move for move",)


def _misconduct(row: Row) -> tuple[str, ...]:
    """Return a note on the bot's faults by kind, forfeits and stale answers, if it had any."""
    parts = [f"{count} {kind}" for kind, count in row.faults.items() if count]
    if row.forfeits:
        parts.append(f"{plural(row.forfeits, 'match')} forfeited")
    if row.stale:
        parts.append(plural(row.stale, "stale answer"))
    return (f"{row.bot}: {', '.join(parts)}",) if parts else ()


def spanned(low: float | None, high: float | None) -> str:
    """Return an interval of shares."""
    return DASH if low is None or high is None else f"{low:.2f}-{high:.2f}"


def number(value: float | None, digits: int) -> str:
    """Return a figure rounded, a dash where there is none."""
    return DASH if value is None else f"{value:.{digits}f}"


def probability(p: float) -> str:
    """Return a p-value."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _letters(groups: Sequence[str]) -> str:
    """Return the letters of a bot; those of two characters are kept apart."""
    return ("" if all(len(letter) == 1 for letter in groups) else " ").join(groups) or DASH


def counted(value: int) -> str:
    """Return a count, a dash for none."""
    return str(value) if value else DASH

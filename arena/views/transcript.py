"""A match as lines that can be read: live, or simulated again from its record."""

from collections.abc import Iterator, Sequence

from arena.errors import ConfigError
from arena.games.base import Game, State
from arena.model import DealRecord, Fault, MatchResult, Seat
from arena.views.grid import Grid, as_text, columns, first_line, printable
from arena.views.paint import Paint, plain
from arena.views.played import moves
from arena.views.text import WIDTH


class Transcript:
    """Writes a match line by line: every method returns the lines to be shown.

    ``names`` are the bots by seat. With ``seat`` the lines hold only what that seat saw: its own
    view of the table before its own decisions, the others' actions without their times, and no
    fault but its own. ``paint`` is how the game's texts are shown.
    """

    def __init__(self, names: Sequence[str], seat: Seat | None, paint: Paint = plain) -> None:
        self._names = tuple(printable(name) for name in names)
        self._seat = seat
        self._paint = paint
        self._shown = ""
        self._last: tuple[State, str] | None = None

    def deal_start(self, number: int, state: State) -> list[str]:
        """Begin deal ``number`` (from 1) with the table as dealt."""
        self._shown = ""
        self._last = None
        return ["", f"Deal {number}", *self._table(state)]

    def decision(
        self, state: State, seat: Seat, action: str, ms: float | None, fault: Fault | None
    ) -> list[str]:
        """Show the table and what the seat did in it; ``ms`` is None for a house move."""
        self._last = state, action
        line = f"{self._bot(seat)}: {self._paint(printable(action))}"
        if not self._sees(seat):
            return [line]
        how = "house move" if ms is None else f"{ms:.1f} ms"
        return [*self._table(state), *(self.fault(fault) if fault else ()), f"{line} ({how})"]

    def fault(self, fault: Fault) -> list[str]:
        """Show a fault with the first line of its detail."""
        if not self._sees(fault.seat):
            return []
        after = "" if fault.ms is None else f" after {fault.ms:.1f} ms"
        kind = f"{self._bot(fault.seat)}: fault, {fault.kind.value}{after}"
        return [f"{kind}: {printable(first_line(fault.detail))}"]

    def deal_end(self, penalties: Sequence[int], totals: Sequence[int]) -> list[str]:
        """Show the penalties and the totals so far, to those who see all after the last table."""
        return [*self._end(), "", *self._columns("penalty", penalties, "total", totals)]

    def match_end(self, totals: Sequence[int], places: Sequence[int]) -> list[str]:
        """Show the totals and places of the match."""
        return ["", "Result", *self._columns("total", totals, "place", places)]

    def forfeits(self, seats: Sequence[Seat]) -> list[str]:
        """Show who forfeited the match, in order."""
        return [f"{self._bot(seat)} forfeited" for seat in seats]

    def _end(self) -> list[str]:
        """Return the table as it lies after the last action, which no seat is told."""
        if self._last is None or self._seat is not None:
            return []
        state, action = self._last
        return self._table(state.apply(action))

    def _table(self, state: State) -> list[str]:
        """Return the table, or nothing when it is what was shown last."""
        text = state.text(self._seat)
        if text == self._shown:
            return []
        self._shown = text
        return ["", *self._paint(text).splitlines()]

    def _sees(self, seat: Seat) -> bool:
        return self._seat in (None, seat)

    def _bot(self, seat: Seat) -> str:
        return f"{seat} {self._names[seat]}"

    def _columns(
        self, left: str, lefts: Sequence[int], right: str, rights: Sequence[int]
    ) -> list[str]:
        rows = [
            (self._bot(seat), str(a), str(b))
            for seat, (a, b) in enumerate(zip(lefts, rights, strict=True))
        ]
        grid = Grid(columns("<seat", f">{left}", f">{right}"), tuple(rows), (), flexible=0)
        return as_text(grid, WIDTH).splitlines()


def transcript(
    result: MatchResult, game: Game, seat: Seat | None = None, paint: Paint = plain
) -> Iterator[str]:
    """Yield the lines of a recorded match, with ``seat`` only what that seat saw.

    Raise ConfigError when there is no such seat, ReplayError when the record does not fit the
    game.
    """
    outcome = result.outcome
    if seat is not None and seat not in range(len(outcome.seats)):
        raise ConfigError(f"there is no seat {seat}: the match has 0 to {len(outcome.seats) - 1}")
    writer = Transcript(outcome.seats, seat, paint)
    yield f"{game.title}, match {outcome.match}"
    yield from (f"{name} = {value}" for name, value in result.options.items())
    for fault in outcome.faults:
        if fault.deal == 0:
            yield from writer.fault(fault)
    totals = [0] * len(outcome.seats)
    for number, deal in enumerate(result.deals, 1):
        faults = [fault for fault in outcome.faults if fault.deal == number]
        state = game.deal(len(totals), result.block_seed, number, result.options)
        yield from writer.deal_start(number, state)
        yield from _replayed(writer, state, deal, faults)
        if deal.penalties is not None:
            totals = [a + b for a, b in zip(totals, deal.penalties, strict=True)]
            yield from writer.deal_end(deal.penalties, totals)
    yield from writer.match_end(outcome.totals, outcome.places)
    yield from writer.forfeits(outcome.forfeited)


def _replayed(
    writer: Transcript, state: State, deal: DealRecord, faults: Sequence[Fault]
) -> Iterator[str]:
    """Yield the decisions of a deal; raise ReplayError unless it comes out as recorded."""
    waiting = {fault.action: fault for fault in faults}
    for index, move in enumerate(moves(state, deal)):
        fault = waiting.pop(index, None)
        yield from writer.decision(move.before, move.seat, move.action, move.ms, fault)
    for fault in waiting.values():
        yield from writer.fault(fault)

"""A run as it is followed from another terminal: drawn anew in place, or told in lines."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct

from arena.model import FaultKind
from arena.results.tables import Standings
from arena.views.bars import chart, marks
from arena.views.grid import cut, printable
from arena.views.progress import LINE_SECONDS, pace
from arena.views.text import WIDTH
from arena.words import plural

if TYPE_CHECKING:
    from rich.live import Live

MOST = 8
"""Bots at fault that are named."""


class Moment(Struct, frozen=True):
    """How far a run is: ``done`` of ``total`` matches; ``faults`` counts those of a bot of a kind,
    and ``playing`` is whether a process plays it."""

    league: str
    game: str
    done: int
    total: int
    faults: Mapping[tuple[str, FaultKind], int]
    table: Standings
    playing: bool


class Board:
    """Where a run is shown; what it does with a moment depends on the kind."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._now = now
        self._first: tuple[float, int] | None = None

    def show(self, moment: Moment) -> None:
        """Show a moment."""

    def end(self) -> None:
        """Leave the stream as it was."""

    def ending(self, moment: Moment) -> str:
        """Return what is said when nobody plays the run any more."""
        if moment.done >= moment.total:
            return f"finished: all {plural(moment.total, 'match')} are played"
        state = "not begun" if not moment.done else "stopped"
        return f"{state}: nobody plays it; {self._far(moment)}"

    def _head(self, moment: Moment) -> str:
        return printable(f"{moment.league}, {moment.game}")

    def _far(self, moment: Moment) -> str:
        count = plural(sum(moment.faults.values()), "fault")
        return f"{moment.done} of {plural(moment.total, 'match')}, {count}"

    def _where(self, moment: Moment) -> str:
        """Return how far the run is and how fast it goes on, since it is watched."""
        first = self._first = self._first or (self._now(), moment.done)
        return f"{self._far(moment)}, " + pace(
            moment.done - first[1], self._now() - first[0], moment.total - moment.done
        )


class Lines(Board):
    """A line now and then."""

    _said = 0.0

    def show(self, moment: Moment) -> None:
        """Say where the run is, if that was not said just now."""
        if not moment.playing or (self._said and self._now() - self._said < LINE_SECONDS):
            return
        self._said = self._now()
        best = f"; first: {printable(moment.table.rows[0].bot)}" if moment.done else ""
        print(f"{self._head(moment)}: {self._where(moment)}{best}", file=self._stream, flush=True)


class Drawing(Board):
    """A picture that is drawn anew in its place."""

    _live: "Live | None" = None

    def show(self, moment: Moment) -> None:
        """Draw the run."""
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if not moment.playing:
            return
        if not self._live:
            console = Console(file=self._stream, highlight=False)
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
        size = self._live.console.size
        lines = self.picture(moment, min(WIDTH, size.width) - 1, size.height - 1)
        self._live.update(Text("\n".join(lines), no_wrap=True), refresh=True)

    def end(self) -> None:
        """Take the picture away."""
        if self._live:
            self._live.stop()
            self._live = None

    def picture(self, moment: Moment, columns: int, lines: int) -> list[str]:
        """Return the run as lines that fit."""
        drawn = marks(getattr(self._stream, "encoding", None))
        width = columns - 2
        full = width * moment.done // max(moment.total, 1)
        progress = drawn.interval * full + drawn.empty * (width - full)
        faults = self._faults(moment)
        room = max(2, lines - 6 - len(faults))
        bots = chart(moment.table, columns, drawn).splitlines()[:room]
        head = [self._head(moment), self._where(moment), progress, "", *bots]
        return [
            cut(line, columns) for line in [*head, *faults, "", "Ctrl-C leaves; the run goes on"]
        ]

    def _faults(self, moment: Moment) -> list[str]:
        """Return a line for each bot at fault, those with the most first."""
        bots = Counter[str]()
        for (bot, _), count in moment.faults.items():
            bots[bot] += count
        lines = []
        for bot, _ in sorted(bots.items(), key=lambda item: (-item[1], item[0]))[:MOST]:
            kinds = sorted((k.value, n) for (name, k), n in moment.faults.items() if name == bot)
            lines.append(f"{printable(bot)}: {', '.join(f'{n} {kind}' for kind, n in kinds)}")
        return ["", *lines] if lines else []

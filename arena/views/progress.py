"""How a run is followed in the terminal: a live display, plain lines, or next to nothing.

All of it goes to standard error, so that standard output holds the standings alone.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from arena.model import Fault, FaultKind, League, Outcome
from arena.results.tally import Tally
from arena.views.grid import printable, printed
from arena.words import plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.text import Text

LINE_SECONDS = 10.0
"""How often plain progress says where the run is."""
FRAME_SECONDS = 0.5
"""How often the live display is drawn."""
TOP = 8
"""Bots shown in the live table."""


class Progress:
    """Follows a run and says nothing: what ``--quiet`` shows. ``folder`` is the run's."""

    def __init__(
        self, folder: Path, stream: TextIO, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder = folder
        self._stream = stream
        self._now = now
        self._tally = Tally()
        self._told: set[tuple[str, FaultKind]] = set()
        self._league: League | None = None
        self._total = self._done = self._before = 0
        self._since = now()

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        """The run begins, or goes on after ``done`` matches."""
        self._league, self._total = league, total
        self._done = self._before = done
        for outcome in outcomes:
            self._tally.add(outcome)
        self._since = self._now()

    def finished(self, outcome: Outcome) -> None:
        """A match was played; the first fault of each kind of a bot is told in full."""
        self._tally.add(outcome)
        self._done += 1
        for fault in outcome.faults:
            name = outcome.seats[fault.seat]
            if (name, fault.kind) not in self._told:
                self._told.add((name, fault.kind))
                self.notice("\n".join(fault_lines(name, outcome.match, fault, self._folder)))

    def notice(self, text: str) -> None:
        """Say something the user should know."""

    def tick(self) -> None:
        """Time has passed."""

    def end(self) -> None:
        """The run has ended; leave the terminal as it was."""

    def _where(self) -> str:
        """Return how far the run is, in one line."""
        played = self._done - self._before
        speed = pace(played, self._now() - self._since, self._total - self._done)
        return f"{self._done} of {self._total} matches, {speed}, {self._faults()}"

    def _faults(self) -> str:
        kinds = [f"{count} {kind.value}" for kind, count in sorted(self._tally.faults.items())]
        count = sum(self._tally.faults.values())
        return plural(count, "fault") + (f" ({', '.join(kinds)})" if kinds else "")


class LineProgress(Progress):
    """A line every ten seconds, for logs and pipes."""

    _said = 0.0

    def notice(self, text: str) -> None:
        print(f"arena: {text}", file=self._stream, flush=True)

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        super().begin(league, total, done, outcomes)
        more = f", {done} are there already" if done else ""
        self.notice(f"{league.name}: {total} matches{more}")
        self._said = self._now()

    def tick(self) -> None:
        if self._now() - self._said >= LINE_SECONDS:
            self._said = self._now()
            self.notice(self._where())

    def end(self) -> None:
        if self._done > self._before:
            self.notice(self._where())


class LiveProgress(LineProgress):
    """A display that redraws itself, for a terminal."""

    _live: "Live | None" = None
    _drawn = 0.0

    def begin(self, league: League, total: int, done: int, outcomes: Iterator[Outcome]) -> None:
        from rich.console import Console
        from rich.live import Live

        Progress.begin(self, league, total, done, outcomes)
        console = Console(file=self._stream, highlight=False)
        self._live = Live(self._picture(), console=console, auto_refresh=False, transient=True)
        self._live.start()

    def notice(self, text: str) -> None:
        if self._live:
            self._live.console.print(f"arena: {text}", markup=False)
        else:
            super().notice(text)

    def tick(self) -> None:
        if self._live and self._now() - self._drawn >= FRAME_SECONDS:
            self._drawn = self._now()
            self._live.update(self._picture(), refresh=True)

    def end(self) -> None:
        if self._live:
            self._live.stop()
            self._live = None

    def _picture(self) -> "RenderableType":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        assert self._league
        table = Table(box=None, padding=(0, 2), pad_edge=False)
        for heading in ("bot", "matches", "share so far"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for row in self._tally.top(TOP):
            table.add_row(_line(row.bot), str(row.matches), f"{row.share:.3f}")
        head = Table.grid(padding=(0, 2))
        title = _line(f"{self._league.name}, {self._league.terms.game}")
        title.stylize("bold")
        bar = ProgressBar(total=max(self._total, 1), completed=self._done, width=40)
        head.add_row(title, bar)
        return Group(head, _line(self._where()), table)


def progress(folder: Path, *, quiet: bool) -> Progress:
    """Return the way of following the run in a folder that fits standard error."""
    stream = error_stream()
    if quiet:
        return Progress(folder, stream)
    return (LiveProgress if can_redraw(stream) else LineProgress)(folder, stream)


def error_stream() -> TextIO:
    """Return standard error, which may be closed under a run that goes on."""
    return cast(TextIO, _Lossy(sys.stderr))


def can_redraw(stream: TextIO) -> bool:
    """Return whether a stream is a terminal on which a display can redraw itself."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")


class _Lossy:
    """A stream that may be closed under a run that goes on: what cannot be written is lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def fault_lines(name: str, match: str, fault: Fault, folder: Path) -> list[str]:
    """Return a fault in full: what it was, the last lines of the bot, and where its log is."""
    lines = [f"{name}: fault in match {match}, {fault.kind.value}: {printable(fault.detail)}"]
    lines += [f"    {line}" for line in printed(fault.output)]
    return lines + ([f"    log: {folder / fault.log}"] if fault.log else [])


def _line(text: str) -> "Text":
    """Return a text that is cut where a line of the terminal ends."""
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")


def pace(played: int, seconds: float, missing: int) -> str:
    """Return how fast matches are played, and how long those that are missing will take."""
    rate = played / max(seconds, 1e-9)
    left = f"{duration(missing / rate)} left" if rate else "starting"
    return f"{_rate(rate)}, {left}"


def _rate(per_second: float) -> str:
    if per_second >= 0.1 or per_second == 0:
        return f"{per_second:.1f}/s"
    return f"{per_second * 3600:.0f}/h"


def duration(seconds: float) -> str:
    """Return a duration in its two largest units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"

"""How a run is followed: with a time and a stream of the test's own."""

import io
import re
from pathlib import Path
from typing import TextIO

import pytest
from msgspec.structs import replace

from arena.model import Entrant, Fault, FaultKind, League, Outcome, Terms
from arena.views import progress
from arena.views.progress import LineProgress, LiveProgress, Progress

FOLDER = Path("runs/autumn")
WIDTH = 80
LEAGUE = League(
    name="autumn",
    seed="13",
    seats=(3,),
    terms=Terms(game="leaves"),
    format="round-robin",
    format_options={"blocks": 10, "rotations": "all"},
    entrants=tuple(Entrant(name, ("true",), "/") for name in ("ann", "bob", "cid")),
)
WON = Outcome(
    match="3fa1",
    composition="c",
    block=1,
    rotation=1,
    seats=("ann", "bob", "cid"),
    totals=(0, 1, 2),
    places=(1, 2, 3),
    deals=1,
    forfeited=(),
    faults=(),
    ended="complete",
    times=({}, {}, {}),
)
LATE = Fault(
    1, 1, 0, FaultKind.TIMEOUT, 1000.0, "no answer", "it slept\n\x1b[31mred", "logs/bob.log"
)


class Time:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def now() -> Time:
    return Time()


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, value in {"COLUMNS": str(WIDTH), "LINES": "24", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    return Terminal()


def test_lines_say_where_a_run_is_now_and_then(now: Time, stream: TextIO) -> None:
    lines = LineProgress(FOLDER, stream, now)
    lines.begin(LEAGUE, 30, 0, iter(()))
    for _ in range(12):
        now.seconds += 1
        lines.finished(WON)
        lines.tick()
    now.seconds = 15.5
    lines.end()
    assert stream.getvalue().splitlines() == [
        "arena: autumn: 30 matches",
        "arena: 10 of 30 matches, 1.0/s, 20 s left, 0 faults",
        "arena: 12 of 30 matches, 0.8/s, 23 s left, 0 faults",
    ]


def test_lines_of_a_run_that_goes_on_count_what_is_there_and_only_new_matches_for_the_rate(
    now: Time, stream: TextIO
) -> None:
    lines = LineProgress(FOLDER, stream, now)
    lines.begin(LEAGUE, 30, 20, iter([WON] * 20))
    now.seconds = 10
    for _ in range(5):
        lines.finished(WON)
    lines.tick()
    assert stream.getvalue().splitlines() == [
        "arena: autumn: 30 matches, 20 are there already",
        "arena: 25 of 30 matches, 0.5/s, 10 s left, 0 faults",
    ]


def test_a_run_that_has_nothing_to_play_says_no_more(now: Time, stream: TextIO) -> None:
    lines = LineProgress(FOLDER, stream, now)
    lines.begin(LEAGUE, 30, 30, iter([WON] * 30))
    lines.end()
    assert stream.getvalue() == "arena: autumn: 30 matches, 30 are there already\n"


@pytest.mark.parametrize("kind", [LineProgress, LiveProgress])
def test_the_first_fault_of_each_kind_of_a_bot_is_told_in_full(
    kind: type[LineProgress], now: Time, stream: Terminal
) -> None:
    shown = kind(FOLDER, stream, now)
    shown.begin(LEAGUE, 30, 0, iter(()))
    for _ in range(3):
        shown.finished(replace(WON, faults=(LATE,)))
    shown.finished(replace(WON, faults=(replace(LATE, kind=FaultKind.ILLEGAL),)))
    shown.end()
    said = visible(stream.getvalue())
    assert said.count("bob: fault in match 3fa1, timeout: no answer") == 1
    assert said.count("bob: fault in match 3fa1, illegal: no answer") == 1
    assert said.count("    it slept") == 2
    assert said.count("    log: runs/autumn/logs/bob.log") == 2


@pytest.mark.parametrize("kind", [LineProgress, LiveProgress])
def test_what_a_bot_prints_cannot_move_the_cursor(
    kind: type[LineProgress], now: Time, stream: Terminal
) -> None:
    shown = kind(FOLDER, stream, now)
    shown.begin(LEAGUE, 30, 0, iter(()))
    shown.finished(replace(WON, faults=(LATE,)))
    shown.end()
    assert "red" in stream.getvalue()
    assert "\x1b[31m" not in stream.getvalue()


def test_lines_have_no_control_codes(now: Time, stream: Terminal) -> None:
    lines = LineProgress(FOLDER, stream, now)
    lines.begin(LEAGUE, 30, 0, iter(()))
    lines.finished(replace(WON, faults=(LATE,)))
    lines.end()
    assert "\x1b" not in stream.getvalue()


def test_the_quiet_one_says_nothing(now: Time, stream: Terminal) -> None:
    quiet = Progress(FOLDER, stream, now)
    quiet.begin(LEAGUE, 30, 0, iter(()))
    quiet.notice("workers are not pinned")
    quiet.finished(replace(WON, faults=(LATE,)))
    now.seconds = 60
    quiet.tick()
    quiet.end()
    assert stream.getvalue() == ""


def visible(text: str) -> str:
    """Return what is left of a text without its control codes."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r", "\n")


def frames(live: LiveProgress, now: Time, stream: Terminal, matches: int) -> list[list[str]]:
    """Return the lines of each picture that is drawn while matches are played."""
    pictures = []
    for _ in range(matches):
        stream.seek(0)
        stream.truncate()
        live.finished(WON)
        now.seconds += progress.FRAME_SECONDS
        live.tick()
        pictures.append([line.rstrip() for line in visible(stream.getvalue()).split("\n") if line])
    return pictures


def test_the_live_display_shows_how_far_the_run_is_and_its_top(now: Time, stream: Terminal) -> None:
    live = LiveProgress(FOLDER, stream, now)
    live.begin(LEAGUE, 30, 0, iter(()))
    *_, last = frames(live, now, stream, 5)
    live.end()
    assert last[0].startswith("autumn, leaves  ━━━━━━╸")
    assert last[1:] == [
        "5 of 30 matches, 2.0/s, 12 s left, 0 faults",
        "bot    matches    share so far",
        "ann          5           1.000",
        "bob          5           0.500",
        "cid          5           0.000",
    ]


def test_the_live_display_is_calm(now: Time, stream: Terminal) -> None:
    """It is drawn a few times a second, however quickly matches end, and keeps its height."""
    live = LiveProgress(FOLDER, stream, now)
    live.begin(LEAGUE, 3000, 0, iter(()))
    assert {len(picture) for picture in frames(live, now, stream, 20)} == {6}
    drawn = stream.tell()
    for _ in range(100):
        live.finished(WON)
        live.tick()
    assert stream.tell() == drawn
    live.end()


def test_no_line_of_the_live_display_is_wider_than_the_terminal(
    now: Time, stream: Terminal
) -> None:
    names = tuple(letter * 40 for letter in "abc")
    league = replace(LEAGUE, name="x" * 40)
    faults = tuple(replace(LATE, kind=kind) for kind in FaultKind for _ in range(1000))
    live = LiveProgress(FOLDER, stream, now)
    live.begin(league, 10_000_000, 9, iter([replace(WON, seats=names, faults=faults)]))
    (picture,) = frames(live, now, stream, 1)
    live.end()
    assert max(map(len, picture)) <= WIDTH
    assert len(picture) == 9
    assert picture[1].endswith("…")


def test_the_live_display_leaves_the_terminal_as_it_was(now: Time, stream: Terminal) -> None:
    live = LiveProgress(FOLDER, stream, now)
    live.begin(LEAGUE, 30, 0, iter(()))
    live.end()
    live.end()
    text = stream.getvalue()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
    live.notice("afterwards")
    assert stream.getvalue().endswith("arena: afterwards\n")


@pytest.mark.parametrize(
    ("quiet", "terminal", "term", "kind"),
    [
        (True, True, "xterm", Progress),
        (True, False, "xterm", Progress),
        (False, True, "xterm", LiveProgress),
        (False, True, "dumb", LineProgress),
        (False, False, "xterm", LineProgress),
    ],
)
def test_the_display_fits_standard_error(
    quiet: bool, terminal: bool, term: str, kind: type[Progress], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("sys.stderr", Terminal() if terminal else io.StringIO())
    assert type(progress.progress(FOLDER, quiet=quiet)) is kind


def test_a_stream_that_is_closed_is_no_reason_to_end_a_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Gone())
    shown = progress.progress(FOLDER, quiet=False)
    shown.begin(LEAGUE, 30, 0, iter(()))
    shown.notice("nobody hears this")
    shown.finished(WON)
    shown.end()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s left"), (59, "59 s left"), (61, "1 min 01 s left"), (7260, "2 h 01 min left")],
)
def test_the_time_left_is_told_in_two_units(
    seconds: float, text: str, now: Time, stream: Terminal
) -> None:
    lines = LineProgress(FOLDER, stream, now)
    lines.begin(LEAGUE, 2, 0, iter(()))
    now.seconds = seconds
    lines.finished(WON)
    lines.end()
    assert text in stream.getvalue()

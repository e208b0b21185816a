"""What a run looks like: whole screens to the letter, and outputs that are not there any more."""

import os
import pty
import re
import signal
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from running import STOCK, Place
from snapshots import same_as_snapshot

from arena.views.show import TABLES

pytestmark = pytest.mark.process


def played(place: Place, league: Path) -> Path:
    done = place.arena("tournament", league, "--out", "run", "--quiet")
    assert done.returncode == 0, done.stderr
    return place.folder / "run"


def test_a_quiet_run_prints_the_standings_and_nothing_else(place: Place, choosers: Path) -> None:
    done = place.arena("tournament", choosers, "--out", "run", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    same_as_snapshot("screen-quiet", done.stdout)
    assert place.arena("standings", "run").stdout == done.stdout


def test_the_output_of_a_run(place: Place, choosers: Path) -> None:
    done = place.arena("tournament", choosers, "--out", "run", "--workers", 1)
    same_as_snapshot("screen-tournament", re.sub(r"[0-9a-f]{64}", "HASH", done.stdout))
    said = re.sub(r"\d+\.\d/s", "N/s", done.stderr)
    same_as_snapshot("screen-tournament-progress", said)
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("form", ["text", "csv", "json", "md"])
def test_every_table_in_every_form(
    form: str, place: Place, choosers: Path, arena: Callable[[str], str]
) -> None:
    played(place, choosers)
    shown = {table: arena(f"standings run --table {table} --format {form}") for table in TABLES}
    assert all(text.endswith("\n[exit 0]\n") for text in shown.values())
    assert re.search(r"median", shown.pop("times"))
    same_as_snapshot(f"standings-{form}", "\n".join(shown.values()))


def test_a_match_is_replayed_as_a_seat_saw_it(place: Place, choosers: Path) -> None:
    run = played(place, choosers)
    export = place.arena("export", run).stdout
    match = min(re.findall(r'"match":"([0-9a-f]{16})"', export))
    for name, words in {"all": (), "seat": ("--seat", 1)}.items():
        shown = place.arena("replay", run, match[:6], *words)
        assert (shown.returncode, shown.stderr) == (0, "")
        same_as_snapshot(f"replay-{name}", re.sub(r"\d+\.\d ms", "N ms", shown.stdout))


def test_games_and_rules_are_printed(place: Place) -> None:
    listed = re.split(r"^(?=\w)", place.arena("games").stdout, flags=re.MULTILINE)
    (leaves,) = (game for game in listed if game.startswith("leaves:"))
    same_as_snapshot("games-leaves", leaves)
    rules = place.arena("rules", "leaves")
    assert rules.returncode == 0
    assert "13 Leaves" in rules.stdout


def test_in_a_terminal_of_80_columns_no_line_is_longer(place: Place) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    process = place.start(
        "tournament", place.league(*STOCK), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    screen = b""
    while chunk := read(ours):
        screen += chunk
    os.close(ours)
    assert process.wait(timeout=20) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.decode())
    assert "24 matches in 8 blocks" in text
    assert max(map(len, re.split(r"[\r\n]+", text))) <= 80
    assert screen.count(b"\x1b[?25l") == screen.count(b"\x1b[?25h") == 1


def read(terminal: int) -> bytes:
    """Return what is shown next, nothing when the program has ended."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.mark.parametrize("command", ["standings", "export", "replay"])
def test_a_reader_that_has_seen_enough_is_no_error(
    place: Place, choosers: Path, command: str
) -> None:
    """As in ``arena standings RUN | head -1``."""
    run = played(place, choosers)
    match = re.findall(r'"match":"([0-9a-f]{16})"', place.arena("export", run).stdout)[:1]
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = place.start(command, run, *(match if command == "replay" else ()), stdout=write_end)
    os.close(write_end)
    _, err = process.communicate(timeout=20)
    assert err == ""
    assert process.returncode == 1


def test_a_match_says_where_to_read_what_the_bots_printed(place: Place) -> None:
    said = "print('seen'); from arena.bot import run; run(lambda observation, legal: legal[0])"
    bot = place.bot("talker", said)
    for words, printed in (((bot["path"], "first", "first"), 1), (("first",) * 3, 0)):
        done = place.arena("match", "leaves", *words)
        folders = re.findall("^what the bots printed: (.+)$", done.stdout, re.MULTILINE)
        assert len(folders) == printed
        for folder in folders:
            assert [log.read_text() for log in Path(folder).iterdir()] == ["seen\n"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_match_that_waits_for_a_program_is_ended_by_a_signal(
    number: signal.Signals, place: Place
) -> None:
    process = place.start("match", "leaves", "first", "manual", "first", start_new_session=True)
    assert process.stderr
    assert process.stderr.readline().startswith("waiting for manual, which has no time limits")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err.endswith(f"arena: stopped by {number.name}\n")
    assert "Traceback" not in err
    assert not place.processes()
    assert not place.left_behind()

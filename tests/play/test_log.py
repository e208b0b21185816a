"""What bots print: kept under a cap, its end readable, nothing left of the silent."""

import contextlib
import fcntl
import os
from pathlib import Path

import pytest

from arena.play.log import CAP, BotLog


@pytest.fixture
def log(tmp_path: Path) -> BotLog:
    return BotLog(tmp_path / "logs" / "bot-1.log")


def write(log: BotLog, data: bytes) -> None:
    while data:
        data = data[os.write(log.descriptor, data) :]


def test_a_log_under_the_cap_is_left_as_it_is(log: BotLog) -> None:
    write(log, b"x" * CAP)
    log.trim()
    log.close()
    assert log.path.read_bytes() == b"x" * CAP


def test_a_log_over_the_cap_loses_its_middle_and_says_so(log: BotLog) -> None:
    write(log, b"first line\n" + b"." * (3 * CAP) + b"\nlast line\n")
    log.trim()
    text = log.path.read_text()
    log.close()
    assert len(text) < CAP
    assert text.startswith("first line\n")
    assert text.endswith("\nlast line\n")
    cut = 3 * CAP + len("first line\n\nlast line\n") - CAP // 2
    assert f"\n[... {cut} bytes were cut here ...]\n" in text


def test_what_is_printed_after_a_cut_is_appended(log: BotLog) -> None:
    write(log, b"." * (2 * CAP))
    log.trim()
    write(log, b"\nafter\n")
    assert log.tail(1) == "after"
    log.close()


def test_a_log_can_be_cut_again_and_again(log: BotLog) -> None:
    for _ in range(5):
        write(log, b"." * (2 * CAP))
        log.trim()
        assert log.path.stat().st_size < CAP
    log.close()


def test_closing_cuts_a_log_that_is_too_large(log: BotLog) -> None:
    write(log, b"." * (2 * CAP))
    log.close()
    assert log.path.stat().st_size < CAP


def test_the_tail_is_the_last_lines(log: BotLog) -> None:
    write(log, "".join(f"line {n}\n" for n in range(100)).encode())
    assert log.tail().splitlines() == [f"line {n}" for n in range(80, 100)]
    assert log.tail(2) == "line 98\nline 99"
    log.close()
    assert log.tail(1) == "line 99"


def test_the_tail_of_endless_lines_is_limited(log: BotLog) -> None:
    write(log, b"x" * 500_000)
    assert 0 < len(log.tail()) < 20_000
    log.close()


def test_wrong_utf_8_is_replaced(log: BotLog) -> None:
    write(log, b"caf\xe9 \xff\n")
    assert log.tail() == "caf\ufffd \ufffd"
    log.close()


def test_the_log_of_a_silent_bot_is_removed(log: BotLog) -> None:
    log.close()
    assert not log.path.exists()
    assert log.tail() == ""


def test_closing_twice_is_harmless(log: BotLog) -> None:
    write(log, b"text\n")
    log.close()
    log.close()
    assert log.path.read_text() == "text\n"


def test_a_new_log_takes_the_place_of_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    path.write_text("old")
    log = BotLog(path)
    write(log, b"new")
    log.close()
    assert path.read_text() == "new"


def test_a_bot_that_puts_something_else_in_the_place_of_its_log_stops_nothing(log: BotLog) -> None:
    log.path.unlink()
    os.mkfifo(log.path)
    write(log, b"printed\n")
    assert log.tail() == "printed"
    log.close()
    assert log.tail() == "printed"


def test_a_folder_in_the_place_of_a_log_that_stayed_empty_is_left(log: BotLog) -> None:
    log.path.unlink()
    log.path.mkdir()
    log.close()
    assert log.path.is_dir()


def test_a_bot_that_changes_how_its_output_is_open_changes_nothing_for_the_arena(
    log: BotLog,
) -> None:
    write(log, b"x" * (CAP + 1))
    fcntl.fcntl(log.descriptor, fcntl.F_SETFL, 0)
    os.lseek(log.descriptor, 1 << 40, os.SEEK_SET)
    log.trim()
    assert log.path.stat().st_size < CAP
    with contextlib.suppress(OSError):
        fcntl.fcntl(log.descriptor, fcntl.F_SETFL, getattr(os, "O_DIRECT", 0))
    log.close()
    assert log.tail() == "x" * (1 << 14)

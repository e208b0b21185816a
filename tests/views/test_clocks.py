"""What is said of the clocks of a league at its end."""

from msgspec.structs import replace

from arena.model import Lag, Limits
from arena.results.times import BotTimes, Times
from arena.views.clocks import fitted, remarks

HONEST = BotTimes("ann", 100, 1.0, 2.0, 3.0, 0.5, 900.0, 5_000.0)
QUIET = Times((HONEST,), Lag(400, 20.0, 1.0, 8.0, 99.0), late=3, idle=0)
LIMITS = Limits(move=1_000)


def test_a_league_without_suspicion_has_no_remark() -> None:
    unknown = BotTimes("bob", 100, 1.0, 2.0, 3.0)
    assert list(remarks(QUIET, LIMITS)) == []
    assert list(remarks(Times((unknown,), None, 0, 0), LIMITS)) == []
    little = replace(HONEST, off_turn=5_000.0, waiting=60_000.0)
    assert list(remarks(replace(QUIET, bots=(little,)), LIMITS)) == []


def test_a_bot_that_thinks_while_others_do_is_named() -> None:
    ponderer = replace(HONEST, bot="bob", off_turn=2_500.0)
    (line,) = remarks(replace(QUIET, bots=(HONEST, ponderer)), LIMITS)
    assert line == (
        "bob used 50% of a core while it was not asked, and may have slowed down others; "
        '[limits] off_turn = "fault" forbids that'
    )


def test_late_answers_on_a_busy_machine_are_told() -> None:
    (line,) = remarks(replace(QUIET, idle=2), LIMITS)
    assert line.startswith("2 of 3 late answers had less than half of their time on a processor")


def test_a_wait_of_the_arena_that_costs_a_tenth_of_a_move_is_told() -> None:
    waited = replace(QUIET, arena=Lag(400, 20.0, 1.0, 300.0, 101.0))
    (line,) = remarks(waited, LIMITS)
    assert "had to wait 101 ms for a processor" in line
    assert "of their 1000 ms" in line


def test_a_remark_fits_a_terminal_and_is_one_line_in_a_file() -> None:
    (line,) = remarks(replace(QUIET, idle=2), LIMITS)
    lines = fitted(line, 40).splitlines()
    assert max(map(len, lines)) <= 40
    assert [*map(str.split, lines)] != [line.split()]
    assert " ".join(lines).split() == line.split() == fitted(line, None).split()

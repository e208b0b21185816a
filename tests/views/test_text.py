"""The tables as people see them, to the letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.model import Outcome
from arena.results.standings import standings
from arena.results.tables import Standings
from arena.views.grid import Grid, as_markdown, as_text, columns, cut, quoted
from arena.views.show import Table, show
from arena.views.text import main_table

MAIN = """\
#  bot      matches  wins  share        95%  group  place  penalty  faults
1  counter       36  30.0  0.903  0.83-0.97  a       1.17     1.29       -
2  first         36  22.5  0.785  0.71-0.86  a       1.36     2.17       -
3  greedy        33   4.0  0.485  0.34-0.63  b       2.00     3.18       -
4  miser         33   0.5  0.189  0.06-0.32  c       2.55     4.42       -
5  random        33   0.0  0.076  0.02-0.13  c       2.82     5.09       5
6  日本語         0   0.0      -          -  -          -        -       -

57 matches in 19 blocks; share with its 95% interval; mean penalty per deal
bots with a group in common are not separated
not counted: 2 matches in 1 incomplete block
random: 5 timeout, 5 matches forfeited, 5 stale answers
"""
CROSS = """\
#  bot          1      2      3       4       5  6
1  counter      -  67±33  94±14  100±39  100±39  -
2  first    33±33      -  86±17    94±9  100±39  -
3  greedy    6±14  14±17      -    97±9   93±19  -
4  miser     0±39    6±9    3±9       -   73±11  -
5  random    0±39   0±39   7±19   27±11       -  -
6  日本語       -      -      -       -       -  -

share of the row against the column in percent, with its 95% interval
matches of a pair: 15 to 18
"""
SEATS = """\
table  bot         seat 0     seat 1     seat 2
    3  (all)        0.500      0.482      0.518
    3  (95%)    0.45-0.55  0.42-0.54  0.46-0.58
    3  counter      0.917      0.917      0.875
    3  first        0.833      0.688      0.833
    3  greedy       0.409      0.477      0.568
    3  miser        0.182      0.182      0.205
    3  random       0.091      0.091      0.045

tables of 3: 57 matches, mean shares; no seat is shown to have an advantage (p 1.000)
"""
PAIRS = """\
bot      other   difference          95%       p  common  needed
counter  first        0.118  -0.01 +0.25   0.115       6      26
counter  greedy       0.418  +0.27 +0.57  <0.001       6       0
counter  miser        0.713  +0.55 +0.88  <0.001       6       0
counter  random       0.827  +0.73 +0.93  <0.001       6       0
first    greedy       0.300  +0.13 +0.47   0.008       6       0
first    miser        0.595  +0.44 +0.75  <0.001       6       0
first    random       0.709  +0.57 +0.85  <0.001       6       0
greedy   miser        0.295  +0.12 +0.47   0.008       5       0
greedy   random       0.409  +0.27 +0.55  <0.001       5       0
miser    random       0.114  -0.00 +0.23   0.115       5      24

by how much the share of the first is higher; p is adjusted for all pairs
common: blocks of both; needed: more of each, to be separated in 4 of 5 leagues
"""
WITHOUT = """\
#  bot      -1  -2  -3  -4  -5  -6
1  counter   -   1   1   1   1   -
2  first     1   -   2   2   2   -
3  greedy    2   2   -   3   3   -
4  miser     3   3   3   -   4   -
5  random    4   4   4   4   -   -
6  日本語    -   -   -   -   -   -

rank of the row when meetings with the bot of the column are not counted
"""
ENDS = """\
bot      matches  complete  illegal  malformed  timeout  cpu  exited  not ready
counter       36        36        -          -        -    -       -          -
first         36        36        -          -        -    -       -          -
greedy        33        33        -          -        -    -       -          -
miser         33        33        -          -        -    -       -          -
random        33        28        -          -        5    -       -          -
日本語         0         -        -          -        -    -       -          -

matches played to the end, and those forfeited by the kind of the fault
"""
FAULTS = """\
match                      bot     kind     deal  detail
counter-first-random-2-3   random  timeout     2  no answer in 1000 ms
counter-greedy-random-2-3  random  timeout     2  no answer in 1000 ms
counter-miser-random-2-3   random  timeout     2  no answer in 1000 ms
first-greedy-random-2-3    random  timeout     2  no answer in 1000 ms
first-miser-random-2-3     random  timeout     2  no answer in 1000 ms

5 faults
--format json has whole details, what bots printed and where their logs are
"""
TIMES = """\
bot      decisions  median   99%  longest   cpu  off turn
counter        180    0.99  0.99     0.99  0.80      0.0%
first          180    1.98  1.98     1.98  0.80      0.0%
greedy         175    2.94  2.94     2.94  0.80      0.0%
miser          175    3.97  3.97     3.97  0.80     30.0%
random         175    4.86  4.86     4.86  0.80      0.0%

times of a decision in milliseconds; cpu: the mean of its processor time
off turn: processor time used while not asked, in percent of that time
arena: 0.10 ms of work before a decision, longest 0.2; 0.02 ms of waits for a core, longest 0.1
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("main", MAIN),
        ("cross", CROSS),
        ("pairs", PAIRS),
        ("seats", SEATS),
        ("without", WITHOUT),
        ("ends", ENDS),
    ],
)
def test_standings_read_like_this(name: Table, expected: str, table: Standings) -> None:
    assert show(name, "text", table, ()) == expected


def test_faults_and_times_read_like_this(table: Standings, outcomes: tuple[Outcome, ...]) -> None:
    assert show("faults", "text", table, outcomes[::-1]) == FAULTS
    assert show("times", "text", table, outcomes) == TIMES


def test_an_empty_league_has_tables_too() -> None:
    empty = standings([], {})
    assert main_table(empty).splitlines()[2].startswith("0 matches in 0 blocks")
    assert show("cross", "text", empty, ()) == (
        "#  bot\n\nshare of the row against the column in percent, with its 95% interval\n"
    )
    assert show("seats", "text", empty, ()) == "table  bot\n"
    assert show("faults", "text", empty, ()).endswith("\n0 faults\n")


def test_a_long_name_is_cut_so_that_the_table_fits_80_columns(
    outcomes: tuple[Outcome, ...],
) -> None:
    long = standings(outcomes, {3: 3}, ["x" * 40])
    line = next(line for line in main_table(long).splitlines() if "xxx" in line)
    assert "xxx…" in line
    assert max(map(len, main_table(long).splitlines())) <= 80


def test_what_a_terminal_would_act_upon_is_not_printed() -> None:
    grid = Grid(columns("<bot"), (("\x1b[31mred\r\x07",),), ("\x1b]0;title",), flexible=0)
    assert as_text(grid, 80) == "bot\n�[31mred��\n\n�]0;title\n"


def test_markdown_shows_names_as_they_are() -> None:
    grid = Grid(columns("<bot", ">wins"), (("a|b*c <i>\n", "1"),), ("_x_",), flexible=0)
    assert as_markdown(grid) == (
        "| bot | wins |\n| :-- | --: |\n| a\\|b\\*c \\<i\\>� | 1 |\n\n\\_x\\_\n"
    )


@given(st.text(st.characters(exclude_categories=["C", "M"]), max_size=30), st.integers(1, 30))
def test_cut_text_fits_and_says_that_it_was_cut(text: str, width: int) -> None:
    short = cut(text, width)
    assert cell_len(short) <= width
    assert short == text if cell_len(text) <= width else short.endswith("…")


@given(
    st.lists(st.tuples(st.text("aé漢\u200d🂡", max_size=9), st.text("09", max_size=5)), min_size=1)
)
def test_right_aligned_cells_end_in_one_column(rows: list[tuple[str, str]]) -> None:
    grid = Grid(columns("<name", ">number"), tuple((a, b + "|") for a, b in rows), (), flexible=0)
    lines = as_text(grid, 80).splitlines()
    assert len({cell_len(line) for line in lines}) == 1


def test_what_a_page_quotes_of_a_bot_is_printable_and_has_an_end() -> None:
    assert quoted("a\tb\x1b[2J\n\u202ec") == "a       b\ufffd[2J\n\ufffdc"
    assert quoted("x" * 16384) == "x" * 16384
    assert quoted("x" * 1_000_000) == "x" * 16384 + "\n…"

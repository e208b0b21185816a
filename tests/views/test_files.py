"""The result files: exact, harmless, whole, and the same for the same outcomes."""

import csv
import io
import json
import os
import random
import re
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace

from arena import league
from arena.model import FaultKind, Outcome
from arena.results.standings import standings
from arena.results.tables import (
    Duel,
    Incomplete,
    LeftOut,
    Pair,
    Rating,
    Ratings,
    Row,
    SeatShares,
    Standings,
)
from arena.results.times import decision_times
from arena.views.files import json_text, markdown_text, write, write_atomically
from arena.views.sheets import Sheet, as_csv, time_sheet
from arena.views.show import FORMS, TABLES, Form, Table, show

DOCUMENT = Path(league.__file__).with_name("STANDINGS.md")
REPRODUCIBLE = ("standings.csv", "standings.json", "standings.md")
NO_FAULTS = dict.fromkeys(FaultKind, 0)


def test_the_four_files_are_written_and_nothing_else(
    tmp_path: Path, table: Standings, outcomes: tuple[Outcome, ...]
) -> None:
    paths = write(tmp_path, table, decision_times(outcomes), "ab12")
    assert sorted(os.listdir(tmp_path)) == ["head.txt", *REPRODUCIBLE, "times.csv"]
    assert sorted(path.name for path in paths) == ["head.txt", *REPRODUCIBLE, "times.csv"]


def test_files_are_the_same_to_the_byte_for_any_order_of_outcomes(
    tmp_path: Path, outcomes: tuple[Outcome, ...]
) -> None:
    mixed = random.Random(1).sample(outcomes, len(outcomes))
    for name, given in (("one", outcomes), ("two", mixed)):
        (tmp_path / name).mkdir()
        write(tmp_path / name, standings(given, {3: 3}), decision_times(()), name)
    for name in REPRODUCIBLE:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_failed_write_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "standings.csv"
    write_atomically(path, "old\n")
    write_atomically(path, "new\n")
    assert path.read_bytes() == b"new\n"

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "newer\n")
    assert path.read_bytes() == b"new\n"


def test_json_has_the_documented_shape(table: Standings) -> None:
    document = json.loads(json_text(table))
    assert list(document) == [
        "format",
        "rows",
        "duels",
        "pairs",
        "seats",
        "without",
        "matches",
        "blocks",
        "repeated",
        "incomplete",
        "ratings",
    ]
    assert document["format"] == 2
    assert document["rows"][0] == {
        "rank": 1,
        "bot": "counter",
        "matches": 36,
        "blocks": 12,
        "wins": 30.0,
        "share": 65 / 72,
        "low": table.rows[0].low,
        "high": table.rows[0].high,
        "groups": ["a"],
        "mean_place": 7 / 6,
        "mean_penalty": 31 / 24,
        "faults": NO_FAULTS,
        "forfeits": 0,
        "ends": {"complete": 36, **NO_FAULTS},
        "stale": 0,
    }
    assert document["rows"][5]["share"] is None
    assert document["duels"][0] == {
        "bot": "counter",
        "opponent": "first",
        "share": 12 / 18,
        "low": table.duels[0].low,
        "high": table.duels[0].high,
        "matches": 18,
    }
    assert document["pairs"][0] == asdict(table.pairs[0])
    assert document["without"][0] == asdict(table.without[0])
    assert document["seats"][0]["bots"]["counter"] == [11 / 12, 11 / 12, 7 / 8]
    assert document["incomplete"] == [
        {
            "block": "greedy-miser-random/2",
            "bots": ["greedy", "miser", "random"],
            "played": 2,
            "rotations": 3,
        }
    ]


def test_csv_has_exact_figures_and_empty_cells(table: Standings) -> None:
    text = show("main", "csv", table, ())
    assert text.splitlines()[0] == (
        "rank,bot,matches,blocks,wins,share,low,high,mean_place,mean_penalty,"
        "illegal,malformed,timeout,cpu,exited,not_ready,forfeits,stale,groups"
    )
    rows = list(csv.DictReader(text.splitlines()))
    assert [float(row["share"]) for row in rows[:5]] == [row.share for row in table.rows[:5]]
    assert rows[4]["timeout"] == "5"
    assert text.endswith("\n6,日本語,0,0,0.0,,,,,,0,0,0,0,0,0,0,0,\n")
    assert "\r" not in text


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a", "\ta", "\na"])
def test_csv_disarms_what_a_spreadsheet_would_calculate(name: str) -> None:
    text = as_csv(Sheet(("bot", "share"), ((name, -0.5),)))
    assert list(csv.reader(io.StringIO(text)))[1] == [f"'{name}", "-0.5"]


def test_csv_has_one_kind_of_line_end() -> None:
    text = as_csv(Sheet(("output",), (("a\rb\r\nc",),)))
    assert text == 'output\n"a\nb\nc"\n'


def test_every_key_is_documented_where_it_belongs() -> None:
    chapters = re.split(r"^## ", DOCUMENT.read_text("utf-8"), flags=re.MULTILINE)
    found = [
        [key for row in re.findall(r"^\| (`.+?) \|", chapter, re.MULTILINE) for key in
         re.findall(r"`(\w+)`", row)]
        for chapter in chapters
    ]  # fmt: skip
    right = [Standings, Row, Duel, Pair, SeatShares, LeftOut, Incomplete, Ratings, Rating]
    assert found[: len(right)] == [
        [*(["format"] if kind is Standings else []), *kind.__struct_fields__] for kind in right
    ]


def test_every_column_of_times_is_documented(outcomes: tuple[Outcome, ...]) -> None:
    chapter = DOCUMENT.read_text("utf-8").split("## Times\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", chapter, re.MULTILINE)
    named = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    columns = time_sheet(decision_times(outcomes)).columns
    assert sorted(named) == sorted(columns)


def test_markdown_has_the_tables(table: Standings) -> None:
    text = markdown_text(table)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "## Standings",
        "## Each against each",
        "## Differences",
        "## Seats",
        "## With each bot left out",
        "## Ends of matches",
    ]
    assert "| 5 | random | 33 | 0.0 | 0.076 | 0.02-0.13 | c | 2.82 | 5.09 | 5 |" in text


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("form", FORMS)
def test_every_table_is_shown_in_every_form(
    name: Table, form: Form, table: Standings, outcomes: tuple[Outcome, ...]
) -> None:
    rows = tuple(Rating(row.bot, 1500.0, None, None, 1) for row in table.rows)
    table = replace(table, ratings=Ratings("some kind", "", 1, rows))
    text = show(name, form, table, outcomes)
    assert text.endswith("\n")
    assert "random" in text
    assert text != show("main" if name != "main" else "times", form, table, outcomes) or (
        form == "json" and name not in ("faults", "times")
    )


def test_records_of_faults_are_whole(table: Standings, outcomes: tuple[Outcome, ...]) -> None:
    document = json.loads(show("faults", "json", table, outcomes))
    assert document["format"] == 2
    assert document["faults"][0] == {
        "match": "counter-first-random-2-3",
        "bot": "random",
        "seat": 0,
        "kind": "timeout",
        "deal": 2,
        "action": 3,
        "ms": 1000.25,
        "cpu": 3.5,
        "detail": "no answer in 1000 ms\nit slept",
        "output": "=1+1\n",
        "log": "logs/random-1.log",
    }


def test_a_link_in_the_place_of_a_draft_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    (tmp_path / ".page.html.draft").symlink_to("mine")
    write_atomically(tmp_path / "page.html", "new")
    assert (tmp_path / "mine").read_text() == "kept"
    assert (tmp_path / "page.html").read_text() == "new"

"""``arena export``, ``arena verify`` and ``arena rerun`` as their users meet them."""

import json
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scripted
from msgspec.structs import replace
from running import Place

from arena import __version__
from arena.commands.figures import standings_of
from arena.commands.reading import reading
from arena.league import _schema
from arena.league import journal as journals
from arena.league.journal import FILE, Journal
from arena.league.records import as_line
from arena.model import MatchResult, Void
from arena.results.times import decision_times
from arena.views import files

RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
FILES = ("standings.csv", "standings.json", "standings.md", "times.csv", "head.txt")

BOT = """\
from arena.bot import run


def choose(observation, legal):
    return legal[{}]


run(choose)
"""
Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A complete run with its result files."""
    folder = tmp_path / "run"
    scripted.record(scripted.LEAGUE, iter(RESULTS), folder)
    publish(folder)
    return folder


def publish(folder: Path) -> None:
    with reading(folder) as journal:
        times = decision_times(journal.outcomes())
        files.write(folder, standings_of(journal), times, journal.head())


def forge(folder: Path, *statements: str, chained: bool = False) -> None:
    """Change the journal behind the arena's back, and its chain if it is to be ``chained``."""
    db = sqlite3.connect(folder / FILE)
    with db:
        for statement in statements:
            assert db.execute(statement).rowcount == 1
        if chained:
            scripted.chain_anew(db)
    db.close()


def head(folder: Path) -> str:
    return (folder / "head.txt").read_text().strip()


def match_id(result: MatchResult) -> str:
    return result.outcome.match


def test_verify_says_what_was_checked(arena: Arena, run: Path) -> None:
    checked = "deals, actions, penalties, places, " + ", ".join(FILES)
    right = f"{run}: {len(RESULTS)} matches verified: {checked}\nhead: {head(run)}\n"
    assert arena("verify", run) == (0, right, "")


def test_verify_says_which_arenas_have_played(
    arena: Arena, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (journals, _schema):
        monkeypatch.setattr(module, "__version__", "9.8")
    journal = Journal.open(run)
    journal.note_arena()
    journal.close()
    publish(run)
    assert f"\narena: {__version__}, then 9.8\n" in arena("verify", run)[1]


def test_verify_does_not_say_that_it_checked_files_that_are_not_there(
    arena: Arena, run: Path
) -> None:
    for name in FILES:
        (run / name).unlink()
    code, out, _ = arena("verify", run)
    first = out.splitlines()[0]
    assert (code, first.rpartition(": ")[2]) == (0, "deals, actions, penalties, places")


def test_verify_names_a_result_that_was_changed(arena: Arena, run: Path) -> None:
    forge(run, "UPDATE results SET outcome = replace(outcome, 'ann', 'bob') WHERE number = 5")
    row = f"row 5 (match {match_id(RESULTS[4])})"
    right = (
        f"arena: {run / FILE}: {row}: what is stored does not agree with its chain; "
        "nothing that comes after it can be vouched for\n"
    )
    assert arena("verify", run) == (1, "", right)


def test_verify_names_a_forged_result_with_a_forged_chain(arena: Arena, run: Path) -> None:
    match, places = match_id(RESULTS[4]), list(RESULTS[4].outcome.places)
    place = places[0] % 3 + 1
    forged = f"UPDATE results SET outcome = json_set(outcome, '$.places[0]', {place}) "
    forge(run, f"{forged} WHERE match = '{match}'", chained=True)
    code, out, err = arena("verify", run)
    assert (code, out) == (1, "")
    assert err.startswith(f"arena: {run}: match {match}: the places should be {places}")


def test_verify_names_a_match_removed_from_the_middle(arena: Arena, run: Path) -> None:
    removed = [f"DELETE FROM {table} WHERE number = 5" for table in ("records", "results")]
    forge(run, *removed, chained=True)
    code, out, err = arena("verify", run)
    assert (code, out) == (1, "")
    assert err.startswith(f"arena: {run / FILE}: row 5 was removed; nothing that comes after")


def test_verify_names_a_row_that_has_the_id_of_no_match(arena: Arena, run: Path) -> None:
    """The league would play the match of the row again."""
    forge(run, "UPDATE results SET match = 'eve' WHERE number = 5", chained=True)
    right = f"arena: {run}: no match has the id eve, which a row is named by\n"
    assert arena("verify", run) == (1, "", right)


def test_verify_finds_matches_taken_from_the_end_by_a_head(arena: Arena, run: Path) -> None:
    published = head(run)
    last = len(RESULTS)
    forge(run, *(f"DELETE FROM {table} WHERE number = {last}" for table in ("records", "results")))
    assert arena("verify", run)[0] == 1
    for name in FILES:
        (run / name).unlink()
    assert arena("verify", run)[0] == 0
    code, out, err = arena("verify", run, "--head", published)
    assert (code, out) == (1, "")
    assert err == (
        f"arena: {run}: no row has the head {published}: matches were taken away from the end, "
        "or this is another run\n"
    )


def test_verify_says_that_a_run_goes_on_from_a_head(arena: Arena, tmp_path: Path) -> None:
    scripted.record(scripted.LEAGUE, iter(RESULTS[:30]), tmp_path)
    publish(tmp_path)
    early = head(tmp_path)[:20]
    journal = Journal.open(tmp_path)
    for result in RESULTS[30:]:
        journal.add(result)
    journal.close()
    publish(tmp_path)
    code, out, _ = arena("verify", tmp_path, "--head", early)
    assert (code, out.splitlines()[2]) == (0, f"it goes on from {early}, which had 30 matches")


def test_verify_wants_a_head_that_is_one(arena: Arena, run: Path) -> None:
    code, _, err = arena("verify", run, "--head", "ab12")
    assert code == 2
    assert "'ab12' is not a head: 16 to 64 of 0-9 and a-f" in err


def test_verify_tells_of_matches_that_are_not_there(arena: Arena, tmp_path: Path) -> None:
    scripted.record(scripted.LEAGUE, iter(RESULTS[:-2]), tmp_path)
    code, out, _ = arena("verify", tmp_path)
    assert code == 0
    assert out.splitlines()[1] == (
        f"missing: 2 matches of the league, {match_id(RESULTS[-2])} the first: "
        "the run was stopped before them, or they were removed"
    )


@pytest.mark.parametrize("name", FILES)
def test_verify_names_a_result_file_that_was_changed(arena: Arena, run: Path, name: str) -> None:
    path = run / name
    path.write_text(path.read_text().replace("a", "b", 1))
    code, out, err = arena("verify", run)
    assert (code, out) == (1, "")
    assert err.startswith(f"arena: {path} is not what the {len(RESULTS)} matches in the journal")


def test_verify_names_files_older_than_the_journal_of_a_killed_run(
    arena: Arena, tmp_path: Path
) -> None:
    scripted.record(scripted.LEAGUE, iter(RESULTS[:30]), tmp_path)
    publish(tmp_path)
    journal = Journal.open(tmp_path)
    for result in RESULTS[30:]:
        journal.add(result)
    journal.close()
    code, _, err = arena("verify", tmp_path)
    assert code == 1
    assert "the run was killed before it could be written" in err
    assert "the command that played the run writes it anew" in err
    publish(tmp_path)
    assert arena("verify", tmp_path)[0] == 0


def test_verify_tells_of_void_matches_and_of_bots_that_changed(
    arena: Arena, tmp_path: Path
) -> None:
    first, *rest = RESULTS
    name = first.outcome.seats[0]
    newer = replace(first, fingerprints=("f" * 16, *first.fingerprints[1:]))
    scripted.record(scripted.LEAGUE, iter([newer, *rest]), tmp_path)
    journal = Journal.open(tmp_path)
    journal.add_void(Void(match_id(first), "a worker was killed"))
    journal.close()
    code, out, _ = arena("verify", tmp_path)
    assert code == 0
    assert out.splitlines()[2:] == [
        "void: 1 match, played again",
        f"changed: {name}, which played in 2 versions",
    ]


def test_commands_give_what_can_be_read_of_a_damaged_journal(arena: Arena, run: Path) -> None:
    """Here only its header is damaged, so all of it can be read."""
    match = match_id(RESULTS[7])
    before = {words: arena(*words, run)[1] for words in (("standings",), ("export",))}
    replayed = arena("replay", run, match)[1]
    with (run / FILE).open("r+b") as file:
        file.write(bytes(100))
    said = (
        f"arena: {run / FILE} is damaged: file is not a database\n"
        f"{len(RESULTS)} matches can be read, out of {len(RESULTS)} or more\n"
    )
    for words, out in before.items():
        assert arena(*words, run) == (1, out, said)
    assert arena("replay", run, match) == (1, replayed, said)
    checked = f"{run}: {len(RESULTS)} matches verified: deals, actions, penalties, places\n"
    assert arena("verify", run) == (1, checked, said)


def test_a_changed_match_of_a_damaged_journal_is_left_out(arena: Arena, run: Path) -> None:
    forge(run, "UPDATE results SET outcome = json_set(outcome, '$.places[0]', 9) WHERE number = 5")
    with (run / FILE).open("r+b") as file:
        file.write(bytes(100))
    code, out, err = arena("verify", run)
    assert code == 1
    assert out.startswith(f"{run}: {len(RESULTS) - 1} matches verified: ")
    assert "left out, not in agreement with the chain: match 5\n" in err


@pytest.mark.parametrize("chained", [False, True])
def test_a_journal_that_contradicts_itself_is_told_by_its_chain_or_by_the_rules(
    arena: Arena, run: Path, chained: bool
) -> None:
    """Standings read no chain, but say what is wrong when they cannot be computed."""
    forged = "UPDATE results SET outcome = json_set(outcome, '$.seats[0]', 'eve') WHERE number = 5"
    forge(run, forged, chained=chained)
    code, out, err = arena("standings", run)
    assert (code, out) == (1, "")
    name = f"match {match_id(RESULTS[4])}"
    at = f"{name}: " if chained else f"row 5 ({name}): what is stored does not agree"
    assert err.startswith(f"arena: {run / FILE}: {at}")


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        ("kind = 'void'", "the version of the tables was not noted"),
        ("body = '[]'", "a note of the version of the tables cannot be read: Expected `object`"),
        ("body = '{}'", "a note of the version of the tables cannot be read: Object missing"),
    ],
)
def test_verify_names_a_version_of_the_tables_that_was_changed(
    arena: Arena, run: Path, forged: str, said: str
) -> None:
    forge(run, f"UPDATE notes SET {forged} WHERE kind = 'schema'", chained=True)
    code, out, err = arena("verify", run)
    assert (code, out) == (1, "")
    assert err.startswith(f"arena: {run / FILE}: {said}")


@pytest.mark.parametrize("command", ["verify", "export"])
def test_a_folder_without_a_run_is_refused(arena: Arena, tmp_path: Path, command: str) -> None:
    code, out, err = arena(command, tmp_path)
    assert (code, out) == (2, "")
    assert "is not a run" in err


def test_export_prints_a_line_for_each_match_in_order(arena: Arena, run: Path) -> None:
    code, out, err = arena("export", run)
    assert (code, err) == (0, "")
    assert out == "".join(f"{as_line(result)}\n" for result in RESULTS)


def test_export_writes_the_same_to_a_file(arena: Arena, run: Path, tmp_path: Path) -> None:
    output = tmp_path / "records.jsonl"
    assert arena("export", run, "--output", output) == (0, "", "")
    assert output.read_bytes().decode() == arena("export", run)[1]


def test_export_leaves_the_old_file_alone_when_it_fails(
    arena: Arena, run: Path, tmp_path: Path
) -> None:
    output = tmp_path / "records.jsonl"
    output.write_text("old")
    (run / FILE).write_bytes(b"no database at all" * 1000)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert arena("export", run, "--output", output)[0] == 1
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_export_into_a_folder_that_is_not_there_names_it(arena: Arena, run: Path) -> None:
    output = run / "none" / "records.jsonl"
    message = f"arena: --output {output}: there is no folder {output.parent}\n"
    assert arena("export", run, "--output", output) == (2, "", message)


def test_export_writes_into_a_device_and_does_not_replace_it(arena: Arena, tmp_path: Path) -> None:
    run, output = tmp_path / "run", tmp_path / "pipe"
    scripted.record(scripted.LEAGUE, iter(RESULTS[:1]), run)
    os.mkfifo(output)
    reader = os.open(output, os.O_RDONLY | os.O_NONBLOCK)
    assert arena("export", run, "--output", output) == (0, "", "")
    assert os.read(reader, 1 << 16).decode() == arena("export", run)[1]
    os.close(reader)
    assert output.is_fifo()


@pytest.mark.parametrize("lines", [0, 1])
def test_export_to_a_pipe_that_is_closed_early_is_silent(
    place: Place, run: Path, lines: int
) -> None:
    assert sum(len(as_line(result)) for result in RESULTS) > 1 << 16
    process = place.start("export", run)
    assert process.stdout
    assert process.stderr
    for _ in range(lines):
        json.loads(process.stdout.readline())
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=10) == 1


def test_rerun_needs_a_command_for_each_bot(arena: Arena, tmp_path: Path) -> None:
    entrants = tuple(replace(entrant, command=()) for entrant in scripted.LEAGUE.entrants)
    league = replace(scripted.LEAGUE, entrants=entrants)
    scripted.record(league, iter(RESULTS[:1]), tmp_path)
    code, _, err = arena("rerun", tmp_path, match_id(RESULTS[0]))
    assert code == 2
    assert all(name in err for name in RESULTS[0].outcome.seats)


@pytest.mark.process
def test_rerun_of_bots_that_play_the_same_shows_the_same(place: Place) -> None:
    league = place.league("first", "greedy", "miser", format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    assert place.arena("verify", "run").returncode == 0
    for record in records(place):
        count = sum(len(deal["actions"]) for deal in record["deals"])
        totals = " ".join(map(str, record["totals"]))
        again = place.arena("rerun", "run", record["match"])
        right = f"the same again: {count} actions, totals {totals}\n"
        assert (again.returncode, again.stdout, again.stderr) == (0, right, "")


@pytest.mark.process
def test_rerun_shows_where_a_bot_that_changed_plays_otherwise(place: Place) -> None:
    bot = place.bot("changing", BOT.format(0))
    league = place.league("first", "greedy", bot, format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    (Path(bot["path"]) / "main.py").write_text(BOT.format(-1))
    record = records(place)[0]
    seat = record["seats"].index("changing")
    out = place.arena("rerun", "run", record["match"]).stdout
    said = f"first difference: deal 1, action (\\d+), seat {seat} changing: recorded (.+), now (.+)"
    found = re.match(said, out)
    assert found
    assert record["deals"][0]["actions"][int(found[1])][:2] == [seat, found[2]]
    assert found[2] != found[3]
    assert "fault" not in out
    assert f"\ntotals recorded {' '.join(map(str, record['totals']))}, now " in out


@pytest.mark.process
def test_rerun_tells_why_a_bot_does_not_play_any_more(place: Place) -> None:
    bot = place.bot("changing", BOT.format(0))
    league = place.league("first", "greedy", bot, format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    (Path(bot["path"]) / "main.py").write_text("import there_is_no_such_module\n")
    match = records(place)[0]["match"]
    out = place.arena("rerun", "run", match).stdout
    assert f"\nchanging: fault in match {match}, not_ready: exited with status 1" in out
    assert "No module named 'there_is_no_such_module'" in out


@pytest.mark.process
def test_rerun_shows_the_first_action_of_a_match_that_had_none(place: Place) -> None:
    bots = [place.bot(name, "raise SystemExit(3)") for name in ("one", "two")]
    league = place.league("first", *bots, format={"blocks": 1, "rotations": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    assert place.arena("verify", "run").returncode == 0
    for bot in bots:
        (Path(bot["path"]) / "main.py").write_text(BOT.format(0))
    (record,) = records(place)
    assert record["deals"] == []
    out = place.arena("rerun", "run", record["match"]).stdout
    assert out.startswith("first difference: deal 1, action 0, seat ")
    assert ": recorded nothing, now play " in out


def records(place: Place) -> list[dict[str, Any]]:
    lines = place.arena("export", "run").stdout.splitlines()
    return [json.loads(line) for line in lines]

"""The public record of a match, and the document that describes it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import scripted
from msgspec.structs import replace
from scripted import LEAGUE

import arena.league
from arena import __version__, games
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.records import FORMAT, as_line, as_record
from arena.model import Fixture

DOCUMENT = Path(arena.league.__file__).with_name("RECORDS.md").read_text(encoding="utf-8")
RESULTS = tuple(scripted.play_all(LEAGUE))
RECORDS = tuple(json.loads(as_line(result)) for result in RESULTS)
TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "`illegal`": (str,),
    "`complete`": (str,),
    "integer": (int,),
    "1": (int,),
    "number": (int, float),
    "list": (list,),
    "object": (dict,),
    "true": (bool,),
}
"""The first word of a description, and what it means."""


def described(title: str) -> dict[str, str]:
    """Return the keys of the table below a heading, with their descriptions."""
    section = DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE))


def block(language: str) -> str:
    """Return the document's only code block of a language."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    return str(text)


def objects(title: str) -> list[dict[str, Any]]:
    """Return all records' objects that a section of the document describes."""
    return {
        "A match": list(RECORDS),
        "The cards of 13 Leaves": [deal for record in RECORDS for deal in record["deals"]],
        "A deal": [deal for record in RECORDS for deal in record["deals"]],
        "A fault": [fault for record in RECORDS for fault in record["faults"]],
    }[title]


@pytest.mark.parametrize("titles", [["A match"], ["The cards of 13 Leaves", "A deal"], ["A fault"]])
def test_the_document_names_every_key_in_order(titles: list[str]) -> None:
    keys = [key for title in titles for key in described(title)]
    for value in objects(titles[0]):
        assert list(value) == keys


@pytest.mark.parametrize("key", ["leaves", "thirteen"])
def test_the_document_names_every_key_of_a_games_cards(key: str) -> None:
    game = games.load(key)
    players = game.players[0]
    state = game.deal(players, "keys", 1, game.resolve({}, players))
    assert list(described(f"The cards of {game.title}")) == list(state.record())


@pytest.mark.parametrize("title", ["A match", "The cards of 13 Leaves", "A deal", "A fault"])
def test_values_have_the_types_of_the_document(title: str) -> None:
    assert objects(title)
    for key, text in described(title).items():
        kinds = TYPES[text.split(" ")[0].rstrip(":,")]
        if "null" in text:
            kinds += (type(None),)
        assert {type(value[key]) for value in objects(title)} <= set(kinds)


def test_every_fault_and_ending_is_in_the_document() -> None:
    kinds = {fault["kind"] for fault in objects("A fault")}
    assert kinds == set(re.findall(r"`(\w+)`", described("A fault")["kind"]))
    ends = {record["ended"] for record in RECORDS}
    assert ends == set(re.findall(r"`(\w+)`", described("A match")["ended"]))


def test_the_example_is_a_match_as_it_is_exported() -> None:
    terms = replace(LEAGUE.terms, options={"hand_size": 3, "target": 4})
    league = replace(LEAGUE, seats=(3,), terms=terms)
    example = json.loads(block("json"))
    fixture = next(f for f in ROUND_ROBIN.plan(league).fixtures() if f.id == example["match"])

    def misdeeds(_: Fixture, seat: int) -> dict[int, str]:
        return {0: "illegal", 1: "late answer"} if seat == 2 else {}

    line = json.loads(as_line(scripted.play(league, fixture, misdeeds)))
    assert {**example, "arena": __version__} == line


def test_a_record_says_its_format_and_who_wrote_it() -> None:
    assert {record["format"] for record in RECORDS} == {FORMAT}
    assert f"# Records, format {FORMAT}\n" in DOCUMENT
    assert {record["arena"] for record in RECORDS} == {__version__}


def test_a_record_is_one_line() -> None:
    assert not any("\n" in as_line(result) for result in RESULTS)


def test_a_record_has_what_was_played() -> None:
    for record, result in zip(RECORDS, RESULTS, strict=True):
        outcome = result.outcome
        for key in ("match", "block", "rotation", "ended"):
            assert record[key] == getattr(outcome, key)
        for key in ("seats", "totals", "places", "forfeited"):
            assert tuple(record[key]) == getattr(outcome, key)
        assert record["seed"] == result.block_seed
        assert record["options"] == result.options
        played = [tuple(map(tuple, deal["actions"])) for deal in record["deals"]]
        assert played == [deal.actions for deal in result.deals]


def test_a_fault_points_at_the_house_move_that_replaced_the_answer() -> None:
    for record in RECORDS:
        for fault in record["faults"]:
            if fault["kind"] == "not_ready":
                assert fault["deal"] is fault["action"] is None
            else:
                seat, _, ms = record["deals"][fault["deal"]]["actions"][fault["action"]]
                assert (seat, ms) == (fault["seat"], None)


@pytest.mark.parametrize("key", games.names())
def test_the_keys_of_a_game_hide_none_of_a_deal(key: str) -> None:
    game = games.load(key)
    players = game.players[0]
    state = game.deal(players, "keys", 1, game.resolve({}, players))
    empty = as_record(replace(RESULTS[0], deals=(replace(RESULTS[0].deals[0], setup={}),)))
    assert not set(state.record()) & set(empty["deals"][0])


def deal_again(folder: Path, records: Any, *seed: str) -> "subprocess.CompletedProcess[str]":
    """Run the document's program on a file of records."""
    program, file = folder / "deal_again.py", folder / "league.jsonl"
    program.write_text(block("python"), encoding="utf-8")
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "-S", str(program), str(file), *seed],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("seed", [[], [LEAGUE.seed]])
def test_the_documents_program_deals_every_hand_again(tmp_path: Path, seed: list[str]) -> None:
    answer = deal_again(tmp_path, RECORDS, *seed)
    deals = sum(len(record["deals"]) for record in RECORDS)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == f"{deals} deals of {len(RECORDS)} matches are right\n"


def test_the_documents_program_names_what_is_wrong(tmp_path: Path) -> None:
    record = json.loads(json.dumps(RECORDS[0]))
    record["deals"][0]["hands"].reverse()
    answer = deal_again(tmp_path, [record])
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"the hands of match {record['match']}, deal 1 should be ")
    answer = deal_again(tmp_path, RECORDS, "14")
    assert answer.returncode == 1
    assert answer.stderr.startswith("the seed should be ")

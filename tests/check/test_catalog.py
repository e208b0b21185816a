"""The list of checks: its keys, what may be chosen of it, where it is explained."""

import re
from pathlib import Path

import pytest

from arena import games
from arena.check.conduct import catalog, select
from arena.check.finding import SECTIONS, Finding
from arena.errors import ConfigError
from arena.model import FaultKind

ROOT = Path(__file__).parents[2]
ALL = catalog([games.load(key) for key in games.names()])
KEYS = [check.key for check in ALL]


def test_every_size_of_table_has_a_check_and_every_key_is_there_once() -> None:
    assert len(set(KEYS)) == len(KEYS)
    for key in games.names():
        sizes = [check.size for check in ALL if check.game == key and check.size]
        assert sizes == list(games.load(key).players)


def test_checks_are_chosen_by_key_or_by_group() -> None:
    assert select(ALL, ()) == ALL
    assert [check.key for check in select(ALL, ("stdin", "handshake"))] == ["handshake", "stdin"]
    chosen = [check.key for check in select(ALL, ("plays-leaves",))]
    assert chosen == [f"plays-leaves-{size}" for size in range(3, 7)]
    with pytest.raises(ConfigError, match="no such check; did you mean 'memory'"):
        select(ALL, ("memry",))


def test_every_section_is_a_heading_of_the_protocol() -> None:
    document = (ROOT / "bots" / "PROTOCOL.md").read_text(encoding="utf-8")
    headings = {h.strip("`") for h in re.findall(r"^##+ (.*)$", document, re.M)}
    assert {check.section for check in ALL} | set(SECTIONS.values()) <= headings
    assert set(SECTIONS) == set(FaultKind)


def test_every_check_has_a_row_for_authors() -> None:
    readme = (ROOT / "bots" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", readme.split("| check |")[1].split("\n\n")[0], re.M)
    told = {key for row in rows for key in re.findall(r"`([\w-]+)`", row)}
    assert told == {re.sub(r"-(thirteen|leaves)(-\d)?", _general, key) for key in KEYS}


def _general(found: re.Match[str]) -> str:
    return "-GAME-N" if found[2] else "-GAME"


def test_every_key_of_the_report_is_told() -> None:
    readme = (ROOT / "bots" / "README.md").read_text(encoding="utf-8")
    told = re.search(r"in `checks` for each of them ([^.]*)\.", readme)
    assert told
    assert tuple(re.findall(r"`(\w+)`", told[1])) == Finding.__struct_fields__

"""``bots/PROTOCOL.md`` and ``arena.play.protocol`` say the same."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from arena import games
from arena.games.thirteen import least_penalty, points
from arena.model import FaultKind, Limits
from arena.play import protocol
from arena.play.process import BYE_SECONDS, TERM_SECONDS
from arena.play.table import FORFEIT_SECONDS

DOCUMENT = (Path(__file__).parents[2] / "bots" / "PROTOCOL.md").read_text(encoding="utf-8")
BY_SENDER = {
    "What the bot sends": protocol.FromBot,
    "What the arena sends": protocol.FromArena,
}
TYPES = {
    kind.__struct_config__.tag: kind for union in BY_SENDER.values() for kind in get_args(union)
}


def chapter(title: str) -> str:
    """Return the text below a ``##`` heading."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)
    assert match, title
    return match[1]


def sections(title: str) -> dict[str, str]:
    """Return the texts below the ``###`` headings of a chapter by message type."""
    parts = re.split(r"^### `(\w+)`\n", chapter(title), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


SECTIONS = {tag: text for title in BY_SENDER for tag, text in sections(title).items()}


def example(tag: str) -> str:
    (block,) = re.findall(r"^```json\n(.*?)^```", SECTIONS[tag], re.M | re.S)
    return str(block)


@pytest.mark.parametrize("title", BY_SENDER)
def test_every_message_type_has_a_section_under_its_sender(title: str) -> None:
    tags = [kind.__struct_config__.tag for kind in get_args(BY_SENDER[title])]
    assert sorted(sections(title)) == sorted(tags)


@pytest.mark.parametrize("tag", TYPES)
def test_example_decodes_strictly_and_encodes_to_the_same(tag: str) -> None:
    message = msgspec.json.decode(example(tag), type=TYPES[tag])
    assert json.loads(protocol.encode(message)) == json.loads(example(tag))


@pytest.mark.parametrize("tag", TYPES)
def test_every_key_and_no_other_has_a_row(tag: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", SECTIONS[tag], re.M)
    assert rows == list(TYPES[tag].__struct_fields__)


def test_every_limit_of_match_start_is_named() -> None:
    for name in protocol.LimitsMs.__struct_fields__:
        assert f"`{name}`" in SECTIONS["match_start"]


def test_version_and_frame_size_are_those_of_the_code() -> None:
    assert f"\nVersion {protocol.VERSION}. " in DOCUMENT
    assert f"at most {protocol.MAX_FRAME:,} bytes" in DOCUMENT


def test_every_fault_kind_has_a_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", chapter("Faults"), re.M)
    assert rows == [kind.value for kind in FaultKind if kind.value in rows]
    assert set(rows) == {kind.value for kind in FaultKind}


def test_every_limit_has_a_row_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", chapter("Clocks"), re.M)
    assert rows == [(key, str(value)) for key, value in msgspec.structs.asdict(Limits()).items()]


def test_the_time_to_exit_is_that_of_the_code() -> None:
    times = (BYE_SECONDS, FORFEIT_SECONDS, TERM_SECONDS)
    told = re.findall(r"(\d+) ms", chapter("The process"))
    assert told == [str(round(seconds * 1000)) for seconds in times]


@pytest.mark.parametrize("tag", ["deal_start", "act"])
def test_observation_of_leaves_has_the_documented_keys(tag: str) -> None:
    leaves = games.load("leaves")
    state = leaves.deal(4, "seed", 1, leaves.resolve({}, 4))
    keys = [*state.observe(0), "deal", "totals"]
    assert list(json.loads(example(tag))["observation"]) == keys
    assert re.findall(r"^\| `(\w+)` \|", chapter("13 Leaves"), re.M) == keys


def test_options_in_the_example_are_those_of_leaves() -> None:
    options = games.load("leaves").resolve({}, 4)
    assert json.loads(example("match_start"))["options"] == options


def test_observation_of_thirteen_has_the_documented_keys() -> None:
    thirteen = games.load("thirteen")
    state = thirteen.deal(3, "seed", 5, thirteen.resolve({}, 3))
    keys = [*state.observe(0), "deal", "totals"]
    (block,) = re.findall(r"^```json\n(.*?)^```", chapter("Thirteen"), re.M | re.S)
    assert list(json.loads(block)) == keys
    assert re.findall(r"^\| `(\w+)` \|", chapter("Thirteen"), re.M) == keys


def test_best_of_the_example_of_thirteen_is_right() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```", chapter("Thirteen"), re.M | re.S)
    seen = json.loads(block)
    best = seen["best"]
    assert best["penalty"] == least_penalty(seen["hand"], seen["wild"], seen["ace"])
    assert sum(points(card, seen["ace"]) for card in best["rest"]) == best["penalty"]
    melded = [card for meld in best["melds"] for card in meld]
    assert sorted([*melded, *best["rest"]]) == sorted(seen["hand"])

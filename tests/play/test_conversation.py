"""One seat says anything at all; the others must not notice."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rooms import TERMS, Room, entrant, room

from arena.model import FaultKind

pytestmark = pytest.mark.process

ROUNDS = 4
ANSWER = None
"""Stands for an honest answer."""
MESSAGES = (
    '{"type":"action","id":@ID,"action":"less"}',
    '{"type":"action","id":@ID,"action":"+"}',
    '{"type":"action","id":@ID,"action":"most"}',
    '{"type":"action","id":@ID,"action":7}',
    '{"type":"action","id":0,"action":"more"}',
    '{"type":"action","id":"@ID","action":"more"}',
    '{"type":"action","id":@ID}',
    '{"type":"pong","id":@ID}',
    '{"type":"hello","protocol":1,"token":"guess"}',
    '{"type":"match_end","totals":[],"places":[],"forfeited":[]}',
    '{"type":"bye","reason":"enough"}',
    "[]",
    "{",
    "",
)
TEXTS = st.sampled_from(MESSAGES).map(str.encode)
PARTS = st.one_of(TEXTS, st.binary(max_size=200)).map(bytes.hex)
FRAMES = st.one_of(
    st.just(ANSWER),
    st.tuples(PARTS),
    st.lists(PARTS, min_size=2, max_size=4),
)
ENDINGS = st.one_of(st.just(ANSWER), st.just((b"no JSON".hex(),)))
"""What ends the frames to one question: without an end most examples would only wait."""
TURNS = st.builds(lambda frames, end: [*frames, end], st.lists(FRAMES, max_size=5), ENDINGS)


@pytest.fixture(scope="module")
def script() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "script.json"


@pytest.fixture(scope="module")
def table() -> Iterator[Room]:
    with room(replace(TERMS, options={"rounds": ROUNDS})) as opened:
        yield opened


@settings(max_examples=25)
@given(turns=st.lists(TURNS, min_size=1, max_size=ROUNDS), tolerate=st.integers(0, ROUNDS))
def test_whatever_one_seat_sends_the_honest_have_no_fault(
    table: Room, script: Path, turns: list[Any], tolerate: int
) -> None:
    script.write_text(json.dumps(turns))
    league = replace(table.terms, faults=replace(TERMS.faults, tolerate=tolerate))
    babbler = entrant("Scripted", SCRIPT=str(script))
    outcome = table.play(entrant(name="ann"), babbler, entrant(name="bob"), terms=league).outcome
    assert outcome.ended == "complete"
    assert {fault.seat for fault in outcome.faults} <= {1}
    assert {fault.kind for fault in outcome.faults} <= {FaultKind.ILLEGAL, FaultKind.MALFORMED}
    assert outcome.forfeited == ((1,) if len(outcome.faults) > tolerate else ())
    assert outcome.places[0] == outcome.places[2] == 1
    assert outcome.stale[0] == outcome.stale[2] == 0
    if outcome.forfeited:
        assert outcome.places[1] == 3

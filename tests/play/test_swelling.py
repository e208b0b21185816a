"""A bot that sends a message without end, too slowly to be found by stopping it for a moment."""

import resource
import sys

import pytest
from msgspec.structs import replace
from rooms import BAD, TERMS, entrant, room

from arena.model import Entrant, Sandbox
from arena.play import swelling

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        sys.platform != "linux", reason="the peak of memory is forgotten on Linux only"
    ),
]


HELD_BEFORE = 200 << 20
"""Bytes that this process has held and given back."""


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_what_was_held_before_does_not_count() -> None:
    bytearray(b"x" * HELD_BEFORE)
    before = peak()
    with room(TERMS):
        assert peak() < before - HELD_BEFORE


def test_a_message_that_comes_slowly_costs_its_sender_the_match_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(swelling, "ROOM", 8 << 20)
    monkeypatch.setattr(swelling, "SHARE", 4 << 20)
    command = (sys.executable, str(BAD.with_name("attacker.py")), "slow_message")
    env = {"PLACE": str(BAD.parent), "TMPDIR": "/tmp"}
    slow = Entrant("slow", command, str(BAD.parent), env)
    terms = replace(TERMS, options={"rounds": 500}, sandbox=Sandbox("limits"))
    with room(terms) as own:
        for block in range(40):
            result = own.play(entrant(name="ann"), slow, entrant(name="bob"), block=block)
            if result.outcome.faults:
                break
        assert own.pid("ann")
    (fault,) = result.outcome.faults
    assert fault.seat == 1
    assert "was ended by SIGKILL; it sent a message without end" in fault.detail

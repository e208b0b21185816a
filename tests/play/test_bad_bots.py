"""Every way to misbehave: what it costs, and that it costs nobody else anything."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import leftovers
import pytest
from msgspec.structs import replace
from rooms import LIMITS, TERMS, Room, descriptors, entrant, room, until

from arena.model import Entrant, FaultKind, MatchResult
from arena.play.log import CAP
from arena.play.process import BotProcess, stop_all

pytestmark = pytest.mark.process

KEPT, FRESH = 1, 2
"""How many processes a bot has for two matches: it is kept, or a fresh one takes over."""


class Row(NamedTuple):
    """A switch of the bad bot, and what is to come of it.

    ``says`` stands in the fault's detail and ``output`` in what the bot printed last; ``below``
    is the time in milliseconds that the fault may take at most.
    """

    switch: str
    kind: FaultKind | None
    says: str = ""
    processes: int = FRESH
    output: str = ""
    below: float = LIMITS.move * 2
    stale: int = 0


ILLEGAL, MALFORMED = FaultKind.ILLEGAL, FaultKind.MALFORMED
TIMEOUT, EXITED, NOT_READY = FaultKind.TIMEOUT, FaultKind.EXITED, FaultKind.NOT_READY
AT_ONCE = LIMITS.move - 50.0
LATE = "no answer within 600 ms"
LOST = "the connection was lost while the process lives: it was closed, or a frame of more than"
OTHER = "frames came over another connection than the one that said hello first"

ROWS = (
    Row("WrongToken", NOT_READY, "it must be the text of ARENA_TOKEN", below=5_000),
    Row("NoHello", NOT_READY, "the first message must be hello", below=5_000),
    Row("WrongVersion", NOT_READY, "speaks protocol 99, this arena speaks protocol 1", below=5_000),
    Row(
        "ExitsAtStart",
        NOT_READY,
        "exited with status 3 before it said hello",
        output="Traceback: no module named wisdom",
        below=5_000,
    ),
    Row(
        "ExitsInMatch",
        EXITED,
        "exited with status 4 instead of answering",
        output="out of ideas",
        below=AT_ONCE,
    ),
    Row("IsKilled", EXITED, "was ended by SIGKILL instead of answering", below=AT_ONCE),
    Row("ForksAndExits", EXITED, "exited with status 0 instead of answering", below=AT_ONCE),
    Row("Hangs", TIMEOUT, LATE),
    Row("AnswersLate", TIMEOUT, LATE),
    Row("OnlyOldId", TIMEOUT, LATE, stale=1),
    Row("IgnoresSigterm", TIMEOUT, LATE),
    Row("StopsItself", TIMEOUT, LATE),
    Row("FloodsAndHangs", TIMEOUT, LATE, output="nonsense"),
    Row("MovesOver", TIMEOUT, f"{LATE}; {OTHER}"),
    Row("Illegal", ILLEGAL, "'most' is not legal here; legal: less, more", below=AT_ONCE),
    Row("WrongType", MALFORMED, "Expected `str`, got `array` - at `$.action`", below=AT_ONCE),
    Row("UnknownType", MALFORMED, "Invalid value 'move' - at `$.type`", below=AT_ONCE),
    Row("NotJson", MALFORMED, "got 'less, please'", below=AT_ONCE),
    Row("NotUtf8", MALFORMED, r"got '{\"type\":\"action\"".replace("\\", ""), below=AT_ONCE),
    Row("DeepJson", MALFORMED, "recursion depth", below=AT_ONCE),
    Row("SeveralFrames", MALFORMED, "one message is one frame", below=AT_ONCE),
    Row("HelloTwice", MALFORMED, "hello was said a second time", below=AT_ONCE),
    Row("Huge", MALFORMED, f"{LOST} 1048576 bytes was sent", below=AT_ONCE),
    Row("Reconnects", MALFORMED, LOST, below=AT_ONCE),
    Row("FloodsArena", MALFORMED, "sent 1000 messages that do not answer the question"),
    Row("AnswersTwice", None, processes=KEPT, stale=1),
    Row("AnswersOldId", None, processes=KEPT, stale=1),
    Row("BabblesOffTurn", None, processes=KEPT, stale=300),
    Row("SecondConnection", None, processes=KEPT),
    Row("Intrudes", None, processes=KEPT),
    Row("ManyConnections", None, processes=KEPT),
    Row("TenThousandConnections", None, processes=KEPT),
    Row("Forks", None, processes=KEPT),
    Row("FloodsStdout", None, processes=KEPT),
    Row("FloodsStderr", None, processes=KEPT),
    Row("BabblesAfterMatchEnd", None, processes=KEPT),
    Row("GarbageAfterMatchEnd", None, processes=FRESH),
    Row("ExitsAfterMatchEnd", None, processes=FRESH),
    Row("ExitsAfterLastAnswer", None, processes=FRESH),
)


HEAVY = ("TenThousandConnections",)
"""What takes a busy machine longer than a move may take."""


@pytest.fixture(scope="module")
def shared() -> Iterator[Room]:
    """A room with honest bots that have played a match."""
    with room() as opened:
        opened.play(*(entrant(name=name) for name in ("ann", "bob")))
        yield opened


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=[pytest.mark.slow] if row.switch in HEAVY else [], id=row.switch)
        for row in ROWS
    ],
)
def test_a_bad_bot_costs_only_itself(shared: Room, row: Row, tmp_path: Path) -> None:
    ann, bob = entrant(name="ann"), entrant(name="bob")
    bad = entrant(row.switch, ONCE=str(tmp_path / "once"), ROW=str(tmp_path))
    honest = {name: shared.pid(name) for name in ("ann", "bob")}
    sockets = set(shared.sockets.iterdir())
    before, pids = descriptors(), set(shared.pids)

    started = time.monotonic()
    result = shared.play(ann, bad, bob)
    assert time.monotonic() - started < 8
    check(result, row, shared)

    again = shared.play(bob, ann, bad)
    assert again.outcome.faults == ()
    assert again.outcome.ended == "complete"
    assert len(shared.pids - pids) == row.processes
    assert {name: shared.pid(name) for name in honest} == honest

    bot = shared.pool.get(bad.name)
    assert bot
    shared.pool.stop([bot], "the test is over", 0.5)
    assert set(shared.sockets.iterdir()) == sockets
    until(lambda: descriptors() == before, "descriptors are still open")
    if leftovers.can_look():
        assert not leftovers.remaining("ROW", str(tmp_path))


def check(result: MatchResult, row: Row, shared: Room) -> None:
    """Check that the bad bot, in seat 1, had the fault of its row, and the others a match."""
    outcome = result.outcome
    assert [(fault.seat, fault.kind) for fault in outcome.faults] == (
        [(1, row.kind)] if row.kind else []
    )
    assert outcome.ended == "complete"
    assert [deal.penalties for deal in result.deals] == [(0, 0, 0)]
    assert outcome.places == ((1, 3, 1) if row.kind else (1, 1, 1))
    assert outcome.stale[0] == outcome.stale[2] == 0
    assert outcome.stale[1] >= row.stale
    for fault in outcome.faults:
        assert row.says in fault.detail
        assert fault.ms is not None
        assert fault.ms < row.below
        assert row.output in fault.output
        if fault.output:
            assert (shared.folder / fault.log).read_text().rstrip().endswith(fault.output)
            assert (shared.folder / fault.log).stat().st_size <= CAP


def test_a_bot_that_never_connects_is_waited_for_as_long_as_start_says(tmp_path: Path) -> None:
    terms = replace(TERMS, limits=replace(LIMITS, start=1_500))
    bad = entrant("NeverConnects", ONCE=str(tmp_path / "once"))
    with room(terms) as own:
        result = own.play(bad, entrant(name="ann"), entrant(name="bob"))
        (fault,) = result.outcome.faults
        assert (fault.kind, fault.action, fault.deal) == (NOT_READY, None, 0)
        assert fault.detail == "said no hello within 1500 ms of its start"
        assert fault.ms == pytest.approx(1_500, abs=400)
        assert own.play(bad, entrant(name="ann")).outcome.faults == ()


def test_a_bot_that_hangs_after_its_match_is_replaced_without_a_fault(tmp_path: Path) -> None:
    terms = replace(TERMS, limits=replace(LIMITS, start=1_500))
    bad = entrant("HangsAfterMatchEnd", ONCE=str(tmp_path / "once"))
    with room(terms) as own:
        for _ in range(2):
            assert own.play(bad, entrant(name="ann")).outcome.faults == ()
        assert len(own.pids) == 3


def test_what_is_said_between_two_matches_is_counted_in_the_later_one() -> None:
    babbler, ann = entrant("BabblesAfterMatchEnd"), entrant(name="ann")
    with room() as own:
        assert [own.play(babbler, ann).outcome.stale for _ in range(3)] == [(0, 0), (5, 0), (5, 0)]
        assert len(own.pids) == 2


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "/"])
def test_a_bot_that_cannot_be_started_is_not_ready(command: str) -> None:
    bad = replace(entrant(name="bad"), command=(command,))
    with room() as own:
        result = own.play(bad, entrant(name="ann"), entrant(name="bob"))
        (fault,) = result.outcome.faults
        assert fault.kind == NOT_READY
        assert fault.detail.startswith("cannot be started: ")
        assert command in fault.detail
        assert result.outcome.places == (3, 1, 1)


@pytest.mark.parametrize("switch", ["FloodsStdout", "FloodsStderr"])
def test_a_log_is_kept_under_its_cap_while_the_match_goes_on(switch: str) -> None:
    sizes = []

    class Watcher:
        def decision(self, *_: Any) -> None:
            sizes.extend(path.stat().st_size for path in (own.folder / "logs").glob("Floods*"))

        def ignore(self, *_: Any) -> None:
            pass

        deal_start = deal_end = match_end = ignore

    printed_at_once = 2 << 20
    with room() as own:
        options = {"terms": replace(TERMS, options={"rounds": 12}), "watcher": Watcher()}
        result = own.play(entrant(switch), entrant(name="ann"), **options)
        assert result.outcome.faults == ()
        assert printed_at_once * 0.9 < max(sizes) <= CAP + printed_at_once


def test_a_tolerated_late_answer_is_not_taken_for_the_next_one() -> None:
    league = replace(TERMS, faults=replace(TERMS.faults, tolerate=1), options={"rounds": 5})
    with room() as own:
        result = own.play(entrant("AnswersLate"), entrant(name="ann"), terms=league)
        assert [fault.kind for fault in result.outcome.faults] == [TIMEOUT]
        assert result.outcome.forfeited == ()
        assert result.outcome.ended == "complete"
        assert result.outcome.stale == (1, 0)


def test_a_lost_connection_uses_up_what_is_tolerated() -> None:
    league = replace(TERMS, faults=replace(TERMS.faults, tolerate=1), options={"rounds": 5})
    with room() as own:
        result = own.play(entrant("Reconnects"), entrant(name="ann"), terms=league)
        assert [fault.kind for fault in result.outcome.faults] == [MALFORMED, MALFORMED]
        assert result.outcome.forfeited == (0,)


def test_a_bank_lets_an_answer_be_late_once() -> None:
    league = replace(TERMS, limits=replace(LIMITS, move=100, bank=2_000))
    with room() as own:
        result = own.play(entrant("AnswersLate"), entrant(name="ann"), terms=league)
        assert result.outcome.faults == ()


def test_a_bot_that_cannot_be_told_is_told_by_its_input_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: dict[str, bool] = {}

    def stopping(processes: list[BotProcess], seconds: float) -> None:
        for process in processes:
            popen = process._popen
            assert isinstance(popen, subprocess.Popen)
            assert popen.stdin
            told[popen.args[0]] = popen.stdin.closed
        stop_all(processes, seconds)

    monkeypatch.setattr("arena.play.pool.stop_all", stopping)
    with room(replace(TERMS, limits=replace(LIMITS, start=300))) as held:
        held.play(Entrant("silent", ("/bin/cat",), "/"), entrant())
    assert told == {"/bin/cat": True, sys.executable: False}

"""Each way to misbehave: which check names it, and in what words."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import games
from arena.check import lab, lasting, session, surprises
from arena.check.conduct import catalog, conduct, select
from arena.check.finding import Finding, Status
from arena.check.lab import Lab
from arena.model import Entrant, Limits

pytestmark = pytest.mark.process

BAD = Path(__file__).parents[1] / "bots_bad" / "bad.py"
LIMITS = Limits(start=10_000, first_move=3_000, move=600)
SIZE = 3
PLAYS = f"plays-leaves-{SIZE}"
ALWAYS = ("handshake", PLAYS, "ping", "matches", "unknown", "determinism", "bye", "stdin")
"""Checks that a bot without a fault is to pass."""

BEGIN = Lab.begin

Check = Callable[..., dict[str, Finding]]


class Row(NamedTuple):
    """A switch of the bad bot, the check that fails, what it says, and what the bot printed."""

    switch: str
    check: str
    says: str
    printed: str = ""
    rule: str = ""
    limits: Limits = LIMITS


SLOW, BROKEN, EXIT = "timeout: no answer within 600 ms", "malformed: ", "exited: "
LOST = "malformed: the connection was lost while the process lives"
OTHER = "frames came over another connection than the one that said hello first"
FAILING = (
    Row(
        "NeverConnects",
        "handshake",
        "said no hello within 1500 ms of its start",
        limits=Limits(start=1_500),
    ),
    Row("WrongToken", "handshake", "it must be the text of ARENA_TOKEN"),
    Row("WrongVersion", "handshake", "speaks protocol 99, this arena speaks protocol 1"),
    Row("NoHello", "handshake", "the first message must be hello"),
    Row("ExitsAtStart", "handshake", "exited with status 3 before it said hello", "no module"),
    Row("ExitsInMatch", PLAYS, f"{EXIT}exited with status 4 instead of answering", "out of ideas"),
    Row("IsKilled", PLAYS, f"{EXIT}was ended by SIGKILL instead of answering"),
    Row("ForksAndExits", PLAYS, f"{EXIT}exited with status 0 instead of answering"),
    Row("ExitsAfterLastAnswer", PLAYS, f"{EXIT}exited with status 6 instead of answering"),
    Row("Hangs", PLAYS, SLOW),
    Row("OnlyOldId", PLAYS, SLOW),
    Row("IgnoresSigterm", PLAYS, SLOW),
    Row("StopsItself", PLAYS, SLOW),
    Row("FloodsAndHangs", PLAYS, SLOW, "nonsense"),
    Row("MovesOver", PLAYS, f"{SLOW}; {OTHER}"),
    Row("AnswersLate", PLAYS, "ms, 600 ms were allowed"),
    Row("Illegal", PLAYS, "illegal: 'most' is not legal here; legal: ", rule="write 'play VxN'"),
    Row("WrongType", PLAYS, f"{BROKEN}Expected `str`, got `array` - at `$.action`"),
    Row("UnknownType", PLAYS, f"{BROKEN}Invalid value 'move' - at `$.type`"),
    Row("NotJson", PLAYS, "got 'less, please'"),
    Row("NotUtf8", PLAYS, BROKEN),
    Row("DeepJson", PLAYS, "recursion depth"),
    Row("SeveralFrames", PLAYS, "one message is one frame"),
    Row("HelloTwice", PLAYS, f"{BROKEN}hello was said a second time"),
    Row("Huge", PLAYS, f"{LOST}: it was closed, or a frame of more than 1048576 bytes was sent"),
    Row("Reconnects", PLAYS, LOST),
    Row("FloodsArena", PLAYS, "sent 1000 messages that do not answer the question"),
    Row("TrustsTheTable", "edge-leaves", "(leaves, empty table, seat ", "IndexError"),
    Row("IgnoresPing", "ping", "no pong within 1500 ms", limits=Limits(start=1_500)),
    Row("HangsAfterMatchEnd", "ping", "no pong within 1500 ms", limits=Limits(start=1_500)),
    Row("GarbageAfterMatchEnd", "ping", "got 'what a match!'"),
    Row("RefusesUnknownKeys", "unknown-keys", "exited with status 1", "unknown keys {'x_new'}"),
    Row("RefusesUnknownTypes", "unknown-types", "exited with status 1", "unknown type x_weather"),
    Row("GivesUpWaiting", "pause", "exited with status 0 instead of answering"),
    Row("OneMatchOnly", "matches", "exited with status 1", "the memory of the first match"),
    Row("Leaks", "memory", "KiB each; 32 KiB are allowed"),
    Row("Forks", "memory", "processes after"),
    Row("IgnoresBye", "bye", "still runs 800 ms after bye"),
    Row("IgnoresEndOfInput", "stdin", "still runs 3 s after the end of its standard input"),
)
HARMLESS = (
    "Bot",
    "AnswersTwice",
    "AnswersOldId",
    "BabblesOffTurn",
    "SecondConnection",
    "Intrudes",
    "ManyConnections",
    "TenThousandConnections",
    "FloodsStdout",
    "FloodsStderr",
    "BabblesAfterMatchEnd",
    "ExitsAfterMatchEnd",
    "Slow",
)
SERIOUS = (Status.FAILED, Status.SKIPPED)
NOTED = {
    "AnswersTwice": {PLAYS: "messages dropped, nothing was asked"},
    "ExitsAfterMatchEnd": {
        "ping": "answered; but it exits when a match has ended",
        "matches": "2 matches at tables of every size, with 2 new processes",
        "memory": "not measured: it exits when a match has ended",
    },
    "AnswersUnknownTypes": {"unknown-types": "answers to it; nothing was asked"},
    "NeverTheSame": {"determinism": "plays leaves in another way again: decision "},
    "Spins": {"pause": "busy while it waits"},
    "ExitsBadly": {"bye": "exited with status 1 after bye"},
    "AnswersLate": {"time": "which is close"},
}
"""What is told of switches that are no fault, by check."""


UNDER_LIMITS = {
    "Burns", "BurnsAndHangs", "BurnsInChild", "BurnsInOrphan", "BurnsInThreads", "Ponders",
    "Hoards", "CallsTheMachine",
}  # fmt: skip
"""What is a fault only where a league limits processor time, memory or network: the tests of those
limits have them."""
OTHERS = {"LingersAtEnd", "Scripted", "WaitsForDone"}
"""What a test of its own is about, and what does as a test tells it."""


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Check]:
    """Do the checks of some keys on a bot; less is waited for than outside of tests, and a bot
    that spins may get little of a core."""
    monkeypatch.setattr(session, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(lasting, "MATCHES", 80)
    monkeypatch.setattr(surprises, "BUSY", 0.03)
    sockets = tmp_path / "s"
    sockets.mkdir()

    def checked(switch: str, *only: str, limits: Limits = LIMITS) -> dict[str, Finding]:
        bot = Entrant(switch, (sys.executable, str(BAD), switch), str(BAD.parent))
        leaves = games.load("leaves")
        place = Lab(bot, [leaves], limits=limits, seed="s", sockets=sockets, logs=tmp_path)
        place.tables["leaves"] = [SIZE]
        try:
            wanted = [c for c in select(catalog([leaves]), only) if c.size in (0, SIZE)]
            return {finding.check: finding for finding in conduct(place, wanted)}
        finally:
            place.close()

    return checked


def test_every_switch_of_the_bad_bot_is_met_by_a_check_or_by_the_tests_of_its_limit() -> None:
    module = ast.parse(BAD.read_text())
    bases = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for node in module.body
        if isinstance(node, ast.ClassDef)
    }
    named = {row.switch for row in FAILING} | {*HARMLESS} | NOTED.keys()
    assert named | UNDER_LIMITS | OTHERS == bases.keys()
    assert not named & (UNDER_LIMITS | OTHERS)


@pytest.mark.parametrize("row", FAILING, ids=lambda row: row.switch)
def test_a_fault_is_named_by_its_check(check: Check, row: Row) -> None:
    finding = check(row.switch, row.check, limits=row.limits)[row.check]
    assert finding.status is Status.FAILED
    assert row.says in finding.detail
    assert row.printed in finding.output
    assert row.rule in finding.rule
    assert bool(row.rule) == bool(finding.rule)


@pytest.mark.parametrize("switch", HARMLESS)
@pytest.mark.slow
def test_what_is_no_fault_passes(check: Check, switch: str) -> None:
    only = ALWAYS if switch != "TenThousandConnections" else (PLAYS,)
    findings = check(switch, *only).values()
    assert [finding for finding in findings if finding.status in SERIOUS] == []


@pytest.mark.parametrize("switch", NOTED)
def test_what_is_no_fault_but_unwise_is_noted(check: Check, switch: str) -> None:
    findings = check(switch, *NOTED[switch], limits=Limits())
    assert {finding.status for finding in findings.values()} == {Status.NOTED}
    for key, text in NOTED[switch].items():
        assert text in findings[key].detail


def test_a_bot_need_not_see_at_once_that_the_arena_is_gone(check: Check) -> None:
    assert check("LingersAtEnd", "stdin")["stdin"].status is Status.PASSED


def test_the_messages_of_a_failure_are_told_word_for_word(check: Check) -> None:
    finding = check("NotJson", PLAYS)[PLAYS]
    assert [frame.sender for frame in finding.messages] == ["arena", "bot", "arena", "bot"]
    assert '"type":"act"' in finding.messages[-2].text
    assert finding.messages[-1].text == "less, please"
    times = [frame.ms for frame in finding.messages]
    assert times == sorted(times)


@pytest.mark.parametrize("switch", ["RefusesUnknownKeys", "RefusesUnknownTypes"])
def test_who_bears_no_news_is_told_where_to_read_what_may_be_new(check: Check, switch: str) -> None:
    findings = check(switch, "unknown-keys", "unknown-types")
    sections = {f.section for f in findings.values() if f.status is Status.FAILED}
    assert sections == {"What may be added within protocol 1"}


def test_a_hello_that_was_turned_away_is_told_before_the_end_that_it_led_to(check: Check) -> None:
    detail = check("WrongToken", "handshake")["handshake"].detail
    assert detail.startswith("hello has a wrong token; it must be the text of ARENA_TOKEN; ")
    assert not re.search("before it said hello|said no hello", detail)


def test_after_no_hello_nothing_else_is_tried(check: Check) -> None:
    findings = list(check("ExitsAtStart").values())
    assert findings[0].status is Status.FAILED
    rest = {(finding.status, finding.detail) for finding in findings[1:]}
    assert rest == {(Status.SKIPPED, "it has said no hello")}


def test_a_bot_that_hangs_is_not_played_with_again(check: Check) -> None:
    findings = check("Hangs")
    ends = {finding.check: finding.status for finding in findings.values()}
    playing = {check.key for check in catalog([games.load("leaves")]) if check.plays} & set(ends)
    assert {ends[key] for key in playing - {PLAYS}} == {Status.SKIPPED}
    assert {findings[key].detail for key in playing - {PLAYS}} == {f"it hung in {PLAYS}"}
    assert ends["bye"] is ends["stdin"] is Status.PASSED


def test_a_fault_at_every_table_leaves_no_match_to_be_checked(check: Check) -> None:
    findings = check("Illegal", "plays", "matches", "edge", "bye")
    assert findings["matches"].detail == "it has played no match to its end"
    assert findings["edge-leaves"].status is Status.SKIPPED
    assert findings["bye"].status is Status.PASSED


def test_a_bot_too_slow_for_a_whole_match_is_told_so(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "CHECK_SECONDS", 0.0)
    findings = check("Bot", PLAYS, "matches", "memory", "time", "determinism")
    assert {finding.status for finding in findings.values()} == {Status.NOTED}
    assert findings[PLAYS].detail.startswith("0 matches to the end, 2 deals, 0 decisions; cut")
    assert findings["determinism"].detail == "not compared: its matches take too long"


def test_growing_memory_is_measured_for_longer(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Lab] = []
    monkeypatch.setattr(Lab, "begin", lambda lab: (begun.append(lab), BEGIN(lab)))
    for switch, status, times in (("Leaks", Status.FAILED, 4), ("Bot", Status.PASSED, 2)):
        assert check(switch, "memory")["memory"].status is status
        assert len(begun) == times
        begun.clear()


def test_the_pause_is_longer_than_it_takes_to_give_up() -> None:
    assert surprises.PAUSE_SECONDS > 0.9

"""What is shown of the checks of a bot."""

from msgspec import structs
from snapshots import same_as_snapshot

from arena.check.finding import Finding, Frame, Status
from arena.views.checks import failure, failures, summary

FAILED = Finding(
    "plays-leaves-3",
    Status.FAILED,
    "illegal: 'play 7x1' is not legal here; legal: play 3x2, pass 4, pass 9 (leaves, seat 0 of 3)",
    "Faults",
    0.5,
    rule="'play 7x1': 7 lies between the ends of the row (L06)",
    repeat="arena check ./mybot --seed 1 --only plays-leaves-3",
    messages=(
        Frame("arena", 61.04, '{"type":"act","id":3}'),
        Frame("bot", 61.5, '{"type":"action","id":3,"action":"play 7x1\x1b[2J"}'),
    ),
    output="Traceback (most recent call last):\n  trouble \x1b[2J",
)
FINDINGS = (
    Finding("handshake", Status.PASSED, "hello came 61 ms after the start", "hello"),
    FAILED,
    Finding("time", Status.NOTED, "median 1.2, p99 300.0, max 700 ms of 1000; " * 2, "Clocks"),
    Finding("memory", Status.SKIPPED, "it has played no match to its end", "The process"),
)


def test_a_summary_and_a_failure_in_full() -> None:
    text = "\n".join([summary(FINDINGS, 80), "", *failure(FAILED), ""])
    same_as_snapshot("check", text)
    assert max(map(len, summary(FINDINGS, 80).splitlines())) <= 80


def test_of_failures_alike_only_the_first_has_its_messages() -> None:
    """The kind of fault, not the size of the table, is what makes them alike."""
    again = structs.replace(FAILED, check="plays-leaves-4")
    other = structs.replace(FAILED, check="plays-leaves-5", detail="timeout: no answer")
    told = "\n".join(failures([FAILED, again, other])).strip().split("\n\n")
    assert [len(text.splitlines()) for text in told] == [8, 3, 8]
    assert told[1].splitlines() == [
        f"plays-leaves-4 failed: {FAILED.detail}",
        f"    rule     {FAILED.rule}",
        f"    again    {FAILED.repeat}",
    ]


def test_a_tab_that_the_bot_printed_is_shown_as_spaces() -> None:
    finding = structs.replace(FAILED, output="oh no (RuntimeError)\n\tfrom main.rb:3")
    assert "             " + " " * 8 + "from main.rb:3" in failure(finding)


def test_nothing_reaches_the_terminal_that_it_would_act_upon() -> None:
    assert "\x1b" not in "\n".join(failure(FAILED))

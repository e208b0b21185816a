"""What a check has found, as plain values that can be written as JSON."""

from enum import StrEnum

from msgspec import Struct, field

from arena.model import FaultKind


class Status(StrEnum):
    """How a check ended. ``noted`` is no failure, but something that its author should know."""

    PASSED = "passed"
    NOTED = "noted"
    FAILED = "failed"
    SKIPPED = "skipped"


class Frame(Struct, frozen=True):
    """A message word for word: who said it, and when in milliseconds after the bot's start."""

    sender: str
    ms: float
    text: str


class Finding(Struct, frozen=True):
    """What came of one check.

    ``section`` is the part of PROTOCOL.md that it is about, ``rule`` what the game says of an
    illegal action, ``repeat`` the command that does just this check again. ``messages`` are the
    last ones before a failure, ``output`` the last lines that the bot printed.
    """

    check: str
    status: Status
    detail: str
    section: str
    seconds: float = 0.0
    figures: dict[str, float] = field(default_factory=dict)
    rule: str = ""
    repeat: str = ""
    messages: tuple[Frame, ...] = ()
    output: str = ""


class Seen(Struct, frozen=True):
    """What a check returns that has not failed; ``figures`` are what it has measured."""

    detail: str
    noted: bool = False
    figures: dict[str, float] = field(default_factory=dict)


class Wrong(Exception):
    """The bot has failed a check; the text says how.

    ``hangs`` is whether it does not answer at all, so that nothing else need be asked.
    """

    def __init__(
        self, detail: str, section: str = "", *, rule: str = "", hangs: bool = False
    ) -> None:
        super().__init__(detail)
        self.section = section
        self.rule = rule
        self.hangs = hangs
        self.messages: tuple[Frame, ...] = ()
        self.output = ""


class OutOfTime(Exception):
    """A check has taken all the time that it may take; the bot has done nothing wrong."""


SECTIONS = {
    FaultKind.ILLEGAL: "Faults",
    FaultKind.MALFORMED: "Faults",
    FaultKind.TIMEOUT: "Clocks",
    FaultKind.CPU: "Clocks",
    FaultKind.EXITED: "Faults",
    FaultKind.NOT_READY: "The connection",
}
"""The heading of PROTOCOL.md about each kind of fault."""

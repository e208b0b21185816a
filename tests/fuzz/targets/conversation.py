"""All that one seat may say, to a table where the others are honest: they must not notice.

The seat has the arena's own socket before it and another one in this process; what it says to a
question lies there before the question is put, and the end of it is an answer, good or bad.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import scripted
import zmq
from choices import Choices
from msgspec.structs import replace

from arena import games
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.verification import verify
from arena.model import Entrant, FaultKind, MatchResult
from arena.play.bot import Bot
from arena.play.clock import Clock
from arena.play.log import BotLog
from arena.play.protocol import MAX_FRAME
from arena.play.referee import Answer, Ask, Failure, Reply, play_match

HONEST = '{"type":"action","id":@ID,"action":"@LEGAL"}'
SAYINGS = (
    HONEST,
    "no JSON",
    '{"type":"action","id":@ID,"action":"play 7x1"}',
    '{"type":"action","id":@ID,"action":7}',
    '{"type":"action","id":"@ID","action":"@LEGAL"}',
    '{"type":"action","id":1,"action":"@LEGAL"}',
    '{"type":"pong","id":@ID}',
    '{"type":"hello","protocol":1,"token":"@TOKEN"}',
    '{"type":"hello","protocol":2,"token":"@TOKEN"}',
    '{"type":"hello","protocol":1,"token":"guess"}',
    '{"type":"bye","reason":"enough"}',
    "",
)
ENDS = SAYINGS[:4]
MOST_AT_ONCE = 6
HUGE = b" " * (MAX_FRAME + 1)
SEEDS = [b"", bytes(range(64)), b"\x00\x03\x00" * 20, b"\x02\xff\x05\x07" * 12]
FIXTURE = next(iter(ROUND_ROBIN.plan(scripted.LEAGUE).fixtures()))
GAME = games.load(scripted.LEAGUE.terms.game)
LIMITS = replace(scripted.LEAGUE.terms.limits, first_move=20_000, move=20_000)
OWN_FAULTS = {FaultKind.ILLEGAL, FaultKind.MALFORMED, FaultKind.NOT_READY}


def run(data: bytes) -> None:
    choices = Choices(data)
    faults = replace(scripted.LEAGUE.terms.faults, tolerate=choices.below(4))
    terms = replace(scripted.LEAGUE.terms, limits=LIMITS, faults=faults)
    league = replace(scripted.LEAGUE, terms=terms)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        guest = Guest(Path(folder), choices)
        try:
            failure = guest.greet()
            match = play_match(FIXTURE, terms, GAME, {0: failure} if failure else {})
            result = _result(match, guest)
        finally:
            guest.close()
    _judge(result)
    prints = {entrant.name: entrant.fingerprint for entrant in league.entrants}
    result = replace(
        result,
        outcome=replace(result.outcome, stale=(0, 0, 0)),
        fingerprints=tuple(prints[name] for name in FIXTURE.seats),
    )
    assert list(verify(league, [result], lambda: [result.outcome])) == [result.outcome]


class Guest:
    """The seat that says anything: the arena's end of its conversation and its own."""

    def __init__(self, folder: Path, choices: Choices) -> None:
        self._choices = choices
        self._context = zmq.Context()
        log = BotLog(folder / "log")
        entrant = Entrant("guest", (), "/", manual=True)
        self._bot = Bot(entrant, self._context, folder / "s", log, None)
        self._clock = Clock(LIMITS, self._bot.now)
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(self._bot.channel.endpoint)
        self._asked = 0

    def greet(self) -> Failure | None:
        """Say a few things, and hello after them."""
        self._say_some("", legal="pass 1")
        hello = {"type": "hello", "protocol": 1, "token": self._bot.channel.token}
        self._socket.send(json.dumps(hello).encode())
        return self._bot.greet(20_000, "fuzz")

    def answer(self, ask: Ask) -> Answer | Failure:
        """Say a few things and an answer, and be asked."""
        self._asked += 1
        self._say_some(self._choices.one_of(ENDS), legal=ask.legal[-1])
        return self._bot.ask(ask, self._clock)

    def close(self) -> None:
        self._socket.close()
        self._bot.close()
        self._context.term()

    def _say_some(self, end: str, legal: str) -> None:
        while self._choices and (kind := self._choices.below(16)) < MOST_AT_ONCE:
            parts = [self._part(legal) for _ in range(max(1, kind - 2))]
            self._socket.send_multipart(parts)
        if end:
            self._socket.send(self._filled(end, legal))

    def _part(self, legal: str) -> bytes:
        kind = self._choices.below(20)
        if kind < len(SAYINGS):
            return self._filled(SAYINGS[kind], legal)
        return self._choices.some(kind)

    def _filled(self, saying: str, legal: str) -> bytes:
        for word, text in (
            ("@ID", str(self._asked)),
            ("@LEGAL", legal),
            ("@TOKEN", self._bot.channel.token),
        ):
            saying = saying.replace(word, text)
        return saying.encode()


def _result(match: Iterator[object], guest: Guest) -> MatchResult:
    reply: Reply = None
    try:
        while True:
            request = match.send(reply)
            reply = None
            if isinstance(request, Ask):
                reply = guest.answer(request) if request.seat == 0 else Answer(request.legal[0], 1)
    except StopIteration as end:
        return end.value


def _judge(result: MatchResult) -> None:
    outcome = result.outcome
    assert outcome.ended == "complete"
    assert {fault.seat for fault in outcome.faults} <= {0}
    assert {fault.kind for fault in outcome.faults} <= OWN_FAULTS, outcome.faults
    assert set(outcome.forfeited) <= {0}
    assert all(fault.detail.isprintable() for fault in outcome.faults), outcome.faults

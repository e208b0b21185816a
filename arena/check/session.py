"""One process of the bot under check: everything is asked of it here, and every word kept."""

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from arena import __version__
from arena.check.finding import SECTIONS, Frame, OutOfTime, Wrong
from arena.check.setting import Setting, Story
from arena.errors import BotError
from arena.model import Fault, FaultKind, Limits, Terms
from arena.play.bot import Bot
from arena.play.channel import Wire
from arena.play.clock import Clock
from arena.play.process import stop_all, wait
from arena.play.protocol import excerpt
from arena.play.referee import Answer, Ask, Failure, Forfeit, Reply, Request, Tell, play_match
from arena.play.table import match_start
from arena.play.usage import Usage, used

PATIENCE_SECONDS = 3.0
"""How much longer than its limit an answer is waited for: a slow bot is none that hangs."""
LONGEST = 20_000
"""Characters of a message that are kept."""
ROUNDS = 2
"""Messages of the arena that are kept, each with what the bot has said to it."""
WORDS = 5
"""Messages of a round that are kept."""


class Patient(Clock):
    """A clock that tells how late an answer was, if it comes at all."""

    def start(self) -> float:
        """Begin to time a decision; return when to stop waiting for it."""
        return super().start() + PATIENCE_SECONDS


class Times(Struct):
    """Milliseconds of all answers: the first of each match, and the later ones."""

    first: list[float]
    later: list[float]


class Session:
    """A process from its start to its end.

    ``out_of_time`` tells whether the check that it is for should be over. ``stories`` are those of
    all matches that were begun.
    """

    def __init__(
        self,
        start: Callable[[Wire], Bot],
        limits: Limits,
        times: Times,
        out_of_time: Callable[[], bool],
    ) -> None:
        """Start the process; raise Wrong when that cannot be done."""
        self.limits = limits
        self.stories: list[Story] = []
        self._times = times
        self._out_of_time = out_of_time
        self._since = time.monotonic()
        self._rounds: deque[list[Frame]] = deque(maxlen=ROUNDS)
        try:
            self.bot = start(self._hear)
        except BotError as error:
            raise Wrong(str(error), SECTIONS[FaultKind.NOT_READY]) from None

    def greet(self) -> float:
        """Wait for the hello and answer it; return the milliseconds since the start."""
        failure = self.bot.greet(self.limits.start, __version__)
        if failure:
            silent = failure.detail.startswith("said no hello")
            raise Wrong(failure.detail, SECTIONS[failure.kind], hangs=silent)
        return (time.monotonic() - self._since) * 1000

    def ping(self) -> Failure | None:
        """Ask whether the process is still there; return why it does not seem to be."""
        return self.bot.ping(self.limits.start)

    def play(self, setting: Setting, before: Callable[[Request], None] | None = None) -> Story:
        """Play a match with the bot in its seat; raise Wrong for its first fault.

        ``before`` is called ahead of everything that the referee wants. Raise OutOfTime when the
        check's time is over; the process cannot go on then.
        """
        fixture, game, own = setting.fixture, setting.game, setting.seat
        terms = Terms(game.key, dict(setting.options), self.limits)
        options = game.resolve(setting.options, setting.players)
        story = Story(own)
        self.stories.append(story)
        clock = Patient(self.limits, self.bot.now, self.bot.used(self.limits))
        self.bot.send(match_start(fixture, game, options, own, self.limits))
        match = play_match(fixture, terms, game, {}, story)
        reply: Reply = None
        try:
            while True:
                request = match.send(reply)
                if before:
                    before(request)
                reply = self._serve(request, setting, story, clock)
        except StopIteration:
            return story

    def _serve(self, request: Request, setting: Setting, story: Story, clock: Clock) -> Reply:
        if isinstance(request, Tell):
            for seat, message in request.messages:
                if seat == setting.seat:
                    self.bot.send(message)
        elif isinstance(request, Forfeit):
            raise self._fault(request.fault, story, setting)
        elif request.seat == setting.seat:
            return self._ask(request, story, clock)
        else:
            return Answer(setting.policy(request.observation, request.legal), 0.0)
        return None

    def _ask(self, ask: Ask, story: Story, clock: Clock) -> Answer | Failure:
        if self._out_of_time():
            raise OutOfTime
        reply = self.bot.ask(ask, clock)
        if isinstance(reply, Answer):
            times = self._times.later if story.asked else self._times.first
            times.append(reply.ms)
            story.answer = reply.action
        story.asked += 1
        return reply

    def _fault(self, fault: Fault, story: Story, setting: Setting) -> Wrong:
        what = f"{setting.game.key}, {setting.about}" if setting.about else setting.game.key
        where = f"{what}, seat {setting.seat} of {setting.players}, deal {fault.deal}"
        hangs = fault.kind is FaultKind.TIMEOUT and fault.detail.startswith("no answer")
        waited = f"; the check waited {PATIENCE_SECONDS:g} s longer" if hangs else ""
        return Wrong(
            f"{fault.kind}: {fault.detail}{waited} ({where})",
            SECTIONS[fault.kind],
            rule=story.objection() if fault.kind is FaultKind.ILLEGAL else "",
            hangs=hangs,
        )

    def exits(self, seconds: float) -> str | None:
        """Return how the process ends within a time, None if it does not."""
        process = self.bot.process
        assert process
        wait([process], seconds)
        return process.ending()

    def stop(self, reason: str, seconds: float) -> None:
        """Say bye and end the process, after ``seconds`` by force."""
        self.bot.dismiss(reason)
        if self.bot.process:
            stop_all([self.bot.process], seconds)
        self.bot.close()

    @property
    def usage(self) -> Usage:
        """What the bot's processes hold and have used."""
        assert self.bot.process
        return used(self.bot.process.pid)

    @property
    def messages(self) -> tuple[Frame, ...]:
        """The last messages of the conversation."""
        return tuple(frame for frames in self._rounds for frame in frames)

    @property
    def output(self) -> str:
        """The last lines that the bot has printed."""
        return self.bot.log.tail()

    def _hear(self, sender: Literal["arena", "bot"], frame: bytes) -> None:
        ms = round((time.monotonic() - self._since) * 1000, 1)
        if sender == "arena" or not self._rounds:
            self._rounds.append([])
        if len(self._rounds[-1]) < WORDS:
            self._rounds[-1].append(Frame(sender, ms, _text(frame)))


def _text(frame: bytes) -> str:
    """Return a frame as it is, or with escapes and cut if it is not UTF-8 or too long."""
    try:
        text = frame.decode()
    except UnicodeDecodeError:
        return excerpt(frame, LONGEST)
    return text if len(text) <= LONGEST else excerpt(frame, LONGEST)

"""One running bot of a table: its process and its channel, asked one question at a time."""

import math
from collections.abc import Callable
from pathlib import Path

import zmq

from arena.errors import BotError
from arena.model import Entrant, FaultKind, Limits
from arena.play import protocol
from arena.play.awake import LOOK, Awake
from arena.play.boxed import PORT
from arena.play.cell import Cell
from arena.play.channel import Channel, Refused, Wire
from arena.play.clock import Clock, Taken
from arena.play.interrupt import Interrupt
from arena.play.launcher import GONE, Launcher
from arena.play.log import BotLog
from arena.play.process import BotProcess
from arena.play.protocol import Malformed
from arena.play.referee import Answer, Ask, Failure
from arena.play.sandbox import Jail
from arena.play.swelling import Swelling

SLICE_SECONDS = LOOK
"""How often, while a bot is waited for, its log is kept under its cap, and how often at least the
interrupt is looked at."""
EXIT_GRACE_MS = 50
"""How long the last words of a process that has ended may be on their way."""
FLOOD = 1000
"""Messages without an answer among them that a bot may send to one question."""


class Gone(Exception):
    """The bot's process has ended; the text says how."""


class Lost(OSError):
    """The bot's process has ended with the one that it was forked from, by no doing of its own."""

    def __init__(self) -> None:
        super().__init__(f"{GONE}, and its bots with it")


class Overspent(Exception):
    """The bot has used too much processor time; the text says which limit it broke."""


class Bot:
    """A bot that is connected, or is about to be.

    ``blocks`` holds the seeds of the blocks that the process has met, where that matters.
    """

    def __init__(
        self,
        entrant: Entrant,
        context: "zmq.Context[zmq.Socket[bytes]]",
        address: Path,
        log: BotLog,
        interrupt: Interrupt | None,
        *,
        wire: Wire | None = None,
        jail: Jail | None = None,
        swelling: Swelling | None = None,
        now: Callable[[], float] | None = None,
        launcher: Launcher | None = None,
    ) -> None:
        """Start the bot's process in the jail; raise BotError when its command cannot be run.

        ``now`` is the clock of all limits: by default one that only this bot looks at.
        """
        self.entrant = entrant
        self.now = now or Awake()
        self.blocks: set[str] = set()
        self._stale = 0
        self.log = log
        port = PORT if jail and jail.boxes(entrant) else None
        self.channel = Channel(context, entrant, address, wire, port)
        self.process: BotProcess | None = None
        if not entrant.manual:
            self.process = self._start(jail, launcher)
        self._started = self.now()
        self._interrupt = interrupt
        self._swelling = swelling
        self._poller = zmq.Poller()
        self._poller.register(self.channel.socket, zmq.POLLIN)
        self._poller.register(self.channel.monitor, zmq.POLLIN)
        if self.process:
            self._poller.register(self.process.watch, zmq.POLLIN)
        if interrupt:
            self._poller.register(interrupt.descriptor, zmq.POLLIN)
        self._id = 0
        self._looked = 0.0
        self._clock: Clock | None = None

    def _start(self, jail: Jail | None, launcher: Launcher | None) -> BotProcess:
        environment = {"ARENA_ENDPOINT": self.channel.endpoint, "ARENA_TOKEN": self.channel.token}
        try:
            own = jail.cell(self.entrant, self.channel.path) if jail else Cell(self.entrant)
            process = BotProcess(self.entrant, environment, self.log, own, launcher=launcher)
        except (BotError, OSError):
            self.close()
            raise
        if (listener := own.listener()) is not None:
            self.channel.listen(listener)
        return process

    def close(self) -> None:
        """Close the channel and the log; the process has been stopped."""
        self.channel.close()
        self.log.close()

    def greet(self, limit_ms: int, arena: str) -> Failure | None:
        """Wait for the hello of a new process; return why it is not ready, None if it is."""
        limit = math.inf if self.entrant.manual else limit_ms / 1000
        late = f"within {limit_ms} ms of its start"
        try:
            while not self.channel.greet():
                self._wait(self._started + limit)
        except TimeoutError:
            return self._not_ready(f"said no hello {late}", f"no other hello came {late}")
        except Gone as gone:
            return self._not_ready(f"{gone} before it said hello", f"then it {gone}")
        except Refused as refusal:
            self.send(protocol.Bye(str(refusal)))
            return self._not_ready(str(refusal))
        self.send(protocol.Welcome(protocol.VERSION, arena, self.entrant.name))
        return None

    def _not_ready(self, reason: str, after_complaint: str = "") -> Failure:
        """Return the failure; a hello that was turned away is told before what came of it."""
        taken = (self.now() - self._started) * 1000
        if complaint := self.channel.complaint:
            reason = f"{complaint}; {after_complaint}"
        return Failure(FaultKind.NOT_READY, reason, taken)

    @property
    def _complaint(self) -> str:
        return f"; {self.channel.complaint}" if self.channel.complaint else ""

    def ping(self, limit_ms: int) -> Failure | None:
        """Return why a process kept from an earlier match does not answer a ping in time."""
        self._id += 1
        self._clock = None
        asked = self.now()
        deadline = asked + (math.inf if self.entrant.manual else limit_ms / 1000)
        self.send(protocol.Ping(self._id))
        try:
            while True:
                message = protocol.decode(self._receive(deadline))
                if isinstance(message, protocol.Pong) and message.id == self._id:
                    return None
                self._stale += 1
                if self.now() > deadline:
                    raise TimeoutError
        except TimeoutError:
            kind, detail = FaultKind.TIMEOUT, f"no pong within {limit_ms} ms"
        except (Gone, Lost) as gone:
            kind, detail = FaultKind.EXITED, f"{gone} instead of answering a ping"
        except Malformed as error:
            kind, detail = FaultKind.MALFORMED, str(error)
        return Failure(kind, detail, (self.now() - asked) * 1000)

    def take_stale(self) -> int:
        """Return how many messages have answered nothing since the last call."""
        stale, self._stale = self._stale, 0
        return stale

    def send(self, message: protocol.FromArena) -> bool:
        """Send a message if that can be done at once; return whether it could."""
        return self.channel.send(self.frame(message))

    def dismiss(self, reason: str) -> None:
        """Say ``bye``; a process that cannot be told is told by the end of its input at once."""
        if not self.send(protocol.Bye(reason)) and self.process:
            self.process.close_stdin()

    def frame(self, message: protocol.FromArena) -> bytes:
        """Return a message as it is sent to this bot."""
        return protocol.encode(message)

    def used(self, limits: Limits) -> Callable[[], float] | None:
        """Return what tells the seconds of processor time that the bot has used, exactly if limits
        depend on it; None where that cannot be known."""
        meter = self.process.meter(exact=limits.metered) if self.process else None
        return meter.read if meter else None

    def ask(self, ask: Ask, clock: Clock) -> Answer | Failure:
        """Put a question and wait for its answer until the clock says that it is late."""
        if not (self._swelling and self.process):
            return self._ask(ask, clock)
        self._swelling.begin(self.process)
        try:
            return self._ask(ask, clock)
        finally:
            self._swelling.end()

    def _ask(self, ask: Ask, clock: Clock) -> Answer | Failure:
        self._id += 1
        self.log.trim()
        self._look_around()
        allowed = clock.allowed_ms
        frame = self.frame(protocol.Act(self._id, ask.observation, ask.legal, ask.events, allowed))
        self._clock = clock
        deadline = clock.start()
        sent = self.channel.send(frame)
        try:
            action = self._answer(deadline)
        except TimeoutError:
            return self._unanswered(clock.stop(), allowed, sent=sent)
        except Gone as gone:
            return _failure(FaultKind.EXITED, f"{gone} instead of answering", clock.stop())
        except Malformed as error:
            return _failure(FaultKind.MALFORMED, str(error), clock.stop())
        except Overspent as excess:
            taken = clock.stop()
            if taken.late:
                return self._unanswered(taken, allowed, sent=sent)
            return _failure(FaultKind.CPU, f"{excess}; it has not answered", taken)
        taken = clock.stop()
        if taken.late:
            detail = f"answered after {taken.ms:.1f} ms, {allowed} ms were allowed"
            return _failure(FaultKind.TIMEOUT, detail + _processor(taken), taken)
        if taken.excess:
            detail = f"{taken.excess}; it answered after {taken.ms:.1f} ms"
            return _failure(FaultKind.CPU, detail, taken)
        return Answer(action, taken.ms)

    def _unanswered(self, taken: Taken, allowed: int, *, sent: bool) -> Failure:
        """Return the failure of a bot that has let the time pass, ``allowed`` milliseconds."""
        detail = f"no answer within {allowed} ms"
        if not sent:
            detail += "; the question could not be sent, the bot does not read"
        return _failure(FaultKind.TIMEOUT, detail + self._complaint + _processor(taken), taken)

    def _look_around(self) -> None:
        """Do now and then what waiting would do, because quick bots are never waited for."""
        now = self.now()
        if now > self._looked + SLICE_SECONDS:
            self._looked = now
            self._look()
            if self._interrupt:
                self._interrupt.look()

    def _look(self) -> None:
        if self.process:
            self.process.look()
        if self._swelling:
            self._swelling.look()

    def _answer(self, deadline: float) -> str:
        """Return the answer to the newest question; raise TimeoutError, Gone or Malformed."""
        for _ in range(FLOOD):
            message = protocol.decode(self._receive(deadline))
            if isinstance(message, protocol.Action) and message.id == self._id:
                return message.action
            if isinstance(message, protocol.Hello):
                raise Malformed("hello was said a second time")
            self._stale += 1
            if self.now() > deadline:
                raise TimeoutError
        raise Malformed(f"sent {FLOOD} messages that do not answer the question")

    def _receive(self, deadline: float) -> bytes:
        while (frame := self.channel.receive()) is None:
            self._wait(deadline)
        return frame

    def _wait(self, deadline: float) -> None:
        """Return when there may be a frame; raise TimeoutError, Gone, Malformed for a connection
        that was lost, or what ``Interrupt`` does.

        A process that has ended is believed to be gone only after its last words were waited for,
        a connection to be lost only after the end of the process was waited for.
        """
        left = deadline - self.now()
        if left <= 0:
            raise TimeoutError
        patience = EXIT_GRACE_MS if self.channel.lost else SLICE_SECONDS * 1000
        ready = dict(self._poller.poll(math.ceil(min(left * 1000, patience))))
        if self._interrupt and self._interrupt.descriptor in ready:
            self._interrupt.look()
        if self.channel.monitor in ready:
            self.channel.notice()
        if not ready:
            self._pause()
        else:
            self._look_around()
        if (
            self.process
            and self.process.watch in ready
            and not self.channel.socket.poll(EXIT_GRACE_MS)
        ):
            raise _gone(self.process, self.process.ending() or "closed its descriptors")

    def _pause(self) -> None:
        """Do what is due when nothing has come for a while."""
        self._look()
        if self.process and (ending := self.process.ending()):
            raise _gone(self.process, ending)
        if self._clock and (excess := self._clock.burning()):
            raise Overspent(excess)
        if self.channel.lost and not self.process:
            raise Gone("closed its connection")
        if self.channel.lost:
            raise Malformed(
                "the connection was lost while the process lives: it was closed, or a frame of "
                f"more than {protocol.MAX_FRAME} bytes was sent{self._complaint}"
            )


def _gone(process: BotProcess, ending: str) -> Exception:
    """Return what to raise for a process that has ended."""
    return Lost() if process.lost else Gone(ending)


def _failure(kind: FaultKind, detail: str, taken: Taken) -> Failure:
    return Failure(kind, detail, taken.ms, taken.cpu)


def _processor(taken: Taken) -> str:
    """Return how much of a decision was spent on a processor: little of it on a busy machine."""
    return "" if taken.cpu is None else f"; it used {taken.cpu:.1f} ms of processor time"

"""One bot's socket: a ROUTER that only this bot knows of, and the connection it trusts.

The socket listens on an address of its own; the first ``hello`` with the bot's token binds the
connection that it came from to the bot. Frames from any other connection change nothing and are
counted. A bound connection that is lost is noticed and never replaced. Nothing here blocks but
``receive``, for a moment.
"""

import contextlib
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import zmq
from zmq.utils.monitor import recv_monitor_message

from arena.model import Entrant
from arena.play import protocol
from arena.play.protocol import Bye, Malformed, excerpt

SEND_QUEUE = 1000
"""Frames held for a bot that does not read before more are refused."""
PATIENCE_MS = 5
"""How long ``receive`` waits: for an answer that is on its way this costs half of a poll."""
RECEIVE_QUEUE = 64
"""Frames held of a connection before it has to wait."""
MOST_EVENTS = 1000
"""Lost connections that are looked at together: a bot may lose them as fast as it makes them."""
MOST_FRAMES = 64
"""Frames of one message, which should have one, that are kept, and that are dropped at a time."""

Wire = Callable[[Literal["arena", "bot"], bytes], None]
"""Is told of every frame that was sent or received: by whom it was said, and its bytes."""

_NOW = int(zmq.NOBLOCK)
_MORE = int(zmq.NOBLOCK | zmq.SNDMORE)
_RCVMORE = int(zmq.RCVMORE)


class Refused(Exception):
    """The bot's hello cannot be accepted; the text says why."""


class Channel:
    """The arena's end of the conversation with one bot process.

    ``strangers`` counts frames of other connections and ``complaint`` says what was wrong with the
    last of them. ``lost`` is whether the bot's own connection is gone, once ``notice`` or a
    ``send`` has found out; ``monitor`` is a socket that becomes readable when ``notice`` should be
    called. ``path`` is that of the socket, None for tcp. ``wire`` is told of all frames, those of
    other connections too.
    """

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        entrant: Entrant,
        path: Path,
        wire: Wire | None = None,
        port: int | None = None,
    ) -> None:
        """Listen on the ipc path, or on a free loopback port if the bot wants tcp.

        With ``port``, that of another network, ``listen`` will be given the listening socket.
        """
        self.token = secrets.token_hex(16)
        self.strangers = 0
        self.complaint = ""
        self.lost = False
        self._wire = wire
        self.path = path if entrant.transport == "ipc" else None
        self._peer: bytes | None = None
        self._peer_descriptor = -1
        self._unread = False
        self.socket = context.socket(zmq.ROUTER)
        self._send = super(zmq.Socket, self.socket).send  # without what pyzmq wraps around it
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.RCVTIMEO, PATIENCE_MS)
        self.socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self.socket.setsockopt(zmq.SNDHWM, SEND_QUEUE)
        self.socket.setsockopt(zmq.RCVHWM, RECEIVE_QUEUE)
        self.socket.setsockopt(zmq.MAXMSGSIZE, protocol.MAX_FRAME)
        self.monitor = self._monitored(context)
        if port is None:
            self._bind(f"ipc://{path}" if self.path else "tcp://127.0.0.1:*")
        else:
            self.endpoint = f"tcp://127.0.0.1:{port}"

    def listen(self, descriptor: int) -> None:
        """Listen with a socket that is bound to the endpoint already; it is taken over."""
        self.socket.setsockopt(zmq.USE_FD, descriptor)
        self._bind(self.endpoint)

    def _bind(self, address: str) -> None:
        self.socket.bind(address)
        endpoint = self.socket.getsockopt(zmq.LAST_ENDPOINT)
        assert isinstance(endpoint, bytes)
        self.endpoint = endpoint.decode().rstrip("\0")

    def _monitored(self, context: zmq.Context[zmq.Socket[bytes]]) -> zmq.Socket[bytes]:
        """Return a socket that tells of lost connections.

        Its queue has no limit: with one, thousands of connections that end at once would block
        the thread that all sockets share, and the arena with it.
        """
        address = f"inproc://monitor-{self.token}"
        self.socket.monitor(address, zmq.EVENT_DISCONNECTED)
        monitor = context.socket(zmq.PAIR)
        monitor.setsockopt(zmq.RCVHWM, 0)
        monitor.setsockopt(zmq.LINGER, 0)
        monitor.connect(address)
        return monitor

    @property
    def connected(self) -> bool:
        """Whether the bot has said hello."""
        return self._peer is not None

    def send(self, frame: bytes) -> bool:
        """Send a frame if it can be sent at once; return whether it could."""
        if self._peer is None:
            return False
        try:
            self._send(self._peer, _MORE)
            self._send(frame, _NOW)
        except zmq.ZMQError as error:
            self.lost = self.lost or error.errno == zmq.EHOSTUNREACH
            return False
        if self._wire:
            self._wire("arena", frame)
        return True

    def receive(self) -> bytes | None:
        """Return the bot's next frame, None when none comes at once; raise Malformed."""
        for _ in range(RECEIVE_QUEUE):
            try:
                if self._unread:
                    self._skip()
                peer = self.socket.recv()
                first = self.socket.recv(copy=False)
            except zmq.Again:
                return None
            frames = [first.bytes]
            if first.more:
                frames += self._further()
            if self._wire:
                for frame in frames:
                    self._wire("bot", frame)
            if peer == self._peer:
                return _only(frames)
            self.strangers += 1
            self.complaint = (
                "frames came over another connection than the one that said hello first; "
                "a bot must keep to one connection"
            )
        return None

    def _further(self) -> list[bytes]:
        """Return the frames of a message after its first; of a long one the rest stays unread."""
        frames: list[bytes] = []
        while self.socket.get(_RCVMORE):
            if len(frames) == MOST_FRAMES:
                self._unread = True
                break
            frames.append(self.socket.recv())
        return frames

    def _skip(self) -> None:
        """Drop some frames of a long message; raise zmq.Again while there are more of it.

        One can have millions, and go on while it is read.
        """
        for _ in range(MOST_FRAMES):
            self.socket.recv()
            if not self.socket.get(_RCVMORE):
                self._unread = False
                return
        raise zmq.Again

    def notice(self) -> None:
        """Read from ``monitor`` whether the bot's connection was lost."""
        with contextlib.suppress(zmq.Again):
            for _ in range(MOST_EVENTS):
                event = recv_monitor_message(self.monitor, zmq.NOBLOCK)
                if self.connected and event["value"] == self._peer_descriptor:
                    self.lost = True

    def greet(self) -> bool:
        """Look for the bot's hello; return whether it has come.

        Raise Refused when the bot was recognised by its token and cannot be accepted. A connection
        that says anything else is sent away and leaves a complaint in ``complaint``.
        """
        for _ in range(RECEIVE_QUEUE):
            try:
                if self._unread:
                    self._skip()
                peer = self.socket.recv(zmq.NOBLOCK)
                first = self.socket.recv(copy=False)
            except zmq.Again:
                return False
            frames = [first.bytes, *self._further()]
            if self._wire:
                for frame in frames:
                    self._wire("bot", frame)
            try:
                hello = self._hello(frames)
            except Malformed as error:
                self.strangers += 1
                self.complaint = str(error)
                self._dismiss(peer, self.complaint)
                continue
            self.notice()
            self._peer = peer
            self._peer_descriptor = int(first.get(zmq.SRCFD))
            self.complaint = ""
            if hello.protocol != protocol.VERSION:
                raise Refused(
                    f"the bot speaks protocol {hello.protocol}, "
                    f"this arena speaks protocol {protocol.VERSION}"
                )
            return True
        return False

    def _hello(self, frames: list[bytes]) -> protocol.Hello:
        hello = protocol.decode(_only(frames))
        if not isinstance(hello, protocol.Hello):
            raise Malformed(f"the first message must be hello, got {excerpt(frames[0])}")
        if not hmac.compare_digest(hello.token.encode(), self.token.encode()):
            raise Malformed("hello has a wrong token; it must be the text of ARENA_TOKEN")
        return hello

    def _dismiss(self, peer: bytes, reason: str) -> None:
        frame = protocol.encode(Bye(reason))
        with contextlib.suppress(zmq.ZMQError):
            self.socket.send_multipart((peer, frame), zmq.NOBLOCK)
            if self._wire:
                self._wire("arena", frame)

    def close(self) -> None:
        """Close the socket and remove its path."""
        self.socket.monitor(None, 0)
        self.monitor.close(linger=0)
        self.socket.close()
        if self.path:
            with contextlib.suppress(FileNotFoundError):
                self.path.unlink()


def _only(frames: list[bytes]) -> bytes:
    if len(frames) != 1:
        number = str(len(frames)) if len(frames) <= MOST_FRAMES else f"more than {MOST_FRAMES}"
        raise Malformed(
            f"a message of {number} frames; one message is one frame "
            "(use a DEALER socket and no empty delimiter frame)"
        )
    return frames[0]

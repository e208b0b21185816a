"""The arena's end of a connection, spoken to by bare sockets in this process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq
from rooms import until

from arena.model import Entrant
from arena.play import protocol
from arena.play.channel import MOST_FRAMES, RECEIVE_QUEUE, SEND_QUEUE, Channel, Refused
from arena.play.protocol import Action, Hello, Malformed, encode

Socket = Any


@pytest.fixture
def context() -> Iterator[Any]:
    made = zmq.Context()
    yield made
    made.destroy(linger=0)


@pytest.fixture(params=["ipc", "tcp"])
def channel(request: pytest.FixtureRequest, context: Any, tmp_path: Path) -> Iterator[Channel]:
    entrant = Entrant("bot", (), str(tmp_path), transport=request.param)
    made = Channel(context, entrant, tmp_path / "s")
    yield made
    made.close()
    assert not (tmp_path / "s").exists()


@pytest.fixture
def connect(context: Any, channel: Channel) -> Iterator[Any]:
    """Connect a socket and say hello, if there is a token to say it with."""

    sockets: list[Socket] = []

    def made(token: str | None = None, version: int = protocol.VERSION, **options: int) -> Socket:
        socket = context.socket(zmq.DEALER)
        sockets.append(socket)
        for name, value in options.items():
            setattr(socket, name, value)
        socket.connect(channel.endpoint)
        if token is not None:
            socket.send(encode(Hello(version, token)))
        return socket

    yield made
    for socket in sockets:
        socket.close(linger=0)


@pytest.fixture
def bot(channel: Channel, connect: Any) -> Socket:
    """A socket that has said hello and was believed."""
    socket = connect(channel.token)
    until(channel.greet, "hello has not come")
    return socket


def received(channel: Channel) -> bytes:
    """Return the next frame, waiting for it."""
    frames: list[bytes] = []

    def look() -> bool:
        frame = channel.receive()
        return frame is not None and not frames.append(frame)

    until(look, "no frame has come")
    return frames[0]


def complains(channel: Channel) -> bool:
    return not channel.greet() and bool(channel.complaint)


def test_frames_go_both_ways(channel: Channel, bot: Socket) -> None:
    assert channel.connected
    assert channel.send(b"question")
    assert bot.recv() == b"question"
    bot.send(b"answer")
    assert received(channel) == b"answer"
    assert channel.receive() is None


def test_nothing_is_sent_before_hello(channel: Channel) -> None:
    assert not channel.connected
    assert not channel.send(b"question")
    assert not channel.lost


def test_a_wrong_token_is_told_and_changes_nothing(channel: Channel, connect: Any) -> None:
    guess = connect("guess")
    until(lambda: complains(channel), "hello has not come")
    assert "hello has a wrong token" in channel.complaint
    assert protocol.decode_arena(guess.recv()) == protocol.Bye(channel.complaint)
    assert not channel.connected
    connect(channel.token)
    until(channel.greet, "hello has not come")
    assert channel.complaint == ""


def test_a_token_beyond_ascii_is_wrong(channel: Channel, connect: Any) -> None:
    connect("tökén\0")
    until(lambda: complains(channel), "hello has not come")
    assert "hello has a wrong token" in channel.complaint


def test_another_version_is_refused(channel: Channel, connect: Any) -> None:
    connect(channel.token, version=2)
    with pytest.raises(Refused, match="the bot speaks protocol 2, this arena speaks protocol 1"):
        until(channel.greet, "hello has not come")


def test_the_first_connection_that_said_hello_stays_the_bots(
    channel: Channel, bot: Socket, connect: Any
) -> None:
    second = connect(channel.token)
    second.send(encode(Action(1, "second")))
    until(lambda: channel.receive() is None and channel.strangers == 2, "nothing has come")
    bot.send(b"first")
    assert received(channel) == b"first"
    assert "another connection" in channel.complaint
    channel.send(b"question")
    assert bot.recv() == b"question"
    assert not second.poll(0)


def test_a_message_of_several_frames_is_malformed(channel: Channel, bot: Socket) -> None:
    bot.send_multipart([b"", b"{}"])
    with pytest.raises(Malformed, match="a message of 2 frames; one message is one frame"):
        received(channel)


def test_a_message_of_many_frames_is_read_a_part_at_a_time(
    channel: Channel, bot: Socket, connect: Any
) -> None:
    many = [b""] * (MOST_FRAMES * 10)
    connect().send_multipart(many)
    assert channel.socket.poll(5000)
    assert channel.receive() is None
    assert channel.receive() is None
    assert channel.strangers == 1
    bot.send(b"mine")
    assert received(channel) == b"mine"
    bot.send_multipart(many)
    with pytest.raises(Malformed, match=f"a message of more than {MOST_FRAMES} frames"):
        received(channel)
    bot.send(b"next")
    assert received(channel) == b"next"


def test_a_hello_after_a_message_of_many_frames_is_heard(channel: Channel, connect: Any) -> None:
    connect().send_multipart([b""] * (MOST_FRAMES * 10))
    assert channel.socket.poll(5000)
    assert not channel.greet()
    bot = connect(channel.token)
    until(channel.greet, "hello has not come")
    channel.send(b"question")
    assert bot.recv() == b"question"


def test_a_closed_connection_is_noticed(channel: Channel, bot: Socket) -> None:
    bot.send(b"last words")
    bot.close(linger=1000)
    assert channel.monitor.poll(5000)
    channel.notice()
    assert channel.lost
    assert received(channel) == b"last words"
    until(lambda: not channel.send(b"question"), "a lost connection takes frames")


def test_a_frame_that_is_too_large_costs_the_connection(channel: Channel, bot: Socket) -> None:
    bot.send(b" " * (protocol.MAX_FRAME + 1))
    assert channel.monitor.poll(5000)
    channel.notice()
    assert channel.lost


def test_the_largest_frame_is_taken(channel: Channel, bot: Socket) -> None:
    bot.send(b" " * protocol.MAX_FRAME)
    assert len(received(channel)) == protocol.MAX_FRAME
    assert not channel.lost


def test_the_end_of_another_connection_is_not_the_bots(
    channel: Channel, bot: Socket, connect: Any
) -> None:
    second = connect("guess")
    until(lambda: channel.receive() is None and channel.strangers > 0, "nothing has come")
    second.close(linger=0)
    assert channel.monitor.poll(5000)
    channel.notice()
    assert not channel.lost
    assert channel.send(b"question")
    assert bot.recv() == b"question"


def test_the_end_of_a_connection_before_the_bots_is_not_the_bots(
    channel: Channel, connect: Any
) -> None:
    early = connect("guess")
    until(lambda: complains(channel), "hello has not come")
    early.close(linger=0)
    assert channel.monitor.poll(5000)
    connect(channel.token)
    until(channel.greet, "hello has not come")
    channel.notice()
    assert not channel.lost


def test_a_bot_that_does_not_read_is_refused_more_and_is_not_lost(
    channel: Channel, bot: Socket
) -> None:
    frame = b" " * 10_000
    sent = 0
    while channel.send(frame) and sent < 100_000:
        sent += 1
    assert SEND_QUEUE <= sent < 100_000
    assert not channel.lost
    assert bot.recv() == frame


def test_a_flood_is_held_back(channel: Channel, connect: Any) -> None:
    flood = connect(channel.token, sndhwm=1)
    until(channel.greet, "hello has not come")
    frame = b" " * 100_000
    sent = 0
    while flood.poll(100, zmq.POLLOUT):
        flood.send(frame)
        sent += 1
    assert sent < 4 * RECEIVE_QUEUE
    assert received(channel) == frame


def test_the_wire_is_told_of_every_frame_with_its_sender(context: Any, tmp_path: Path) -> None:
    told: list[tuple[str, bytes]] = []
    made = Channel(
        context, Entrant("bot", (), "/"), tmp_path / "s", wire=lambda *frame: told.append(frame)
    )
    bot = context.socket(zmq.DEALER)
    bot.connect(made.endpoint)
    bot.send(b"hi")
    until(lambda: made.greet() or made.complaint, "nothing was refused")
    hello = encode(Hello(protocol.VERSION, made.token))
    bot.send(hello)
    until(made.greet, "hello has not come")
    assert made.send(b"question")
    bot.send_multipart([b"", b"answer"])
    with pytest.raises(Malformed):
        until(made.receive, "no answer has come")
    bot.close(linger=0)
    made.close()
    senders, frames = zip(*told, strict=True)
    assert senders == ("bot", "arena", "bot", "arena", "bot", "bot")
    assert frames[0] == b"hi"
    assert b'"type":"bye"' in frames[1]
    assert frames[2:] == (hello, b"question", b"", b"answer")

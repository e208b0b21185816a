"""An arena of one socket, which says to a bot's process what a test wants."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import zmq

from arena.play import protocol

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
"""How long anything that must happen is waited for."""
TOKEN = "a token"


class FakeArena:
    """Starts bots, and exchanges messages with the one that spoke last."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self._socket = context.socket(zmq.ROUTER)
        self._socket.linger = 0
        port = self._socket.bind_to_random_port("tcp://127.0.0.1")
        self.environment = {
            "ARENA_ENDPOINT": f"tcp://127.0.0.1:{port}",
            "ARENA_TOKEN": TOKEN,
            "PYTHONPATH": str(ROOT),
        }
        self._peer = b""
        self._processes: list[subprocess.Popen[str]] = []

    def start(
        self,
        command: Sequence[str],
        stdin: int | IO[str] = subprocess.PIPE,
        folder: str | None = None,
        **environment: str,
    ) -> subprocess.Popen[str]:
        """Start a program in a folder; ``environment`` goes over that of an arena."""
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **self.environment, **environment},
        )
        self._processes.append(process)
        return process

    def start_python(self, source: str) -> subprocess.Popen[str]:
        """Start a Python program given as text."""
        return self.start([sys.executable, "-c", source])

    def welcome(self) -> protocol.Hello:
        """Wait for a hello and accept it."""
        hello = self.receive()
        assert isinstance(hello, protocol.Hello)
        self.send(protocol.Welcome(protocol.VERSION, "0", "bot"))
        return hello

    def send(self, message: protocol.FromArena) -> None:
        self.send_frame(protocol.encode(message))

    def send_frame(self, frame: bytes) -> None:
        self._socket.send_multipart([self._peer, frame])

    def receive(self) -> protocol.FromBot:
        """Return the next message of a bot, which must be one frame."""
        assert self._socket.poll(SECONDS * 1000), "the bot says nothing"
        self._peer, frame = self._socket.recv_multipart()
        return protocol.decode(frame)

    def ask(self, message: protocol.FromArena) -> protocol.FromBot:
        """Send a message and return the answer."""
        self.send(message)
        return self.receive()

    def close(self) -> None:
        """Close the socket and end every process that a failed test has left."""
        self._socket.close()
        for process in self._processes:
            with process:
                process.kill()


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait until a process has ended by itself; return its status, its output and its errors.

    Its standard input stays open until then.
    """
    process.wait(SECONDS)
    output, errors = process.communicate()
    return process.returncode, output, errors


def act(number: int, legal: Sequence[str], **observation: Any) -> protocol.Act:
    """Return a question of the id ``number``."""
    return protocol.Act(number, observation, tuple(legal), [], 1000)


def match_start(seed: str) -> protocol.MatchStart:
    limits = protocol.LimitsMs(5000, 1000, 0, 0, 0, 0)
    return protocol.MatchStart("match", "leaves", {}, 0, 4, seed, limits)

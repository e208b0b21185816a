"""The bare exchange that the bench compares with: one ROUTER, four DEALERs, nothing else.

    python scripts/bench_echo.py CORE SECONDS [msgspec]

starts four echo bots on one core, sends them the questions of a recorded match in turn, with the
arena's codec on this side and json, or msgspec, on theirs, and prints the answers per second.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import msgspec
import zmq

from arena.games import load
from arena.model import Fixture, Terms
from arena.play.protocol import Act, decode, encode
from arena.play.referee import Answer, Ask, play_match

BOTS = 4


def questions() -> list[Act]:
    """Return the questions of one match in which every seat takes the first legal action."""
    fixture = Fixture("bench", ("a", "b", "c", "d"), "bench", 1, 1, "bench")
    match = play_match(fixture, Terms(game="leaves"), load("leaves"), {})
    asked: list[Act] = []
    reply = None
    try:
        while True:
            request = match.send(reply)
            reply = None
            if isinstance(request, Ask):
                number = len(asked)
                asked.append(
                    Act(number, dict(request.observation), request.legal, request.events, 1000)
                )
                reply = Answer(request.legal[0], 0.0)
    except StopIteration:
        return asked


def written(reply: Any) -> bytes:
    return json.dumps(reply).encode()


def bot(endpoint: str, codec: str) -> None:
    """Answer every question with its first legal action."""
    read: Callable[[bytes], Any] = json.loads
    write: Callable[[Any], bytes] = written
    if codec == "msgspec":
        read, write = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(endpoint)
    socket.send(b"")
    while frame := socket.recv():
        message = read(frame)
        reply = {"type": "action", "id": message["id"], "action": message["legal"][0]}
        socket.send(write(reply))


def exchange(core: int, seconds: float, codec: str) -> float:
    """Return answers per second of one core with four bots on it."""
    os.sched_setaffinity(0, {core})
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        endpoint = f"ipc://{folder}/echo"
        socket = zmq.Context().socket(zmq.ROUTER)
        socket.bind(endpoint)
        command = [sys.executable, __file__, endpoint, codec]
        processes = [subprocess.Popen(command) for _ in range(BOTS)]
        peers = [socket.recv_multipart()[0] for _ in range(BOTS)]
        asked = questions()
        count, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            for act in asked:
                socket.send_multipart((peers[count % BOTS], encode(act)))
                decode(socket.recv_multipart()[1])
                count += 1
        for peer in peers:
            socket.send_multipart((peer, b""))
        for process in processes:
            process.wait()
    return count / spent


if __name__ == "__main__":
    first, second, codec = (*sys.argv[1:], "json")[:3]
    if first.startswith("ipc:"):
        bot(first, second)
    else:
        print(exchange(int(first), float(second), codec))

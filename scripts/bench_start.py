"""The bare cost of four Python bots: start them, hear a hello from each, end them, wait.

    python scripts/bench_start.py CORE SECONDS

does so again and again on one core and prints how often per second.
"""

import os
import subprocess
import sys
import tempfile
import time

import zmq

BOTS = 4
BOT = """
import json, sys, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
socket.send(json.dumps({"type": "hello"}).encode())
socket.recv()
"""


def main(core: int, seconds: float) -> float:
    """Return rounds of starting and ending four bots per second of one core."""
    os.sched_setaffinity(0, {core})
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        endpoint = f"ipc://{folder}/start"
        socket = zmq.Context().socket(zmq.ROUTER)
        socket.bind(endpoint)
        rounds, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            command = [sys.executable, "-c", BOT, endpoint]
            processes = [subprocess.Popen(command) for _ in range(BOTS)]
            for _ in processes:
                socket.send_multipart((socket.recv_multipart()[0], b"bye"))
            for process in processes:
                process.wait()
            rounds += 1
    return rounds / spent


if __name__ == "__main__":
    print(main(int(sys.argv[1]), float(sys.argv[2])))

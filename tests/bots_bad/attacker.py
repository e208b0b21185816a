"""A bot that attacks in the way its argument names when a match begins, and then plays honestly.

It prints ``{"done": true}`` when the attack has gone through, and ``{"done": false}`` when not.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import zmq
from bad import FOR_EVER, MEBIBYTE, Bot

CHILDREN = 200
LARGE = 64
ENDLESS = 2 << 30
SLOW = 4 << 20
"""Bytes in a second."""
PTRACE_SEIZE = 0x4206
ENV = os.environ


def fork_bomb():
    children = []
    try:
        while len(children) < CHILDREN:
            pid = os.fork()
            if pid == 0:
                time.sleep(FOR_EVER)
            children.append(pid)
    except OSError:
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(children) == CHILDREN


def memory_bomb():
    return len(b"x" * (400 * MEBIBYTE)) > 0


def one_large_file():
    with open(Path(ENV.get("TMPDIR", ENV["PLACE"])) / "large", "wb") as file:
        for _ in range(LARGE):
            file.write(bytes(MEBIBYTE))
    return True


def many_files():
    for number in range(LARGE):
        Path(ENV.get("TMPDIR", ENV["PLACE"]), f"file-{number}").write_bytes(bytes(MEBIBYTE))
    return True


def endless_output():
    line = "x" * 1023 + "\n"
    for _ in range(LARGE * 1024):
        sys.stdout.write(line)
    sys.stdout.flush()
    return True


def others_file():
    return bool(Path(ENV["SECRET"]).read_text())


def journal():
    return bool(Path(ENV["JOURNAL"]).read_bytes())


def home_folder():
    return any(entry.is_file() for entry in os.scandir(ENV["REAL_HOME"]))


def others_environment():
    wanted = f"ARENA_TOKEN={ENV['STOLEN']}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes():
                return True
        except OSError:
            pass
    return False


def others_socket():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(ENV["SOCKET"])
    return True


def stolen_token():
    """The test looks at what comes of it."""
    return speak_for_another(ENV["STOLEN"])


def guessed_token():
    """The test looks at what comes of it."""
    token = ENV["STOLEN"]
    near = token[:-1] + ("1" if token.endswith("0") else "0")
    return speak_for_another("", "0" * len(token), token[:-1], token + "0", near)


def speak_for_another(*tokens):
    client = zmq.Context.instance().socket(zmq.DEALER)
    client.linger = 200
    client.connect(f"ipc://{ENV['SOCKET']}")
    for token in tokens:
        client.send_json({"type": "hello", "protocol": 1, "token": token})
    for number in range(100):
        client.send_json({"type": "action", "id": number, "action": "nonsense"})
    return not client.poll(300)


def other_connection():
    """Speaks ZMTP itself: libzmq sends no message before its last frame is there."""
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(ENV["ARENA_ENDPOINT"].removeprefix("ipc://"))
    peer.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
    peer.recv(64, socket.MSG_WAITALL)
    ready = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
    peer.sendall(b"\x04" + bytes([len(ready)]) + ready)
    peer.recv(2, socket.MSG_WAITALL)
    return peer


def endless_message():
    peer = other_connection()
    more = b"\x03" + (1 << 16).to_bytes(8, "big") + bytes(1 << 16)
    for _ in range(ENDLESS // len(more)):
        peer.sendall(more)
    return True


def slow_message():
    """Sends little by little, in a child."""
    if os.fork() == 0:
        peer = other_connection()
        more = b"\x03" + (1 << 16).to_bytes(8, "big") + bytes(1 << 16)
        for _ in range(ENDLESS // len(more)):
            peer.sendall(more)
            time.sleep(len(more) / SLOW)
        os._exit(0)
    return True


def network():
    with socket.create_connection(("127.0.0.1", int(ENV["LISTENER"])), timeout=2):
        return True


def signal_to_the_arena():
    os.kill(int(ENV["ARENA"]), 0)
    return True


def kill_of_a_stranger():
    os.kill(int(ENV["STRANGER"]), signal.SIGKILL)
    return True


def trace_of_a_stranger():
    return ctypes.CDLL(None).ptrace(PTRACE_SEIZE, int(ENV["STRANGER"]), None, None) == 0


def own_folder():
    note = Path(__file__).with_name("note")
    note.write_text("for later")
    note.unlink()
    return True


def links_to_outside():
    """The test looks at what comes of it."""
    Path(ENV["TMPDIR"], "link").symlink_to(Path(ENV["SECRET"]).parent)
    for _ in range(1500 if ENV["TMPDIR"] != ENV["PLACE"] else 0):
        os.mkdir("d")
        os.chdir("d")
    return False


def survivor():
    """The test looks at what comes of it."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            time.sleep(FOR_EVER)
        os._exit(0)
    os.wait()
    return True


def notes():
    places = [ENV["HOME"], ENV["TMPDIR"], "/tmp", "/dev/shm"]
    files = [Path(place) / ENV["NOTE"] for place in places]
    found = any(file.exists() for file in files)
    for file in files:
        file.write_text("remember")
    return found


class Attacker(Bot):
    """Attacks once, in its first match."""

    def match_start(self, _message):
        os.environ.setdefault("TMPDIR", os.environ["PLACE"])
        os.chdir(os.environ["TMPDIR"])
        try:
            done = globals()[sys.argv[1]]()
        except OSError as error:
            print(error)
            done = False
        self.report = json.dumps({"done": done})
        print(self.report, flush=True)

    def second(self, act):
        """Tell it again: the log may have lost what was said while it was cut."""
        print(self.report, flush=True)
        self.answer(act)


if __name__ == "__main__":
    Attacker().run()

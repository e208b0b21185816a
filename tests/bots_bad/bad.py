"""A bot that misbehaves in the way its argument names, speaking to the socket itself.

Each process but the first is honest when the environment names a file in ONCE: the first makes
that file. Most switches act at the second question of a match.
"""

import hashlib
import json
import os
import resource
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import zmq

FOR_EVER = 3600
MEBIBYTE = 1 << 20
NONSENSE = bytes(MEBIBYTE // 16)
TYPES = {
    "welcome", "match_start", "deal_start", "act", "deal_end", "match_end", "ping", "bye",
}  # fmt: skip
KEYS = {
    "type", "protocol", "arena", "name", "match", "game", "options", "seat", "seats", "seed",
    "limits", "deal", "observation", "id", "legal", "events", "ms", "penalties", "totals",
    "truncated", "places", "forfeited", "reason",
}  # fmt: skip


class Bot:
    """An honest bot; each switch overrides what it does wrong."""

    watches_input = True
    patience = None
    waits_on = False

    def __init__(self):
        self.context = zmq.Context()
        self.socket = self.connect()
        self.asked = 0

    def connect(self, endpoint=None):
        socket = self.context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(endpoint or os.environ["ARENA_ENDPOINT"])
        return socket

    def hello(self):
        return {"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]}

    def say(self, message):
        self.socket.send(json.dumps(message).encode())

    def answer(self, act, **changes):
        self.say({"type": "action", "id": act["id"], "action": act["legal"][0], **changes})

    def run(self):
        self.start()
        self.say(self.hello())
        poller = zmq.Poller()
        poller.register(self.socket, zmq.POLLIN)
        if self.watches_input:
            poller.register(0, zmq.POLLIN)
        while True:
            ready = dict(poller.poll(self.patience))
            if self.socket in ready:
                message = json.loads(self.socket.recv())
                if message["type"] == "bye":
                    return self.bye()
                self.take(message)
            elif 0 in ready or not self.waits_on:
                return None

    def take(self, message):
        kind = message["type"]
        if kind == "ping":
            self.ping(message)
        elif kind == "match_start":
            self.asked = 0
            self.match_start(message)
        elif kind == "match_end":
            self.match_end()
        elif kind == "act":
            self.asked += 1
            if self.asked == 2:
                self.second(message)
            else:
                self.other(message)

    def start(self):
        pass

    def match_start(self, message):
        pass

    def match_end(self):
        pass

    def ping(self, ping):
        self.say({"type": "pong", "id": ping["id"]})

    def bye(self):
        pass

    def second(self, act):
        self.answer(act)

    def other(self, act):
        self.answer(act)


class NeverConnects(Bot):
    def start(self):
        time.sleep(FOR_EVER)


class WrongToken(Bot):
    def hello(self):
        return {**super().hello(), "token": "00000000000000000000000000000000"}


class WrongVersion(Bot):
    def hello(self):
        return {**super().hello(), "protocol": 99}


class NoHello(Bot):
    def hello(self):
        return {"type": "action", "id": 1, "action": "less"}


class ExitsAtStart(Bot):
    def start(self):
        print("Traceback: no module named wisdom", file=sys.stderr)
        sys.exit(3)


class ExitsInMatch(Bot):
    def second(self, _act):
        print("out of ideas", file=sys.stderr, flush=True)
        os._exit(4)


class IsKilled(Bot):
    def second(self, _act):
        os.kill(os.getpid(), signal.SIGKILL)


class Hangs(Bot):
    def second(self, _act):
        time.sleep(FOR_EVER)


class AnswersLate(Bot):
    def second(self, act):
        time.sleep(0.8)
        self.answer(act)


class AnswersTwice(Bot):
    def second(self, act):
        self.answer(act)
        self.answer(act)


class AnswersOldId(Bot):
    def second(self, act):
        self.answer(act, id=act["id"] - 1, action="nonsense")
        self.answer(act)


class OnlyOldId(Bot):
    def second(self, act):
        self.answer(act, id=act["id"] - 1)


class Illegal(Bot):
    def second(self, act):
        self.answer(act, action="most")


class WrongType(Bot):
    def second(self, act):
        self.answer(act, action=["less"])


class UnknownType(Bot):
    def second(self, act):
        self.answer(act, type="move")


class NotJson(Bot):
    def second(self, _act):
        self.socket.send(b"less, please")


class NotUtf8(Bot):
    def second(self, _act):
        self.socket.send(b'{"type":"action","id":1,"action":"\xff\xfe"}')


class DeepJson(Bot):
    def second(self, _act):
        self.socket.send(b'{"type":"pong","id":1,"x":' + b"[" * 500_000)


class SeveralFrames(Bot):
    def second(self, _act):
        self.socket.send_multipart([b"", b'{"type":"action","id":1,"action":"less"}'])


class HelloTwice(Bot):
    def second(self, act):
        self.say(self.hello())
        self.answer(act)


class Huge(Bot):
    def start(self):
        self.frame = b" " * (50 * MEBIBYTE)

    def second(self, _act):
        self.socket.send(self.frame, copy=False)
        time.sleep(FOR_EVER)


class FloodsStdout(Bot):
    stream = 1

    def print_much(self):
        for _ in range(2):
            os.write(self.stream, b"nonsense\n" * (MEBIBYTE // 9))

    def second(self, act):
        self.print_much()
        self.answer(act)

    other = second


class FloodsStderr(FloodsStdout):
    stream = 2


class FloodsAndHangs(FloodsStdout):
    def second(self, _act):
        while True:
            self.print_much()
            time.sleep(0.01)


class IgnoresSigterm(Bot):
    def start(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def second(self, _act):
        time.sleep(FOR_EVER)


class Forks(Bot):
    def second(self, act):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(FOR_EVER)
        self.answer(act)


class ForksAndExits(Bot):
    def second(self, _act):
        if os.fork() == 0:
            time.sleep(FOR_EVER)
        os._exit(0)


class StopsItself(Bot):
    def second(self, _act):
        os.kill(os.getpid(), signal.SIGSTOP)


class Reconnects(Bot):
    def second(self, act):
        self.socket.close()
        self.socket = self.connect()
        self.say(self.hello())
        self.answer(act)
        time.sleep(FOR_EVER)


class MovesOver(Bot):
    """Goes on over a second connection while the first stays open."""

    def second(self, act):
        self.old, self.socket = self.socket, self.connect()
        self.say(self.hello())
        self.answer(act)
        time.sleep(FOR_EVER)


class SecondConnection(Bot):
    def second(self, act):
        other = self.connect()
        other.send(json.dumps(self.hello()).encode())
        other.send(json.dumps({"type": "action", "id": act["id"], "action": "most"}).encode())
        other.send(b"garbage")
        other.close(linger=1000)
        time.sleep(0.05)
        self.answer(act)


class Intrudes(Bot):
    """Speaks at the sockets of the other bots, before and after their hello."""

    def start(self):
        self.intrude(1)

    def second(self, act):
        self.intrude(act["id"])
        time.sleep(0.05)
        self.answer(act)

    def intrude(self, number):
        own = Path(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
        for path in own.parent.iterdir():
            if path != own:
                other = self.connect(f"ipc://{path}")
                other.send(json.dumps(self.hello()).encode())
                for guess in range(number - 5, number + 5):
                    action = {"type": "action", "id": guess, "action": "most"}
                    other.send(json.dumps(action).encode())
                other.close(linger=1000)


class ManyConnections(Bot):
    def second(self, act):
        self.crowd = [self.connect() for _ in range(200)]
        for one in self.crowd:
            one.send(json.dumps(self.hello()).encode())
        self.answer(act)


class TenThousandConnections(Bot):
    """Connects before its own clock runs; in a later match the crowd of the last one leaves."""

    def match_start(self, _message):
        path = os.environ["ARENA_ENDPOINT"].removeprefix("ipc://")
        room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100
        self.crowd = []
        for _ in range(min(10_000, room)):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            self.crowd.append(connection)


class FloodsArena(Bot):
    def second(self, _act):
        frame = json.dumps({"type": "pong", "id": 0}).encode()
        self.socket.sndtimeo = 2000
        while True:
            self.socket.send(frame)


class BabblesOffTurn(Bot):
    """Answers in time, and sends a few hundred messages that nobody asked for."""

    def second(self, act):
        self.answer(act)
        for number in range(300):
            self.say({"type": "pong", "id": number})


class ExitsAfterMatchEnd(Bot):
    def match_end(self):
        os._exit(5)


class ExitsAfterLastAnswer(Bot):
    def other(self, act):
        self.answer(act)
        if self.asked == 3:
            self.socket.close(linger=1000)
            self.context.term()
            os._exit(6)


class BabblesAfterMatchEnd(Bot):
    def match_end(self):
        for number in range(5):
            self.say({"type": "pong", "id": -number})


class GarbageAfterMatchEnd(Bot):
    def match_end(self):
        self.socket.send(b"what a match!")


class HangsAfterMatchEnd(Bot):
    def match_end(self):
        time.sleep(FOR_EVER)


class Slow(Bot):
    def second(self, act):
        time.sleep(0.3)
        self.answer(act)


def burn(seconds):
    """Use processor time in this process, whatever it was before."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        hashlib.sha256(NONSENSE).digest()


def burnt():
    """Return the seconds that BURN tells."""
    return float(os.environ["BURN"])


class Burns(Bot):
    def second(self, act):
        burn(burnt())
        self.answer(act)


class BurnsInChild(Bot):
    def second(self, act):
        pid = os.fork()
        if pid == 0:
            burn(burnt())
            os._exit(0)
        os.waitpid(pid, 0)
        self.answer(act)


class BurnsInOrphan(Bot):
    """Lets a process do the work that has left its session, and whose parent has ended."""

    def second(self, act):
        done, end = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                burn(burnt())
            os._exit(0)
        os.close(end)
        os.waitpid(child, 0)
        os.read(done, 1)
        os.close(done)
        self.answer(act)


class BurnsInThreads(Bot):
    def second(self, act):
        threads = [threading.Thread(target=burn, args=(burnt(),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.answer(act)


class BurnsAndHangs(Bot):
    def second(self, _act):
        burn(burnt())
        time.sleep(FOR_EVER)


class Ponders(Bot):
    """Thinks after its first answer, and makes the file that DONE names when it has done so."""

    def other(self, act):
        self.answer(act)
        if self.asked == 1:
            burn(burnt())
            Path(os.environ["DONE"]).touch()


class WaitsForDone(Bot):
    """Answers at once before anybody else has acted, and later when the file is there."""

    def other(self, act):
        while act["events"] and not Path(os.environ["DONE"]).exists():
            time.sleep(0.005)
        self.answer(act)

    second = other


class IgnoresBye(Bot):
    def bye(self):
        time.sleep(FOR_EVER)


class IgnoresEndOfInput(Bot):
    watches_input = False


class LingersAtEnd(Bot):
    def run(self):
        super().run()
        time.sleep(1)


class IgnoresPing(Bot):
    def ping(self, _ping):
        pass


class GivesUpWaiting(Bot):
    patience = 900


class Spins(Bot):
    """Looks for a message again and again."""

    patience = 0
    waits_on = True


class ExitsBadly(Bot):
    def bye(self):
        raise KeyError("bye")


class OneMatchOnly(Bot):
    """Has forgotten to begin anew in the second match."""

    matches = 0

    def match_start(self, _message):
        self.matches += 1
        if self.matches == 2:
            raise RuntimeError("the memory of the first match is still there")


class Leaks(Bot):
    """Keeps something of every match."""

    kept = ()

    def match_end(self):
        self.kept = (*self.kept, os.urandom(MEBIBYTE // 4))


class RefusesUnknownKeys(Bot):
    def take(self, message):
        if unknown := set(message) - KEYS:
            raise KeyError(f"unknown keys {unknown}")
        super().take(message)


class RefusesUnknownTypes(Bot):
    def take(self, message):
        if message["type"] not in TYPES:
            raise KeyError(f"unknown type {message['type']}")
        super().take(message)


class AnswersUnknownTypes(Bot):
    def take(self, message):
        super().take(message)
        if message["type"] not in TYPES:
            self.say({"type": "pong", "id": message["id"]})


class NeverTheSame(Bot):
    def other(self, act):
        self.answer(act, action=act["legal"][os.urandom(1)[0] % len(act["legal"])])


class TrustsTheTable(Bot):
    """Knows that a deal of 13 Leaves begins with an empty table, not that one may become empty."""

    def other(self, act):
        if act["observation"]["turn"]:
            act["observation"]["table"][0]
        self.answer(act)

    second = other


class Scripted(Bot):
    """Sends the frames that the file in SCRIPT lists for each question, in hexadecimal digits.

    A frame may hold the text @ID for the id of the question.
    """

    def match_start(self, _message):
        self.script = json.loads(Path(os.environ["SCRIPT"]).read_text())

    def second(self, act):
        frames = self.script.pop(0) if self.script else [None]
        for frame in frames:
            if frame is None:
                self.answer(act)
            else:
                number = str(act["id"]).encode()
                parts = [bytes.fromhex(part).replace(b"@ID", number) for part in frame]
                self.socket.send_multipart(parts)

    other = second


class Hoards(Bot):
    def second(self, act):
        hoard = b"x" * (200 * MEBIBYTE)
        time.sleep(5)
        self.answer(act, action=act["legal"][len(hoard) < 0])


class CallsTheMachine(Bot):
    def start(self):
        try:
            socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), timeout=2)
        except OSError as error:
            print(error, flush=True)


def honest_now():
    """Whether an earlier process has made the file that ONCE names; make it."""
    once = os.environ.get("ONCE")
    if not once:
        return False
    try:
        Path(once).touch(exist_ok=False)
    except FileExistsError:
        return True
    return False


if __name__ == "__main__":
    (Bot if honest_now() else globals()[sys.argv[1]])().run()

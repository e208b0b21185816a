"""What a Python bot imports: ``run``, and ``Bot`` for a bot with a memory.

A complete bot::

    from arena.bot import run

    def choose(observation, legal):
        return legal[0]

    run(choose)

``bots/README.md`` tells how to try it, ``bots/PROTOCOL.md`` what goes over the wire.
"""

import contextlib
import json
import os
import random
import select
import stat
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import zmq

PROTOCOL = 1
"""Version of the protocol that this module speaks."""
STDIN_MS = 500
"""How often, while nothing is asked, stdin is looked at for its end, in milliseconds."""
WARM = 500
"""Questions after which a process, being of the kind that lives on, loads msgspec where it is
installed: that takes as long as some 2000 messages take more without it."""

Message = dict[str, Any]
"""A message of the arena as ``PROTOCOL.md`` describes it."""
Observation = dict[str, Any]
"""What the seat to act can see, as the game describes it."""
Event = list[Any]
"""A public action: [seat, action]."""
Choose = Callable[[Observation, list[str]], str]
"""``choose(observation, legal) -> action``: one of the texts in ``legal``."""


class Bot:
    """A bot with a memory: override ``choose``, and of the hooks what is needed.

    One object plays all matches of its process, so a memory is to be reset in ``match_start`` or
    ``deal_start``.
    """

    def match_start(self, message: Message) -> None:
        """A match begins; ``random`` has just been seeded with the match's seed."""

    def deal_start(self, message: Message) -> None:
        """A deal begins; ``message["observation"]`` is what can be seen of it."""

    def events(self, events: list[Event]) -> None:
        """Take in the public actions of the deal, each [seat, action], own ones included.

        Called before every ``choose`` and ``deal_end`` with those since the previous call.
        """

    def choose(self, observation: Observation, legal: list[str]) -> str:
        """Return the action to take: one of the texts in ``legal``."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose")

    def deal_end(self, message: Message) -> None:
        """A deal has ended, with the penalties in ``message``."""

    def match_end(self, message: Message) -> None:
        """The match has ended, with totals and places in ``message``."""


def run(player: Choose | Bot | type[Bot]) -> None:
    """Play for the arena until it says bye or is gone; an exception of the bot goes through.

    ``player`` is a function ``choose(observation, legal) -> action``, a ``Bot`` or a class of
    one. Exit with status 2 when the environment does not say where to play, or the arena refuses.
    """
    bot = _as_bot(player)
    endpoint, token = os.environ.get("ARENA_ENDPOINT"), os.environ.get("ARENA_TOKEN")
    if not endpoint or not token:
        _refuse(
            "ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for the bots that"
            " it starts.\nTry: arena match leaves FOLDER greedy random first --show"
        )
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.rcvtimeo = STDIN_MS
        try:
            socket.connect(endpoint)
        except zmq.ZMQError as error:
            _refuse(f"cannot connect to ARENA_ENDPOINT={endpoint}: {error}")
        wire = _Wire(socket)
        wire.send({"type": "hello", "protocol": PROTOCOL, "token": token})
        _serve(bot, wire)


class _Function(Bot):
    """A bot without a memory: a function of the observation."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def choose(self, observation: Observation, legal: list[str]) -> str:
        return self._function(observation, legal)


def _as_bot(player: Choose | Bot | type[Bot]) -> Bot:
    if isinstance(player, type):
        bot: Bot = player()
        return bot
    return player if isinstance(player, Bot) else _Function(player)


def _serve(bot: Bot, wire: "_Wire") -> None:
    """Answer messages until a bye comes or stdin ends."""
    message = wire.receive()
    if message and message["type"] == "bye":
        _refuse(f"the arena refused this bot: {message['reason']}")
    asked = 0
    while message and message["type"] != "bye":
        if message["type"] == "act":
            bot.events(message["events"])
            action = bot.choose(message["observation"], message["legal"])
            asked = message["id"]
            wire.send({"type": "action", "id": asked, "action": action})
        elif message["type"] == "ping":
            wire.send({"type": "pong", "id": message["id"]})
        else:
            _tell(bot, message)
            if message["type"] == "match_end" and asked > WARM:
                wire.warm()
        message = wire.receive()


class _Wire:
    """The socket of a bot, with what makes messages of frames and frames of messages."""

    def __init__(self, socket: "zmq.Socket[bytes]") -> None:
        self._recv = socket.recv
        self._send = super(zmq.Socket, socket).send  # without what pyzmq wraps around it
        self._decode: Callable[[bytes], Message] = json.loads
        self._encode: Callable[[Message], bytes] = _dumped
        self._is_warm = False
        if "msgspec" in sys.modules:
            self.warm()

    def receive(self) -> Message | None:
        """Return the next message, None when stdin has ended.

        Waiting for the socket alone is quicker than polling it and stdin for every message.
        """
        while True:
            try:
                return self._decode(self._recv())
            except zmq.Again:
                if _stdin_has_ended():
                    return None

    def send(self, message: Message) -> None:
        """Send a message."""
        self._send(self._encode(message))

    def warm(self) -> None:
        """Use msgspec from now on if it is installed; to be called while nothing is asked."""
        if self._is_warm:
            return
        self._is_warm = True
        with contextlib.suppress(ImportError):
            from msgspec.json import Decoder, Encoder

            self._decode, self._encode = Decoder().decode, Encoder().encode


def _dumped(message: Message) -> bytes:
    return json.dumps(message).encode()


def _tell(bot: Bot, message: Message) -> None:
    """Tell the bot of a message that needs no reply."""
    match message["type"]:
        case "match_start":
            random.seed(message["seed"])
            bot.match_start(message)
        case "deal_start":
            bot.deal_start(message)
        case "deal_end":
            bot.events(message["events"])
            bot.deal_end(message)
        case "match_end":
            bot.match_end(message)


def _stdin_has_ended() -> bool:
    """Whether stdin is a pipe, as the arena gives it, at its end: then the arena is gone."""
    if sys.stdin is None or not stat.S_ISFIFO(os.fstat(0).st_mode):
        return False
    return bool(select.select([0], [], [], 0)[0]) and not os.read(0, 4096)


def _refuse(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(2)

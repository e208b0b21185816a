"""A bot in Python that speaks the protocol itself: takes any legal action."""

import json
import os
import random
import sys
from typing import Any

import zmq

Message = dict[str, Any]
Socket = zmq.Socket[bytes]


class Player:
    """Plays one match after the other."""

    game = ""
    seat = 0

    def match_start(self, message: Message) -> None:
        """Take a seat; a match that is played with the same seed again should go the same way."""
        self.game = message["game"]
        self.seat = message["seat"]
        self.random = random.Random(message["seed"])

    def deal_start(self, message: Message) -> None:
        """Look at a fresh deal, ``message["observation"]``."""

    def events(self, events: list[list[Any]]) -> None:
        """See what the seats have done, as [seat, action], since the last decision."""

    def choose(self, observation: Message, legal: list[str]) -> str:
        """Return one of the legal actions. Your own thoughts go here."""
        return self.random.choice(legal)

    def deal_end(self, message: Message) -> None:
        """See the penalties of a deal, ``message["penalties"]``."""

    def match_end(self, message: Message) -> None:
        """See the places of all seats. What is printed goes to the bot's log."""
        print(f"{self.game}: place {message['places'][self.seat]} of {len(message['places'])}")


def handle(player: Player, message: Message) -> Message | None:
    """Let the player have a message; return the answer if it asks for one."""
    player.events(message.get("events", []))
    match message["type"]:
        case "match_start":
            player.match_start(message)
        case "deal_start":
            player.deal_start(message)
        case "act":
            action = player.choose(message["observation"], message["legal"])
            return {"type": "action", "id": message["id"], "action": action}
        case "deal_end":
            player.deal_end(message)
        case "match_end":
            player.match_end(message)
        case "ping":
            return {"type": "pong", "id": message["id"]}
        case _:  # welcome, and what a later version may say
            pass
    return None


def receive(socket: Socket, poller: zmq.Poller) -> Message:
    """Return the next message; exit when the arena is gone, which the end of stdin tells."""
    while True:
        ready = dict(poller.poll())
        if socket in ready:
            return dict(json.loads(socket.recv()))
        if sys.stdin.fileno() in ready and not os.read(sys.stdin.fileno(), 1024):
            sys.exit()


def main() -> None:
    """Say hello, then answer until the arena says goodbye."""
    try:
        endpoint, token = os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError as missing:
        sys.exit(f"{missing} is not set: the arena sets it for the bots that it starts")
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(endpoint)
        socket.send_json({"type": "hello", "protocol": 1, "token": token, "name": "starter-python"})
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(sys.stdin.fileno(), zmq.POLLIN)
        player = Player()
        while (message := receive(socket, poller))["type"] != "bye":
            answer = handle(player, message)
            if answer:
                socket.send_json(answer)


if __name__ == "__main__":
    main()

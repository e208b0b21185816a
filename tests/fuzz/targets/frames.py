"""Frames of a bot: a message that can be written again, or a complaint of one short line."""

import json

from arena.play.protocol import Malformed, decode, encode

LONGEST_COMPLAINT = 1500
MESSAGES = (
    {"type": "hello", "protocol": 1, "token": "0123", "name": "a", "version": "2"},
    {"type": "action", "id": 17, "action": "play 7x3"},
    {"type": "pong", "id": 17, "more": [None, True, 1.5e300, {"a": "\ud83c\udf42"}]},
)
SEEDS = [json.dumps(message).encode() for message in MESSAGES]
WORDS = ['"type"', '"hello"', '"action"', '"pong"', '"id"', "\\\\ud83c", "1e400", "-0", "\\xff"]


def run(data: bytes) -> None:
    try:
        message = decode(data)
    except Malformed as complaint:
        text = str(complaint)
        assert text.isprintable(), text
        assert len(text) < LONGEST_COMPLAINT, text
    else:
        assert decode(encode(message)) == message

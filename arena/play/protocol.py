"""The wire messages between the arena and a bot: UTF-8 JSON, one object a frame.

``bots/PROTOCOL.md`` is the document for bot authors; a test keeps it in step with these types.
Unknown keys of a message are ignored; an unknown ``type``, a missing key or a wrong type of value
is malformed.
"""

from typing import Any

import msgspec
from msgspec import Struct

from arena.words import escaped

VERSION = 1
MAX_FRAME = 1 << 20
"""Bytes of the largest frame that a bot may send."""
EXCERPT = 200
"""Bytes of a malformed frame, and characters of what is wrong with it, that are told."""


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Message(Struct, frozen=True, tag_field="type", tag=_snake):
    """Base of all messages; the JSON key ``type`` holds the class's name in snake case."""


class Hello(Message, frozen=True):
    """Bot: the first message, with the token from ARENA_TOKEN."""

    protocol: int
    token: str
    name: str = ""
    version: str = ""


class Action(Message, frozen=True):
    """Bot: the answer to the ``act`` of the same id."""

    id: int
    action: str


class Pong(Message, frozen=True):
    """Bot: the answer to the ``ping`` of the same id."""

    id: int


class Welcome(Message, frozen=True):
    """Arena: the hello was accepted; ``name`` is the bot's name in the league."""

    protocol: int
    arena: str
    name: str


class LimitsMs(Struct, frozen=True):
    """The time limits of a match in milliseconds, 0 for none; the last three of processor time."""

    first_move: int
    move: int
    bank: int
    cpu_move: int
    cpu_match: int
    off_turn: int


class MatchStart(Message, frozen=True):
    """Arena: a match begins. ``seed`` is for the bot's own random numbers, new in each match."""

    match: str
    game: str
    options: dict[str, Any]
    seat: int
    seats: int
    seed: str
    limits: LimitsMs


class DealStart(Message, frozen=True):
    """Arena: a deal begins. ``deal`` counts from 1."""

    deal: int
    observation: dict[str, Any]


class Act(Message, frozen=True):
    """Arena: a decision is asked. ``events`` are the public actions of this deal, as
    [seat, action], since the seat's previous ``act``; ``ms`` is the time allowed, 0 for no
    limit."""

    id: int
    observation: dict[str, Any]
    legal: tuple[str, ...]
    events: list[tuple[int, str]]
    ms: int


class DealEnd(Message, frozen=True):
    """Arena: a deal has ended. ``events`` are those since the seat's last ``act``."""

    deal: int
    penalties: tuple[int, ...]
    totals: tuple[int, ...]
    truncated: bool
    events: list[tuple[int, str]]


class MatchEnd(Message, frozen=True):
    """Arena: the match has ended. A bot that forfeited gets a ``bye`` with the reason instead."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[int, ...]


class Ping(Message, frozen=True):
    """Arena: asks for a ``pong`` of the same id, before a match."""

    id: int


class Bye(Message, frozen=True):
    """Arena: the bot is no longer needed and should exit."""

    reason: str


FromBot = Hello | Action | Pong
FromArena = Welcome | MatchStart | DealStart | Act | DealEnd | MatchEnd | Ping | Bye


class Malformed(ValueError):
    """A frame that is not a message a bot may send; the text says what is wrong."""


_decoder: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_arena_decoder: msgspec.json.Decoder[FromArena] = msgspec.json.Decoder(FromArena)
encode = msgspec.json.Encoder().encode


def decode(frame: bytes) -> FromBot:
    """Return a bot's message; raise Malformed."""
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"{escaped(str(error))[:EXCERPT]}; got {excerpt(frame)}") from None


def decode_arena(frame: bytes) -> FromArena:
    """Return the arena's message; raise msgspec.DecodeError. Used by tools and tests."""
    return _arena_decoder.decode(frame)


def excerpt(frame: bytes, limit: int = EXCERPT) -> str:
    """Return the beginning of a frame as printable text."""
    text = ascii(frame[:limit].decode("utf-8", "backslashreplace"))
    return text if len(frame) <= limit else f"{text}... ({len(frame)} bytes)"

"""How a match is kept in a journal: its outcome by itself, and the record of its deals packed."""

import zlib
from typing import Any

import msgspec
from msgspec import Struct

from arena.model import DealRecord, MatchResult, Outcome


class _Record(Struct, frozen=True):
    """What is kept of a match beside its outcome."""

    game: str
    options: dict[str, Any]
    block_seed: str
    deals: tuple[DealRecord, ...]
    fingerprints: tuple[str, ...]


_OUTCOMES, _RECORDS = msgspec.json.Decoder(Outcome), msgspec.json.Decoder(_Record)


def packed(result: MatchResult) -> tuple[bytes, bytes]:
    """Return the outcome and the record of a match as bytes."""
    fields = msgspec.structs.asdict(result)
    del fields["outcome"]
    record = zlib.compress(msgspec.json.encode(_Record(**fields)))
    return msgspec.json.encode(result.outcome), record


def outcome(data: bytes) -> Outcome:
    """Return an outcome; raise MsgspecError if it is none."""
    return _OUTCOMES.decode(data)


def result(data: bytes, record: bytes) -> MatchResult:
    """Return a match; raise MsgspecError or zlib.error if it is none."""
    fields = msgspec.structs.asdict(_RECORDS.decode(zlib.decompress(record)))
    return MatchResult(outcome(data), **fields)

"""What the runner and its worker processes tell each other: JSON over a pipe."""

import msgspec
from msgspec import Struct

from arena.model import Entrant, Fixture, MatchResult, Terms, Void


class Setup(Struct, frozen=True, tag="setup"):
    """Runner: all that a worker needs before its first fixture. ``core`` is None unpinned."""

    terms: Terms
    entrants: tuple[Entrant, ...]
    sockets: str
    logs: str
    label: str
    core: int | None


class Play(Struct, frozen=True, tag="play"):
    """Runner: play this fixture; the bots named in ``suspended`` forfeit."""

    fixture: Fixture
    suspended: tuple[str, ...]


class Running(Struct, frozen=True, tag="running"):
    """Worker: these are the processes of its bots now; each leads a group of the same id."""

    pids: tuple[int, ...]


class Finished(Struct, frozen=True, tag="finished"):
    """Worker: a fixture has been played."""

    result: MatchResult


class Voided(Struct, frozen=True, tag="voided"):
    """Worker: a fixture could not be finished, by no fault of a bot."""

    void: Void


ToWorker = Setup | Play
FromWorker = Running | Finished | Voided

encode = msgspec.json.Encoder().encode
decode_order = msgspec.json.Decoder[ToWorker](ToWorker).decode
decode_report = msgspec.json.Decoder[FromWorker](FromWorker).decode

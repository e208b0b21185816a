"""The frozen values that all rooms share. All of them can be written as JSON."""

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

Seat = int
BOT_FILE = "bot.toml"
"""The file that makes a folder a bot."""


class FaultKind(StrEnum):
    """What went wrong with a bot."""

    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    TIMEOUT = "timeout"
    CPU = "cpu"
    EXITED = "exited"
    NOT_READY = "not_ready"


class Entrant(Struct, frozen=True):
    """A bot in a league: how to start it and what it is called.

    ``command`` is an argument list that is run in ``folder`` (an absolute path), with ``env``
    added to the environment. An inactive entrant keeps its results and gets no new fixtures.
    ``build`` is the command that builds it there, empty if there is nothing to build, and
    ``fingerprint`` identifies the bot's files; ``original`` those with which it came into the run,
    empty before there is a run. A bot in Python that is ``prewarmed`` starts as a fork of an
    interpreter that has loaded pyzmq, where its sandbox allows that.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    env: dict[str, str] = field(default_factory=dict)
    transport: Literal["ipc", "tcp"] = "ipc"
    active: bool = True
    manual: bool = False
    fingerprint: str = ""
    build: tuple[str, ...] = ()
    original: str = ""
    prewarmed: bool = False

    @property
    def identity(self) -> str:
        """The name; of a version that is not the bot's first in the run, name/fingerprint.

        Names have no ``/``. Ids and deals are derived from identities.
        """
        first = not self.original or self.fingerprint == self.original
        return self.name if first else f"{self.name}/{self.fingerprint}"


OffTurn = Literal["report", "fault"]
"""What comes of processor time that a bot uses while it is not asked."""


class Limits(Struct, frozen=True):
    """Time limits of a bot in milliseconds.

    ``start`` is from launch to hello, ``first_move`` for the first decision of a match, ``move``
    for each later one, ``bank`` an extra per match that is used up when a decision runs over.

    ``cpu_move`` bounds the processor time of each decision but the first, ``cpu_match`` that of a
    match, asked or not; 0 is no limit. ``off_turn`` says whether it is a fault to use more than
    ``off_turn_ms``, and a share of the time, while not asked.
    """

    start: int = 10_000
    first_move: int = 5_000
    move: int = 1_000
    bank: int = 0
    cpu_move: int = 0
    cpu_match: int = 0
    off_turn: OffTurn = "report"
    off_turn_ms: int = 1_000

    @property
    def metered(self) -> bool:
        """Whether any of them bounds processor time."""
        return bool(self.cpu_move or self.cpu_match) or self.off_turn == "fault"


class FaultPolicy(Struct, frozen=True):
    """What faults cost: ``tolerate`` illegal, malformed, late or too costly answers of a match
    pass with the house move; after ``suspend`` failed starts in a row it is started no more."""

    tolerate: int = 0
    suspend: int = 3


Level = Literal["auto", "none", "limits", "full"]
USUAL_LEVEL: Level = "auto"
"""The level of a sandbox where none is asked for."""


class Sandbox(Struct, frozen=True):
    """What a bot's process may do, as ``arena/play/SECURITY.md`` says.

    ``memory`` is in bytes, ``threads`` counts those of all its processes, ``files`` is in bytes:
    the largest file that it may write, and at the level ``full`` all its files together. ``read``
    lists files and folders that it may read besides what it needs to run.
    """

    level: Level = "none"
    memory: int = 512 << 20
    threads: int = 128
    files: int = 16 << 20
    read: tuple[str, ...] = ()


class Terms(Struct, frozen=True):
    """What all matches of a league have in common.

    ``options`` holds the game's options as given; the game fills in its defaults for each table.
    """

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    faults: FaultPolicy = field(default_factory=FaultPolicy)
    restart: Literal["auto", "match", "never"] = "auto"
    sandbox: Sandbox = field(default_factory=Sandbox)


class Stage(Struct, frozen=True):
    """A part of a run in which the same fixtures were to be played.

    It begins with result number ``since``, counted from 0 as results were recorded, and ends where
    the next one begins. ``bots`` are the identities of those active, ``options`` the format's.
    """

    since: int
    bots: tuple[str, ...]
    options: dict[str, Any]


class League(Struct, frozen=True):
    """A whole league: its terms, its bots, its format and how it is to be run.

    ``seats`` lists the table sizes to be played. ``format_options`` are the keys of ``[format]``
    but ``kind``, checked and with defaults, such as ``{"blocks": 10, "rotations": "all"}``.
    ``workers`` is None for one worker a core. ``scheduler`` is the address of the executor's, empty
    where none is given. ``rating`` is the kind of ratings that the standings have, empty for none,
    and ``anchor`` the bot of which the rating is fixed. ``source`` is the path of the league file.
    ``stages`` are those of the run, oldest first, none before it begins. ``twins`` maps bots to
    those of which they get the seats and the cards, with the same table-mates.
    """

    name: str
    seed: str
    seats: tuple[int, ...]
    terms: Terms
    format: str
    format_options: dict[str, Any]
    entrants: tuple[Entrant, ...]
    workers: int | None = None
    pin: bool = True
    executor: str = "local"
    scheduler: str = ""
    rating: str = ""
    anchor: str = ""
    source: str = ""
    stages: tuple[Stage, ...] = ()
    twins: dict[str, str] = field(default_factory=dict)

    @property
    def active(self) -> tuple[str, ...]:
        """The identities of the active bots in the order of their names."""
        bots = sorted(self.entrants, key=lambda entrant: entrant.name)
        return tuple(bot.identity for bot in bots if bot.active)


class Fixture(Struct, frozen=True):
    """A match to be played. ``seats`` holds the entrants' names by seat.

    ``block_seed`` seeds the deals that all rotations of the block share; ``block_id`` names the
    block: the same composition and block number give the same text.
    """

    id: str
    seats: tuple[str, ...]
    composition: str
    block: int
    rotation: int
    block_seed: str

    @property
    def block_id(self) -> str:
        return f"{self.composition}/{self.block}"


class Fault(Struct, frozen=True):
    """One fault of one seat. ``deal`` is 1-based, 0 before the first deal; ``action`` is the
    index, within the deal, of the house move that replaced the answer, None when none was asked.
    ``ms`` is the time taken until the fault was certain, and ``cpu`` the milliseconds of processor
    time that the bot used in it, None where that is not measured. ``output`` holds the last lines
    that the bot printed, ``log`` the file with all of them, relative to the run's folder."""

    seat: Seat
    deal: int
    action: int | None
    kind: FaultKind
    ms: float | None
    detail: str
    output: str = ""
    log: str = ""
    cpu: float | None = None


class Spent(Struct, frozen=True):
    """Milliseconds of a seat in a match: the processor time that its bot used while it was asked
    and while it was not (``off_turn``), and the time for which it was not asked (``waiting``)."""

    asked: float
    off_turn: float
    waiting: float


class DealRecord(Struct, frozen=True):
    """One deal as it was played: enough to simulate it again.

    ``setup`` is the game's own record of the chance in the deal (hands, first seat, ...).
    ``actions`` holds (seat, action, milliseconds or None for a house move) in order.
    ``penalties`` is None when the match ended before the deal did.
    """

    setup: dict[str, Any]
    actions: tuple[tuple[Seat, str, float | None], ...]
    penalties: tuple[int, ...] | None
    truncated: bool


class Lag(Struct, frozen=True):
    """Milliseconds of the arena's own in a match of so many ``decisions``, in all and the longest.

    ``work`` is between an answer and the next question; ``wait`` is for a processor, by threads
    that are ready to go on, and the longest within one decision; None where it is not known.
    """

    decisions: int
    work: float
    longest_work: float
    wait: float | None
    longest_wait: float | None


class Outcome(Struct, frozen=True):
    """What the standings need to know of a match; all tuples but ``faults`` are by seat.

    ``penalties`` sums the penalties of complete deals, ``deals`` counts those. ``forfeited``
    lists the seats that forfeited, in order. ``decisions`` counts answers. ``times`` holds for each
    seat a histogram of its decision times: {bucket: count} with buckets of ``arena.model.bucket``.
    ``stale`` counts answers to other ids than the one asked, which were dropped. ``digest`` is that
    of the cards and actions (``arena.model.digest``), empty where it is not known. ``versions`` are
    the bots' identities, empty where all of them are the names. ``spent`` has None for seats whose
    processor time was not measured, and is empty where none was. ``lag`` is None where nothing was
    asked, or in runs of earlier arenas.
    """

    match: str
    composition: str
    block: int
    rotation: int
    seats: tuple[str, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    deals: int
    forfeited: tuple[Seat, ...]
    faults: tuple[Fault, ...]
    ended: Literal["complete", "forfeit"]
    times: tuple[dict[int, int], ...]
    stale: tuple[int, ...] = ()
    digest: str = ""
    versions: tuple[str, ...] = ()
    spent: tuple[Spent | None, ...] = ()
    lag: Lag | None = None

    @property
    def block_id(self) -> str:
        return f"{self.composition}/{self.block}"

    @property
    def identities(self) -> tuple[str, ...]:
        """The bots by seat, as ``Entrant.identity`` has them."""
        return self.versions or self.seats


class MatchResult(Struct, frozen=True):
    """A finished match: its outcome, and its record deal by deal.

    ``options`` are the game's options for this table, defaults included; ``fingerprints`` are
    those of the bots by seat.
    """

    outcome: Outcome
    game: str
    options: dict[str, Any]
    block_seed: str
    deals: tuple[DealRecord, ...]
    fingerprints: tuple[str, ...] = ()

    @property
    def fixture(self) -> Fixture:
        """The match as it was before it was played."""
        outcome = self.outcome
        return Fixture(
            id=outcome.match,
            seats=outcome.seats,
            composition=outcome.composition,
            block=outcome.block,
            rotation=outcome.rotation,
            block_seed=self.block_seed,
        )


class Void(Struct, frozen=True):
    """A match that the arena itself failed to finish; it is played again under the same id."""

    match: str
    reason: str


def digest(deals: Iterable[DealRecord]) -> str:
    """Return 16 hex digits for the cards and actions of a match: equal when they are all equal."""
    played = [(deal.setup, [move[:2] for move in deal.actions]) for deal in deals]
    return hashlib.sha256(msgspec.json.encode(played)).hexdigest()[:16]


BUCKETS_PER_DOUBLING = 8


def bucket(ms: float) -> int:
    """Return the histogram bucket of a decision time: 8 buckets for each doubling, 0 at 1 µs."""
    microseconds = ms * 1000.0
    if microseconds < 1.0:
        return 0
    exponent = int(microseconds).bit_length() - 1
    return exponent * BUCKETS_PER_DOUBLING + int(
        (microseconds / (1 << exponent) - 1.0) * BUCKETS_PER_DOUBLING
    )


def bucket_ms(index: int) -> float:
    """Return the middle of a bucket in milliseconds."""
    exponent, step = divmod(index, BUCKETS_PER_DOUBLING)
    return (1 << exponent) * (1.0 + (step + 0.5) / BUCKETS_PER_DOUBLING) / 1000.0

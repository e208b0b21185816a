"""The values that standings are made of."""

from msgspec import Struct


class Row(Struct, frozen=True):
    """One bot's line. Only complete blocks count; a figure without any match is None.

    ``share`` is the mean over blocks, ``low`` and ``high`` its 95 % interval. Bots that have a
    letter of ``groups`` in common are not separated; it is empty below 5 blocks. A win that is
    tied counts as one divided by the number of tied winners. ``mean_penalty`` is per deal, without
    the matches that the bot forfeited. ``faults`` has every kind as a key. ``ends`` counts the
    bot's matches by what ended them for it: "complete", or the kind of the fault that forfeited.
    """

    rank: int
    bot: str
    matches: int
    blocks: int
    wins: float
    share: float | None
    low: float | None
    high: float | None
    groups: tuple[str, ...]
    mean_place: float | None
    mean_penalty: float | None
    faults: dict[str, int]
    forfeits: int
    ends: dict[str, int]
    stale: int


class Duel(Struct, frozen=True):
    """The share of ``bot`` against ``opponent`` alone: the mean over the blocks in which they met,
    ``low`` and ``high`` its 95 % interval."""

    bot: str
    opponent: str
    share: float
    low: float | None
    high: float | None
    matches: int


class Pair(Struct, frozen=True):
    """By how much the share of ``bot`` is above that of ``other``, which is behind or equal.

    The blocks that both played are paired, the others are independent. ``low`` and ``high`` are
    the 95 % interval of this difference alone; ``p`` is adjusted for all pairs of the standings,
    by Holm's method. ``common`` counts the blocks of both. ``needed`` is how many more blocks each
    of the two needs for a chance of four in five to be separated, if the difference stays what it
    is: 0 when they are, None when there is no difference.
    """

    bot: str
    other: str
    difference: float
    low: float
    high: float
    p: float
    common: int
    needed: int | None


class SeatShares(Struct, frozen=True):
    """Mean shares by seat at tables of one size: of all bots, and of each bot.

    ``lows`` and ``highs`` are the 95 % intervals of ``shares``, None below 5 blocks; ``p`` tests
    whether any seat has an advantage, adjusted for the number of seats. A bot that never sat in a
    seat has None there.
    """

    seats: int
    matches: int
    shares: tuple[float, ...]
    lows: tuple[float, ...] | None
    highs: tuple[float, ...] | None
    p: float | None
    bots: dict[str, tuple[float | None, ...]]


class LeftOut(Struct, frozen=True):
    """The standing of ``bot`` when its meetings with ``without`` are not counted.

    ``share`` is the mean over all meetings with the others.
    """

    without: str
    rank: int
    bot: str
    share: float


class Incomplete(Struct, frozen=True):
    """A block of which some rotations are missing; it is not counted. ``bots`` are sorted."""

    block: str
    bots: tuple[str, ...]
    played: int
    rotations: int


class Rating(Struct, frozen=True):
    """The rating of a bot on the Elo scale; ``low`` and ``high`` are its 95 % interval.

    There is none below 5 blocks, nor for bots that nothing but the prior holds, such as one that
    won everything, or nothing but the prior holds to the anchor, such as all others if it lost
    everything. ``part`` numbers the bots that are connected by matches, from 1.
    """

    bot: str
    rating: float
    low: float | None
    high: float | None
    part: int


class Ratings(Struct, frozen=True):
    """Ratings of one kind, best first within each part.

    The mean of a part is 1500, or ``anchor`` has 1500 in its part; ratings of different ``parts``
    cannot be compared.
    """

    kind: str
    anchor: str
    parts: int
    rows: tuple[Rating, ...]


class Standings(Struct, frozen=True):
    """The standings; ``matches`` and ``blocks`` are those that count.

    ``rows`` are in rank order, ``pairs`` in that of their bots' shares; ``duels``, ``without`` and
    the bots of ``seats`` in the order of names. ``repeated`` counts the blocks that are not
    counted because they were played before, move for move, with the same cards. ``ratings`` is
    None unless the league asks for them.
    """

    rows: tuple[Row, ...]
    duels: tuple[Duel, ...]
    pairs: tuple[Pair, ...]
    seats: tuple[SeatShares, ...]
    without: tuple[LeftOut, ...]
    matches: int
    blocks: int
    repeated: int
    incomplete: tuple[Incomplete, ...]
    ratings: Ratings | None = None

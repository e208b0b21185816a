"""Swiss: rounds in which bots of near-equal standing meet, and new table-mates where possible.

A round is drawn when all matches of the one before are played, from the results so far alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from arena.errors import OptionError
from arena.league.formats._blocks import (
    Block,
    Listed,
    by_name,
    check_bots,
    check_rotations,
    check_whole,
    checked,
    in_order,
    name_of,
    rotations,
)
from arena.league.formats._pairing import Shape, layout, seat, shapes_of
from arena.league.formats._seating import Place, turned
from arena.league.formats.base import Extent, Plan
from arena.model import Fixture, League, Outcome
from arena.results.scoring import half_points
from arena.seeds import derive

MOST = 10_000
"""The most blocks of a bot: so many are planned in some seconds."""


class Swiss:
    """Rounds of tables; those that are too small are filled with the house bot if there is one."""

    key = "swiss"
    growing = ("rounds",)

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of ``[format]`` with defaults; raise OptionError."""
        options = checked(given, {"rounds": 5, "blocks": 1, "rotations": "all"}, "house")
        check_whole("rounds", options["rounds"])
        check_whole("blocks", options["blocks"])
        _check_most("blocks", options["blocks"], MOST)
        _check_most("rounds", options["rounds"], MOST // options["blocks"])
        if not isinstance(options.get("house", ""), str):
            raise OptionError("house", f"{options['house']!r} must be the name of a bot")
        return options

    def fit(self, league: League) -> None:
        """Raise OptionError for too many rotations, or a house bot that is none of the league."""
        check_rotations(league)
        house = league.format_options.get("house")
        check_bots("house", [] if house is None else [house], league)

    def rotations(self, options: Mapping[str, Any], seats: int) -> int:
        """Return how many seatings of a block are played at tables of this size."""
        return rotations(options, seats)

    def plan(self, league: League, outcomes: Iterable[Outcome] = ()) -> Plan:
        """Return the plan of a run with these outcomes."""
        return _Rounds(league, outcomes)


class _Rounds:
    """The rounds of a run up to the one that is being played.

    A round is closed when the next one has begun: what is missing of it then, because a bot was
    retired, is not played any more.
    """

    def __init__(self, league: League, outcomes: Iterable[Outcome]) -> None:
        self._league = league
        self._played: dict[int, list[Outcome]] = {}
        self._since: dict[int, int] = {}
        self._done: set[str] = set()
        for number, outcome in enumerate(outcomes):
            of_round = (outcome.block - 1) // league.format_options["blocks"] + 1
            self._played.setdefault(of_round, []).append(outcome)
            self._since.setdefault(of_round, number)
            self._done.add(outcome.match)
        self._draw = _Draw(league)
        self._blocks: list[Block] = []
        self._playable: list[Block] = []
        self._left = league.format_options["rounds"]
        while self._left and not self._missing():
            self._next_round()
        self._listed = Listed(league, self._blocks)

    def extent(self) -> Extent:
        """Return the size of the league if its bots stay the same."""
        options, draw = self._league.format_options, self._draw
        done = sum(self.includes(o) for played in self._played.values() for o in played)
        players, house = _sides(self._league, self._league.active)
        tables = draw.tables(len(players), house)
        sizes = [table.players + table.house for table in tables]
        each = draw.blocks_of(players, tables, self._left)
        return Extent(
            compositions=len(self._blocks) // options["blocks"] + self._left * len(tables),
            blocks=len(self._blocks) + self._left * len(tables) * options["blocks"],
            matches=done
            + self._missing()
            + self._left * options["blocks"] * sum(rotations(options, size) for size in sizes),
            fewest=min(each),
            most=max(each),
        )

    def includes(self, outcome: Outcome) -> bool:
        """Return whether the outcome is that of one of the fixtures."""
        return self._listed.includes(outcome)

    def fixtures(self) -> Iterator[Fixture]:
        """Yield the fixtures of the last round that was drawn."""
        return in_order(self._league, self._playable)

    def _next_round(self) -> None:
        options = self._league.format_options
        number = options["rounds"] - self._left + 1
        self._left -= 1
        drawn = self._draw.round(number, self._participants(number))
        self._draw.count(self._played.get(number, ()))
        self._blocks += drawn
        active = set(self._league.active)
        closed = number < max(self._played, default=0)
        self._playable = [] if closed else [b for b in drawn if active.issuperset(b.bots)]

    def _missing(self) -> int:
        """Return how many matches of the last round that was drawn are still to be played."""
        return sum(fixture.id not in self._done for fixture in self.fixtures())

    def _participants(self, number: int) -> Sequence[str]:
        """Return the bots that were active when a round began."""
        since = self._since.get(number)
        if since is None or not self._league.stages:
            return self._league.active
        return [stage for stage in self._league.stages if stage.since <= since][-1].bots


class _Draw:
    """Draws round after round."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._points: dict[str, tuple[int, int]] = {}
        self._met: Counter[frozenset[str]] = Counter()
        self._rounds: Counter[str] = Counter()
        self._out: Counter[str] = Counter()
        self._seats: Counter[Place] = Counter()

    def tables(self, players: int, house: Sequence[str]) -> tuple[Shape, ...]:
        """Return the tables for so many players; ``house`` is the house bot, or nobody."""
        return layout(players, shapes_of(self._league.seats, house=bool(house)))

    def round(self, number: int, bots: Sequence[str]) -> list[Block]:
        """Return the blocks of a round of these bots."""
        players, house = _sides(self._league, bots)
        shapes = self.tables(len(players), house)
        tables = seat(self._ranked(number, players, shapes), shapes, self._met)
        blocks = self._league.format_options["blocks"]
        drawn = [
            Block(by_name((*table, *house) if shape.house else table), block)
            for block in range((number - 1) * blocks + 1, number * blocks + 1)
            for table, shape in zip(tables, shapes, strict=True)
        ]
        for table in tables:
            self._rounds.update(table)
            for index, player in enumerate(table):
                self._met.update(frozenset((player, mate)) for mate in table[:index])
        if all(rotations(self._league.format_options, s) == s for s in self._league.seats):
            return drawn
        return turned(self._league, drawn, {}, self._seats)

    def count(self, outcomes: Iterable[Outcome]) -> None:
        """Count the results of a round."""
        for outcome in outcomes:
            most = 2 * (len(outcome.seats) - 1)
            for bot, halves in zip(outcome.identities, half_points(outcome.places), strict=True):
                points, of = self._points.get(bot, (0, 0))
                self._points[bot] = points + halves, of + most

    def blocks_of(self, players: Sequence[str], tables: Sequence[Shape], rounds: int) -> list[int]:
        """Return how many blocks the players have with so many more rounds."""
        out = sorted((self._out[player], self._rounds[player]) for player in players)
        seated = sum(table.players for table in tables)
        for _ in range(rounds):
            rest = len(out) - seated
            out = sorted(
                (count + 1, played) if n < rest else (count, played + 1)
                for n, (count, played) in enumerate(out)
            )
        return [played * self._league.format_options["blocks"] for _, played in out]

    def _ranked(self, number: int, players: Sequence[str], shapes: Sequence[Shape]) -> list[str]:
        """Return the players of a round by standing, without those that sit out.

        Those that have sat out least do, and of them those of low standing; a player without a
        result is in the middle. Lots decide between equals.
        """
        least = min((self._out[player] for player in players if player in self._out), default=0)

        def standing(player: str) -> tuple[Fraction, str]:
            points, most = self._points.get(player, (1, 2))
            lot = derive(self._league.seed, "swiss", number, name_of(player))
            return -Fraction(points, most), lot

        for player in players:
            self._out.setdefault(player, least)
        ranked = sorted(players, key=standing)
        seated = sum(shape.players for shape in shapes)
        rank = {player: n for n, player in enumerate(ranked)}
        by_turn = sorted(ranked, key=lambda player: (self._out[player], -rank[player]))
        out = by_turn[: len(players) - seated]
        self._out.update(out)
        return [player for player in ranked if player not in out]


def _check_most(key: str, value: int, most: int) -> None:
    if value > most:
        raise OptionError(
            key,
            f"{value} must be at most {most}: a bot has at most {MOST} blocks, rounds times blocks",
        )


def _sides(league: League, bots: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the players, and the house bot if it is one of the bots."""
    house = league.format_options.get("house")
    return (
        [bot for bot in bots if name_of(bot) != house],
        [bot for bot in bots if name_of(bot) == house],
    )


PLUGIN = Swiss()

"""The tables for those who ask how far the standings can be believed."""

from arena.results.tables import Pair, Rating, Ratings, Row, Standings
from arena.views.grid import Grid, columns
from arena.views.text import DASH, counted, number, probability

_PARTS = (
    "no matches connect the {} parts: the ratings of bots of different parts cannot be compared"
)
_MANY = 1_000_000
"""Blocks that nobody will play."""


def pair_grid(table: Standings) -> Grid:
    """Return the difference of every two bots."""
    return Grid(
        columns=columns("<bot", "<other", ">difference", ">95%", ">p", ">common", ">needed"),
        rows=tuple(_pair(pair) for pair in table.pairs),
        notes=(
            "by how much the share of the first is higher; p is adjusted for all pairs",
            "common: blocks of both; needed: more of each, to be separated in 4 of 5 leagues",
        ),
        flexible=0,
    )


def without_grid(table: Standings) -> Grid:
    """Return the rank of each row's bot when the bot of each column is left out."""
    ranks = {(line.bot, line.without): str(line.rank) for line in table.without}
    return Grid(
        columns=columns(">#", "<bot", *(f">-{row.rank}" for row in table.rows)),
        rows=tuple(
            (
                str(row.rank),
                row.bot,
                *(ranks.get((row.bot, other.bot), DASH) for other in table.rows),
            )
            for row in table.rows
        ),
        notes=("rank of the row when meetings with the bot of the column are not counted",),
        flexible=1,
    )


def end_grid(table: Standings) -> Grid:
    """Return how matches ended for each bot."""
    kinds = list(table.rows[0].ends) if table.rows else []
    return Grid(
        columns=columns("<bot", ">matches", *(f">{_heading(kind)}" for kind in kinds)),
        rows=tuple(_ends(row) for row in table.rows),
        notes=("matches played to the end, and those forfeited by the kind of the fault",),
        flexible=0,
    )


def rating_grid(table: Standings) -> Grid:
    """Return the ratings, part by part."""
    ratings = table.ratings or Ratings("", "", 0, ())
    parts = ratings.parts > 1
    heading = columns(">#", "<bot", ">rating", "<95%", *([">part"] if parts else []))
    return Grid(
        columns=heading,
        rows=tuple(_rating(rank, row)[: len(heading)] for rank, row in enumerate(ratings.rows, 1)),
        notes=(
            f"{ratings.kind} on the Elo scale, "
            + (f"{ratings.anchor} fixed at 1500" if ratings.anchor else "mean 1500"),
            *([_PARTS.format(ratings.parts)] if parts else []),
        ),
        flexible=1,
    )


def _rating(rank: int, row: Rating) -> tuple[str, ...]:
    known = row.low is not None and row.high is not None
    span = f"{row.low:.0f}-{row.high:.0f}" if known else DASH
    return str(rank), row.bot, f"{row.rating:.0f}", span, str(row.part)


def _pair(pair: Pair) -> tuple[str, ...]:
    return (
        pair.bot,
        pair.other,
        number(pair.difference, 3),
        f"{pair.low:+.2f} {pair.high:+.2f}",
        probability(pair.p),
        str(pair.common),
        _needed(pair.needed),
    )


def _needed(blocks: int | None) -> str:
    if blocks is None:
        return DASH
    return str(blocks) if blocks <= _MANY else f">{_MANY}"


def _ends(row: Row) -> tuple[str, ...]:
    return (
        row.bot,
        str(row.matches),
        *map(counted, row.ends.values()),
    )


def _heading(kind: str) -> str:
    return kind.replace("_", " ")

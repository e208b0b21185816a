"""What commands compute from the journal of a run: standings, ratings and times."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from arena import plugins
from arena.config import RATING
from arena.league.formats.base import Format
from arena.league.journal import Journal
from arena.league.seasons import current
from arena.model import League, Outcome
from arena.results.complete import CompleteBlocks
from arena.results.ratings.base import Rater
from arena.results.standings import standings
from arena.results.tables import Ratings, Standings
from arena.results.times import Times, decision_times

Selection = Callable[[League, Iterable[Outcome]], Iterator[Outcome]]


def standings_of(journal: Journal, select: Selection = current, *, rated: bool = True) -> Standings:
    """Return the standings of a run, with ratings if its league has them and ``rated`` is true.

    ``select`` chooses what counts: unless told otherwise, the matches of bots as they are now.
    """
    league = journal.league()
    names = [entrant.name for entrant in league.entrants if entrant.active]
    table = standings(select(league, journal.outcomes()), rotations_of(league), names)
    return replace(table, ratings=ratings_of(journal, select)) if rated and league.rating else table


def times_of(journal: Journal) -> Times:
    """Return the times of bots as they are now, and of the arena in their matches."""
    return decision_times(current(journal.league(), journal.outcomes()))


def ratings_of(journal: Journal, select: Selection = current) -> Ratings:
    """Return the ratings of a run, of the usual kind if its league names none."""
    league = journal.league()
    rater: Rater = plugins.load("ratings", league.rating or RATING)
    blocks = CompleteBlocks(select(league, journal.outcomes()), rotations_of(league))
    return rater.rate(blocks, league.anchor)


def rotations_of(league: League) -> dict[int, int]:
    """Return the matches of a complete block by table size."""
    league_format: Format = plugins.load("formats", league.format)
    return {seats: league_format.rotations(league.format_options, seats) for seats in league.seats}

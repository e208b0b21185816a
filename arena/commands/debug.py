"""Put a bot in a seat of a recorded match, and show where it answers otherwise."""

import time
from pathlib import Path

import click
from msgspec.structs import replace

from arena import plugins
from arena.commands.match import make_ready, one_table, sandbox_of
from arena.commands.reading import reading
from arena.entrants import as_of_now, load_bot
from arena.errors import ArenaError, ConfigError
from arena.games.base import Game
from arena.model import Entrant, League, Level, MatchResult, Seat
from arena.play.again import answers, conversation, questions
from arena.play.pool import Pool
from arena.play.process import BYE_SECONDS
from arena.play.referee import Failure
from arena.play.table import forfeit_reason
from arena.views.grid import printable
from arena.views.reactions import difference_lines, version_line


def debug(
    folder: Path, match: str, *, seat: Seat, bot: str | None, wire: bool, level: Level | None
) -> None:
    """Ask a bot what a seat was asked in a match; raise ArenaError unless it answers the same.

    ``bot`` is a reference as for ``load_bot``; None for the bot that sat there.
    """
    with reading(folder) as journal:
        league, result = journal.league(), journal.result(match)
        _debug(league, result, seat, bot, wire=wire, level=level)


def _debug(
    league: League,
    result: MatchResult,
    seat: Seat,
    bot: str | None,
    *,
    wire: bool,
    level: Level | None,
) -> None:
    _check_seat(result, seat)
    entrant = _entrant(league, result, seat, bot)
    terms = replace(league.terms, sandbox=sandbox_of(level, league.terms.sandbox))
    make_ready([entrant], terms.sandbox)
    click.echo(version_line(result, seat, entrant, replaced=bot is not None))
    with one_table(terms, _Wire() if wire else None) as (pool, place):
        problem = _ask_all(pool, entrant, league, result, seat)
    if (logs := place / "logs").exists():
        click.echo(f"what the bot printed: {logs}", err=True)
    if problem:
        raise ArenaError(problem)
    click.echo(f"the same again: {questions(result, seat)} answers")


def _check_seat(result: MatchResult, seat: Seat) -> None:
    """Raise ConfigError when there is no such seat, or when it was told nothing."""
    outcome = result.outcome
    if seat not in range(len(outcome.seats)):
        raise ConfigError(f"there is no seat {seat}: the match has 0 to {len(outcome.seats) - 1}")
    for fault in outcome.faults:
        if fault.seat == seat and fault.deal == 0:
            why = f"{fault.kind}: {printable(fault.detail)}"
            raise ConfigError(f"seat {seat}, {outcome.seats[seat]}, was told nothing: {why}")


def _entrant(league: League, result: MatchResult, seat: Seat, bot: str | None) -> Entrant:
    if bot is not None:
        return load_bot(bot, base=Path.cwd(), game=result.game)
    name = result.outcome.seats[seat]
    try:
        return as_of_now(next(entrant for entrant in league.entrants if entrant.name == name))
    except ConfigError as error:
        raise ConfigError(f"{error}; name a bot with --bot") from None


def _ask_all(
    pool: Pool, entrant: Entrant, league: League, result: MatchResult, seat: Seat
) -> str | None:
    """Show every difference; return what was not as recorded, None if all was."""
    game: Game = plugins.load("games", result.game)
    name = result.outcome.seats[seat]
    seated = replace(entrant, name=name)
    bot = pool.seat(result.fixture, [seated], ())[0]
    if isinstance(bot, Failure):
        return f"{entrant.name}: {bot.kind}: {printable(bot.detail)}"
    asked = different = 0
    for reaction in answers(bot, conversation(result, league.terms, game, seat)):
        asked += 1
        different += not reaction.same
        for line in difference_lines(reaction, seat):
            click.echo(line)
    pool.stop([bot], _farewell(result, seat), BYE_SECONDS)
    left = questions(result, seat) - asked
    if not left and not different:
        return None
    not_asked = f"; {left} more were not asked for, the bot was gone" if left else ""
    return f"{different} of {asked} answers differ from the record{not_asked}"


def _farewell(result: MatchResult, seat: Seat) -> str:
    """Return the reason for the bye: that of the record after a forfeit."""
    if seat not in result.outcome.forfeited:
        return "no more matches are played"
    return forfeit_reason([fault for fault in result.outcome.faults if fault.seat == seat][-1])


class _Wire:
    """Prints every frame with the milliseconds since the first one, and who sent it."""

    def __init__(self) -> None:
        self._start = 0.0

    def __call__(self, _name: str, sender: str, frame: bytes) -> None:
        now = time.monotonic()
        self._start = self._start or now
        text = printable(frame.decode("utf-8", "backslashreplace"))
        click.echo(f"{(now - self._start) * 1000:9.1f} ms  {sender:5}  {text}")

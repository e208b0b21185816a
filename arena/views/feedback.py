"""What the author of one bot is given of a run: its results, and its matches as its seat saw them.

Nothing is in it that the bot could not know: no other hand, no seed of a deal, and no other bot's
faults, times or output. What the bot printed is added elsewhere.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct, structs

from arena.games.base import Game
from arena.model import Fault, League, MatchResult
from arena.play.again import Question, conversation
from arena.play.protocol import Action, encode
from arena.play.referee import Answer
from arena.results.tables import Duel, Standings
from arena.results.times import Times
from arena.views import files, text
from arena.views.grid import Grid, as_text, columns
from arena.views.transcript import transcript

FORMAT = 1
README = """\
{bot} in the league {league}

results.txt, results.json   its line of the standings, and its share against each other bot
faults.json                 what it did wrong, with the last lines that it printed; deals count
                            from 1, actions within a deal from 0
matches/MATCH.txt           a match as it saw it
matches/MATCH.jsonl         the messages that it was sent in the match, one a line, and its actions;
                            PROTOCOL.md and protocol.schema.json describe them. The ids of the
                            questions count from 1 in each match here.
logs/                       what it printed

Paths of the machine on which the league was played are written as <bot>, <run> and the like.
"""


class Part(Struct, frozen=True):
    """A bot's part in a match: its ``seat``, and ``version``, the fingerprint it had."""

    match: str
    seat: int
    seats: tuple[str, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[int, ...]
    ended: str
    version: str


def result_files(
    league: League, bot: str, table: Standings, times: Times, parts: Sequence[Part]
) -> Iterator[tuple[str, str]]:
    """Yield name and content of the files with a bot's results; ``parts`` are all its matches."""
    own = structs.replace(table, rows=tuple(row for row in table.rows if row.bot == bot))
    duels = [duel for duel in table.duels if duel.bot == bot]
    yield "README.txt", README.format(bot=bot, league=league.name)
    yield "results.txt", f"{text.main_table(own)}\n{as_text(_duel_grid(duels), text.WIDTH)}"
    document = {
        "format": FORMAT,
        "league": league.name,
        "game": league.terms.game,
        "bot": bot,
        "bots": len(table.rows),
        "standing": own.rows[0] if own.rows else None,
        "opponents": duels,
        "times": next((line for line in times.bots if line.bot == bot), None),
        "matches": parts,
    }
    yield "results.json", files.pretty(document)


def part(result: MatchResult, bot: str) -> Part:
    """Return a bot's part in a match that it played."""
    outcome = result.outcome
    seat = outcome.seats.index(bot)
    return Part(
        match=outcome.match,
        seat=seat,
        seats=outcome.seats,
        totals=outcome.totals,
        places=outcome.places,
        forfeited=outcome.forfeited,
        ended=outcome.ended,
        version=result.fingerprints[seat] if result.fingerprints else "",
    )


def match_files(
    result: MatchResult, league: League, game: Game, bot: str
) -> Iterator[tuple[str, str]]:
    """Yield name and content of the files of a match that the bot played."""
    seat = result.outcome.seats.index(bot)
    lines = "\n".join(transcript(result, game, seat))
    yield f"matches/{result.outcome.match}.txt", f"{lines}\n"
    messages = b"".join(
        encode(message) + b"\n" for message in _messages(result, league, game, seat)
    )
    yield f"matches/{result.outcome.match}.jsonl", messages.decode()


def fault_file(faults: Sequence[tuple[str, Fault]]) -> tuple[str, str]:
    """Return name and content of the file of a bot's faults, each with the id of its match."""
    listed = [{"match": match, **structs.asdict(fault)} for match, fault in faults]
    return "faults.json", files.pretty(listed)


def _messages(
    result: MatchResult, league: League, game: Game, seat: int
) -> Iterator[msgspec.Struct]:
    """Yield what a seat was sent in a match, and its actions."""
    number = 0
    for said in conversation(result, league.terms, game, seat):
        if not isinstance(said, Question):
            yield said
            continue
        number += 1
        yield said.act(number)
        if isinstance(said.recorded, Answer):
            yield Action(number, said.recorded.action)


def _duel_grid(duels: Sequence[Duel]) -> Grid:
    return Grid(
        columns=columns("<against", ">matches", ">share", ">95%"),
        rows=tuple(
            (
                duel.opponent,
                str(duel.matches),
                text.number(duel.share, 3),
                text.spanned(duel.low, duel.high),
            )
            for duel in duels
        ),
        notes=("share against this bot alone",),
        flexible=0,
    )

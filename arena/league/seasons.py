"""How a league changes in the course of its run: bots that come, go and get new files.

A version of a bot is told by its fingerprint. The first one in a run has the bot's name as its
identity; a later one plays its fixtures anew, with deals of its own.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from arena.model import Entrant, League, Outcome, Stage


def begun(league: League) -> League:
    """Return a league at the beginning of its run."""
    entrants = tuple(_successor(bot, bot) for bot in league.entrants)
    league = replace(league, entrants=entrants)
    return replace(league, stages=(_stage(league, 0),))


def continued(old: League, new: League, outcomes: Iterable[Outcome]) -> League:
    """Return the new league as it goes on from the old one, whose run has these outcomes."""
    before = {bot.name: bot for bot in old.entrants}
    count, met = 0, set[str]()
    for outcome in outcomes:
        count += 1
        met.update(outcome.seats)
    entrants = tuple(
        _successor(before[bot.name] if bot.name in met else bot, bot) for bot in new.entrants
    )
    new = replace(new, entrants=entrants)
    stage, stages = _stage(new, count), old.stages or (_stage(old, 0),)
    if replace(stage, since=stages[-1].since) == stages[-1]:
        return replace(new, stages=stages)
    kept = stages[:-1] if stages[-1].since == count else stages
    return replace(new, stages=(*kept, stage))


def as_of(league: League, number: int) -> League:
    """Return the league as it was in a stage of its run, counted from 0, for its fixtures."""
    stage = league.stages[number]
    return replace(
        league,
        entrants=tuple(map(_entrant, stage.bots)),
        format_options=stage.options,
        stages=league.stages[: number + 1],
    )


def _stage(league: League, since: int) -> Stage:
    return Stage(since, league.active, league.format_options)


def _successor(old: Entrant, new: Entrant) -> Entrant:
    """Return a bot as it goes on from what it was; one that is retired keeps its last version."""
    original = old.original or old.fingerprint
    return replace(new, fingerprint=new.fingerprint or old.fingerprint, original=original)


def _entrant(identity: str) -> Entrant:
    name, slash, fingerprint = identity.partition("/")
    return Entrant(name, (), "", fingerprint=fingerprint, original=slash)

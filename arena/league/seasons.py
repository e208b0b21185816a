"""How a league changes in the course of its run: bots that come, go and get new files.

A version of a bot is told by its fingerprint. The first one in a run has the bot's name as its
identity; a later one plays its fixtures anew, with deals of its own.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

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


def changes(old: League, new: League) -> list[str]:
    """Return what people should know of bots that go on as another version than they were."""
    before = {bot.name: bot.identity for bot in old.entrants}
    names = labels(new)
    return [
        f"{bot.name} has changed since it played: it plays its matches anew, and those that it "
        f"played are now of {names[before[bot.name]]} (arena standings RUN --versions)"
        for bot in new.entrants
        if before.get(bot.name) in names
    ]


def labels(league: League) -> dict[str, str]:
    """Return what the versions that bots had before are called, such as ``greedy@1a2b``, by
    identity: a name and as many digits of the fingerprint, at least 4, as tell them apart."""
    now = {bot.name: bot for bot in league.entrants}
    versions: dict[str, dict[str, str]] = {name: {} for name in now}
    for identity in (bot for stage in league.stages for bot in stage.bots):
        name, _, fingerprint = identity.partition("/")
        versions[name][identity] = fingerprint or now[name].original
    return {
        identity: f"{name}@{fingerprint[: _digits(had.values())]}"
        for name, had in versions.items()
        for identity, fingerprint in had.items()
        if identity != now[name].identity
    }


def current(league: League, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield the outcomes of matches between the versions that bots have now."""
    return _relabelled(outcomes, dict.fromkeys(labels(league)))


def by_version(league: League, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield all outcomes, with the versions that bots had before by their labels."""
    return _relabelled(outcomes, labels(league))


def _relabelled(outcomes: Iterable[Outcome], seats: Mapping[str, str | None]) -> Iterator[Outcome]:
    """Yield outcomes with other names for some identities, without those that have none."""
    for outcome in outcomes:
        if seats and not seats.keys().isdisjoint(outcome.identities):
            pairs = zip(outcome.identities, outcome.seats, strict=True)
            names = [seats.get(identity, name) for identity, name in pairs]
            known = tuple(name for name in names if name is not None)
            if len(known) < len(names):
                continue
            outcome = replace(outcome, seats=known)
        yield outcome


def _digits(fingerprints: Collection[str]) -> int:
    """Return how many digits, from 4, tell fingerprints apart."""
    return next(n for n in range(4, 99) if len({f[:n] for f in fingerprints}) == len(fingerprints))


def _stage(league: League, since: int) -> Stage:
    return Stage(since, league.active, league.format_options)


def _successor(old: Entrant, new: Entrant) -> Entrant:
    """Return a bot as it goes on from what it was; one that is retired keeps its last version."""
    original = old.original or old.fingerprint
    return replace(new, fingerprint=new.fingerprint or old.fingerprint, original=original)


def _entrant(identity: str) -> Entrant:
    name, slash, fingerprint = identity.partition("/")
    return Entrant(name, (), "", fingerprint=fingerprint, original=slash)

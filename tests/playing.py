"""Leagues of formats, and runs of them without a game: places are drawn from the match ids."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from arena import plugins
from arena.league.formats.base import Format, Plan
from arena.league.seasons import begun
from arena.model import Entrant, Fixture, League, Outcome, Terms
from arena.seeds import Stream, derive

NEEDS: dict[str, dict[str, Any]] = {"gauntlet": {"candidates": ["a"]}, "swiss": {"rounds": 3}}
"""Options without which a format cannot be."""


def league(key: str, bots: int = 5, seats: tuple[int, ...] = (3,), **options: Any) -> League:
    """Return a league, at its beginning, of bots named a, b, c, ... in a format."""
    names = [chr(ord("a") + n) if n < 26 else f"z{n}" for n in range(bots)]
    league_format = plugins.load("formats", key)
    some = League(
        name="test",
        seed="13",
        seats=seats,
        terms=Terms(game="leaves"),
        format=key,
        format_options=league_format.check({**NEEDS.get(key, {}), **options}),
        entrants=tuple(Entrant(name, ("true",), "/", fingerprint=f"{name}1") for name in names),
    )
    league_format.fit(some)
    return begun(some)


def plan(some: League, outcomes: Sequence[Outcome] = ()) -> Plan:
    """Return the plan of a league with these outcomes."""
    league_format: Format = plugins.load("formats", some.format)
    return league_format.plan(some, outcomes)


def fixtures(some: League, outcomes: Sequence[Outcome] = ()) -> list[Fixture]:
    """Return the fixtures that the outcomes determine, played or not."""
    return list(plan(some, outcomes).fixtures())


def outcome(some: League, fixture: Fixture) -> Outcome:
    """Return how a fixture ends: always the same, and like nothing else."""
    seats = len(fixture.seats)
    identities = {entrant.name: entrant.identity for entrant in some.entrants}
    versions = tuple(identities[name] for name in fixture.seats)
    places = Stream(derive(fixture.id, "places")).shuffled(range(1, seats + 1))
    return ended(fixture, tuple(places), () if versions == fixture.seats else versions)


def ended(fixture: Fixture, places: tuple[int, ...], versions: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of a fixture that had these places, and nothing else to tell."""
    return Outcome(
        match=fixture.id,
        composition=fixture.composition,
        block=fixture.block,
        rotation=fixture.rotation,
        seats=fixture.seats,
        totals=(0,) * len(places),
        places=places,
        deals=1,
        forfeited=(),
        faults=(),
        ended="complete",
        times=({},) * len(places),
        versions=versions,
    )


def missing(some: League, outcomes: Sequence[Outcome]) -> list[Fixture]:
    """Return the fixtures that the outcomes determine and that have none."""
    played = {outcome.match for outcome in outcomes}
    return [fixture for fixture in fixtures(some, outcomes) if fixture.id not in played]


def playing(
    some: League, outcomes: Sequence[Outcome] = (), *, at_once: int = 1
) -> Iterator[list[Outcome]]:
    """Go on with a run; yield all of its outcomes, from the beginning, after each match.

    ``at_once`` matches are played at the same time, and of them the last one ends first.
    """
    run = list(outcomes)
    while todo := missing(some, run):
        for start in range(0, len(todo), at_once):
            for fixture in reversed(todo[start : start + at_once]):
                run.append(outcome(some, fixture))
                yield list(run)


def played(some: League, outcomes: Sequence[Outcome] = (), *, at_once: int = 1) -> list[Outcome]:
    """Return the outcomes of a run that has been played to its end."""
    run = list(outcomes)
    for outcomes_so_far in playing(some, outcomes, at_once=at_once):
        run = outcomes_so_far
    return run


def retired(some: League, *names: str) -> League:
    """Return the league without some of its bots active."""
    return replace(
        some,
        entrants=tuple(
            replace(entrant, active=entrant.name not in names) for entrant in some.entrants
        ),
    )

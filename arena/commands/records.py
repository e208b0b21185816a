"""Export the records of a run, verify them, and play one of its matches again."""

import contextlib
import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import click
from msgspec.structs import replace

from arena import plugins
from arena.commands.figures import standings_of, times_of
from arena.commands.match import make_ready, one_table, sandbox_of
from arena.commands.reading import reading, verified
from arena.errors import ArenaError, ConfigError
from arena.games.base import Game
from arena.league.chain import Proof
from arena.league.conduct import Difference
from arena.league.journal import Journal
from arena.league.records import as_line
from arena.league.verification import missing
from arena.model import DealRecord, League, Level, MatchResult, Outcome
from arena.play import wary
from arena.play.table import play_at_table
from arena.views import files
from arena.views.progress import fault_lines
from arena.words import plural

_NO_DEAL = DealRecord({}, (), None, truncated=False)


def export(folder: Path, output: Path | None) -> None:
    """Write all matches of a run as lines of JSON."""
    with reading(folder) as journal, writing(output) as file:
        for result in journal.results():
            file.write(f"{as_line(result)}\n".encode())


@contextlib.contextmanager
def writing(output: Path | None) -> Iterator[BinaryIO]:
    """Yield standard output, a device or pipe, or a draft that becomes the file when whole."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if not output.parent.is_dir():
        raise ConfigError(f"--output {output}: there is no folder {output.parent}")
    if output.is_dir():
        raise ConfigError(f"--output {output} is a folder; name a file")
    output = output.resolve()
    if output.exists() and not output.is_file():
        with output.open("wb") as file:
            yield file
        return
    draft = output.with_name(f".{output.name}.draft")
    try:
        with os.fdopen(wary.create(draft), "wb") as file:
            yield file
        draft.replace(output)
    finally:
        draft.unlink(missing_ok=True)


def verify_run(folder: Path, head: str = "") -> None:
    """Check all that a run holds; raise ArenaError with the first thing that is wrong.

    ``head`` is that of a chain that the run must go on from. What is no error but should be known
    is printed: matches that are missing, void matches, and bots that changed during the run.
    """
    versions: dict[str, set[str]] = {}
    with reading(folder) as journal:
        proof = _proof(journal, folder, head)
        results = _noting(journal.results(), versions)
        try:
            outcomes = list(verified(journal, results, whole=proof is not None))
        except Difference as difference:
            raise ArenaError(f"{folder}: {difference}") from None
        if strays := journal.played() - {outcome.match for outcome in outcomes}:
            raise ArenaError(
                f"{folder}: no match has the id {min(strays)}, which a row is named by"
            )
        present = _verify_files(folder, journal, proof) if proof else []
        checked = ", ".join(["deals, actions, penalties, places", *present])
        click.echo(f"{folder}: {plural(len(outcomes), 'match')} verified: {checked}")
        for remark in itertools.chain(
            _missing(journal) if proof else [],
            _chained(journal, proof, head) if proof else [],
            _undigested(outcomes),
            _remarks(len(journal.voids()), versions, journal.sandboxes(), journal.floors()),
        ):
            click.echo(remark)


def _proof(journal: Journal, folder: Path, head: str) -> Proof | None:
    """Return what the chain of a run proves, None if its journal is damaged.

    Raise ArenaError unless the run goes on from a head, if one is given.
    """
    proof = journal.prove(head)
    if proof and head and proof.found is None:
        raise ArenaError(
            f"{folder}: no row has the head {head}: matches were taken away from the end, "
            "or this is another run"
        )
    return proof


def _verify_files(folder: Path, journal: Journal, proof: Proof) -> list[str]:
    """Return the result files that there are; raise ArenaError if one is not what it should be."""
    right = files.texts(standings_of(journal), times_of(journal), proof.head)
    present = [name for name in right if (folder / name).exists()]
    for name in present:
        if (folder / name).read_bytes() != right[name].encode():
            raise ArenaError(
                f"{folder / name} is not what the {plural(proof.results, 'match')} in the journal "
                "give: it was changed, or the run was killed before it could be written; "
                "the command that played the run writes it anew"
            )
    return present


def _missing(journal: Journal) -> Iterator[str]:
    """Yield what is to be said of matches that are not there."""
    absent, first = missing(journal.league(), journal.outcomes)
    if absent:
        yield (
            f"missing: {plural(absent, 'match')} of the league, {first} the first: "
            "the run was stopped before them, or they were removed"
        )


def _chained(journal: Journal, proof: Proof, head: str) -> Iterator[str]:
    """Yield what is to be said of the chain of a journal."""
    if not proof.head:
        yield (
            f"chain: none: the journal has schema {journal.schema}; "
            "the next arena tournament gives it one"
        )
        return
    yield f"head: {proof.head}"
    if head:
        yield f"it goes on from {head}, which had {plural(proof.found or 0, 'match')}"
    if unchained := journal.unchained():
        yield (
            f"chain: it was made for the first {plural(unchained, 'match')} "
            "when the journal was brought to schema 2, not when they were played"
        )
    if len(arenas := journal.arenas()) > 1:
        yield f"arena: {', then '.join(arenas)}"


def _undigested(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield what is to be said of matches from before arenas kept a digest."""
    if count := sum(not outcome.digest for outcome in outcomes):
        yield (
            f"no digest: {plural(count, 'match')} of an early arena; "
            "blocks that repeat others are not known among them"
        )


def _noting(results: Iterable[MatchResult], versions: dict[str, set[str]]) -> Iterator[MatchResult]:
    """Yield the results; note the fingerprints with which each bot played them."""
    for result in results:
        for name, version in zip(result.outcome.seats, result.fingerprints, strict=False):
            versions.setdefault(name, set()).add(version)
        yield result


def _remarks(
    voids: int,
    versions: Mapping[str, set[str]],
    sandboxes: Iterable[str],
    noise: Iterable[str],
) -> Iterator[str]:
    for sandbox in sandboxes:
        yield f"sandbox: {sandbox}"
    for floor in noise:
        yield f"noise floor: {floor}"
    if voids:
        yield f"void: {plural(voids, 'match')}, played again"
    for name, fingerprints in sorted(versions.items()):
        if len(fingerprints) > 1:
            yield f"changed: {name}, which played in {len(fingerprints)} versions"


def rerun(folder: Path, match: str, *, level: Level | None) -> None:
    """Play a recorded match again with the bots of today and show where they differ."""
    with reading(folder) as journal:
        league, old = journal.league(), journal.result(match)
        _rerun(league, old, level)


def _rerun(league: League, old: MatchResult, level: Level | None) -> None:
    outcome = old.outcome
    entrants = {entrant.name: entrant for entrant in league.entrants}
    if missing := [name for name in outcome.seats if not entrants[name].command]:
        raise ConfigError(f"{', '.join(missing)} cannot play: the league file has no command")
    game: Game = plugins.load("games", old.game)
    seats = [entrants[name] for name in outcome.seats]
    terms = replace(league.terms, sandbox=sandbox_of(level, league.terms.sandbox))
    make_ready(seats, terms.sandbox)
    with one_table(terms) as (pool, logs):
        new = play_at_table(old.fixture, seats, terms=terms, game=game, pool=pool)
    click.echo(_comparison(old, new))
    for fault in new.outcome.faults:
        for line in fault_lines(outcome.seats[fault.seat], outcome.match, fault, logs):
            click.echo(line)


def _comparison(old: MatchResult, new: MatchResult) -> str:
    names = old.outcome.seats
    pairs = itertools.zip_longest(old.deals, new.deals, fillvalue=_NO_DEAL)
    for number, (before, now) in enumerate(pairs, 1):
        difference = _first_difference(before, now)
        if difference is None:
            continue
        index, seat, was, is_now = difference
        return (
            f"first difference: deal {number}, action {index}, seat {seat} {names[seat]}: "
            f"recorded {was}, now {is_now}\n"
            f"totals recorded {_list(old.outcome.totals)}, now {_list(new.outcome.totals)}"
        )
    count = sum(len(deal.actions) for deal in old.deals)
    return f"the same again: {count} actions, totals {_list(old.outcome.totals)}"


def _first_difference(before: DealRecord, now: DealRecord) -> tuple[int, int, str, str] | None:
    """Return (index, seat, recorded action, action now) of the first that is not the same."""
    for index, (old, new) in enumerate(zip(before.actions, now.actions, strict=False)):
        was, is_now = (
            action if ms is not None else f"{action} (house move)" for _, action, ms in (old, new)
        )
        if was != is_now:
            return index, old[0], was, is_now
    index = min(len(before.actions), len(now.actions))
    for longer in (before, now):
        if len(longer.actions) > index:
            seat, action, _ = longer.actions[index]
            was, is_now = (action, "nothing") if longer is before else ("nothing", action)
            return index, seat, was, is_now
    return None


def _list(totals: tuple[int, ...]) -> str:
    return " ".join(map(str, totals))

"""Play a single match between bots, and show it."""

import contextlib
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from arena import plugins
from arena.commands.build import build_stale
from arena.entrants import distinct, load_bot
from arena.errors import ConfigError, OptionError
from arena.games.base import Game, State
from arena.league.places import held_folder, socket_folder, tidy
from arena.league.stop import stopping
from arena.model import (
    USUAL_LEVEL,
    Entrant,
    Fault,
    Fixture,
    Level,
    Outcome,
    Sandbox,
    Seat,
    Terms,
)
from arena.play.interrupt import Interrupt
from arena.play.launcher import unheeded
from arena.play.pool import Pool
from arena.play.referee import Watcher
from arena.play.sandbox import in_force, settled
from arena.play.table import play_at_table
from arena.seeds import derive
from arena.views.paint import Paint, painter
from arena.views.progress import fault_lines
from arena.views.transcript import Transcript


def play_one_match(
    key: str,
    references: Sequence[str],
    *,
    seed: str | None,
    options: Mapping[str, Any],
    shown: bool,
    level: Level | None,
) -> None:
    """Play one match between bots, in the seats as given, and print its result."""
    game: Game = plugins.load("games", key)
    entrants = _entrants(game, references)
    check_options(game, options, len(entrants))
    sandbox = sandbox_of(level)
    make_ready(entrants, sandbox)
    seed = secrets.token_hex(4) if seed is None else seed
    fixture = _fixture(seed, tuple(entrant.name for entrant in entrants))
    watcher = _Show(fixture.seats, painter(game, sys.stdout)) if shown else None
    terms = Terms(game=key, options=dict(options), restart="never", sandbox=sandbox)
    with one_table(terms) as (pool, folder):
        result = play_at_table(
            fixture, entrants, terms=terms, game=game, pool=pool, watcher=watcher
        )
    _print_result(result.outcome, folder)
    click.echo(f"seed {seed}")
    if (logs := folder / "logs").exists():
        click.echo(f"what the bots printed: {logs}")


def make_ready(entrants: Sequence[Entrant], sandbox: Sandbox) -> None:
    """Build the bots whose files have changed; say what they ask for in vain in the sandbox."""
    if text := unheeded(entrants, sandbox):
        click.echo(f"arena: {text}", err=True)
    build_stale(entrants, sandbox)


def sandbox_of(level: Level | None, league: Sandbox | None = None) -> Sandbox:
    """Return the sandbox of an option, or else of a league; say what the option gets."""
    sandbox = league or Sandbox(USUAL_LEVEL)
    if level is None:
        return settled(sandbox, "[sandbox] level")
    sandbox = settled(replace(sandbox, level=level), "--sandbox")
    click.echo(f"arena: sandbox: {in_force(sandbox)}", err=True)
    return sandbox


def _entrants(game: Game, references: Sequence[str]) -> list[Entrant]:
    """Return the bots by seat; a bot that sits twice gets a second name."""
    check_seats(game, len(references))
    bots = (load_bot(reference, base=Path.cwd(), game=game.key) for reference in references)
    return distinct(bots)


def check_seats(game: Game, seats: int, advice: str = "") -> None:
    """Raise ConfigError, with the advice, when the game is not for so many players."""
    if seats not in game.players:
        low, high = game.players[0], game.players[-1]
        raise ConfigError(f"{game.key} has {low} to {high} seats, not {seats}{advice}")


def check_options(game: Game, options: Mapping[str, Any], players: int) -> None:
    """Raise ConfigError when an option of the command line does not fit the game."""
    try:
        game.resolve(options, players)
    except OptionError as error:
        raise ConfigError(f"--option {error.key}: {error}") from None


def _fixture(seed: str, names: tuple[str, ...]) -> Fixture:
    return Fixture(
        id=derive("single", seed, *names)[:16],
        seats=names,
        composition=derive("composition", *sorted(names))[:16],
        block=1,
        rotation=1,
        block_seed=derive(seed, "single"),
    )


@contextlib.contextmanager
def one_table(
    terms: Terms, wire: Callable[[str, str, bytes], None] | None = None
) -> Iterator[tuple[Pool, Path]]:
    """Yield a pool for one match and its folder, which goes when its logs stay empty.

    ``wire`` is told of every frame, as by ``Pool``.
    """
    with (
        held_folder("match", end=tidy) as folder,
        stopping(None) as stop,
        socket_folder(folder) as sockets,
    ):
        pool = Pool(
            terms,
            sockets=sockets,
            logs=folder / "logs",
            label="0",
            interrupt=Interrupt(stop.descriptor, stop.interrupt),
            announce=announce,
            wire=wire,
        )
        try:
            yield pool, folder
        finally:
            pool.close()


def announce(name: str, endpoint: str, token: str) -> None:
    """Say how to start a bot that the arena does not start itself."""
    click.echo(
        f"waiting for {name}, which has no time limits; start it with\n"
        f"  ARENA_ENDPOINT={endpoint} ARENA_TOKEN={token} YOUR-COMMAND",
        err=True,
    )


def _print_result(outcome: Outcome, folder: Path) -> None:
    _print(Transcript(outcome.seats, None).match_end(outcome.totals, outcome.places))
    print_faults(outcome, folder)


def print_faults(outcome: Outcome, folder: Path) -> None:
    """Print the faults of a match in full, and who forfeited; the folder has the logs."""
    for fault in outcome.faults:
        _print(fault_lines(outcome.seats[fault.seat], outcome.match, fault, folder))
    _print(Transcript(outcome.seats, None).forfeits(outcome.forfeited))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


class _Show(Watcher):
    """Prints a match while it is played; the result is printed afterwards."""

    def __init__(self, names: Sequence[str], paint: Paint) -> None:
        self._transcript = Transcript(names, None, paint)

    def deal_start(self, number: int, state: State) -> None:
        _print(self._transcript.deal_start(number, state))

    def decision(
        self, state: State, seat: Seat, action: str, ms: float | None, fault: Fault | None
    ) -> None:
        _print(self._transcript.decision(state, seat, action, ms, fault))

    def deal_end(self, penalties: tuple[int, ...], totals: tuple[int, ...]) -> None:
        _print(self._transcript.deal_end(penalties, totals))

"""Play at the terminal against bots, and keep the match as a run."""

import contextlib
import itertools
import secrets
import shlex
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from arena import plugins
from arena.commands.console import Console
from arena.commands.dialogue import Dialogue, Quit
from arena.commands.invocation import program
from arena.commands.match import (
    announce,
    check_options,
    check_seats,
    make_ready,
    print_faults,
    sandbox_of,
)
from arena.config import SEED_FORM, is_seed
from arena.entrants import distinct, load_bot
from arena.errors import ConfigError, Interrupted
from arena.games.base import Game
from arena.league import journal, sitting
from arena.league.journal import Journal
from arena.league.places import socket_folder, tidy
from arena.league.seasons import begun
from arena.league.stop import Stop, stopping
from arena.model import Entrant, League, Level, MatchResult, Seat, Terms
from arena.play.adviser import Adviser
from arena.play.bot import Bot
from arena.play.interrupt import Interrupt
from arena.play.person import Person
from arena.play.pool import Pool
from arena.play.referee import Failure
from arena.play.sandbox import in_force
from arena.play.table import play_at_table
from arena.views.grid import printable
from arena.views.paint import painter
from arena.views.seat import labels, score
from arena.views.transcript import Transcript

YOU = "you"


def play(
    key: str,
    references: Sequence[str],
    *,
    seat: Seat,
    seed: str | None,
    hint: str | None,
    options: Mapping[str, Any],
    out: Path | None,
    level: Level | None,
) -> None:
    """Let a person play one match against bots, and keep it in a run folder of its own.

    ``hint`` is the bot that is asked for hints, the first of the others unless it is given.
    """
    game: Game = plugins.load("games", key)
    check_seats(game, len(references) + 1, ", yours included")
    if seat > len(references):
        raise ConfigError(f"--seat {seat}: the seats are 0 to {len(references)}")
    if seed is not None and not is_seed(seed):
        raise ConfigError(f"--seed {seed!r} must be {SEED_FORM}")
    bots = [load_bot(reference, base=Path.cwd(), game=key) for reference in references]
    adviser = load_bot(hint, base=Path.cwd(), game=key) if hint else bots[0]
    check_options(game, options, len(references) + 1)
    sandbox = sandbox_of(level)
    make_ready([*bots, adviser], sandbox)
    person = Entrant(YOU, (), str(Path.cwd()), manual=True)
    seed = secrets.token_hex(4) if seed is None else unicodedata.normalize("NFC", seed)
    league = League(
        name=f"{YOU} at {game.title}",
        seed=seed,
        seats=(len(references) + 1,),
        terms=Terms(game=key, options=dict(options), restart="never", sandbox=sandbox),
        format=sitting.KEY,
        format_options=sitting.PLUGIN.check({"turn": 0}),
        entrants=tuple(distinct([person, *bots])),
        source="the command",
    )
    begun_league = begun(sitting.seated(league, YOU, seat))
    words = [key, *references, "--seed", seed]
    words += ["--seat", str(seat)] if seat else []
    words += [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    _Sitting(begun_league, game, seat, adviser, _folder(out), words).play()


def _folder(out: Path | None) -> Path:
    """Return the folder of the new run: the one given, else the first that is free."""
    if out is None:
        names = (Path("runs") / f"play-{number}" for number in itertools.count(1))
        return next(name for name in names if not name.exists())
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise ConfigError(f"--out {out}: there is something already; name a new folder")
    return out


class _Sitting:
    """One call of ``play``: the table is made, the match played, its record kept.

    ``words`` are the arguments of the command that deals the same cards again.
    """

    def __init__(
        self,
        league: League,
        game: Game,
        seat: Seat,
        adviser: Entrant,
        folder: Path,
        words: Sequence[str],
    ) -> None:
        self._league = league
        self._game = game
        self._seat = seat
        self._adviser = adviser
        self._folder = folder
        self._words = words
        self._fixture = next(sitting.PLUGIN.plan(league).fixtures())

    def play(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            with journal.lock(self._folder), stopping(None) as stop:
                result = self._match(stop)
                if result:
                    self._keep(result)
        finally:
            self._clear()
        if result:
            self._tell(result)

    def _match(self, stop: Stop) -> MatchResult | None:
        """Return the match that was played, None when the person has quit."""
        entrants = {entrant.name: entrant for entrant in self._league.entrants}
        with contextlib.ExitStack() as held:
            sockets = held.enter_context(socket_folder(self._folder))
            pool, hints = (
                held.enter_context(self._pool(label, sockets, stop)) for label in ("0", "hint")
            )
            dialogue = self._dialogue(Console(stop), hints)
            try:
                return play_at_table(
                    self._fixture,
                    [entrants[name] for name in self._fixture.seats],
                    terms=self._league.terms,
                    game=self._game,
                    pool=pool,
                    watcher=dialogue,
                    people={self._seat: Person(entrants[YOU], dialogue)},
                )
            except Interrupted as end:
                with contextlib.suppress(OSError):
                    self._tell_so_far(dialogue, end)
                if isinstance(end, Quit):
                    return None
                raise

    @contextlib.contextmanager
    def _pool(self, label: str, sockets: Path, stop: Stop) -> Iterator[Pool]:
        pool = Pool(
            self._league.terms,
            sockets=sockets,
            logs=self._folder / "logs",
            label=label,
            interrupt=Interrupt(stop.descriptor, stop.interrupt),
            announce=announce,
        )
        try:
            yield pool
        finally:
            pool.close()

    def _dialogue(self, console: Console, hints: Pool) -> Dialogue:
        def start() -> Bot | Failure:
            return hints.seat(self._fixture, [self._adviser], ())[0]

        terms = self._league.terms
        adviser = Adviser(printable(self._adviser.name), start, terms.limits)
        paint = painter(self._game, sys.stdout)
        return Dialogue(self._game, self._fixture.seats, self._seat, console, adviser, paint)

    def _keep(self, result: MatchResult) -> None:
        run = Journal.create(self._folder, self._league)
        try:
            run.note_sandbox(in_force(self._league.terms.sandbox))
            run.add(result)
        finally:
            run.close()

    def _clear(self) -> None:
        """Leave nothing of a match that was not finished but what the bots printed."""
        if not journal.exists(self._folder):
            (self._folder / "lock").unlink(missing_ok=True)
        tidy(self._folder)

    def _tell_so_far(self, dialogue: Dialogue, end: Interrupted) -> None:
        totals = score(labels(self._fixture.seats), dialogue.totals)
        again = f"{program()} play {shlex.join(self._words)}"
        click.echo(f"\n{end} in deal {dialogue.deal}; {totals}")
        click.echo(f"nothing is recorded; the same cards again: {again}")

    def _tell(self, result: MatchResult) -> None:
        outcome = result.outcome
        for line in Transcript(outcome.seats, None).match_end(outcome.totals, outcome.places):
            click.echo(line)
        print_faults(outcome, self._folder)
        run, match = shlex.quote(str(self._folder)), outcome.match[:6]
        click.echo(f"\nrecorded: {self._folder}, seed {self._league.seed}")
        click.echo(f"see it again: {program()} replay {run} {match}")

"""What a shell offers when Tab is pressed: names of games, bots, runs and matches.

A shell starts the command line anew each time, so nothing is imported before it is needed, and
nothing that goes wrong is told: then there is nothing to offer.
"""

import contextlib
import glob
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from click import Context, Parameter
from click.shell_completion import CompletionItem, get_completion_class

from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.league.journal import Journal

Items = list[CompletionItem[str]]
VARIABLE = "_ARENA_COMPLETE"
MOST_MATCHES = 1_000
_JOURNAL = "journal.sqlite"
"""As ``arena.league.journal`` has it, which takes longer to import than a person should wait."""


def script(shell: str, command: object) -> str:
    """Return what a shell has to read so that Tab completes; ``command`` is the whole program."""
    kind = get_completion_class(shell)
    assert kind
    return kind(command, {}, "arena", VARIABLE).source()  # type: ignore[arg-type]


def games(_context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the games whose names begin so."""
    from arena import plugins

    return _beginning(plugins.names("games"), incomplete)


def runs(_context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the run folders whose paths begin so, and those in ``runs`` besides."""
    start = glob.escape(incomplete)
    found = [*glob.glob(f"{start}*/{_JOURNAL}"), *glob.glob(f"runs/*/{_JOURNAL}")]
    folders = sorted({str(Path(path).parent) for path in found})
    return _or_folder(_beginning(folders, incomplete), incomplete)


def bots(context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the bots that play the game, if there is one: shipped ones by name, folders of
    others."""
    from arena.entrants import shipped_bots
    from arena.model import BOT_FILE

    own = glob.glob(f"{glob.escape(incomplete)}*/{BOT_FILE}")
    names = [*(path.parent.name for path in shipped_bots().glob(f"*/{BOT_FILE}"))]
    names += [str(Path(path).parent) for path in own]
    game = context.params.get("game")
    fit = [name for name in dict.fromkeys(sorted(names)) if _plays(name, game)]
    return _or_folder(_beginning(fit, incomplete), incomplete)


def bots_of_run(context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the bots of the run that was named before."""
    names = _of_run(context, lambda journal: [bot.name for bot in journal.league().entrants])
    return _beginning(names, incomplete)


def matches_of_run(context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the matches of the run that was named before, unless too many begin so."""
    found = _beginning(_of_run(context, lambda journal: journal.played()), incomplete)
    return found if len(found) <= MOST_MATCHES else []


def _of_run(context: Context, names: "Callable[[Journal], Iterable[str]]") -> list[str]:
    from arena.league.journal import Journal

    with (
        contextlib.suppress(ArenaError, OSError, TypeError),
        contextlib.closing(Journal.read(Path(context.params["run"]))) as journal,
    ):
        return sorted(names(journal))
    return []


def languages(_context: Context, _parameter: Parameter, incomplete: str) -> Items:
    """Return the languages of starters that begin so."""
    from arena.commands.new import languages as known

    return _beginning(known(), incomplete)


def _plays(bot: str, game: str | None) -> bool:
    from arena.entrants import ANY_GAME, games_of

    with contextlib.suppress(ArenaError, OSError):
        return not game or not {game, ANY_GAME}.isdisjoint(games_of(bot, base=Path.cwd()))
    return False


def _beginning(names: Iterable[str], incomplete: str) -> Items:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _or_folder(items: Items, incomplete: str) -> Items:
    """Return the items; where there are none, folders, in which they may lie."""
    return items or [CompletionItem(incomplete, type="dir")]

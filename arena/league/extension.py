"""What may change between two runs of the same league, and what may not."""

from collections.abc import Iterator
from typing import Any

import msgspec

from arena import plugins
from arena.errors import ConfigError
from arena.games.base import Game
from arena.league.formats.base import Format
from arena.model import League

WAYS_OUT = (
    "use --out for a run in another folder, or --restart to put the old run aside and begin anew"
)


def check_extension(old: League, new: League) -> None:
    """Raise ConfigError unless the results of ``old`` can be gone on with as ``new``.

    Bots may be added, be changed, and be retired with ``active = false``, what grows in a format
    may grow, and how the league is run may change; what the results depend on may not.
    """
    for key, before, now in _differences(old, new):
        raise ConfigError(
            f"{new.source}: {key} was {before!r} when this run began and is {now!r} now; {WAYS_OUT}"
        )
    missing = {e.name for e in old.entrants} - {e.name for e in new.entrants}
    for name in sorted(missing):
        raise ConfigError(
            f"{new.source}: the bot {name!r} of this run is no longer in the file; "
            f"keep it with active = false to retire it, {WAYS_OUT}"
        )


def _differences(old: League, new: League) -> Iterator[tuple[str, Any, Any]]:
    """Yield (key of the league file, old value, new value) for all that may not change."""
    for describe in (_fixed, _options):
        before, now = describe(old), describe(new)
        for key in dict.fromkeys([*before, *now]):
            if before.get(key) != now.get(key):
                yield key, before.get(key), now.get(key)
    for key in _growing(new):
        less, more = (league.format_options.get(key) for league in (old, new))
        if not _grows(less, more):
            yield f"[format] {key}", less, more


def _fixed(league: League) -> dict[str, Any]:
    """Return what may not change but the game's options, by key of the league file."""
    terms = msgspec.to_builtins(league.terms)
    fixed = {
        "game": terms["game"],
        "seed": league.seed,
        "seats": list(league.seats),
        "[format] kind": league.format,
        "[run] restart": terms["restart"],
    }
    sections = {
        "limits": terms["limits"],
        "faults": terms["faults"],
        "format": {k: v for k, v in league.format_options.items() if k not in _growing(league)},
    }
    for section, values in sections.items():
        fixed |= {f"[{section}] {key}": value for key, value in values.items()}
    return fixed


def _grows(less: Any, more: Any) -> bool:
    """Return whether an option is as large as it was, or a list has all that it had."""
    if less is None or more is None:
        return less is more
    return set(less) <= set(more) if isinstance(less, list) else bool(less <= more)


def _growing(league: League) -> tuple[str, ...]:
    league_format: Format = plugins.load("formats", league.format)
    return league_format.growing


def _options(league: League) -> dict[str, Any]:
    """Return the game's options at tables of every size, defaults filled in."""
    game: Game = plugins.load("games", league.terms.game)
    return {
        f"[options] {key}" + (f" at tables of {seats}" if len(league.seats) > 1 else ""): value
        for seats in league.seats
        for key, value in game.resolve(league.terms.options, seats).items()
    }

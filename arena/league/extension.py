"""What may change between two runs of the same league, and what may not."""

from collections.abc import Iterator
from typing import Any

import msgspec

from arena.errors import ConfigError
from arena.model import League

WAYS_OUT = (
    "use --out for a run in another folder, or --restart to put the old run aside and begin anew"
)


def check_extension(old: League, new: League) -> None:
    """Raise ConfigError unless the results of ``old`` can be gone on with as ``new``.

    Bots and blocks may be added, bots may be retired with ``active = false``, and how the league
    is run may change; what the results depend on may not.
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
    values = [_fixed(league) for league in (old, new)]
    for key in sorted(values[0].keys() | values[1].keys()):
        before, now = (value.get(key) for value in values)
        if before != now:
            yield key, before, now
    if new.format_options["blocks"] < old.format_options["blocks"]:
        yield "[format] blocks", old.format_options["blocks"], new.format_options["blocks"]


def _fixed(league: League) -> dict[str, Any]:
    terms = msgspec.to_builtins(league.terms)
    fixed = {
        "seed": league.seed,
        "seats": list(league.seats),
        "game": terms["game"],
        "[format] kind": league.format,
        "[run] restart": terms["restart"],
    }
    sections = {
        "options": terms["options"],
        "limits": terms["limits"],
        "faults": terms["faults"],
        "format": {k: v for k, v in league.format_options.items() if k != "blocks"},
    }
    for section, values in sections.items():
        fixed |= {f"[{section}] {key}": value for key, value in values.items()}
    return fixed

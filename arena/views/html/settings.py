"""A league as its file would have it, from what its journal holds: with all defaults, and without
the paths of the machine on which it was played or what is in the environment of bots."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from arena.model import Entrant, League

HIDDEN = "hidden: the league is not at its end"


def league_text(league: League, *, seed: bool) -> str:
    """Return the text of a league file; without its ``seed`` nobody can deal the cards to come."""
    terms = msgspec.to_builtins(league.terms)
    sections: dict[str, Mapping[str, Any]] = {
        "": {
            "name": league.name,
            "game": league.terms.game,
            "seed": league.seed if seed else HIDDEN,
            "seats": list(league.seats),
        },
        "options": terms["options"],
        "format": {"kind": league.format, **league.format_options},
        "limits": terms["limits"],
        "faults": terms["faults"],
        "rating": {"kind": league.rating, "anchor": league.anchor} if league.rating else {},
        "sandbox": {**terms["sandbox"], "read": ["…" for _ in league.terms.sandbox.read]},
        "run": {
            "workers": league.workers or "cores",
            "pin": league.pin,
            "restart": league.terms.restart,
            "executor": league.executor,
        },
    }
    lines = [line for name, keys in sections.items() if keys for line in _section(name, keys)]
    for entrant in league.entrants:
        lines += ["", "[[bots]]", *_keys(_bot(entrant))]
    return "\n".join(lines)


def _section(name: str, keys: Mapping[str, Any]) -> Iterator[str]:
    if name:
        yield from ("", f"[{name}]")
    yield from _keys(keys)


def _keys(keys: Mapping[str, Any]) -> Iterator[str]:
    return (f"{key} = {_value(value)}" for key, value in keys.items())


def _bot(entrant: Entrant) -> dict[str, Any]:
    hidden = {"env": dict.fromkeys(entrant.env, "…")} if entrant.env else {}
    retired = {} if entrant.active else {"active": False}
    return {"name": entrant.name, "transport": entrant.transport, **hidden, **retired}


def _value(value: Any) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)

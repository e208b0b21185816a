"""The JSON Schema of all messages and observations, generated from their types."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.games.base import Described, Game, Observation
from arena.play import protocol

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "#/$defs/"
DESCRIPTION = """\
A message is one of FromBot or FromArena. A key that is not "required" is optional. Any object may
have more keys than are listed, and the arena may send messages of more types: within this version
of the protocol they may be ignored.
"""


def schema(games: Sequence[Game]) -> dict[str, Any]:
    """Return the schema of this version of the protocol with the observations of the games.

    A game that does not tell the shape of its observations has the keys that all games have.
    """
    kinds = {_observation(game).__name__: _observation(game) for game in games}
    unions, components = msgspec.json.schema_components(
        (protocol.FromBot, protocol.FromArena, *kinds.values()), ref_template=PLACE + "{name}"
    )
    bot, arena, *observations = (_without_discriminator(union) for union in unions)
    for component in components.values():
        component["description"] = _plain(component["description"])
        if "observation" in component["properties"]:
            component["properties"]["observation"] = {"$ref": f"{PLACE}AnyObservation"}
    return {
        "$schema": DIALECT,
        "title": f"Messages between the arena and a bot, protocol {protocol.VERSION}",
        "description": _plain(DESCRIPTION),
        "anyOf": [{"$ref": f"{PLACE}FromBot"}, {"$ref": f"{PLACE}FromArena"}],
        "$defs": {
            "FromBot": bot,
            "FromArena": arena,
            "AnyObservation": {"anyOf": observations},
            **components,
        },
    }


def _observation(game: Game) -> type[Observation]:
    return game.observation if isinstance(game, Described) else Observation


def _without_discriminator(union: dict[str, Any]) -> dict[str, Any]:
    """Return a union without a keyword of OpenAPI that JSON Schema does not have."""
    return {key: value for key, value in union.items() if key != "discriminator"}


def _plain(text: str) -> str:
    """Return a docstring as one line of plain text."""
    return " ".join(text.replace("``", "`").split())

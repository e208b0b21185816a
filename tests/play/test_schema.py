"""The schema of the messages: it is the published one, and says what goes over the wire."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from msgspec.structs import replace
from rooms import room
from test_protocol_document import TYPES, example
from toolchains import BUILD_SECONDS, PROGRAMS, built
from toys import TOY

from arena import games
from arena.cli import cli
from arena.entrants import load_bot, shipped_bots
from arena.model import Terms
from arena.play.schema import schema

SCHEMA = schema([games.load(key) for key in games.names()])
BOTS = {
    "leaves": ("random", "first", "greedy", "miser", "counter"),
    "thirteen": ("random", "first", "rummy-greedy", "rummy-watcher"),
}

SAMPLE = 31
"""One question of so many is validated, which takes milliseconds."""


def validator(name: str, whole: dict[str, Any] = SCHEMA) -> Draft202012Validator:
    """Return a validator of one definition of a schema."""
    return Draft202012Validator({**whole, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


ANY = Draft202012Validator(SCHEMA)
OF_NO_TYPE = 0.5
"""What no key may hold."""


def test_the_published_schema_is_that_of_the_types() -> None:
    published = shipped_bots() / "protocol.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == SCHEMA, (
        "run: arena schema > bots/protocol.schema.json"
    )
    assert json.loads(CliRunner().invoke(cli, ["schema"]).output) == SCHEMA
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("tag", TYPES)
def test_an_example_of_the_document_fits_and_one_without_a_key_does_not(tag: str) -> None:
    message = json.loads(example(tag))
    assert ANY.is_valid(message)
    assert ANY.is_valid({**message, "more": [1, {"of": None}]})
    required = {field.encode_name for field in msgspec.structs.fields(TYPES[tag]) if field.required}
    for key in message:
        rest = {name: value for name, value in message.items() if name != key}
        assert ANY.is_valid(rest) == (key not in required | {"type"})
        assert not ANY.is_valid({**message, key: OF_NO_TYPE})


@pytest.mark.parametrize("key", games.names())
def test_an_observation_without_a_key_does_not_fit(key: str) -> None:
    game = games.load(key)
    state = game.deal(game.players[0], "seed", 1, game.resolve({}, game.players[0]))
    seen = {**state.observe(0), "deal": 1, "totals": [0] * game.players[0]}
    check = validator(game.observation.__name__)
    assert check.is_valid(seen)
    for name in seen:
        assert not check.is_valid({key: value for key, value in seen.items() if key != name})
        assert not check.is_valid({**seen, name: OF_NO_TYPE})


def test_a_game_without_a_shape_of_its_own_has_the_keys_of_all_games() -> None:
    check = validator("AnyObservation", schema([games.load("leaves"), TOY]))
    assert check.is_valid({"deal": 1, "totals": [0, 3], "left": 7})
    assert not check.is_valid({"deal": 1})


def traffic(key: str, names: Sequence[str], sizes: Iterable[int]) -> list[tuple[str, bytes]]:
    """Return (sender, frame) of all that is said in short matches between bots, one of a size."""
    game = games.load(key)
    heard: list[tuple[str, bytes]] = []
    crowd = [
        replace(load_bot(name, base=shipped_bots()), name=f"{number} {name}")
        for number, name in enumerate(names)
    ]
    terms = Terms(key, game.quick)
    with room(terms, wire=lambda _name, sender, frame: heard.append((sender, frame))) as own:
        for players in sizes:
            result = own.play(*crowd[:players], block=players, game=game)
            assert result.outcome.faults == ()
    return heard


def validated(heard: Iterable[tuple[str, bytes]]) -> Counter[str]:
    """Validate messages; return how many there were of each type."""
    by_sender = {"arena": validator("FromArena"), "bot": validator("FromBot")}
    kinds: Counter[str] = Counter()
    for sender, frame in heard:
        message = json.loads(frame)
        kinds[message["type"]] += 1
        if message["type"] != "act" or kinds["act"] % SAMPLE == 1:
            by_sender[sender].validate(message)
    return kinds


@pytest.mark.process
@pytest.mark.parametrize("key", games.names())
def test_what_goes_over_the_wire_fits(key: str) -> None:
    sizes = games.load(key).players
    names = list(itertools.islice(itertools.cycle(BOTS[key]), sizes[-1]))
    assert set(validated(traffic(key, names, sizes))) == set(TYPES)


@pytest.mark.process
@pytest.mark.toolchain
@pytest.mark.timeout(BUILD_SECONDS)
@pytest.mark.parametrize("key", games.names())
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_starter_says_and_is_told_fits(name: str, key: str) -> None:
    built(name)
    heard = traffic(key, [name] * 4, (3, 4))
    assert set(validated(heard)) == set(TYPES)

"""Records of matches with anything changed in them: verified, or the difference is named."""

from typing import Any

import msgspec
import scripted
from choices import Choices

from arena.league.conduct import Difference
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.verification import verify
from arena.model import MatchResult

FIXTURES = list(ROUND_ROBIN.plan(scripted.LEAGUE).fixtures())
RESULTS = [msgspec.to_builtins(scripted.play(scripted.LEAGUE, fixture)) for fixture in FIXTURES]
STRANGE = (None, True, -1, 0, 1, 2, 1 << 62, 0.5, 1e300, "", "0", "play 7x3", "pass 5", [], {}, [0])
SEEDS = [bytes([n, *range(n, 3 * n)]) for n in range(0, 60, 7)]


def run(data: bytes) -> None:
    choices = Choices(data)
    record = msgspec.json.decode(msgspec.json.encode(choices.one_of(RESULTS)))
    while choices and record:
        _change(record, choices)
    try:
        result = msgspec.json.decode(msgspec.json.encode(record), type=MatchResult)
    except msgspec.ValidationError:
        return
    try:
        verified = list(verify(scripted.LEAGUE, [result], lambda: [result.outcome]))
    except Difference:
        return
    assert verified == [result.outcome]


def _change(node: Any, choices: Choices) -> None:
    """Go down from a node by choices, and change what is there."""
    while keys := list(node) if isinstance(node, dict) else list(range(len(node))):
        key = choices.one_of(keys)
        if isinstance(node[key], dict | list) and choices.below(8):
            node = node[key]
            continue
        kind = choices.below(4)
        if kind == 0:
            del node[key]
        elif kind == 1:
            node[key] = choices.one_of(STRANGE)
        elif kind == 2:
            node[key] = node[choices.one_of(keys)]
        elif isinstance(node, list):
            node.insert(key, node[key])
        else:
            node[key] = choices.some(8).decode("latin-1")
        return

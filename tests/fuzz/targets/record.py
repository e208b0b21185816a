"""Records of matches with anything changed in them: verified, or the difference is named."""

import msgspec
import scripted
from choices import Choices, change

from arena.league.conduct import Difference
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.verification import verify
from arena.model import MatchResult

FIXTURES = list(ROUND_ROBIN.plan(scripted.LEAGUE).fixtures())
RESULTS = [msgspec.to_builtins(scripted.play(scripted.LEAGUE, fixture)) for fixture in FIXTURES]
SEEDS = [bytes([n, *range(n, 3 * n)]) for n in range(0, 60, 7)]


def run(data: bytes) -> None:
    choices = Choices(data)
    record = msgspec.json.decode(msgspec.json.encode(choices.one_of(RESULTS)))
    while choices and record:
        change(record, choices)
    try:
        result = msgspec.json.decode(msgspec.json.encode(record), type=MatchResult)
    except msgspec.ValidationError:
        return
    try:
        verified = list(verify(scripted.LEAGUE, [result], lambda: [result.outcome]))
    except Difference:
        return
    assert verified == [result.outcome]

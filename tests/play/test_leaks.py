"""Recorded matches are searched for what a seat was told and could not see."""

import itertools
import re
from typing import Any

import pytest
import scripted
import whispers
from msgspec.structs import replace

from arena import games
from arena.errors import ReplayError
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.model import League, MatchResult
from arena.play.again import questions
from arena.play.leaks import Leak, check_match


def league(game: str, **options: Any) -> League:
    terms = replace(scripted.LEAGUE.terms, game=game, options=options)
    return replace(scripted.LEAGUE, terms=terms)


def matches(some: League, count: int, script: Any = scripted.misdeeds) -> list[MatchResult]:
    fixtures = itertools.islice(ROUND_ROBIN.plan(some).fixtures(), count)
    return [scripted.play(some, fixture, script) for fixture in fixtures]


def check(some: League, result: MatchResult) -> int:
    return check_match(result, some.terms, games.load(some.terms.game))


def test_no_seat_of_13_leaves_is_told_what_it_cannot_see() -> None:
    """Whatever faults and forfeits there are."""
    for result in scripted.play_all(scripted.LEAGUE):
        asked = sum(questions(result, seat) for seat in range(len(result.outcome.seats)))
        assert check(scripted.LEAGUE, result) == asked


def test_no_seat_of_thirteen_is_told_what_it_cannot_see() -> None:
    thirteen = replace(league("thirteen", max_turns=40), seats=(2,))
    for result in matches(thirteen, 1, lambda *_: {}):
        assert check(thirteen, result) == sum(len(deal.actions) for deal in result.deals)


def test_a_toy_game_without_a_leak_passes() -> None:
    quiet = league("whispers:QUIET")
    for result in matches(quiet, 20):
        check(quiet, result)


@pytest.mark.parametrize("leak", ["OBSERVATION", "LEGAL", "TURNS", "START"])
def test_a_toy_game_with_a_leak_is_caught(leak: str) -> None:
    loud = league(f"whispers:{leak}")

    def check_all() -> None:
        for result in matches(loud, 20, lambda *_: {}):
            check(loud, result)

    with pytest.raises(Leak, match=r"^seat \d, \w+, deal \d, .*: byte \d+ of what it was sent "):
        check_all()


def test_a_leak_is_shown_with_the_bytes_that_differ() -> None:
    loud = league("whispers:OBSERVATION")
    with pytest.raises(Leak) as caught:
        check(loud, matches(loud, 1, lambda *_: {})[0])
    said, sent, otherwise = str(caught.value).splitlines()
    assert re.fullmatch(
        r"seat \d, \w+, deal 1, action \d: byte \d+ of what it was sent depends on "
        "what it cannot see:",
        said,
    )
    here, there = (re.search(r'"whisper":(\d)', line) for line in (sent, otherwise))
    assert here
    assert there
    assert here[1] != there[1]
    assert sent.startswith("  sent:         ")
    assert otherwise.startswith("  if otherwise: ")


def test_a_record_of_other_rules_is_named() -> None:
    (result,) = matches(scripted.LEAGUE, 1, lambda *_: {})
    first, *rest = result.deals
    shorter = replace(result, deals=(replace(first, actions=first.actions[1:]), *rest))
    with pytest.raises(ReplayError, match="the record does not fit the game"):
        check(scripted.LEAGUE, shorter)


def test_the_toy_game_is_a_game() -> None:
    assert games.load("whispers:QUIET") is whispers.QUIET

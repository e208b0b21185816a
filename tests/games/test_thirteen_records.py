"""Matches of Thirteen through referee, verification and transcript, without a line of their own."""

from typing import Any

import msgspec
import pytest
import scripted
from msgspec.structs import replace
from scripted import LEAGUE

from arena import games
from arena.errors import ReplayError
from arena.league.conduct import Difference
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.verification import verify
from arena.model import League, MatchResult, digest
from arena.views.transcript import transcript

THIRTEEN = replace(
    LEAGUE,
    seats=(2, 3),
    terms=replace(LEAGUE.terms, game="thirteen", options={"max_turns": 80}),
    format_options={"blocks": 1, "rotations": 1},
)


@pytest.fixture(scope="module")
def results() -> tuple[MatchResult, ...]:
    """Matches with faults and without, as they come out of a journal."""
    played = tuple(scripted.play_all(THIRTEEN))
    return msgspec.json.decode(msgspec.json.encode(played), type=tuple[MatchResult, ...])


def difference(league: League, *results: MatchResult) -> str:
    try:
        assert len(list(verify(league, results, tuple))) == len(results)
    except Difference as found:
        return str(found)
    return ""


def with_melds(result: MatchResult, number: int, melds: Any) -> MatchResult:
    """Return the record of another program, which arranges the hands of a deal in another way."""
    deal = result.deals[number]
    other = replace(deal, setup={**deal.setup, "melds": melds})
    deals = (*result.deals[:number], other, *result.deals[number + 1 :])
    return replace(result, deals=deals, outcome=replace(result.outcome, digest=digest(deals)))


def test_matches_as_they_were_played_are_right(results: tuple[MatchResult, ...]) -> None:
    assert any(deal.setup["reshuffles"] for result in results for deal in result.deals)
    assert any(deal.truncated for result in results for deal in result.deals)
    assert any(not deal.truncated for result in results for deal in result.deals)
    assert {result.outcome.ended for result in results} == {"complete", "forfeit"}
    assert difference(THIRTEEN, *results) == ""


def test_a_transcript_shows_every_deal(results: tuple[MatchResult, ...]) -> None:
    for result in results:
        lines = list(transcript(result, games.load("thirteen")))
        deals = [line for line in lines if line.startswith("Deal ")]
        assert len(deals) == len(result.deals)


def melded() -> tuple[League, MatchResult, list[Any]]:
    """Return a match, and the melds of its first deal, of which each seat has one."""
    league = replace(THIRTEEN, seats=(2,), format_options={"blocks": 60, "rotations": 1})
    for fixture in ROUND_ROBIN.plan(league).fixtures():
        result = scripted.play(league, fixture, lambda *_: {})
        melds = result.deals[0].setup["melds"]
        if all(melds) and result.deals[0].penalties == (0, 0):
            return league, result, melds
    raise AssertionError("no such deal")


def test_any_arrangement_with_the_least_penalty_is_right() -> None:
    league, result, (first, second) = melded()
    turned = [meld[::-1] for meld in first]
    assert turned != first
    other = with_melds(result, 0, [turned, second])
    assert difference(league, other) == ""
    assert list(transcript(other, games.load("thirteen")))


def test_an_arrangement_that_is_worse_or_not_of_the_hand_is_named() -> None:
    league, result, (first, second) = melded()
    wrong: list[Any] = [
        [[], second],
        [[first[0][:2]], second],
        [[*first, *first], second],
        [second, first],
        [[["XX"]], second],
        [first],
        [first, None],
        [],
        None,
        "melds",
    ]
    for melds in wrong:
        other = with_melds(result, 0, melds)
        assert "the cards of deal 1" in difference(league, other), melds
        with pytest.raises(ReplayError):
            list(transcript(other, games.load("thirteen")))


@pytest.mark.parametrize("key", ["dealer", "hands", "stock", "discard", "reshuffles"])
def test_other_cards_than_those_of_the_seed_are_named(
    results: tuple[MatchResult, ...], key: str
) -> None:
    result = next(result for result in results if result.deals)
    deal = result.deals[0]
    other = replace(deal, setup={**deal.setup, key: [["XX"]]})
    altered = replace(result, deals=(other, *result.deals[1:]))
    assert "the cards of deal 1" in difference(THIRTEEN, altered)

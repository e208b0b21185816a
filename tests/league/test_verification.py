"""Verification: every run as it was played is right, and whatever was changed in it is named."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import scripted
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scripted import LEAGUE, MISDEEDS

from arena import games, seeds
from arena.league.conduct import Difference
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.verification import OwnStream, missing, own_derive, verify
from arena.model import FaultKind, Fixture, Lag, League, Limits, MatchResult, Outcome, Spent, Stage

FIXTURES = tuple(ROUND_ROBIN.plan(LEAGUE).fixtures())
RESULTS = tuple(scripted.play_all(LEAGUE))
"""Matches with and without faults, as many as a league of short deals has."""
FAULTS = frozenset(FaultKind)
TEXT = st.text(max_size=20)
ASCII = st.text(st.characters(codec="ascii"), max_size=20)
WHOLE = st.integers(0, 1 << 40)
SCRIPTS = st.lists(
    st.none() | st.dictionaries(st.integers(0, 25), st.sampled_from(MISDEEDS), max_size=3),
    min_size=4,
    max_size=4,
)


def difference(*results: MatchResult, league: League = LEAGUE) -> str:
    """Return what verification names; empty when it agrees."""
    try:
        outcomes = list(verify(league, results, lambda: [result.outcome for result in results]))
    except Difference as found:
        return str(found)
    assert outcomes == [result.outcome for result in results]
    return ""


def changed(result: MatchResult, **fields: Any) -> MatchResult:
    """Return the match with other fields in its outcome."""
    return replace(result, outcome=replace(result.outcome, **fields))


def found(condition: Any) -> Iterator[MatchResult]:
    return (result for result in RESULTS if condition(result, result.outcome))


def test_the_scripted_league_has_all_that_can_happen() -> None:
    outcomes = [result.outcome for result in RESULTS]
    assert {fault.kind for outcome in outcomes for fault in outcome.faults} == FAULTS
    assert {outcome.ended for outcome in outcomes} == {"complete", "forfeit"}
    assert any(found(lambda _, outcome: not outcome.faults))
    assert any(found(lambda _, outcome: len(outcome.faults) > len(outcome.forfeited)))
    assert any(found(lambda result, _: result.deals[-1].penalties is None))
    assert any(found(lambda result, _: any(deal.truncated for deal in result.deals)))
    assert any(found(lambda result, _: len(result.deals) > 2))


def test_a_run_as_it_was_played_is_right() -> None:
    assert difference(*RESULTS) == ""
    assert missing(LEAGUE, lambda: [result.outcome for result in RESULTS]) == (0, "")


@pytest.mark.parametrize("key", games.names())
def test_a_run_of_any_game_is_right(key: str) -> None:
    league = with_terms(game=key, options={})
    fixtures = itertools.islice(ROUND_ROBIN.plan(league).fixtures(), 12)
    assert difference(*(scripted.play(league, f) for f in fixtures), league=league) == ""


@given(st.sampled_from(FIXTURES), SCRIPTS, st.integers(0, 2))
def test_whatever_the_bots_do_the_match_is_right(
    fixture: Fixture, scripts: list[dict[int, str] | None], tolerate: int
) -> None:
    league = with_terms(faults=replace(LEAGUE.terms.faults, tolerate=tolerate))
    result = scripted.play(league, fixture, lambda _, seat: scripts[seat])
    assert difference(result, league=league) == ""


def test_a_league_of_another_format_is_named() -> None:
    """Its options are those of the round robin that was played."""
    gauntlet = difference(*RESULTS, league=replace(LEAGUE, format="gauntlet"))
    assert gauntlet.startswith("the league is none of the format gauntlet")
    swiss = difference(*RESULTS, league=replace(LEAGUE, format="swiss"))
    assert "a match of the league should be true" in swiss
    stage = Stage(0, LEAGUE.active, {"blocks": "many"})
    assert difference(*RESULTS, league=replace(LEAGUE, stages=(stage,))).startswith("the league is")


def test_a_match_without_a_deal_is_right() -> None:
    result = scripted.play(LEAGUE, FIXTURES[0], lambda *_: None)
    assert result.deals == ()
    assert difference(result) == ""


def test_a_match_that_the_last_forfeit_ends_by_the_rules_is_right() -> None:
    """The house move for the last but one that had not forfeited empties the hand."""
    short = with_terms(options={"target": 1, "hand_size": 2})
    results = [
        scripted.play(short, fixture, lambda _, seat, n=n: (None, {n: "exited"}, {}, {})[seat])
        for fixture in FIXTURES
        if len(fixture.seats) == 3
        for n in range(3)
    ]
    both = [r for r in results if r.outcome.ended == "complete" and len(r.outcome.forfeited) == 2]
    assert both
    assert difference(*both, league=short) == ""


def test_a_run_with_bots_and_blocks_added_or_retired_is_right() -> None:
    ann, *others = LEAGUE.entrants
    grown = replace(
        LEAGUE,
        entrants=(replace(ann, active=False), *others, replace(ann, name="eve")),
        format_options={"blocks": 5, "rotations": "all"},
    )
    assert difference(*RESULTS, league=grown) == ""


def test_a_table_that_was_not_drawn_is_named() -> None:
    subset = replace(LEAGUE, format_options={"compositions": 2, "blocks": 1, "rotations": "all"})
    fixtures = list(ROUND_ROBIN.plan(subset).fixtures())
    drawn = [scripted.play(subset, fixture) for fixture in fixtures]
    assert difference(*drawn, league=subset) == ""
    others = (f for f in FIXTURES if f.block == 1 and f not in fixtures)
    stranger = scripted.play(subset, next(others))
    assert "a match of the league should be true" in difference(stranger, league=subset)


def test_a_match_is_held_against_the_stage_in_which_it_was_played() -> None:
    """Bot by bot, a run whose bots were retired is right; a match of a later stage is not."""
    options = LEAGUE.format_options
    everybody = LEAGUE.active
    stages = (Stage(0, everybody, options), Stage(2, everybody[1:], options))
    changed_league = replace(LEAGUE, stages=stages)
    with_ann = [r for r in RESULTS if "ann" in r.outcome.seats]
    without = [r for r in RESULTS if "ann" not in r.outcome.seats]
    assert difference(*with_ann[:2], *without, league=changed_league) == ""
    named = difference(*with_ann[:3], league=changed_league)
    assert named.startswith(f"match {with_ann[2].outcome.match}: a match of the league")


def with_terms(**terms: Any) -> League:
    return replace(LEAGUE, terms=replace(LEAGUE.terms, **terms))


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where every value of a JSON document lies."""
    if path:
        yield path
    parts: Any = enumerate(value) if isinstance(value, list) else ()
    for key, part in value.items() if isinstance(value, dict) else parts:
        yield from paths(part, (*path, key))


def others(value: Any) -> st.SearchStrategy[Any]:
    """Return values to put in the place of one."""
    if isinstance(value, bool):
        return st.just(not value)
    if isinstance(value, int):
        return st.integers(-3, 3).map(value.__add__) | st.integers() | st.none()
    if isinstance(value, float):
        return st.floats(-2, 2).map(value.__add__) | st.floats(0, 1e6) | st.none()
    if isinstance(value, str):
        return st.sampled_from([*FaultKind, "ann", "pass 7", "play 1x1", "complete"]) | TEXT
    if value is None:
        return st.integers(0, 9) | st.floats(0, 500) | st.just([0, 0, 0])
    if isinstance(value, dict):
        keys = st.sampled_from(sorted(value) or ["1"])
        fewer = keys.map(lambda key: {k: v for k, v in value.items() if k != key})
        return fewer | keys.map(lambda key: {**value, f"{key}0": value.get(key, 1)})
    numbers = st.integers(0, max(0, len(value) - 1))
    fewer = numbers.map(lambda n: value[:n] + value[n + 1 :])
    doubled = numbers.map(lambda n: value[: n + 1] + value[n:])
    return fewer | doubled | st.permutations(value)


@st.composite
def tamperings(draw: st.DrawFn) -> tuple[MatchResult, tuple[Any, ...], MatchResult]:
    """Change one stored value of one match; return the match, where, and the changed one."""
    result = draw(st.sampled_from(RESULTS))
    document = json.loads(msgspec.json.encode(result))
    places = list(paths(document))
    kinds = sorted({tuple(p for p in place if isinstance(p, str)) for place in places})
    kind = draw(st.sampled_from(kinds))
    alike = [place for place in places if tuple(p for p in place if isinstance(p, str)) == kind]
    *outer, last = place = draw(st.sampled_from(alike))
    holder = document
    for key in outer:
        holder = holder[key]
    holder[last] = draw(others(holder[last]))
    try:
        after = msgspec.json.decode(msgspec.json.encode(document), type=MatchResult)
    except msgspec.ValidationError:
        assume(False)
    assume(after != result)
    return result, place, after


def unproven(place: tuple[Any, ...], before: MatchResult, after: MatchResult) -> bool:
    """Return whether a change is one that the document says cannot be seen."""
    match place:
        case ("outcome", "lag", *_):
            return True
        case ("outcome", "spent", *_):
            return len(before.outcome.spent) == len(after.outcome.spent)
        case ("fingerprints", *_) | ("outcome", "stale", *_):
            return len(before.fingerprints) == len(after.fingerprints)
        case ("outcome", "faults", int(), "ms" | "cpu" | "detail" | "output" | "log"):
            return True
        case ("outcome", "faults", int(number), "kind"):
            kinds = {match.outcome.faults[number].kind for match in (before, after)}
            return FaultKind.NOT_READY not in kinds
        case ("deals", int(), "actions", int(), 2) | ("deals", int(), "actions", int()):
            return without_times(before) == without_times(after)
    return False


def without_times(result: MatchResult) -> list[Any]:
    return [(*move[:2], move[2] is None) for deal in result.deals for move in deal.actions]


@given(tamperings())
@settings(max_examples=400)
def test_a_changed_value_is_named(
    tampering: tuple[MatchResult, tuple[Any, ...], MatchResult],
) -> None:
    before, place, after = tampering
    assert difference(after) or unproven(place, before, after), place


OUTCOME = {
    "match": "0" * 16,
    "composition": "0" * 16,
    "block": 99,
    "rotation": 99,
    "seats": ("dan", "cyd", "ann"),
    "totals": (0, 0, 0),
    "places": (1, 1, 1),
    "deals": 99,
    "forfeited": (2, 1, 0),
    "faults": (),
    "ended": "complete",
    "times": ({}, {}, {}),
    "stale": (),
    "digest": "",
    "versions": ("ann", "bob", "cyd/0123456789abcdef"),
    "spent": (None, Spent(1.0, -1.0, 1.0), None),
    "lag": Lag(9, 1.0, -1.0, None, None),
}
RECORD = {
    "game": "chess",
    "options": {},
    "block_seed": "0" * 32,
    "deals": (),
    "fingerprints": (),
}


def cut_short() -> MatchResult:
    """Return a match of three in which two forfeited, in different deals or actions."""
    return next(found(lambda _, o: o.ended == "forfeit" and len(o.seats) == 3))


@pytest.mark.parametrize(("field", "value"), OUTCOME.items(), ids=OUTCOME)
def test_every_field_of_an_outcome_is_checked(field: str, value: object) -> None:
    assert set(OUTCOME) == set(Outcome.__struct_fields__)
    named = difference(changed(cut_short(), **{field: value}))
    assert named.startswith("match ")


@pytest.mark.parametrize(("field", "value"), RECORD.items(), ids=RECORD)
def test_every_field_of_a_record_is_checked(field: str, value: object) -> None:
    assert {*RECORD, "outcome"} == set(MatchResult.__struct_fields__)
    assert difference(replace(cut_short(), **{field: value}))


def test_records_swapped_between_two_matches_are_named() -> None:
    for one, other in itertools.pairwise(RESULTS):
        named = difference(replace(one, outcome=other.outcome))
        assert named.startswith(f"match {other.outcome.match}: ")


def test_a_match_that_is_there_twice_is_named() -> None:
    match = RESULTS[0].outcome.match
    right = f"match {match}: times the match is there should be 1, the record has 2"
    assert difference(*RESULTS, RESULTS[0]) == right


def test_the_first_of_the_missing_matches_in_the_order_of_play_is_told() -> None:
    played = [result.outcome for result in RESULTS]
    assert missing(LEAGUE, lambda: played[:5] + played[7:]) == (2, played[5].match)


def test_a_league_that_nobody_could_play_to_its_end_is_verified_at_once() -> None:
    endless = replace(LEAGUE, format_options={"blocks": 10**15, "rotations": "all"})
    outcomes = [result.outcome for result in RESULTS[:5]]
    assert list(verify(endless, RESULTS[:5], lambda: outcomes)) == outcomes
    count, first = missing(endless, lambda: outcomes)
    assert (count, first) == (16 * 10**15 - 5, RESULTS[5].outcome.match)


def test_a_match_that_the_league_does_not_have_is_named() -> None:
    smaller = replace(LEAGUE, format_options={"blocks": 2, "rotations": "all"})
    stranger = next(found(lambda _, outcome: outcome.block == 3))
    right = "a match of the league should be true, the record has false"
    assert difference(stranger, league=smaller) == f"match {stranger.outcome.match}: {right}"


def test_the_seed_of_another_block_is_named() -> None:
    block_1, block_2 = (next(found(lambda _, o, b=b: o.block == b)) for b in (1, 2))
    assert "the seed should be" in difference(replace(block_1, block_seed=block_2.block_seed))


def test_another_seed_of_the_league_is_named() -> None:
    assert "the seed should be" in difference(RESULTS[0], league=replace(LEAGUE, seed="14"))


def test_a_deal_left_in_the_middle_for_the_next_one_is_named() -> None:
    result = next(found(lambda r, o: len(r.deals) > 1 and not o.faults))
    first, *rest = result.deals
    cut = replace(first, actions=first.actions[:-1], penalties=None, truncated=False)
    assert "the end of deal 1 before the next" in difference(replace(result, deals=(cut, *rest)))


def test_a_match_ended_before_its_time_is_named() -> None:
    result = next(found(lambda r, o: len(r.deals) > 1 and not o.faults))
    last = result.deals[-1].penalties or ()
    totals = tuple(a - b for a, b in zip(result.outcome.totals, last, strict=True))
    ended = changed(result, totals=totals, deals=len(result.deals) - 1)
    named = difference(replace(ended, deals=result.deals[:-1]))
    assert 'the end should be "forfeit", the record has "complete"' in named


def test_a_match_called_decided_while_two_were_left_is_named() -> None:
    result = next(found(lambda r, o: len(r.deals) > 1 and not o.faults))
    last = result.deals[-1].penalties or ()
    totals = tuple(a - b for a, b in zip(result.outcome.totals, last, strict=True))
    ended = changed(result, totals=totals, deals=len(result.deals) - 1, ended="forfeit")
    named = difference(replace(ended, deals=result.deals[:-1]))
    assert "the end without enough forfeits" in named


def test_a_fault_taken_away_is_named() -> None:
    for result in found(lambda _, outcome: outcome.faults):
        for fault in result.outcome.faults:
            left = tuple(other for other in result.outcome.faults if other != fault)
            assert difference(changed(result, faults=left))


def test_an_answer_beyond_the_limits_is_named() -> None:
    strict = with_terms(limits=replace(LEAGUE.terms.limits, bank=0))
    late = [result for result in RESULTS if difference(result, league=strict)]
    assert late
    assert all("within the limits" in difference(result, league=strict) for result in late)


def test_a_late_answer_that_was_in_time_is_named() -> None:
    generous = with_terms(limits=Limits(first_move=5_000, move=5_000))
    late = found(lambda _, o: any(f.kind is FaultKind.TIMEOUT for f in o.faults))
    assert all("within the limits" in difference(result, league=generous) for result in late)


def test_other_rules_for_faults_are_named() -> None:
    for tolerate in (0, 9):
        policy = replace(LEAGUE.terms.faults, tolerate=tolerate)
        assert difference(*RESULTS, league=with_terms(faults=policy))


def test_other_options_of_the_game_are_named() -> None:
    options = {**LEAGUE.terms.options, "target": 13}
    assert "the options should be" in difference(RESULTS[0], league=with_terms(options=options))


@given(ASCII, st.lists(st.integers(1, 1 << 32), max_size=50))
def test_both_streams_give_the_same_numbers(seed: str, bounds: list[int]) -> None:
    own, other = OwnStream(seed), seeds.Stream(seed)
    assert [own.below(n) for n in bounds] == [other.below(n) for n in bounds]


@given(ASCII, st.integers(0, 300))
def test_both_shuffles_give_the_same_order(seed: str, count: int) -> None:
    assert OwnStream(seed).shuffled(range(count)) == seeds.Stream(seed).shuffled(range(count))


@given(TEXT, st.lists(TEXT | WHOLE, max_size=4))
def test_both_derivations_give_the_same_seed(seed: str, labels: list[str | int]) -> None:
    assert own_derive(seed, *labels) == seeds.derive(seed, *labels)


GOLDEN: dict[str, Any] = {
    "seed": "803ec8add3498ac66633e5fdbf8f47d6",
    "block": "523a67d25dee0eb668d25f108055f934",
    "text": "200a0e856c57d3a66051a90979ff0b69",
    "below": [0, 0, 39, 173, 540744993, 0, 694496306],
    "shuffled": [8, 1, 7, 6, 9, 2, 5, 4, 11, 10, 3, 0, 12],
}


@pytest.mark.parametrize("derive", [seeds.derive, own_derive])
def test_derived_seeds_stay_what_they_are(derive: Any) -> None:
    assert derive("13") == GOLDEN["seed"]
    assert derive("13", "block", "leaves", "ann", "bob", "cyd", 1) == GOLDEN["block"]
    assert derive("Zürich", 'a "b"', "日本", 0) == GOLDEN["text"]


@pytest.mark.parametrize("stream", [seeds.Stream, OwnStream])
def test_streams_stay_what_they_are(stream: Any) -> None:
    numbers = stream("13")
    assert [numbers.below(n) for n in (2, 6, 62, 1000, 1 << 32, 1, 3_000_000_000)] == GOLDEN[
        "below"
    ]
    assert stream("13").shuffled(range(13)) == GOLDEN["shuffled"]

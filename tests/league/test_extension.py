"""Going on with a run: what may change in the league file and what may not."""

from typing import Any

import pytest
from msgspec.structs import replace

from arena.errors import ConfigError
from arena.league.extension import WAYS_OUT, check_extension
from arena.model import Entrant, FaultPolicy, League, Limits, Terms

ANN, BOB, CID, DEE = (Entrant(name, ("true",), "/") for name in ("ann", "bob", "cid", "dee"))
TERMS = Terms(game="leaves", options={"target": 20})
OLD = League(
    name="test",
    seed="13",
    seats=(3,),
    terms=TERMS,
    format="round-robin",
    format_options={"blocks": 5, "rotations": "all"},
    entrants=(ANN, BOB, CID),
    source="league.toml",
)


def with_terms(**changes: Any) -> League:
    return replace(OLD, terms=replace(TERMS, **changes))


def with_format(**changes: Any) -> League:
    return replace(OLD, format_options={**OLD.format_options, **changes})


REFUSED = {
    "game": (
        with_terms(game="arena.games.leaves:PLUGIN"),
        "'leaves'",
        "'arena.games.leaves:PLUGIN'",
    ),
    "seed": (replace(OLD, seed="14"), "'13'", "'14'"),
    "seats": (replace(OLD, seats=(3, 4)), "[3]", "[3, 4]"),
    "[format] kind": (replace(OLD, format="gauntlet"), "'round-robin'", "'gauntlet'"),
    "[format] rotations": (with_format(rotations=2), "'all'", "2"),
    "[format] blocks": (with_format(blocks=4), "5", "4"),
    "[run] restart": (with_terms(restart="never"), "'auto'", "'never'"),
    "[options] target": (with_terms(options={"target": 30}), "20", "30"),
    "[options] hand_size": (with_terms(options={"target": 20, "hand_size": 5}), "15", "5"),
    "[options] max_turns": (with_terms(options={"target": 20, "max_turns": 9}), "1000", "9"),
    "[options] variant": (with_terms(options={"variant": "basic"}), "'expert'", "'basic'"),
    "[limits] start": (with_terms(limits=Limits(start=1)), "10000", "1"),
    "[limits] first_move": (with_terms(limits=Limits(first_move=1)), "5000", "1"),
    "[limits] move": (with_terms(limits=Limits(move=1)), "1000", "1"),
    "[limits] bank": (with_terms(limits=Limits(bank=1)), "0", "1"),
    "[limits] cpu_move": (with_terms(limits=Limits(cpu_move=1)), "0", "1"),
    "[limits] cpu_match": (with_terms(limits=Limits(cpu_match=1)), "0", "1"),
    "[limits] off_turn": (with_terms(limits=Limits(off_turn="fault")), "'report'", "'fault'"),
    "[limits] off_turn_ms": (with_terms(limits=Limits(off_turn_ms=1)), "1000", "1"),
    "[faults] tolerate": (with_terms(faults=FaultPolicy(tolerate=1)), "0", "1"),
    "[faults] suspend": (with_terms(faults=FaultPolicy(suspend=1)), "3", "1"),
}


@pytest.mark.parametrize("key", REFUSED)
def test_what_the_results_depend_on_may_not_change(key: str) -> None:
    new, before, now = REFUSED[key]
    with pytest.raises(ConfigError) as caught:
        check_extension(OLD, new)
    assert str(caught.value) == (
        f"league.toml: {key} was {before} when this run began and is {now} now; {WAYS_OUT}"
    )
    assert "--out" in WAYS_OUT
    assert "--restart" in WAYS_OUT


def test_every_limit_and_fault_setting_is_tried() -> None:
    keys = {
        *(f"[limits] {key}" for key in Limits.__struct_fields__),
        *(f"[faults] {key}" for key in FaultPolicy.__struct_fields__),
    }
    assert keys <= REFUSED.keys()


PASSES = {
    "nothing": OLD,
    "more blocks": with_format(blocks=6),
    "another bot": replace(OLD, entrants=(*OLD.entrants, DEE)),
    "another order of bots": replace(OLD, entrants=OLD.entrants[::-1]),
    "a retired bot": replace(OLD, entrants=(replace(ANN, active=False), BOB, CID, DEE)),
    "a bot's command": replace(OLD, entrants=(replace(ANN, command=("false",)), BOB, CID)),
    "workers": replace(OLD, workers=5),
    "pin": replace(OLD, pin=False),
    "the league's name": replace(OLD, name="other"),
    "the file's place": replace(OLD, source="elsewhere.toml"),
    "a default written out": with_terms(options={"target": 20, "variant": "expert"}),
    "a default left out": with_terms(options={}),
}


@pytest.mark.parametrize("change", PASSES)
def test_how_a_league_is_run_may_change_and_it_may_grow(change: str) -> None:
    check_extension(OLD, PASSES[change])


def test_an_option_is_compared_at_tables_of_every_size() -> None:
    """A hand size that is the default for three is none for four."""
    old = replace(OLD, seats=(3, 4), entrants=(ANN, BOB, CID, DEE))
    new = replace(old, terms=replace(TERMS, options={"target": 20, "hand_size": 15}))
    with pytest.raises(ConfigError, match=r"\[options\] hand_size at tables of 4 was 13 "):
        check_extension(old, new)


def test_a_bot_that_is_missing_is_refused_with_the_way_to_retire_it() -> None:
    with pytest.raises(ConfigError) as caught:
        check_extension(OLD, replace(OLD, entrants=(ANN, CID)))
    assert str(caught.value) == (
        "league.toml: the bot 'bob' of this run is no longer in the file; "
        f"keep it with active = false to retire it, {WAYS_OUT}"
    )


def test_a_retired_bot_may_come_back() -> None:
    retired = replace(OLD, entrants=(ANN, BOB, CID, replace(DEE, active=False)))
    check_extension(retired, replace(OLD, entrants=(ANN, BOB, CID, DEE)))


GAUNTLET = replace(
    OLD,
    format="gauntlet",
    format_options={"compositions": 4, "rotations": "all", "blocks": 2, "candidates": ["ann"]},
)


@pytest.mark.parametrize(
    ("key", "value", "passes"),
    [
        ("compositions", 5, True),
        ("compositions", 3, False),
        ("compositions", None, False),
        ("matches", 9, False),
        ("candidates", ["bob", "ann"], True),
        ("candidates", ["bob"], False),
    ],
)
def test_what_grows_in_a_format_may_not_shrink_or_come_or_go(
    key: str, value: Any, passes: bool
) -> None:
    options = {**GAUNTLET.format_options, key: value}
    new = replace(GAUNTLET, format_options={k: v for k, v in options.items() if v is not None})
    if passes:
        check_extension(GAUNTLET, new)
    else:
        with pytest.raises(ConfigError, match=rf"\[format\] {key} was "):
            check_extension(GAUNTLET, new)

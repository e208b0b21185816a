"""Comparisons as leagues: pairs of tables, stages, and the same end however a run was stopped."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from playing import ended, missing, playing

from arena.errors import OptionError
from arena.league import comparison
from arena.league.comparison import PLUGIN, Planned
from arena.league.seasons import begun
from arena.model import Entrant, Fixture, League, Outcome, Terms
from arena.results.versus import Verdict


def compared(*mates: str, most: int = 30) -> League:
    """Return the comparison of old and new."""
    names = ("old", "new", *mates)
    test = {"old": "old", "new": "new", "margin": 0.1, "alpha": 0.05, "max_blocks": most}
    test |= {"rotations": 1 if mates else 2}
    return begun(
        League(
            name="test",
            seed="13",
            seats=(1 + len(mates) if mates else 2,),
            terms=Terms(game="leaves"),
            format=comparison.KEY,
            format_options=PLUGIN.check(test),
            entrants=tuple(Entrant(name, ("true",), "/", fingerprint=name) for name in names),
            twins={"new": "old"} if mates else {},
        )
    )


def result(fixture: Fixture, places: Callable[[Fixture, str], int]) -> Outcome:
    return ended(fixture, tuple(places(fixture, name) for name in fixture.seats))


def finished(league: League, places: Callable[[Fixture, str], int]) -> list[Outcome]:
    run: list[Outcome] = []
    while todo := missing(league, run):
        run += [result(fixture, places) for fixture in todo]
    return run


def new_wins(_fixture: Fixture, name: str) -> int:
    return {"new": 1, "old": 4}.get(name, 2)


def all_tie(_fixture: Fixture, _name: str) -> int:
    return 1


def test_both_versions_have_the_same_seats_cards_and_mates() -> None:
    by_block: dict[tuple[int, int], list[Fixture]] = {}
    for fixture in Planned(compared("x", "y"), ()).fixtures():
        by_block.setdefault((fixture.block, fixture.rotation), []).append(fixture)
    assert len(by_block) == comparison.FIRST
    for pair in by_block.values():
        old, new = sorted(pair, key=lambda fixture: "new" in fixture.seats)
        assert old.block_seed == new.block_seed
        assert new.seats == tuple("new" if name == "old" else name for name in old.seats)
        assert old.id != new.id
        assert old.composition != new.composition
    assert (
        len({fixture.block_seed for (_, turn), (fixture, _) in by_block.items() if turn == 1}) == 8
    )


def test_without_mates_they_meet_head_to_head() -> None:
    fixtures = list(Planned(compared(), ()).fixtures())
    assert len(fixtures) == 2 * comparison.FIRST
    assert {tuple(sorted(fixture.seats)) for fixture in fixtures} == {("new", "old")}
    assert {fixture.seats.index("new") for fixture in fixtures} == {0, 1}


@pytest.mark.parametrize("mates", [(), ("x",), ("x", "y")])
def test_a_clear_comparison_ends_at_a_stage_and_says_how_long_it_was(
    mates: tuple[str, ...],
) -> None:
    league = compared(*mates, most=200)
    run = finished(league, new_wins)
    plan = Planned(league, run)
    assert plan.extent().matches == len(run) < 200
    found = comparison.versus(league)
    for outcome in run:
        found.add(outcome)
    assert found.verdict is Verdict.BETTER
    assert found.blocks == plan.extent().fewest
    assert all(plan.includes(outcome) for outcome in run)


def test_an_unclear_comparison_ends_after_the_most_blocks_and_can_be_gone_on_with() -> None:
    short, long = compared(most=9), compared(most=14)
    run = finished(short, all_tie)
    assert {outcome.block for outcome in run} == set(range(1, 10))
    assert missing(short, run) == []
    assert {fixture.block for fixture in missing(long, run)} == {10, 11, 12}
    assert Planned(long, run).extent().matches == 28


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_run_goes_on_from_any_match_as_if_it_had_not_been_stopped(at_once: int) -> None:
    """The places of these runs are drawn from the ids of the matches."""
    league = compared("x", most=20)
    runs = list(playing(league, at_once=at_once))
    whole = {outcome.match for outcome in runs[-1]}
    for stopped in runs[:: 1 if at_once == 1 else 5]:
        todo = {fixture.id for fixture in missing(league, stopped)}
        assert todo <= whole - {outcome.match for outcome in stopped}
        assert todo or stopped == runs[-1]


def test_matches_of_others_are_no_part_of_it() -> None:
    league = compared("x", "y")
    plan = Planned(league, ())
    one = result(next(plan.fixtures()), all_tie)
    assert plan.includes(one)
    for change in ({"block": 31}, {"rotation": 2}, {"seats": ("old", "new", "x")}):
        assert not plan.includes(replace(one, **change))


def test_all_options_are_needed() -> None:
    with pytest.raises(OptionError, match="is missing"):
        PLUGIN.check({"old": "a", "new": "b", "margin": 0.1, "alpha": 0.05})

"""What every format must keep: stable ids, no fixture twice, going on from any point.

What a format's options mean, and its balance, have tests of their own in ``tests/league``.
"""

import itertools
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from playing import fixtures, league, missing, outcome, plan, played, playing, retired

from arena import plugins
from arena.errors import OptionError
from arena.league.seasons import as_of, continued
from arena.model import League, Outcome

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "round-robin": [{}, {"compositions": 4}, {"matches": 90}, {"matches": 80, "rotations": 2}],
    "gauntlet": [{}, {"candidates": ["a", "b"], "compositions": 4}, {"matches": 72}],
    "swiss": [{}, {"rotations": 2, "rounds": 4}],
}
"""Options of which each makes a plan of another kind."""
KINDS = [(key, given) for key in plugins.names("formats") for given in OPTIONS.get(key, [{}])]
IDS = [f"{key}-{'-'.join(given)}".strip("-") for key, given in KINDS]
SIZES = st.lists(st.integers(2, 4), min_size=1, max_size=3, unique=True).map(
    lambda sizes: tuple(sorted(sizes))
)


@pytest.fixture(params=KINDS, ids=IDS)
def kind(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    found: tuple[str, dict[str, Any]] = request.param
    return found


@pytest.fixture
def some(kind: tuple[str, dict[str, Any]]) -> League:
    """A league of six bots at tables of three and four."""
    key, options = kind
    return league(key, 6, (3, 4), **{"blocks": 1, **options})


@pytest.mark.parametrize("key", OPTIONS)
def test_more_rotations_than_the_largest_table_has_seats_are_refused(key: str) -> None:
    assert plan(league(key, 6, (3, 4), rotations=4)).extent().matches
    with pytest.raises(OptionError, match='5 is too large: a table of 4 has 4, which "all" plays'):
        league(key, 6, (3, 4), rotations=5)


@example(kind=("swiss", {"rotations": 2, "rounds": 4}), bots=6, seats=(4,), blocks=1)
@given(kind=st.sampled_from(KINDS), bots=st.integers(6, 8), seats=SIZES, blocks=st.integers(1, 2))
@settings(max_examples=20, deadline=None)
def test_the_extent_is_the_number_of_fixtures_and_none_is_there_twice(
    kind: tuple[str, dict[str, Any]], bots: int, seats: tuple[int, ...], blocks: int
) -> None:
    key, options = kind
    some = league(key, bots, seats, **{"blocks": blocks, **options})
    run = played(some)
    whole = plan(some, run)
    extent = whole.extent()
    assert extent == plan(some).extent()
    assert len(run) == extent.matches
    assert len({match.match for match in run}) == len(run)
    assert all(whole.includes(match) for match in run)
    blocks_of = defaultdict(set)
    for match in run:
        for name in match.seats:
            blocks_of[name].add(match.block_id)
    counts = [len(blocks_of[bot.name]) for bot in some.entrants]
    assert (extent.fewest, extent.most) == (min(counts), max(counts))
    assert extent.blocks == len({match.block_id for match in run})
    rounds = blocks if key == "swiss" else len(run)
    assert extent.compositions == len({(m.composition, (m.block - 1) // rounds) for m in run})


def test_the_same_league_gives_the_same_fixtures_whatever_the_order_of_its_bots(
    some: League,
) -> None:
    assert fixtures(some) == fixtures(some)
    assert fixtures(replace(some, entrants=some.entrants[::-1])) == fixtures(some)


def test_from_every_prefix_exactly_the_rest_is_missing(some: League) -> None:
    whole = played(some)
    ids = {match.match for match in whole}
    assert missing(some, whole) == []
    for run in itertools.islice(playing(some), 0, None, 7):
        todo = {fixture.id for fixture in missing(some, run)}
        done = {match.match for match in run}
        assert todo <= ids - done
        assert bool(todo) == (len(run) < len(whole))
        now = plan(some, run)
        assert all(now.includes(match) for match in run)
        assert now.extent().matches == len(whole)


@pytest.mark.parametrize("at_once", [2, 5])
def test_matches_played_at_the_same_time_change_no_fixture(some: League, at_once: int) -> None:
    def by_id(outcomes: list[Outcome]) -> list[Outcome]:
        return sorted(outcomes, key=lambda match: match.match)

    whole = played(some)
    assert by_id(played(some, at_once=at_once)) == by_id(whole)
    half = played(some, at_once=at_once)[: len(whole) // 2]
    assert by_id(played(some, half)) == by_id(whole)


def test_rotations_of_a_block_share_its_deals_and_turn_one_order(some: League) -> None:
    blocks = defaultdict(list)
    seeds = {}
    for fixture in fixtures(some):
        blocks[fixture.block_id].append(fixture)
        seeds.setdefault(fixture.block_id, fixture.block_seed)
        assert seeds[fixture.block_id] == fixture.block_seed
    assert len(set(seeds.values())) == len(seeds)
    for block in blocks.values():
        orders = {f.seats[-(f.rotation - 1) :] + f.seats[: -(f.rotation - 1)] for f in block}
        assert len(orders) == 1
        rotations = {fixture.rotation for fixture in block}
        wanted = some.format_options["rotations"]
        size = len(block[0].seats)
        assert len(rotations) == len(block) == (size if wanted == "all" else min(wanted, size))


def test_deals_depend_on_league_seed_bots_and_block_only(some: League) -> None:
    seeds = {fixture.block_id: fixture.block_seed for fixture in fixtures(some)}
    more = replace(some, entrants=some.entrants[:-1])
    assert all(seeds.get(f.block_id, f.block_seed) == f.block_seed for f in fixtures(more))
    other = fixtures(replace(some, seed="14"))
    assert not {fixture.block_seed for fixture in other} & set(seeds.values())


def test_a_bot_rarely_meets_a_block_again_soon(some: League) -> None:
    """A process that has met a block is replaced before it meets it again, which takes time."""
    some = replace(some, seats=(3,))
    repeats = sum(a.block_id == b.block_id for a, b in itertools.pairwise(fixtures(some)))
    assert repeats == 0


def changes(some: League) -> dict[str, League]:
    """Return what a league may become in the middle of its run."""
    *others, last = some.entrants
    return {
        "a bot added": replace(some, entrants=(*some.entrants, replace(last, name="new"))),
        "a bot retired": retired(some, last.name),
        "a bot changed": replace(some, entrants=(*others, replace(last, fingerprint="other"))),
    }


@pytest.mark.parametrize("change", ["a bot added", "a bot retired", "a bot changed"])
def test_a_league_that_changes_goes_on_from_any_point(some: League, change: str) -> None:
    """What was played is not played again, and the bots of today have all that they lack."""
    whole = played(some)
    for length in (0, len(whole) // 2, len(whole)):
        before = whole[:length]
        now = continued(some, changes(some)[change], before)
        run = played(now, before)
        assert run[:length] == before
        assert len({match.match for match in run}) == len(run)
        assert missing(now, run) == []
        for cut in {length, (length + len(run)) // 2, max(length, len(run) - 1)}:
            again = continued(now, now, run[:cut])
            assert again == now
            assert {m.match for m in played(again, run[:cut])} == {m.match for m in run}
        stages = [as_of(now, number) for number in range(len(now.stages))]
        plans = [plan(stages[0], before), plan(stages[-1], run)]
        assert all(plans[0].includes(match) for match in before)
        assert all(plans[-1].includes(match) for match in run[length:])
        active = set(now.active)
        assert all(active.issuperset(match.identities) for match in run[length:])


def test_outcomes_of_other_leagues_are_not_included(some: League) -> None:
    some = league(some.format, 6, (3,), **some.format_options)
    first = outcome(some, fixtures(some)[0])
    strange = [
        replace(first, block=10**6),
        replace(first, rotation=9),
        replace(first, seats=(*first.seats[:-1], "stranger")),
        replace(first, seats=(*first.seats[:-1], first.seats[0])),
        replace(first, seats=first.seats[:-1]),
        replace(first, versions=(*first.seats[:-1], f"{first.seats[-1]}/other")),
    ]
    now = plan(some)
    assert now.includes(first)
    assert not any(now.includes(other) for other in strange)

"""What every format must keep: balance, stable ids, and resuming from any point."""

import itertools
from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import plugins
from arena.league.formats.base import Format
from arena.model import Entrant, Fixture, League, Outcome, Terms

FORMATS = plugins.names("formats")


def league(key: str, bots: int = 5, seats: tuple[int, ...] = (3,), **options: Any) -> League:
    """Return a league of bots named a, b, c, ... in a format."""
    names = [chr(ord("a") + n) if n < 26 else f"z{n}" for n in range(bots)]
    return League(
        name="test",
        seed="13",
        seats=seats,
        terms=Terms(game="leaves"),
        format=key,
        format_options=plugins.load("formats", key).check(options),
        entrants=tuple(Entrant(name, ("true",), "/") for name in names),
    )


def as_outcome(fixture: Fixture) -> Outcome:
    seats = len(fixture.seats)
    return Outcome(
        match=fixture.id,
        composition=fixture.composition,
        block=fixture.block,
        rotation=fixture.rotation,
        seats=fixture.seats,
        totals=(0,) * seats,
        places=(1,) * seats,
        deals=1,
        forfeited=(),
        faults=(),
        ended="complete",
        times=({},) * seats,
    )


@pytest.fixture(params=FORMATS)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def plugin(key: str) -> Format:
    found: Format = plugins.load("formats", key)
    return found


SIZES = st.lists(st.integers(2, 5), min_size=1, max_size=3, unique=True).map(
    lambda sizes: tuple(sorted(sizes))
)
SETTINGS = settings(max_examples=25, deadline=None)


@pytest.mark.parametrize("name", FORMATS)
@given(bots=st.integers(5, 7), seats=SIZES, blocks=st.integers(1, 3))
@SETTINGS
def test_count_is_the_number_of_fixtures_and_ids_are_unique(
    name: str, bots: int, seats: tuple[int, ...], blocks: int
) -> None:
    plugin: Format = plugins.load("formats", name)
    some = league(name, bots, seats, blocks=blocks)
    fixtures = list(plugin.fixtures(some))
    assert len(fixtures) == plugin.count(some)
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)
    assert all(plugin.includes(some, as_outcome(fixture)) for fixture in fixtures)


def test_the_same_league_gives_the_same_fixtures(key: str, plugin: Format) -> None:
    assert list(plugin.fixtures(league(key))) == list(plugin.fixtures(league(key)))


def test_the_order_of_the_bots_in_the_file_changes_nothing(key: str, plugin: Format) -> None:
    some = league(key)
    other = replace(some, entrants=some.entrants[::-1])
    assert list(plugin.fixtures(other)) == list(plugin.fixtures(some))


@pytest.mark.parametrize("seats", [(2,), (3,), (4,), (2, 4)])
def test_every_composition_meets_equally_often(
    key: str, plugin: Format, seats: tuple[int, ...]
) -> None:
    some = league(key, 5, seats, blocks=3)
    counts = Counter(tuple(sorted(fixture.seats)) for fixture in plugin.fixtures(some))
    names = [entrant.name for entrant in some.entrants]
    for size in seats:
        tables = list(itertools.combinations(names, size))
        assert {counts.pop(table) for table in tables} == {
            3 * plugin.rotations(some.format_options, size)
        }
    assert not counts


def test_with_all_rotations_each_bot_sits_in_each_seat_equally_often(
    key: str, plugin: Format
) -> None:
    counts = Counter(
        (name, seat)
        for fixture in plugin.fixtures(league(key, 5, (4,), blocks=2, rotations="all"))
        for seat, name in enumerate(fixture.seats)
    )
    assert len(counts) == 5 * 4
    assert len(set(counts.values())) == 1


def test_rotations_of_a_block_share_its_deals_and_turn_one_order(key: str, plugin: Format) -> None:
    blocks = defaultdict(list)
    for fixture in plugin.fixtures(league(key, 5, (3,), blocks=2)):
        blocks[fixture.block_id].append(fixture)
    for block in blocks.values():
        block.sort(key=lambda fixture: fixture.rotation)
        assert [fixture.rotation for fixture in block] == [1, 2, 3]
        assert len({fixture.block_seed for fixture in block}) == 1
        base = block[0].seats
        assert [f.seats for f in block] == [base[turn:] + base[:turn] for turn in range(3)]
    assert len({block[0].block_seed for block in blocks.values()}) == len(blocks)


def test_the_base_order_varies_between_blocks(key: str, plugin: Format) -> None:
    """Cyclic rotations of one order only would leave each bot with the same neighbours."""
    fixtures = plugin.fixtures(league(key, 4, (4,), blocks=60))
    orders = {f.seats[at:] + f.seats[:at] for f in fixtures for at in [f.seats.index("a")]}
    assert len(orders) == 6


def test_deals_depend_on_league_seed_bots_and_block_only(key: str, plugin: Format) -> None:
    few, many = league(key, 4, (3,)), league(key, 6, (2, 3))
    seeds = {fixture.block_id: fixture.block_seed for fixture in plugin.fixtures(many)}
    assert all(seeds[f.block_id] == f.block_seed for f in plugin.fixtures(few))
    other = plugin.fixtures(replace(few, seed="14"))
    assert not {f.block_seed for f in other} & set(seeds.values())


def test_from_every_prefix_exactly_the_rest_is_missing(key: str, plugin: Format) -> None:
    some = league(key, 5, (3, 4), blocks=2)
    fixtures = list(plugin.fixtures(some))
    for length in range(len(fixtures) + 1):
        done = {fixture.id for fixture in fixtures[:length]}
        rest = [fixture for fixture in plugin.fixtures(some) if fixture.id not in done]
        assert rest == fixtures[length:]
        assert len(rest) == plugin.count(some) - len(done)


@pytest.mark.parametrize(("bots", "blocks"), [(6, 2), (4, 3), (6, 3)])
def test_an_extension_keeps_all_that_was_there(
    key: str, plugin: Format, bots: int, blocks: int
) -> None:
    old = league(key, 4, (3,), blocks=2)
    new = league(key, bots, (3,), blocks=blocks)
    extended = set(plugin.fixtures(new))
    before = set(plugin.fixtures(old))
    assert before < extended
    assert all(plugin.includes(new, as_outcome(fixture)) for fixture in before)
    assert not any(plugin.includes(old, as_outcome(fixture)) for fixture in extended - before)


def test_a_retired_bot_has_no_fixtures_and_leaves_those_of_others_alone(
    key: str, plugin: Format
) -> None:
    some = league(key, 5, (3,))
    last = replace(some.entrants[-1], active=False)
    retired = replace(some, entrants=(*some.entrants[:-1], last))
    left = list(plugin.fixtures(retired))
    assert set(left) == {f for f in plugin.fixtures(some) if last.name not in f.seats}
    assert plugin.count(retired) == len(left)
    with_it = next(f for f in plugin.fixtures(some) if last.name in f.seats)
    assert not plugin.includes(retired, as_outcome(with_it))


def test_a_bot_rarely_meets_a_block_again_soon(key: str, plugin: Format) -> None:
    """A process that has met a block is replaced before it meets it again, which takes time."""
    fixtures = list(plugin.fixtures(league(key, 6, (4,), blocks=4)))
    repeats = sum(a.block_id == b.block_id for a, b in itertools.pairwise(fixtures))
    assert repeats == 0


def test_the_first_fixture_of_a_huge_league_is_there_at_once(key: str, plugin: Format) -> None:
    some = league(key, 60, (6,), blocks=1000)
    assert plugin.count(some) == 50_063_860 * 1000 * 6
    assert len(list(itertools.islice(plugin.fixtures(some), 100))) == 100

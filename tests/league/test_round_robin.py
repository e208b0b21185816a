"""Round robin: what its options mean, and ids that must never change."""

from typing import Any

import pytest

from arena.errors import OptionError
from arena.league.formats.round_robin import PLUGIN
from arena.model import Entrant, Fixture, League, Terms


def league(**options: Any) -> League:
    return League(
        name="test",
        seed="13",
        seats=(3,),
        terms=Terms(game="leaves"),
        format=PLUGIN.key,
        format_options=PLUGIN.check(options),
        entrants=tuple(Entrant(name, ("true",), "/") for name in ("ann", "bob", "cid")),
    )


def test_fixtures_are_what_they_always_were() -> None:
    """Journals hold these ids, and published deals come from these seeds."""
    assert list(PLUGIN.fixtures(league(blocks=1))) == [
        Fixture(
            id="19580e67ec8cbeee",
            seats=("ann", "bob", "cid"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=1,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
        Fixture(
            id="4cf23c0130b7563b",
            seats=("bob", "cid", "ann"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=2,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
        Fixture(
            id="43a198579ae4a93c",
            seats=("cid", "ann", "bob"),
            composition="5de1b397b9cfc241",
            block=1,
            rotation=3,
            block_seed="f000f386be2e4cd5284ad8e8d8ebd6c9",
        ),
    ]


def test_defaults_are_ten_blocks_in_all_rotations() -> None:
    assert PLUGIN.check({}) == {"blocks": 10, "rotations": "all"}
    assert PLUGIN.count(league()) == 30


def test_fewer_rotations_are_the_first_ones() -> None:
    some = league(blocks=2, rotations=2)
    assert {fixture.rotation for fixture in PLUGIN.fixtures(some)} == {1, 2}
    assert PLUGIN.count(some) == 4


def test_there_are_no_more_rotations_than_seats() -> None:
    some = league(blocks=1, rotations=7)
    assert PLUGIN.rotations(some.format_options, 3) == 3
    assert PLUGIN.count(some) == len(list(PLUGIN.fixtures(some))) == 3


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ({"block": 1}, "block", "unknown key; did you mean 'blocks'?"),
        ({"blocks": 0}, "blocks", "0 must be a whole number from 1"),
        ({"blocks": True}, "blocks", "True must be a whole number from 1"),
        ({"blocks": "10"}, "blocks", "'10' must be a whole number from 1"),
        ({"rotations": 0}, "rotations", '0 must be a whole number from 1 or "all"'),
        ({"rotations": 1.5}, "rotations", '1.5 must be a whole number from 1 or "all"'),
    ],
)
def test_options_that_cannot_be_used_are_refused(
    given: dict[str, Any], key: str, message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        PLUGIN.check(given)
    assert (caught.value.key, str(caught.value)) == (key, message)

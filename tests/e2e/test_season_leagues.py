"""A league whose bots come and change while it is played."""

import json
from pathlib import Path

import pytest
from running import Place

pytestmark = pytest.mark.process

TAKES_THE_FIRST = "from arena.bot import run\nrun(lambda observation, legal: legal[0])\n"
TAKES_THE_LAST = "from arena.bot import run\nrun(lambda observation, legal: legal[-1])\n"


def rows(place: Place, *words: str) -> dict[str, int]:
    """Return the matches of each bot in the standings."""
    done = place.arena("standings", "run", "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return {row["bot"]: row["matches"] for row in json.loads(done.stdout)["rows"]}


def play(place: Place, league: Path) -> str:
    """Play a league to its end and verify it; return what was said."""
    done = place.arena("tournament", league, "--out", "run")
    assert done.returncode == 0, done.stderr
    verified = place.arena("verify", "run")
    assert verified.returncode == 0, verified.stderr
    assert "missing" not in verified.stdout
    return done.stderr


@pytest.mark.parametrize(
    ("options", "matches"),
    [
        ({"blocks": 1}, 9),
        pytest.param({"compositions": 4, "blocks": 1}, 9, marks=pytest.mark.slow),
        pytest.param(
            {"kind": "gauntlet", "candidates": ["mine"], "blocks": 1}, 9, marks=pytest.mark.slow
        ),
        ({"kind": "swiss", "rounds": 2}, 3),
    ],
    ids=["round-robin", "subset", "gauntlet", "swiss"],
)
def test_a_changed_bot_plays_anew_and_its_results_stay_under_its_old_version(
    place: Place, options: dict[str, object], matches: int
) -> None:
    mine = place.bot("mine", TAKES_THE_FIRST)
    more = ("miser", "counter") if "rounds" in options else ()
    bots = ("first", "greedy", "random", *more, mine)
    play(place, place.league(*bots, format=options))
    before = rows(place)
    (place.folder / "bots/mine/main.py").write_text(TAKES_THE_LAST)
    again = options | {"rounds": 3} if "rounds" in options else options
    said = play(place, place.league(*bots, format=again))
    assert "arena: mine has changed since it played: it plays its matches anew" in said
    assert rows(place)["mine"] == matches
    versions = rows(place, "--versions")
    (old,) = versions.keys() - before.keys()
    assert old.startswith("mine@")
    assert len(old) == len("mine@1a2b")
    assert versions[old] == before["mine"]
    assert versions["mine"] == matches
    assert "has changed" not in play(place, place.league(*bots, format=again))
    assert rows(place, "--versions") == versions


def test_a_bot_added_to_a_gauntlet_plays_what_it_lacks(place: Place) -> None:
    options = {"kind": "gauntlet", "candidates": ["greedy"], "blocks": 1}
    play(place, place.league("greedy", "first", "random", format=options))
    said = play(place, place.league("greedy", "first", "random", "miser", format=options))
    assert "9 matches, 3 are there already" in said
    assert rows(place)["miser"] == 6

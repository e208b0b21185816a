"""``arena plan``: what a league is to be, told without playing it."""

import re
from pathlib import Path

import pytest
from running import REPOSITORY, Place

pytestmark = pytest.mark.process


def plan(place: Place, config: Path, *words: str) -> dict[str, str]:
    """Return the lines of a plan by their headings."""
    done = place.arena("plan", config, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return {line[:14].strip(): line[14:] for line in done.stdout.splitlines()}


def test_a_plan_says_how_large_how_long_and_how_exact_a_league_is(place: Place) -> None:
    told = plan(place, REPOSITORY / "configs" / "league.toml", "--workers", "1")
    duration = told.pop("duration")
    assert told == {
        "format": "round-robin of 5 bots at tables of 4",
        "compositions": "5",
        "blocks": "50, 40 for each bot",
        "matches": "200",
        "intervals": "share ± 0.059 for bots of equal strength, less for others",
    }
    found = re.fullmatch(
        r"about (.*) for 200 matches, 1 at a time: one of (\w+, ){3}\w+ took (\d\.\d{3}) s",
        duration,
    )
    assert found
    assert not (place.folder / "runs").exists()
    assert not place.processes()
    assert not place.left_behind()


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.slow) for name in ("subset", "gauntlet")), "swiss"],
)
def test_the_plan_of_a_format_is_what_is_played(place: Place, name: str) -> None:
    config = REPOSITORY / "configs" / f"{name}.toml"
    words = ("--blocks", "1", "--out", "run")
    told = plan(place, config, *words)
    assert ("balance" in told) == (name == "subset")
    played = place.arena("tournament", config, *words)
    assert f" {told['matches']} matches\n" in played.stderr
    blocks = told["blocks"].split(",")[0]
    assert f"{told['matches']} matches in {blocks} blocks" in played.stdout
    done = plan(place, config, *words)
    assert done["matches"] == f"{told['matches']}, {told['matches']} of them are played"
    assert "duration" not in done


def test_a_plan_of_a_run_tells_what_a_bot_that_is_added_has_to_play(place: Place) -> None:
    few = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", few, "--out", "run").returncode == 0
    more = place.league("first", "greedy", "random", "miser", format={"blocks": 1})
    told = plan(place, more, "--out", "run")
    assert told["matches"] == "12, 3 of them are played"
    assert " for 9 matches, " in told["duration"]
    assert "miser" in told["duration"]


def test_bots_at_fault_tell_no_time(place: Place) -> None:
    league = place.league("first", "greedy", place.bot("gone", "raise SystemExit('no licence')"))
    done = place.arena("plan", league)
    assert done.returncode == 0
    assert "unknown: not all bots played well" in done.stdout
    assert "gone: fault in match" in done.stderr
    assert "no licence" in done.stderr


def test_a_run_of_another_league_is_refused(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run").returncode == 0
    done = place.arena("plan", league, "--out", "run", "--seed", "14")
    assert done.returncode == 2
    assert "seed was '13' when this run began and is '14' now" in done.stderr

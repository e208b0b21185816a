"""A league that asks for ratings has them in its files, however it was played."""

import json

import pytest
from running import STOCK, Place

pytestmark = pytest.mark.process


def test_ratings_are_in_the_files_whatever_the_number_of_workers(place: Place) -> None:
    league = place.league(*STOCK, format={"blocks": 3}, rating={"anchor": "random"})
    tables = []
    for workers in (1, 2):
        out = place.folder / f"run-{workers}"
        played = place.arena("tournament", league, "-q", "--out", out, "--workers", workers)
        assert (played.returncode, played.stderr) == (0, "")
        assert place.arena("verify", out).returncode == 0
        tables.append((out / "standings.json").read_text())
    assert tables[0] == tables[1]
    ratings = json.loads(tables[0])["ratings"]
    assert (ratings["kind"], ratings["anchor"], ratings["parts"]) == ("bradley-terry", "random", 1)
    assert ratings["rows"][-1] == {
        "bot": "random", "rating": 1500.0, "low": 1500.0, "high": 1500.0, "part": 1,
    }  # fmt: skip
    assert "## Ratings" in (place.folder / "run-1" / "standings.md").read_text()
    shown = place.arena("standings", out, "--table", "ratings").stdout
    assert "bradley-terry on the Elo scale, random fixed at 1500" in shown


@pytest.mark.slow
def test_a_league_that_asks_for_none_can_be_rated_all_the_same(place: Place) -> None:
    played = place.arena("tournament", place.league(*STOCK), "-q", "--out", "run")
    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads((place.folder / "run" / "standings.json").read_text())["ratings"] is None
    shown = place.arena("standings", "run", "--table", "ratings", "--format", "json").stdout
    assert len(json.loads(shown)["ratings"]["rows"]) == 4
    assert "Elo scale, mean 1500" in place.arena("standings", "run", "--table", "ratings").stdout

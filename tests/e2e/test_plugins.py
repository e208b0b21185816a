"""A game in a file of its own plays a league, named by its module or installed with a name."""

import shutil
from pathlib import Path

import pytest
from running import Place

pytestmark = pytest.mark.process

HERE = Path(__file__).parent / "plugin"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path of modules with the file of the game."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    shutil.copy(HERE / "high_card.py", folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def install(shelf: Path) -> None:
    """Leave what an installer leaves of a package with an entry point."""
    info = shelf / "high_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.games]\nhigh-card = high_card:PLUGIN\n")


def test_a_game_named_by_its_module_plays_a_league(place: Place, shelf: Path) -> None:
    assert (shelf / "high_card.py").exists()
    league = place.league("first", "random", game="high_card:PLUGIN", seats=2, options={"deals": 3})
    played = place.arena("tournament", league, "--out", "run", "-q")
    assert (played.returncode, played.stderr) == (0, "")
    assert place.arena("verify", "run").returncode == 0


def test_an_installed_game_is_listed_and_plays_a_league(place: Place, shelf: Path) -> None:
    install(shelf)
    assert "high-card: High Card, 2 to 4 seats" in place.arena("games").stdout
    assert "Play the highest" in place.arena("rules", "high-card").stdout
    league = place.league("first", "random", game="high-card", seats=2, options={"deals": 3})
    played = place.arena("tournament", league, "--out", "run", "-q")
    assert (played.returncode, played.stderr) == (0, "")
    assert place.arena("verify", "run").returncode == 0
    first = place.arena("export", "run").stdout.splitlines()[0]
    assert '"game":"high-card"' in first


def test_an_option_of_an_installed_game_is_checked(place: Place, shelf: Path) -> None:
    install(shelf)
    league = place.league("first", "random", game="high-card", seats=2, options={"deal": 3})
    refused = place.arena("tournament", league, "--out", "run")
    assert refused.returncode == 2
    assert "[options] deal: unknown option 'deal'; did you mean 'deals'?" in refused.stderr

"""Every league in ``configs/`` plays, is interrupted, goes on, and is verified."""

from pathlib import Path

import pytest
from running import REPOSITORY, Place

pytestmark = pytest.mark.process

CONFIGS = sorted((REPOSITORY / "configs").glob("*.toml"))


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_a_league_of_configs_finishes_after_a_stop(config: Path, place: Place) -> None:
    words = ("tournament", config, "--out", "run", "--blocks", "1")
    stopped = place.arena(*words, "--for", "1s")
    assert stopped.returncode == 0, stopped.stderr
    finished = place.arena(*words, "-q")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "forfeited" not in finished.stdout
    assert "not counted" not in finished.stdout
    verified = place.arena("verify", "run")
    assert verified.returncode == 0, verified.stderr

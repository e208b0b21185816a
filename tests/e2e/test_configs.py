"""Every league in ``configs/`` plays, is interrupted, goes on, and is verified."""

import re
from pathlib import Path

import pytest
from running import REPOSITORY, Place
from toolchains import BUILD_SECONDS, PROGRAMS, built

pytestmark = pytest.mark.process

CONFIGS = sorted((REPOSITORY / "configs").glob("*.toml"))
STARTERS = {
    path: re.findall(r"^path = .*/(starter-\w+)", path.read_text(), re.M) for path in CONFIGS
}
POLYGLOT = [path for path in CONFIGS if STARTERS[path]]


def plays(config: Path, place: Place) -> None:
    words = ("tournament", config, "--out", "run", "--blocks", "1")
    stopped = place.arena(*words, "--for", "1s")
    assert stopped.returncode == 0, stopped.stderr
    finished = place.arena(*words, "-q")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "forfeited" not in finished.stdout
    assert "not counted" not in finished.stdout
    verified = place.arena("verify", "run")
    assert verified.returncode == 0, verified.stderr


@pytest.mark.parametrize(
    "config", [path for path in CONFIGS if path not in POLYGLOT], ids=lambda path: path.stem
)
def test_a_league_of_configs_finishes_after_a_stop(
    config: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMULATIONS", "60")
    plays(config, place)


@pytest.mark.toolchain
@pytest.mark.timeout(BUILD_SECONDS)
@pytest.mark.parametrize("config", POLYGLOT, ids=lambda path: path.stem)
def test_a_league_of_all_languages_finishes_after_a_stop(config: Path, place: Place) -> None:
    assert sorted(STARTERS[config]) == sorted(PROGRAMS)
    for name in STARTERS[config]:
        built(name)
    plays(config, place)

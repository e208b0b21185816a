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
QUICK = ("thirteen",)
"""What is played in all checks of the leagues of one language; the others are for the full one."""
QUICKENED = r'\1"24" }'
"""What is put for a setting in a comment: simulations that let search-leaves play each of its six
actions on in the four worlds that it has at least, and that take search-thirteen hardly longer than
its usual 20."""


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


def quick(config: Path, place: Place) -> Path:
    """Return the league with the setting of its search bot, which is in a comment, made quick."""
    text = re.sub(
        r"^# (env = { SIMULATIONS = )\"\d+\" }", QUICKENED, config.read_text(), flags=re.M
    )
    (place.folder / "bots").symlink_to(REPOSITORY / "bots")
    copy = place.folder / "configs" / config.name
    copy.parent.mkdir()
    copy.write_text(text)
    assert ("search" in text) == ("SIMULATIONS" in text)
    return copy


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(path, marks=[] if path.stem in QUICK else [pytest.mark.slow], id=path.stem)
        for path in CONFIGS
        if path not in POLYGLOT
    ],
)
def test_a_league_of_configs_finishes_after_a_stop(config: Path, place: Place) -> None:
    plays(quick(config, place), place)


@pytest.mark.toolchain
@pytest.mark.timeout(BUILD_SECONDS)
@pytest.mark.parametrize("config", POLYGLOT, ids=lambda path: path.stem)
def test_a_league_of_all_languages_finishes_after_a_stop(config: Path, place: Place) -> None:
    assert sorted(STARTERS[config]) == sorted(PROGRAMS)
    for name in STARTERS[config]:
        built(name)
    plays(config, place)

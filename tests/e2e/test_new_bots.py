"""A new bot in each language, from its first command to its first match."""

import json

import pytest
from running import Place
from toolchains import BUILD_SECONDS, PROGRAMS, demand

pytestmark = [
    pytest.mark.process,
    pytest.mark.toolchain,
    pytest.mark.slow,
    pytest.mark.timeout(BUILD_SECONDS),
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_new_bot_builds_passes_the_check_and_plays(name: str, place: Place) -> None:
    demand(name)
    made = place.arena("new", "mine", "--language", name.removeprefix("starter-"))
    assert (made.returncode, made.stderr) == (0, "")
    code, _, errors = slowly(place, "build", "mine")
    assert code == 0, errors
    code, report, _ = slowly(place, "check", "./mine", "--json")
    assert (code, json.loads(report)["passed"]) == (0, True), report
    for game in ("leaves", "thirteen"):
        played = place.arena("match", game, "./mine", "random", "first")
        assert (played.returncode, played.stderr) == (0, "")
        assert "0 mine" in played.stdout


def slowly(place: Place, *words: str) -> tuple[int, str, str]:
    """Run a command that may take minutes; return its exit code, output and messages."""
    process = place.start(*words)
    output, errors = process.communicate(timeout=BUILD_SECONDS)
    return process.returncode, output, errors

"""Calibrations that are kept for later leagues of the same kind."""

import platform
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.league import floors
from arena.model import League, Limits, Sandbox, Terms
from arena.results.noise import Calibration, Noise

QUIET = Noise(5000, 0.1, 0.5, 1.0, 4.0)
FOUND = Calibration(
    "2026-01-01 12:00", platform.node(), 2, True, "limits", False, "leaves", 4, 5.0, QUIET, QUIET,
    (0.1, 5.1), None,
)  # fmt: skip
TERMS = Terms(game="leaves", limits=Limits(move=9), sandbox=Sandbox("limits"))
LEAGUE = League("test", "13", (3,), TERMS, "round-robin", {}, (), workers=2)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def test_nothing_is_known_before_a_calibration() -> None:
    assert floors.recall(LEAGUE) is None


def test_the_latest_of_a_kind_is_kept(cache: Path) -> None:
    assert floors.remember(FOUND) == cache / "calibrations.json"
    newer = replace(FOUND, made="2026-01-02 12:00")
    floors.remember(newer)
    assert floors.recall(LEAGUE) == newer
    assert [path.name for path in cache.iterdir()] == ["calibrations.json"]


@pytest.mark.parametrize(
    "other",
    [
        replace(LEAGUE, workers=3),
        replace(LEAGUE, pin=False),
        replace(LEAGUE, terms=replace(TERMS, sandbox=Sandbox("none"))),
        replace(LEAGUE, terms=replace(TERMS, limits=Limits(cpu_move=5))),
    ],
)
def test_a_league_of_another_kind_is_not_compared(other: League) -> None:
    floors.remember(FOUND)
    assert floors.recall(LEAGUE) == FOUND
    assert floors.recall(other) is None


def test_another_machine_is_not_compared() -> None:
    floors.remember(replace(FOUND, machine="elsewhere"))
    assert floors.recall(LEAGUE) is None


@pytest.mark.parametrize("content", [b"", b"[1]", b'[{"made": 1}]', b"\xff"])
def test_a_file_that_cannot_be_read_is_as_good_as_none(cache: Path, content: bytes) -> None:
    cache.mkdir(parents=True)
    (cache / floors.FILE).write_bytes(content)
    assert floors.recall(LEAGUE) is None
    floors.remember(FOUND)
    assert floors.recall(LEAGUE) == FOUND


def test_the_users_folder_for_caches_is_the_usual_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert floors.store() == Path("/xdg/arena/calibrations.json")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/home/me")
    assert floors.store() == Path("/home/me/.cache/arena/calibrations.json")


def test_limits_within_the_noise_are_named() -> None:
    assert list(floors.warnings(FOUND, Limits(move=10))) == []
    (line,) = floors.warnings(FOUND, Limits(move=9))
    assert line == (
        "[limits] move = 9 is within the noise of this machine: decisions looked up to 4.0 ms "
        "longer than they were when it was calibrated (2026-01-01 12:00); 10 is the least that is "
        "sensible"
    )


def test_a_limit_of_processor_time_within_the_noise_is_named() -> None:
    found = replace(FOUND, cpu=(0.25, 5.1))
    assert list(floors.warnings(found, Limits(cpu_move=3))) == []
    (line,) = floors.warnings(found, Limits(cpu_move=2))
    assert line == (
        "[limits] cpu_move = 2 is within the noise of this machine: decisions took processor time "
        "that was not the work in them when it was calibrated (2026-01-01 12:00); 3 is the least "
        "that is sensible"
    )

"""A calibration from end to end, and the league that it warns."""

import json
import signal

import msgspec
import pytest
from running import Place

from arena.league.journal import Journal
from arena.results.noise import Calibration

pytestmark = pytest.mark.process


def test_a_league_is_warned_of_limits_within_the_noise_that_was_found(place: Place) -> None:
    file = place.league("first", "greedy", "random", limits={"move": 1, "first_move": 60_000})
    done = place.arena("calibrate", file, "--workers", "1", "--for", "2s")
    assert done.returncode == 0, done.stderr
    assert "arena: calibrating for 2 s" in done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[:3]] == [
        "bot",
        "answers at once",
        "works for 5 ms",
    ]
    assert "noise floor: " in done.stdout
    assert "least sensible limit of a decision: " in done.stdout
    (kept,) = json.loads((place.temporary / "cache" / "calibrations.json").read_text())
    found = msgspec.convert(kept, Calibration)
    assert found.working.decisions > 0
    assert found.work == 5.0
    assert f"{file}: [limits] move = 1 is within the noise of this machine" in done.stdout

    played = place.arena("tournament", file, "--workers", "1")
    assert "arena: [limits] move = 1 is within the noise of this machine" in played.stderr
    journal = Journal.read(place.folder / "runs" / "league")
    (noted,) = journal.floors()
    journal.close()
    assert noted.startswith(f"{found.floor:.1f} ms, one decision in a thousand")
    verified = place.arena("verify", place.folder / "runs" / "league")
    assert f"noise floor: {noted}" in verified.stdout
    assert not place.processes()
    assert not place.left_behind()


def test_a_calibration_without_a_league_is_told_as_json(place: Place) -> None:
    done = place.arena("calibrate", "--workers", "1", "--sandbox", "none", "--for", "2s", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["floor"] >= document["at_once"]["p999"] >= document["at_once"]["median"] > 0
    assert document["least"] >= 2 * document["floor"]
    assert (document["game"], document["seats"], document["within"]) == ("leaves", 4, {})
    if document["cpu"]:
        at_once, working = document["cpu"]
        assert at_once < 4 < 5 <= working
        assert document["least_cpu"] >= 10 * at_once


def test_a_calibration_that_is_stopped_keeps_nothing(place: Place) -> None:
    process = place.start("calibrate", "--workers", "1", "--sandbox", "none")
    assert process.stderr
    assert process.stderr.readline().endswith("sandbox: none; bots may do whatever you may do\n")
    assert process.stderr.readline() == "arena: calibrating for 20 s\n"
    while len(place.processes()) < 3:
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("arena: stopped by SIGTERM; nothing is kept\n")
    assert not (place.temporary / "cache").exists()
    assert not place.left_behind()

"""Leagues of every format: the same table for any number of workers and after any kill."""

import itertools
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from running import REPOSITORY, Place

pytestmark = pytest.mark.process

CONFIGS = [
    pytest.param(REPOSITORY / "configs" / f"{name}.toml", marks=marks, id=name)
    for name, marks in (("subset", pytest.mark.slow), ("gauntlet", pytest.mark.slow), ("swiss", ()))
]
KILLS = 3


@pytest.mark.parametrize("config", CONFIGS)
def test_the_table_is_the_same_for_any_workers_and_after_kills(config: Path, place: Place) -> None:
    words = ("tournament", config, "--blocks", "1")
    since = time.monotonic()
    whole = place.arena(*words, "--out", "whole", "--workers", "1")
    seconds = (time.monotonic() - since) / 2
    assert whole.returncode == 0, whole.stderr
    for number in itertools.count(1):
        run = place.start(*words, "--out", "killed", "--workers", "3")
        try:
            run.communicate(timeout=seconds if number <= KILLS else None)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.communicate()
            continue
        break
    assert run.returncode == 0
    tables = [(place.folder / name / "standings.json").read_bytes() for name in ("whole", "killed")]
    assert tables[0] == tables[1]
    assert json.loads(tables[0])["incomplete"] == []
    for name in ("whole", "killed"):
        verified = place.arena("verify", name)
        assert verified.returncode == 0, verified.stderr
        assert "missing" not in verified.stdout

"""Leagues on dask while workers are killed, connections cut, and the scheduler is restarted."""

import contextlib
import json
import random
import subprocess
import time
from pathlib import Path

import pytest
from clusters import Cluster, Wire
from running import Place

from arena.errors import ConfigError
from arena.league.journal import Journal

pytestmark = pytest.mark.process

BOTS = ("first", "greedy", "miser", "random")


def has_begun(place: Place) -> bool:
    """Return whether a match is in the journal."""
    with (
        contextlib.suppress(ConfigError),
        contextlib.closing(Journal.read(place.folder / "there")) as journal,
    ):
        return bool(journal.played())
    return False


class Trouble:
    """What may happen to a cluster, drawn from a seed."""

    def __init__(self, cluster: Cluster, wires: tuple[Wire, ...], seed: int) -> None:
        self._cluster = cluster
        self._wires = wires
        self._rng = random.Random(seed)
        self.log: list[str] = []

    def strike(self, kind: str = "") -> None:
        kind = kind or self._rng.choice(["worker", "worker", "wire", "wire", "scheduler"])
        self.log.append(kind)
        if kind == "worker":
            self._rng.choice(self._cluster.workers).kill()
        elif kind == "wire":
            self._rng.choice(self._wires).cut()
        else:
            self._cluster.kill_scheduler()
            self._cluster.start_scheduler()

    def pause(self, longest: float) -> None:
        time.sleep(self._rng.uniform(0.2, longest))


def check(place: Place, league: Path, run: "subprocess.Popen[str]", trouble: Trouble) -> None:
    """Check that a run ends with what a local one gives."""
    _, err = run.communicate(timeout=600)
    assert run.returncode == 0, (trouble.log, err)
    local = place.start("tournament", league, "--out", "here", "-q")
    local.communicate(timeout=600)
    assert local.returncode == 0
    tables = [(place.folder / name / "standings.json").read_text() for name in ("there", "here")]
    assert json.loads(tables[0]) == json.loads(tables[1]), trouble.log
    journal = Journal.read(place.folder / "there")
    matches = [outcome.match for outcome in journal.outcomes()]
    faults = [fault for outcome in journal.outcomes() for fault in outcome.faults]
    journal.close()
    assert (len(matches), faults) == (len(set(matches)), [])
    assert place.arena("verify", "there").returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_connections_that_are_cut_cost_no_match(place: Place, cluster: Cluster) -> None:
    with Wire(cluster.port).up() as ours, Wire(cluster.port).up() as theirs:
        league = place.league(*BOTS, format={"blocks": 2})
        trouble = Trouble(cluster, (ours, theirs), 1)
        cluster.keep(2, theirs.address)
        words = ("--executor", "dask", "--scheduler", ours.address)
        run = place.start("tournament", league, "--out", "there", *words)
        while run.poll() is None:
            cluster.keep(2, theirs.address)
            if len(trouble.log) < 2 and has_begun(place):
                trouble.strike("wire")
            time.sleep(1)
        check(place, league, run, trouble)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_each_match_counts_once_and_the_table_is_right(
    place: Place, cluster: Cluster, seed: int
) -> None:
    with Wire(cluster.port).up() as ours, Wire(cluster.port).up() as theirs:
        league = place.league(*BOTS, format={"blocks": 30})
        trouble = Trouble(cluster, (ours, theirs), seed)
        words = ("--executor", "dask", "--scheduler", ours.address)
        run = place.start("tournament", league, "--out", "there", *words)
        while run.poll() is None:
            cluster.keep(3, theirs.address)
            trouble.pause(8)
            if len(trouble.log) < 25 and has_begun(place):
                trouble.strike("" if trouble.log else "scheduler")
        check(place, league, run, trouble)

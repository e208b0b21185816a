"""Runs in surroundings that are not as they should be: what a starter may have left to them."""

import os
import signal

import pytest
from running import Place

pytestmark = pytest.mark.process

EXITS = """
import os
from arena.bot import run
run(lambda observation, legal: os._exit(3))
"""


def close_outputs() -> None:
    os.closerange(0, 3)


def ignore_the_end_of_children() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def test_a_run_without_standard_streams_writes_its_files(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    done = place.arena("tournament", league, "--out", "run", preexec_fn=close_outputs)
    assert done.returncode == 0
    assert (place.folder / "run/standings.json").exists()


def test_a_starter_that_ignores_the_end_of_its_children_changes_nothing(place: Place) -> None:
    league = place.league("first", "greedy", place.bot("exits", EXITS), format={"blocks": 1})
    done = place.arena("tournament", league, preexec_fn=ignore_the_end_of_children)
    assert done.returncode == 0
    assert "exited with status 3 instead of answering" in done.stderr
    assert "void" not in done.stderr


def test_words_that_are_not_utf_8_are_refused(place: Place) -> None:
    league = place.league("first", "greedy", "random")
    done = place.arena("tournament", league, "--out", os.fsdecode(b"caf\xe9"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not UTF-8 text" in done.stderr

"""Folders of logs into which bots have put files of their own."""

import os
from pathlib import Path

import pytest

from arena.league.executors import _messages as wire
from arena.league.executors._process import Worker
from arena.league.executors._tables import Table
from arena.model import Entrant, FaultPolicy, Limits, Terms


def test_only_logs_of_the_table_travel_and_each_once(tmp_path: Path) -> None:
    own = ("a b-m_0-1.log", "[x]-m_0-12.log", "worker-m_0.log")
    for name in own:
        (tmp_path / name).write_text(name)
    for strange in (b"\xff-m_0-1.log", b"mine.log", b"x-m_0-1.log", b"a b-m_0-1.log\n.log"):
        (tmp_path / os.fsdecode(strange)).write_text("made by a bot")
    (tmp_path / "a b-m_0-2.log").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "a b-m_0-3.log")
    bots = tuple(Entrant(name, ("true",), str(tmp_path)) for name in ("a b", "[x]"))
    terms = Terms("leaves", {}, Limits(), FaultPolicy(), "never")
    table = Table(wire.Setup(terms, bots, str(tmp_path), str(tmp_path), "m_0", None))
    assert {log.name: log.data.decode() for log in table.logs()} == dict(zip(own, own, strict=True))
    assert table.logs() == ()


@pytest.mark.process
def test_a_worker_starts_where_a_bot_has_put_a_pipe_in_the_place_of_its_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "worker-m_0.log")
    terms = Terms("leaves", {}, Limits(), FaultPolicy(), "never")
    worker = Worker(wire.Setup(terms, (), str(tmp_path / "s"), str(tmp_path), "m_0", None))
    assert (tmp_path / "worker-m_0.log").is_file()
    (tmp_path / "worker-m_0.log").unlink()
    os.mkfifo(tmp_path / "worker-m_0.log")
    assert worker.kill() == "worker m_0 ended with code -9"
    worker.pipe.close()

"""Whole leagues as a user plays them: the same table however they are run and interrupted."""

import json
import os
import pty
import random
import re
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from running import STOCK, STUBBORN, Place

from arena.league.journal import Journal
from arena.model import FaultKind, Outcome

pytestmark = pytest.mark.process

END_SECONDS = 2.0
"""How long an interrupted run may take to end."""


def outcomes(run: Path) -> list[Outcome]:
    journal = Journal.read(run)
    try:
        return list(journal.outcomes())
    finally:
        journal.close()


def table(run: Path) -> bytes:
    return (run / "standings.json").read_bytes()


def rows(run: Path) -> dict[str, dict[str, Any]]:
    return {row["bot"]: row for row in json.loads(table(run))["rows"]}


def begun(process: "subprocess.Popen[str]") -> str:
    """Wait until a run says that it begins; return what it says."""
    assert process.stderr
    return process.stderr.readline()


def ends(process: "subprocess.Popen[str]", seconds: float = END_SECONDS) -> str:
    """Wait for the end of an interrupted run; return what it said on standard error."""
    asked = time.monotonic()
    _, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < seconds
    return err


def matches_at(place: Place, league: Path, *numbers: int) -> int:
    """Play a league with each number of workers; return its matches if the tables are the same."""
    tables = set()
    for workers in numbers:
        out = place.folder / f"run-{workers}"
        done = place.arena("tournament", league, "--out", out, "--workers", workers)
        assert done.returncode == 0, done.stderr
        tables.add(table(out))
    assert len(tables) == 1
    return int(json.loads(tables.pop())["matches"])


@pytest.mark.slow
def test_the_table_does_not_depend_on_the_number_of_workers(place: Place) -> None:
    assert matches_at(place, place.league(*STOCK), 1, 2, 5) == 24


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_table_of_a_large_league_does_not_depend_on_the_number_of_workers(
    place: Place,
) -> None:
    league = place.league(
        *STOCK, "counter", seats=[3, 4, 5], options={"target": 20}, format={"blocks": 10}
    )
    assert matches_at(place, league, 1, 2, 5) == 10 * (10 * 3 + 5 * 4 + 1 * 5)


class Interrupting:
    """A league, how long it takes, and the table of an undisturbed run."""

    def __init__(self, place: Place, blocks: int) -> None:
        self.place = place
        self.league = place.league(
            "first", "greedy", "random", place.bot("stubborn", STUBBORN), format={"blocks": blocks}
        )
        whole = place.start("tournament", self.league, "--out", "whole")
        begun(whole)
        since = time.monotonic()
        assert whole.wait(timeout=60) == 0
        whole.communicate()
        self.seconds = time.monotonic() - since
        self.table = table(place.folder / "whole")
        self.matches = json.loads(self.table)["matches"]

    def until(self, number: signal.Signals, instant: float, name: str) -> None:
        """Interrupt a run at an instant, from 0 to 1, and go on with it to its end."""
        run = self.place.folder / name
        words = ("tournament", self.league, "--out", run)
        process = self.place.start(*words)
        begun(process)
        try:
            process.wait(timeout=instant * self.seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        err = ends(process)
        if number == signal.SIGKILL:
            assert not self.place.processes(END_SECONDS)
        else:
            assert not self.place.processes()
            assert not self.place.left_behind()
        recorded = outcomes(run)
        assert not any(outcome.faults for outcome in recorded)
        if process.returncode == 130:
            left = self.matches - len(recorded)
            assert f"stopped by {number.name}; " in err
            assert f"{left} match" in err
            assert f"go on with: arena tournament {self.league} --out {run}" in err
            assert sorted(path.name for path in run.glob("*.sqlite*")) == ["journal.sqlite"]
            assert len(json.loads(table(run))["rows"]) == 4
        else:
            assert process.returncode in (0, -number)
        resumed = self.place.arena(*words)
        assert resumed.returncode == 0, resumed.stderr
        again = outcomes(run)
        assert again[: len(recorded)] == recorded
        assert len(again) == self.matches
        assert table(run) == self.table
        assert not self.place.left_behind()


def interrupt(place: Place, instants: int, blocks: int) -> None:
    interrupting = Interrupting(place, blocks)
    chance = random.Random(instants)
    numbers = [signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP]
    for n in range(instants):
        interrupting.until(numbers[n % 5], chance.uniform(0, 0.8), f"run-{n}")


def test_an_interrupted_run_goes_on_to_the_same_table(place: Place) -> None:
    interrupt(place, 6, 3)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_longer_run_interrupted_at_many_instants_goes_on_to_the_same_table(
    place: Place,
) -> None:
    interrupt(place, 20, 20)


def test_a_run_killed_again_and_again_gets_to_its_end(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 4})
    whole = place.arena("tournament", league, "--out", "whole")
    assert whole.returncode == 0
    for _ in range(3):
        process = place.start("tournament", league, "--out", "run")
        begun(process)
        process.kill()
        process.communicate()
        assert not place.processes(END_SECONDS)
    assert place.arena("tournament", league, "--out", "run").returncode == 0
    assert table(place.folder / "run") == table(place.folder / "whole")


def test_a_run_whose_terminal_is_closed_ends_and_writes_its_files(place: Place) -> None:
    league = place.league(*STOCK, format={"blocks": 50})
    ours, theirs = pty.openpty()
    process = place.start(
        "tournament",
        league,
        "--out",
        "run",
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    while not re.search(rb"[1-9]\d* of \d+ matches", os.read(ours, 4096)):
        pass
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=END_SECONDS + 1) != 0
    assert not place.processes()
    run = place.folder / "run"
    blocks = json.loads(table(run))["incomplete"]
    assert 0 < sum(block["played"] for block in blocks) <= len(outcomes(run))


def test_a_run_stops_cleanly_after_its_time(place: Place) -> None:
    league = place.league(*STOCK, format={"blocks": 200})
    process = place.start("tournament", league, "--for", "3s", "--seed", "5")
    begun(process)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2.3)
    err = ends(process, 0.7 + END_SECONDS)
    assert process.returncode == 0
    assert "arena: the time is over; " in err
    assert f"go on with: arena tournament {league} --seed 5" in err
    assert not place.processes()
    assert len(outcomes(place.folder / "runs" / "league")) > 0


def test_restart_puts_the_old_run_aside(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run").returncode == 0
    old = outcomes(place.folder / "run")
    refused = place.arena("tournament", league, "--out", "run", "--seed", "7")
    assert refused.returncode == 2
    assert "seed was '13' when this run began and is '7' now" in refused.stderr
    again = place.arena("tournament", league, "--out", "run", "--seed", "7", "--restart")
    assert again.returncode == 0
    (aside,) = place.folder.glob("run.old-*")
    assert f"arena: the old run is now in {aside}" in again.stderr
    assert outcomes(aside) == old
    assert len(outcomes(place.folder / "run")) == 3


def test_restart_leaves_a_folder_that_holds_no_run_alone(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    (place.folder / "run").mkdir()
    (place.folder / "run" / "letters.txt").touch()
    done = place.arena("tournament", league, "--out", "run", "--restart")
    assert done.returncode == 0
    assert (place.folder / "run" / "letters.txt").exists()
    assert not list(place.folder.glob("run.old-*"))


def test_a_second_runner_in_the_same_folder_is_refused(place: Place) -> None:
    league = place.league(*STOCK, format={"blocks": 200})
    first = place.start("tournament", league, "--out", "run")
    begun(first)
    for words in ((), ("--restart",)):
        second = place.arena("tournament", league, "--out", "run", *words)
        assert second.returncode == 1
        assert second.stderr == f"arena: run is being played by process {first.pid}\n"
    first.send_signal(signal.SIGINT)
    ends(first)
    assert first.returncode == 130


def test_added_bots_and_blocks_are_all_that_is_played(place: Place) -> None:
    small = place.league("first", "greedy", "random", format={"blocks": 1})
    assert place.arena("tournament", small, "--out", "run").returncode == 0
    before = outcomes(place.folder / "run")
    large = place.league(*STOCK, format={"blocks": 2})
    grown = place.arena("tournament", large, "--out", "run")
    assert grown.returncode == 0
    assert "24 matches, 3 are there already" in grown.stderr
    after = outcomes(place.folder / "run")
    assert after[:3] == before
    assert len({outcome.match for outcome in after}) == len(after) == 24
    assert place.arena("tournament", large, "--out", "whole").returncode == 0
    assert table(place.folder / "run") == table(place.folder / "whole")


def test_a_finished_run_is_not_played_again(place: Place) -> None:
    league = place.league("first", "greedy", "random", format={"blocks": 1})
    first = place.arena("tournament", league)
    again = place.arena("tournament", league)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert len(outcomes(place.folder / "runs" / "league")) == 3


def test_a_retired_bot_keeps_its_results_and_plays_no_more(place: Place) -> None:
    assert place.arena("tournament", place.league(*STOCK), "--out", "run").returncode == 0
    before = outcomes(place.folder / "run")
    gone = place.arena("tournament", place.league("first", "greedy", "random"), "--out", "run")
    assert gone.returncode == 2
    assert "keep it with active = false to retire it" in gone.stderr
    retired = {"name": "miser", "command": ["no such program"], "active": False}
    more = place.league("first", "greedy", "random", retired, format={"blocks": 4})
    done = place.arena("tournament", more, "--out", "run")
    assert done.returncode == 0, done.stderr
    after = outcomes(place.folder / "run")
    assert after[:24] == before
    assert len(after) == 24 + 2 * 3
    assert not any("miser" in outcome.seats for outcome in after[24:])
    assert rows(place.folder / "run")["miser"]["matches"] == 18


LEAVES_EARLY = "raise SystemExit('no licence')"
LEAVES_MIDWAY = """
import os
from arena.bot import run
run(lambda observation, legal: os._exit(3))
"""
HANGS = """
import time
from arena.bot import run
run(lambda observation, legal: time.sleep(600))
"""
CHEATS = """
from arena.bot import run
run(lambda observation, legal: "play 99x9")
"""
AT_FAULT = {
    "leaves-early": (LEAVES_EARLY, FaultKind.NOT_READY),
    "leaves-midway": (LEAVES_MIDWAY, FaultKind.EXITED),
    "hangs": (HANGS, FaultKind.TIMEOUT),
    "cheats": (CHEATS, FaultKind.ILLEGAL),
}
MOVE_MS = 200


def test_bots_at_fault_forfeit_and_the_league_goes_on(place: Place) -> None:
    league = place.league(
        "first",
        "greedy",
        *(place.bot(name, source) for name, (source, _) in AT_FAULT.items()),
        format={"blocks": 1, "rotations": 1},
        limits={"first_move": MOVE_MS, "move": MOVE_MS},
    )
    done = place.arena("tournament", league, "--out", "run", "--workers", 2)
    assert done.returncode == 0, done.stderr
    played = outcomes(place.folder / "run")
    assert len(played) == 20
    kinds = Counter((o.seats[fault.seat], fault.kind) for o in played for fault in o.faults)
    assert {name for name, _ in kinds} == set(AT_FAULT)
    assert {(name, kind) for name, (_, kind) in AT_FAULT.items()} == set(kinds)
    assert kinds["leaves-early", FaultKind.NOT_READY] == 10
    late = [f.ms for o in played for f in o.faults if f.kind is FaultKind.TIMEOUT]
    assert all(ms and MOVE_MS <= ms < MOVE_MS + 500 for ms in late)
    for outcome in played:
        losers = {outcome.seats[seat] for seat in outcome.forfeited}
        assert losers <= set(AT_FAULT)
        ahead = [p for name, p in zip(outcome.seats, outcome.places, strict=True) if name in STOCK]
        assert sorted(ahead) == list(range(1, len(ahead) + 1)) or len(set(ahead)) < len(ahead)
    assert "leaves-early did not get ready 3 times in a row: it is suspended" in done.stderr
    assert "no licence" in done.stderr
    assert not place.processes()


def test_the_log_of_a_fault_is_kept_when_the_run_goes_on(place: Place) -> None:
    complains = "import os, sys\nprint('here is', os.getpid(), file=sys.stderr)\n" + CHEATS
    league = place.league(
        "first", "greedy", place.bot("complains", complains), format={"blocks": 1}
    )
    logs = place.folder / "run" / "logs"
    logs.mkdir(parents=True)
    earlier = [logs / f"complains-0-{number}.log" for number in range(1, 6)]
    for log in earlier:
        log.write_text("of a match played earlier")
    assert place.arena("tournament", league, "--out", "run", "--workers", 1).returncode == 0
    assert {log.read_text() for log in earlier} == {"of a match played earlier"}
    faults = [fault for o in outcomes(place.folder / "run") for fault in o.faults]
    assert len({fault.log for fault in faults}) == len(faults) == 3
    for fault in faults:
        assert (place.folder / "run" / fault.log).read_text().strip() == fault.output


def test_a_league_of_bots_that_never_get_ready_stops_with_what_they_said(place: Place) -> None:
    bots = [place.bot(name, LEAVES_EARLY) for name in ("a", "b", "c")]
    done = place.arena("tournament", place.league(*bots, format={"blocks": 5}))
    assert done.returncode == 1
    assert "no licence" in done.stderr
    assert "arena: none of the bots gets ready, the league stops" in done.stderr


def test_a_match_that_is_void_again_and_again_stops_the_league(place: Place) -> None:
    killer = """
import os, signal
from arena.bot import run
run(lambda observation, legal: (os.kill(os.getppid(), signal.SIGKILL), signal.pause()))
"""
    league = place.league("first", "greedy", place.bot("killer", killer))
    done = place.arena("tournament", league, "--out", "run", "--workers", 1)
    assert done.returncode == 1
    assert done.stderr.count("is void and will be played again") == 3
    assert "was void 3 times, the league stops; the last time: worker 0 ended" in done.stderr
    assert "Traceback" not in done.stderr
    assert outcomes(place.folder / "run") == []
    assert not place.processes(END_SECONDS)
    assert not place.left_behind()


REMEMBERS = """
import os
from pathlib import Path
from arena.bot import Bot, run

class Remembering(Bot):
    def match_start(self, message):
        with Path("seen").open("a") as seen:
            seen.write(f"{os.getpid()} {message['match']}\\n")

    def choose(self, observation, legal):
        return legal[0]

run(Remembering)
"""


@pytest.mark.parametrize(("restart", "remembers"), [("auto", False), ("never", True)])
def test_a_bot_that_remembers_deals_gains_nothing(
    place: Place, restart: str, remembers: bool
) -> None:
    """Under "auto" no process of a bot ever plays the same deals twice; under "never" it does."""
    league = place.league(
        "first",
        "greedy",
        "random",
        place.bot("elephant", REMEMBERS),
        run={"restart": restart, "workers": 1},
    )
    assert place.arena("tournament", league, "--out", "run").returncode == 0
    blocks = {outcome.match: outcome.block_id for outcome in outcomes(place.folder / "run")}
    lines = (place.folder / "bots/elephant/seen").read_text().splitlines()
    seen = [(pid, blocks[match]) for pid, match in map(str.split, lines)]
    assert len(seen) == 18
    assert (len(set(seen)) < len(seen)) == remembers

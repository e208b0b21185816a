"""Bots that are forked: what is the same as for those that are started, and what ends with what."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from needed import needed
from rooms import LIMITS, TERMS, descriptors, entrant, room, until
from running import has_ended

from arena.errors import BotError, ConfigError
from arena.model import Entrant, Level, Sandbox
from arena.play import cgroup
from arena.play.bot import Lost
from arena.play.launcher import Launcher, unheeded
from arena.play.log import BotLog
from arena.play.process import BotProcess, wait
from arena.play.sandbox import Jail, settled

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="bots are forked on Linux only"),
]

SURROUNDINGS = r"""
import gc, os, re, resource, signal, sys
status = open("/proc/self/status").read()
print({
    "descriptors": sorted(os.listdir("/proc/self/fd"))[:-1],
    "kinds": [os.readlink(f"/proc/self/fd/{number}").split(":")[0][-3:] for number in (0, 1, 2)],
    "leads": os.getpid() == os.getsid(0) == os.getpgid(0),
    "limits": [resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
               for name in ("CORE", "FSIZE", "NOFILE", "AS", "NPROC")],
    "status": re.findall("(?:NoNewPrivs|Seccomp|Sig[A-Z]..|Uid|CapEff|Cpus_allowed):.*", status),
    "groups": re.sub(r"arena-\d+-\d+", "", open("/proc/self/cgroup").read()),
    "environment": {name: value for name, value in os.environ.items()
                    if name != "PWD" and "scratch" not in value},  # PWD is the shell's own
    "scratch": sorted(name for name, value in os.environ.items() if "scratch" in value),
    "place": [os.getcwd(), sys.argv, sys.path[0], __name__, __file__, os.umask(0), gc.isenabled()],
})
"""
ENDINGS = {
    "returns": "print('done')",
    "exits": "import sys; print('leaving', end=''); sys.exit(7)",
    "says why": "import sys; sys.exit('no more')",
    "fails": "def deep():\n    raise LookupError('no idea')\n\ndeep()\n",
    "is no Python": "print(",
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "has a thread": (
        "import atexit, threading, time\natexit.register(print, 'last')\n"
        "threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()"
    ),
    "is a module": "import pickle, helper\nclass A: pass\nprint(pickle.loads(pickle.dumps(A)))",
}
Run = Callable[..., tuple[str, str]]


@pytest.fixture
def jail(tmp_path: Path) -> Callable[[Level], Jail]:
    def made(level: Level) -> Jail:
        try:
            return Jail(settled(Sandbox(level)), tmp_path)
        except ConfigError as error:
            needed(str(error))
        return Jail(Sandbox(), tmp_path)

    return made


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    before = descriptors()
    opened = Launcher()
    yield opened
    opened.close()
    assert descriptors() <= before


def bot(folder: Path, script: str, **env: str) -> Entrant:
    folder.mkdir(exist_ok=True)
    (folder / "helper.py").write_text("")
    (folder / "main.py").write_text(script)
    command = (sys.executable, str(folder / "main.py"))
    return Entrant("mine", command, str(folder), env, prewarmed=True)


def write_prewarmed(folder: Path) -> None:
    """Write a bot that plays, and that a match finds by its folder."""
    bot(folder, "from arena.bot import run\nrun(lambda _, legal: legal[0])")
    (folder / "bot.toml").write_text('python = "main.py"\nprewarmed = true\n')


def run(entrant: Entrant, jail: Jail, log: Path, launcher: Launcher | None) -> tuple[str, str]:
    """Return how a bot ended, and what it printed."""
    token = {"ARENA_TOKEN": "secret"}
    process = BotProcess(entrant, token, BotLog(log), jail.cell(entrant), launcher=launcher)
    assert not wait([process], 10)
    ending = process.ending()
    assert ending
    process.reap()
    return ending, process.log.tail(100)


@pytest.mark.parametrize("level", ["none", "limits"])
def test_a_fork_has_the_surroundings_of_a_bot_that_was_started(
    level: Level, jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", SURROUNDINGS, LEVEL="2")
    started = run(mine, jail(level), tmp_path / "1.log", None)
    forked = run(mine, jail(level), tmp_path / "2.log", launcher)
    assert forked[0] == started[0] == "exited with status 0"
    assert ast.literal_eval(forked[1]) == ast.literal_eval(started[1])
    assert ast.literal_eval(forked[1])["environment"]["ARENA_TOKEN"] == "secret"


def test_a_fork_has_an_environment_as_large_as_a_bot_that_was_started(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    large = {f"LARGE_{number}": "x" * 100_000 for number in range(5)}
    script = "import os; print(sum(map(len, os.environ.values())) > 500_000)"
    mine = bot(tmp_path / "mine", script, **large)
    started = run(mine, jail("none"), tmp_path / "1.log", None)
    assert run(mine, jail("none"), tmp_path / "2.log", launcher) == started
    assert started == ("exited with status 0", "True")


@pytest.mark.parametrize("script", ENDINGS.values(), ids=ENDINGS)
def test_a_fork_runs_and_ends_as_a_bot_that_was_started(
    script: str, jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", script)
    started = run(mine, jail("none"), tmp_path / "1.log", None)
    assert run(mine, jail("none"), tmp_path / "2.log", launcher) == started


@pytest.mark.parametrize("level", ["none", "limits"])
def test_a_fork_ends_with_the_process_of_its_arena(level: Level, tmp_path: Path) -> None:
    mine = bot(
        tmp_path / "mine",
        "import os, time\nprint(os.getpid(), os.getppid())\nwhile True: time.sleep(9)",
    )
    log = tmp_path / "1.log"
    arena = f"""
from pathlib import Path
from arena.model import Entrant, Sandbox
from arena.play.launcher import Launcher
from arena.play.log import BotLog
from arena.play.process import BotProcess
from arena.play.sandbox import Jail
bot = Entrant("mine", {mine.command!r}, {mine.folder!r}, prewarmed=True)
cell = Jail(Sandbox({level!r}), Path({str(tmp_path)!r})).cell(bot)
BotProcess(bot, {{}}, BotLog(Path({str(log)!r})), cell, launcher=Launcher())
signal.pause()
"""
    process = subprocess.Popen([sys.executable, "-c", arena])
    until(lambda: log.exists() and log.read_text().endswith("\n"), "the bot does not run", 20)
    pids = [int(word) for word in log.read_text().split()]
    assert not any(has_ended(pid, 0) for pid in pids)
    process.kill()
    process.wait()
    assert all(has_ended(pid, 5) for pid in pids)


def test_a_fork_finds_nothing_of_other_bots_in_its_memory(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    searching = """
import os

def times(wanted):
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for line in maps:
            span, access, *_ = line.split()
            begin, end = (int(word, 16) for word in span.split("-"))
            if access.startswith("rw"):
                memory.seek(begin)
                found += memory.read(end - begin).count(wanted)
    return found

print(*(times(bytes.fromhex(os.environ[name])) > 3 for name in ("OTHERS", "OWN")))
"""
    token, own = "b7e1-of-the-first-bot", "c8f2-of-the-other-bot"
    first = bot(tmp_path / "first", "print('hello')", **{f"TOKEN{i}": token for i in range(9)})
    run(first, jail("none"), tmp_path / "1.log", launcher)
    known = {f"TOKEN{i}": own for i in range(9)}
    known |= {"OTHERS": token.encode().hex(), "OWN": own.encode().hex()}
    mine = bot(tmp_path / "mine", searching, **known)
    assert run(mine, jail("none"), tmp_path / "2.log", launcher)[1] == "False True"


def test_bots_are_started_at_the_level_full_and_that_is_said(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", "import sys; print('arena.bot' in sys.modules)")
    assert run(mine, jail("none"), tmp_path / "1.log", launcher)[1] == "True"
    assert run(mine, jail("full"), tmp_path / "2.log", launcher)[1] == "False"
    assert unheeded([mine], Sandbox("limits")) == ""
    assert unheeded([replace(mine, prewarmed=False)], Sandbox("full")) == ""
    assert "prewarmed = true does nothing for mine" in unheeded([mine], Sandbox("full"))


EXCESSES = {
    "memory": "held = []\nwhile True:\n    held.append(bytearray(1 << 20))",
    "a file": "with open('large', 'wb') as file:\n    file.write(bytes(2 << 20))",
    "threads": (
        "import os, time\nfor number in range(99):\n    try:\n        pid = os.fork()\n"
        "    except OSError as error:\n        print(error)\n        break\n"
        "    if not pid:\n        time.sleep(60)\n"
    ),
}


@pytest.mark.parametrize("script", EXCESSES.values(), ids=EXCESSES)
def test_limits_hold_a_fork(script: str, launcher: Launcher, tmp_path: Path) -> None:
    if not cgroup.hierarchy():
        needed("there are no control groups to use")
    jail = Jail(Sandbox("limits", memory=64 << 20, threads=8, files=1 << 20), tmp_path)
    mine = bot(tmp_path / "mine", f"import os\nos.chdir(os.environ['TMPDIR'])\n{script}")
    started = run(mine, jail, tmp_path / "1.log", None)
    assert "exited with status 0" not in started[0] or "unavailable" in started[1]
    assert run(mine, jail, tmp_path / "2.log", launcher) == started


@pytest.mark.parametrize("level", ["limits", "full"])
def test_a_match_plays_prewarmed_bots_and_says_where_they_are_not(
    level: Level, jail: Callable[[Level], Jail], tmp_path: Path
) -> None:
    jail(level)
    write_prewarmed(tmp_path / "mine")
    words = ("match", "leaves", "./mine", "first", "first", "--sandbox", level)
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert ("prewarmed = true does nothing for mine" in done.stderr) is (level == "full")


def test_who_plays_against_prewarmed_bots_is_told_that_the_level_full_starts_them(
    jail: Callable[[Level], Jail], tmp_path: Path
) -> None:
    jail("full")
    write_prewarmed(tmp_path / "mine")
    words = ("play", "leaves", "./mine", "first", "--sandbox", "full")
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, "nothing is recorded" in done.stdout) == (0, True)
    assert done.stderr.count("prewarmed = true does nothing for mine\n") == 1


def test_a_bot_is_forked_wherever_the_arena_was_called_from(
    launcher: Launcher, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", "")
    own = Path(sys.executable)
    roundabout = str(own.parent / ".." / own.parent.name / own.name)
    assert launcher.launches(mine)
    assert launcher.launches(replace(mine, command=(roundabout, mine.command[1])))
    assert not launcher.launches(replace(mine, command=("/usr/bin/other", mine.command[1])))


def test_a_folder_that_is_gone_is_the_fault_of_the_bot(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    mine = replace(bot(tmp_path / "mine", ""), folder=str(tmp_path / "gone"))
    log = BotLog(tmp_path / "1.log")
    with pytest.raises(BotError, match=re.escape("No such file or directory")):
        BotProcess(mine, {}, log, jail("none").cell(mine), launcher=launcher)
    log.close()
    mine = replace(mine, folder=str(tmp_path / "mine"))
    assert run(mine, jail("none"), tmp_path / "2.log", launcher)[0] == "exited with status 0"


def test_a_bot_that_ends_the_process_that_forks_ends_itself_and_the_next_is_forked_anew(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    script = "import os, time\nprint('here')\nos.kill(os.getppid(), 9)\ntime.sleep(60)"
    mine = bot(tmp_path / "mine", script)
    assert run(mine, jail("none"), tmp_path / "1.log", launcher)[0] == "was ended by SIGKILL"
    mine = bot(tmp_path / "mine", "print('here')")
    assert run(mine, jail("none"), tmp_path / "2.log", launcher)[1] == "here"


def test_a_process_that_forks_goes_on_when_a_bot_has_stopped_it(
    jail: Callable[[Level], Jail], launcher: Launcher, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)")
    for log in ("1.log", "2.log"):
        assert run(mine, jail("none"), tmp_path / log, launcher)[0] == "exited with status 0"


def test_a_process_that_forks_and_does_not_answer_is_ended_with_its_bots(
    jail: Callable[[Level], Jail],
    launcher: Launcher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it would have answered later is taken for no answer to another question."""
    script = """
import os, signal
from pathlib import Path
print(os.getppid())
while not Path("go").exists():
    pass
while True:
    os.kill(os.getppid(), signal.SIGSTOP)
"""
    mine = bot(tmp_path / "mine", script)
    log = BotLog(tmp_path / "1.log")
    process = BotProcess(mine, {}, log, jail("none").cell(mine), launcher=launcher)
    until(log.tail, "the bot does not run", 10)
    (tmp_path / "mine" / "go").touch()
    with monkeypatch.context() as patched:
        patched.setattr("arena.play.launcher.ANSWER_SECONDS", 0.3)
        until(lambda: process.ending() == "was ended by SIGKILL", "it answers still", 20)
    assert process.lost
    assert has_ended(process.pid, 5)
    assert has_ended(int(log.tail()), 5)
    process.reap()
    mine = bot(tmp_path / "mine", "print('here')")
    assert run(mine, jail("none"), tmp_path / "2.log", launcher)[1] == "here"


def test_nobody_is_at_fault_when_the_process_that_forks_is_killed(tmp_path: Path) -> None:
    script = """
import os, signal
from pathlib import Path
from arena.bot import run

def choose(_observation, legal):
    if not Path("done").exists():
        Path("done").touch()
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()
    return legal[0]

run(choose)
"""
    warm = bot(tmp_path / "warm", script)
    with room(replace(TERMS, limits=LIMITS)) as opened:
        ann, bob = entrant(name="ann"), entrant(name="bob")
        with pytest.raises(Lost):
            opened.play(warm, ann, bob)
        assert not opened.play(warm, ann, bob).outcome.faults


@pytest.mark.parametrize("level", ["none", "limits"])
def test_prewarmed_bots_play_and_crash_like_others(level: Level) -> None:
    terms = replace(TERMS, sandbox=Sandbox(level), limits=LIMITS)
    with room(terms) as opened:
        ann, bob = (replace(entrant(name=name), prewarmed=False) for name in ("ann", "bob"))
        script = ann.command[1]
        warm = Entrant("warm", (sys.executable, script), ann.folder, prewarmed=True)
        result = opened.play(ann, warm, bob)
        assert [fault.seat for fault in result.outcome.faults] == [1]
        assert "exited with status" in result.outcome.faults[0].detail
        assert result.outcome.faults[0].output

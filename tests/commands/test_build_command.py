"""``arena build``, and what leagues and matches build by themselves, as their users meet it."""

import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from running import LIMIT_SECONDS, Place

pytestmark = pytest.mark.process

SOURCE = "#!{python}\nfrom arena.bot import run\nrun(lambda observation, legal: legal[0])\n"
MAKE = "mkdir -p bin; cp mine.py bin/mine; chmod +x bin/mine"


def bot(place: Place, name: str = "mine", script: str = MAKE) -> Path:
    """Write a bot whose program is made by a shell script."""
    folder = Path(place.bot(name, "")["path"])
    (folder / "mine.py").write_text(SOURCE.format(python=sys.executable))
    (folder / "bot.toml").write_text(
        f'name = "{name}"\ncommand = ["bin/mine"]\nbuild = ["sh", "-c", {json.dumps(script)}]\n'
    )
    return folder


def said(done: Any) -> str:
    return re.sub(r"\d+\.\d s", "N s", done.stderr)


def told(name: str, script: str = MAKE) -> str:
    return f"arena: building {name}: sh -c {shlex.quote(script)}\narena: built {name} in N s\n"


def test_build_builds_each_bot_that_is_named(place: Place) -> None:
    folders = [bot(place, name) for name in ("one", "two")]
    for _ in range(2):
        done = place.arena("build", *folders)
        assert (done.returncode, done.stdout, said(done)) == (0, "", told("one") + told("two"))
    assert all((folder / "bin" / "mine").is_file() for folder in folders)


def test_build_says_which_bots_have_no_build(place: Place) -> None:
    done = place.arena("build", "first", "manual")
    assert (done.returncode, said(done)) == (
        0,
        "arena: first has no build in its bot.toml\narena: manual has no build in its bot.toml\n",
    )


def test_a_failed_build_is_told_in_full(place: Place) -> None:
    script = r'echo some noise; printf "main.c: \007error\n"; exit 2'
    folder = bot(place, script=script)
    done = place.arena("build", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[1:] == [
        f"arena: mine: sh -c {shlex.quote(script)} exited with status 2",
        "    some noise",
        "    main.c: \ufffderror",
        f"    log: {folder}/.arena-build/log",
    ]


def test_a_match_builds_what_is_stale_once_and_nothing_else(place: Place) -> None:
    folder = bot(place)
    for expected in (told("mine"), ""):
        done = place.arena("match", "leaves", folder, "first", folder)
        assert (done.returncode, said(done)) == (0, expected)
    (folder / "mine.py").write_text((folder / "mine.py").read_text() + "# changed\n")
    assert said(place.arena("match", "leaves", folder, "first", "first")) == told("mine")


def test_a_league_builds_its_active_bots_and_says_so_unless_it_is_quiet(place: Place) -> None:
    folder = bot(place)
    gone = {"path": str(bot(place, "gone", "exit 1")), "active": False}
    league = place.league("first", "greedy", {"path": str(folder)}, gone, format={"blocks": 1})
    done = place.arena("tournament", league, "--out", "run", "--for", "60s")
    assert (done.returncode, said(done).startswith(told("mine"))) == (0, True)
    (folder / "bin" / "mine").unlink()
    done = place.arena("tournament", league, "--out", "run", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "bin" / "mine").is_file()
    assert "changed" not in place.arena("verify", "run").stdout


def test_a_league_of_a_bot_that_cannot_be_built_is_not_begun(place: Place) -> None:
    league = place.league("first", "greedy", {"path": str(bot(place, script="exit 1"))})
    done = place.arena("tournament", league, "--out", "run", "-q")
    assert (done.returncode, done.stderr) == (
        1,
        "arena: mine: sh -c 'exit 1' exited with status 1\n",
    )
    assert not (place.folder / "run").exists()


def test_rerun_builds_the_bots_of_today(place: Place) -> None:
    folder = bot(place)
    league = place.league("first", "greedy", {"path": str(folder)}, format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    source = (folder / "mine.py").read_text()
    (folder / "mine.py").write_text(source.replace("legal[0]", "legal[-1]"))
    match = re.findall(r'"match":"([0-9a-f]{16})"', place.arena("export", "run").stdout)[0]
    done = place.arena("rerun", "run", match)
    assert said(done) == told("mine")
    assert done.stdout.startswith("first difference: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_build_is_ended_by_a_signal_with_all_its_processes(
    number: signal.Signals, place: Place
) -> None:
    process = place.start("build", bot(place, script="sleep 60 & wait"), start_new_session=True)
    assert process.stderr
    assert process.stderr.readline().startswith("arena: building mine: ")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", f"arena: stopped by {number.name}\n")
    assert not place.processes()


def test_the_build_of_an_arena_that_was_killed_is_waited_for(place: Place) -> None:
    begun, go, story = (place.folder / name for name in ("begun", "go", "story"))
    os.mkfifo(begun)
    steps = [f"echo begin | tee -a {story} >{begun}", f"until [ -e {go} ]; do sleep 0.02; done"]
    folder = bot(place, script="; ".join([*steps, MAKE, f"echo end >>{story}"]))
    killed = place.start("build", folder, "--sandbox", "none")
    with begun.open() as heard:
        assert heard.readline() == "begin\n"
        killed.kill()
        killed.wait()
        again = place.start("build", folder, "--sandbox", "none")
        assert again.stderr
        assert again.stderr.readline() == "arena: waiting for another build of mine to end\n"
        go.touch()
        again.communicate(timeout=LIMIT_SECONDS)
    assert again.returncode == 0
    assert story.read_text() == "begin\nend\n" * 2

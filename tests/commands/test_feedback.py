"""``arena feedback``: all that a bot's author may know of a run, and nothing of the others."""

import contextlib
import io
import json
import os
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import scripted
from msgspec.structs import replace
from running import REPOSITORY, Place

from arena import games
from arena.cli import main
from arena.league.journal import Journal
from arena.model import League, MatchResult
from arena.play import protocol
from arena.play.log import CAP
from arena.views.transcript import transcript

NAMES = ("ann", "bob", "cyd", "dan")
LEAVES = replace(scripted.LEAGUE, seed="a seed that nobody may know")
THIRTEEN = replace(
    LEAVES, seats=(3,), terms=replace(LEAVES.terms, game="thirteen", options={"max_turns": 12})
)
PRINTS = """\
from arena.bot import run


def choose(observation, legal):
    print("printed by {0}:", observation["hand"], flush=True)
    return legal[0]


run(choose)
"""
CRASHES = """\
from arena.bot import run


def choose(observation, legal):
    print("printed by crash", flush=True)
    raise ValueError("a mistake of crash")


run(choose)
"""


def marked(result: MatchResult) -> MatchResult:
    """Return the result with faults whose texts name the bot that is to know of them."""
    names = result.outcome.seats
    faults = tuple(
        replace(
            fault,
            detail=f"detail of {names[fault.seat]}",
            output=f"output of {names[fault.seat]}",
            log=f"logs/{names[fault.seat]}-0-1.log",
        )
        for fault in result.outcome.faults
    )
    return replace(result, outcome=replace(result.outcome, faults=faults))


def recorded(league: League, folder: Path) -> list[MatchResult]:
    """Write a run with logs of all bots; return its matches."""
    results = [marked(result) for result in scripted.play_all(league)]
    scripted.record(league, iter(results), folder)
    (folder / "logs").mkdir()
    for name in NAMES:
        (folder / "logs" / f"{name}-0-1.log").write_text(f"printed by {name}\n")
    (folder / "logs" / "worker-0.log").write_text("printed by a worker\n")
    return results


def packed(monkeypatch: pytest.MonkeyPatch, run: Path, bot: str) -> dict[str, bytes]:
    """Return the files of the archive for a bot, by name without its folder."""
    output = run / f"{bot}.zip"
    words = ["arena", "feedback", str(run), bot, "--output", str(output)]
    monkeypatch.setattr(sys, "argv", words)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main()
    files = opened(output, bot)
    assert said.getvalue() == f"{output}: {len(files)} files for the author of {bot}\n"
    return files


def opened(path: Path, bot: str) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name.removeprefix(f"{bot}/"): archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("league", "bot"),
    [(LEAVES, "ann"), (LEAVES, "dan"), (THIRTEEN, "bob")],
    ids=["ann in leaves", "dan in leaves", "bob in thirteen"],
)
def test_there_is_all_of_the_bot_and_nothing_of_the_others(
    league: League, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    results = recorded(league, run)
    files = packed(monkeypatch, run, bot)
    own = [result for result in results if bot in result.outcome.seats]
    assert set(files) == {
        *("README.txt", "results.txt", "results.json", "faults.json", f"logs/{bot}-0-1.log"),
        *(f"matches/{result.outcome.match}.{end}" for result in own for end in ("txt", "jsonl")),
    }
    everything = b"\n".join(files.values())
    for secret in secrets(league, results, bot):
        assert secret.encode() not in everything, secret
    assert f"printed by {bot}".encode() in everything
    for result in own:
        check_match(files, result, result.outcome.seats.index(bot))


def secrets(league: League, results: list[MatchResult], bot: str) -> set[str]:
    """Return texts of which none may be told to the author of a bot."""
    others = [name for name in NAMES if name != bot]
    return {
        league.seed,
        *(result.block_seed for result in results),
        *(entrant.fingerprint for entrant in league.entrants if entrant.name != bot),
        *(f"{what} {name}" for what in ("detail of", "output of", "printed by") for name in others),
        *(f"{name}-0-1.log" for name in others),
        "printed by a worker",
    }


def check_match(files: dict[str, bytes], result: MatchResult, seat: int) -> None:
    """Check that a match is told as its seat saw it."""
    match, game = result.outcome.match, games.load(result.game)
    lines = files[f"matches/{match}.txt"].decode().splitlines()
    assert lines == list(transcript(result, game, seat))
    actions = []
    for line in files[f"matches/{match}.jsonl"].splitlines():
        if json.loads(line)["type"] == "action":
            actions.append(protocol.decode(line).action)
            continue
        message = protocol.decode_arena(line)
        assert json.loads(line) == json.loads(protocol.encode(message))
        if isinstance(message, protocol.DealStart | protocol.Act):
            assert message.observation["seat"] == seat
            assert message.observation.keys() == game.observation.__annotations__.keys()
    own = [
        action
        for deal in result.deals
        for actor, action, ms in deal.actions
        if actor == seat and ms is not None
    ]
    assert actions == own


def test_hands_of_others_are_in_no_form_in_the_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, league = tmp_path / "run", replace(LEAVES, terms=replace(LEAVES.terms, options={}))
    results = recorded(league, run)
    files = packed(monkeypatch, run, "ann")
    checked = 0
    for result in results:
        if "ann" not in result.outcome.seats:
            continue
        seat = result.outcome.seats.index("ann")
        text, messages = (files[f"matches/{result.outcome.match}.{x}"] for x in ("txt", "jsonl"))
        for deal in result.deals:
            for other, hand in enumerate(deal.setup["hands"]):
                plain, compact = " ".join(map(str, hand)), json.dumps(hand, separators=(",", ":"))
                found = plain in text.decode(), compact in messages.decode()
                if other != seat:
                    assert found == (False, False)
                    checked += 1
    assert checked > 100


def test_results_and_faults_are_those_of_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = recorded(LEAVES, tmp_path / "run")
    files = packed(monkeypatch, tmp_path / "run", "bob")
    told = json.loads(files["results.json"])
    assert (told["bot"], told["bots"], told["standing"]["bot"]) == ("bob", 4, "bob")
    assert {duel["opponent"] for duel in told["opponents"]} == {"ann", "cyd", "dan"}
    own = [result for result in results if "bob" in result.outcome.seats]
    assert [part["match"] for part in told["matches"]] == [r.outcome.match for r in own]
    assert told["standing"]["matches"] == len(own)
    lines = files["results.txt"].decode().splitlines()
    assert [line.split()[1] for line in lines if re.match(r"\d  ", line)] == ["bob"]
    assert [line.split()[0] for line in lines[-6:-2]] == ["against", "ann", "cyd", "dan"]
    faults: list[dict[str, Any]] = json.loads(files["faults.json"])
    assert [
        (fault["match"], fault["kind"], fault["deal"], fault["action"]) for fault in faults
    ] == [
        (result.outcome.match, fault.kind.value, fault.deal, fault.action)
        for result in own
        for fault in result.outcome.faults
        if result.outcome.seats[fault.seat] == "bob"
    ]
    assert {fault["output"] for fault in faults} == {"output of bob"}


def test_a_link_in_the_place_of_a_log_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    recorded(LEAVES, run)
    logs = run / "logs"
    (logs / "ann-0-2.log").symlink_to(logs / "bob-0-1.log")
    os.link(logs / "bob-0-1.log", logs / "ann-0-3.log")
    os.mkfifo(logs / "ann-0-4.log")
    (logs / "ann-0-5.log").mkdir()
    (logs / "ann-0-6.log").write_text("printed later by ann")
    files = packed(monkeypatch, run, "ann")
    assert {name for name in files if name.startswith("logs/")} == {
        "logs/ann-0-1.log",
        "logs/ann-0-6.log",
    }
    assert capsys.readouterr().err == "".join(
        f"arena: {logs}/ann-0-{number}.log is no file of its own and was left out\n"
        for number in (2, 3, 4, 5)
    )


def test_of_a_log_that_a_killed_run_left_too_large_the_beginning_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    recorded(LEAVES, run)
    (run / "logs" / "ann-0-1.log").write_text("printed by ann\n")
    os.truncate(run / "logs" / "ann-0-1.log", 1 << 42)
    log = packed(monkeypatch, run, "ann")["logs/ann-0-1.log"]
    assert log.startswith(b"printed by ann\n")
    assert log.endswith(f"\n[... {(1 << 42) - CAP} bytes were cut here ...]\n".encode())


def test_the_same_run_gives_the_same_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    recorded(replace(LEAVES, seats=(3,)), run)
    once = (packed(monkeypatch, run, "ann"), (run / "ann.zip").read_bytes())
    assert once == (packed(monkeypatch, run, "ann"), (run / "ann.zip").read_bytes())


@pytest.mark.process
def test_a_real_league_tells_an_author_no_path_of_the_machine(place: Place) -> None:
    bots = [place.bot("talk", PRINTS.format("talk")), place.bot("crash", CRASHES)]
    league = place.league("first", *bots, format={"blocks": 1})
    assert place.arena("tournament", league, "--out", "run", "-q").returncode == 0
    done = place.arena("feedback", "run", "crash")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"crash\.zip: \d+ files for the author of crash\n", done.stdout)
    files = opened(place.folder / "crash.zip", "crash")
    everything = b"\n".join(files.values())
    for path in (place.folder, REPOSITORY, Path(sys.prefix), Path(sys.base_prefix), Path.home()):
        assert os.fsencode(path) not in everything
    assert b"printed by talk" not in everything
    (fault, *_) = json.loads(files["faults.json"])
    assert 'File "<bot>/main.py"' in fault["output"]
    assert "a mistake of crash" in fault["output"]
    logs = [content for name, content in files.items() if name.startswith("logs/")]
    assert all(b"printed by crash" in log and b'File "<bot>/main.py"' in log for log in logs)
    assert logs


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bobb",), "has no bot 'bobb'; did you mean 'bob'?"),
        (("bob", "--output", "none/bob.zip"), "there is no folder none"),
        (("bob", "--output", "run"), "--output run is a folder; name a file"),
    ],
)
def test_what_cannot_be_packed_is_said(place: Place, words: tuple[str, ...], message: str) -> None:
    scripted.record(LEAVES, iter([scripted.play(LEAVES, f) for f in ()]), place.folder / "run")
    done = place.arena("feedback", "run", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_match_that_does_not_fit_the_game_is_named(place: Place) -> None:
    first = next(scripted.play_all(LEAVES))
    forged = replace(first, block_seed="another seed")
    scripted.record(LEAVES, iter([forged]), place.folder / "run")
    bot = first.outcome.seats[0]
    done = place.arena("feedback", "run", bot)
    assert done.returncode == 1
    assert f"match {first.outcome.match}: the record does not fit the game" in done.stderr
    assert not list(place.folder.glob("*.zip*"))


def test_a_bot_without_a_match_gets_an_archive_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir()
    Journal.create(tmp_path / "run", LEAVES).close()
    files = packed(monkeypatch, tmp_path / "run", "ann")
    assert json.loads(files["results.json"])["standing"]["matches"] == 0
    assert json.loads(files["faults.json"]) == []

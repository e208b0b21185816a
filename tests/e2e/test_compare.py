"""A bot's author compares two versions, stops, goes on, and reads the answer off the exit code."""

import json
import signal
import subprocess

import pytest
from running import Place

pytestmark = pytest.mark.process

MATES = ("--against", "first", "--against", "miser", "--option", "variant=basic")
TEST = (*MATES, "--seed", "13", "-q")


def compare(place: Place, *words: object) -> "subprocess.CompletedProcess[str]":
    return place.arena("compare", *map(str, words))


def test_the_answer_is_the_same_however_it_was_played_and_the_run_is_one_like_others(
    place: Place,
) -> None:
    whole = compare(place, "random", "greedy", *TEST, "--workers", 1, "--out", "whole")
    assert (whole.returncode, whole.stderr) == (0, "")
    assert whole.stdout.startswith("greedy is better than random\nshare of greedy less that of")
    stopped = compare(place, "random", "greedy", *TEST, "--for", "1s", "--out", "parts")
    assert stopped.returncode in (0, 5)
    if stopped.returncode == 5:
        assert stopped.stderr == "arena: the time is over; the same command goes on in parts\n"
    rest = compare(place, "random", "greedy", *TEST, "--workers", 2, "--out", "parts")
    assert (rest.returncode, rest.stdout) == (0, whole.stdout)
    verified = place.arena("verify", "whole")
    assert verified.returncode == 0
    assert "missing" not in verified.stdout
    lines = place.arena("export", "whole").stdout.splitlines()
    hands: dict[tuple[int, int], set[str]] = {}
    for match in map(json.loads, lines):
        key = match["block"], match["rotation"]
        hands.setdefault(key, set()).add(json.dumps(match["deals"][0]["hands"]))
    assert {len(found) for found in hands.values()} == {1}


@pytest.mark.slow
def test_the_other_way_round_the_new_version_is_worse(place: Place) -> None:
    worse = compare(place, "greedy", "random", *TEST)
    assert (worse.returncode, worse.stderr) == (3, "")
    assert worse.stdout.startswith("random is worse than greedy\n")
    assert (place.folder / "runs" / "greedy-random").is_dir()


def test_a_version_that_does_the_same_is_equal_or_the_answer_is_not_clear_yet(
    place: Place,
) -> None:
    words = ("greedy", "greedy", *TEST, "--out", "run", "--margin", "0.4")
    unclear = compare(place, *words, "--max-blocks", 8)
    assert (unclear.returncode, unclear.stderr) == (5, "")
    assert unclear.stdout.startswith("greedy-new and greedy-old: undecided\n")
    equal = compare(place, *words, "--max-blocks", 20)
    assert (equal.returncode, equal.stderr) == (4, "")
    assert equal.stdout.startswith("greedy-new and greedy-old are equal within 0.4\n")


def test_two_bots_meet_head_to_head_and_are_followed(place: Place) -> None:
    found = compare(
        place, "first", "random", "--game", "thirteen", "--max-blocks", 2, "--seed", 13,
        "--option", "max_turns=20", "--against", "first",
    )  # fmt: skip
    assert found.returncode == 5
    assert "new less old" in found.stderr
    assert "4 matches in 2 blocks" in found.stdout


def test_other_files_of_a_bot_are_another_comparison(place: Place) -> None:
    source = "from arena.bot import run\nrun(lambda observation, legal: legal[0])\n"
    bot = place.bot("mine", source)["path"]
    words = ("first", bot, *TEST, "--out", "run", "--max-blocks", 1)
    assert compare(place, *words).returncode == 5
    place.bot("other", source)
    (place.folder / "bots" / "mine" / "main.py").write_text(f"{source}# changed\n")
    refused = compare(place, *words)
    assert refused.returncode == 2
    assert "run compares other files of mine; use --restart" in refused.stderr
    assert compare(place, *words, "--restart").returncode == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("first", "greedy"), "leaves has 3 to 6 seats, not 2; --against gives the table one more"),
        (("first", "greedi", *MATES), "greedi"),
        (("first", "greedy", *MATES, "--option", "target=0"), "--option target: "),
        (("first", "greedy", *MATES, "--margin", "2"), "Invalid value for '--margin'"),
        (("first", "random", "--game", "chess"), "there is no game 'chess'"),
    ],
)
def test_a_wrong_argument_is_told(words: tuple[str, ...], message: str, place: Place) -> None:
    refused = compare(place, *words)
    assert refused.returncode == 2
    assert message in refused.stderr


def test_a_signal_ends_a_comparison_which_can_be_gone_on_with(place: Place) -> None:
    words = ("compare", "greedy", "greedy", *MATES, "--out", "run", "--workers", 1)
    process = place.start(*words)
    assert process.stderr
    assert "matches" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.endswith("arena: stopped by SIGTERM; the same command goes on in run\n")

"""Leagues whose processes are killed at any instant lose nothing and leave nothing behind."""

import itertools
import os
import random
import secrets
from collections import Counter

import pytest
from campaign import Campaign, groups_of
from kills import plan
from running import STUBBORN, Place

from arena.play import cgroup

pytestmark = pytest.mark.process

KILLS = int(os.environ.get("ARENA_KILLS", "300"))
"""Kills of the full campaign."""
SEED = os.environ.get("ARENA_KILLS_SEED", "") or secrets.token_hex(4)
"""Of all chance in a campaign, which prints it."""
A_RUN = 5
"""Kills for one run; it may be finished before it has met them all."""


def killed(place: Place, level: str, number: int, blocks: int) -> str:
    """Kill at least so often; return how often what was killed when."""
    print(f"ARENA_KILLS_SEED={SEED}")
    chance = random.Random(f"{SEED} {level}")
    league = place.league(
        *("first", "greedy", "random", "miser" if level == "none" else place.bot("s", STUBBORN)),
        format={"blocks": blocks},
        limits={"start": 60_000, "first_move": 30_000, "move": 30_000},
        sandbox={"level": level},
    )
    campaign = Campaign(place, league)
    done: Counter[str] = Counter()
    for run in itertools.count(1):
        kills = plan(min(A_RUN, number), chance)
        campaign.disturb(f"run-{run}", kills)
        done.update(str(kill) for kill in kills if kill.happened)
        if done.total() >= number:
            break
    lines = (f"{count:5} {what}" for what, count in sorted(done.items()))
    return "\n".join([f"level {level}: {done.total()} kills in {run} runs", *lines])


@pytest.mark.parametrize("level", ["none", "auto"])
def test_a_league_lives_through_kills(place: Place, level: str) -> None:
    killed(place, level, 3, blocks=2)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("level", ["none", "auto"])
def test_a_longer_league_lives_through_hundreds_of_kills(
    place: Place, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = killed(place, level, KILLS // 2, blocks=8)
    with capsys.disabled():
        print(f"\n{told}")


@pytest.mark.parametrize("words", [("match", "leaves"), ("check",)], ids=["match", "check"])
def test_what_a_killed_command_leaves_goes_with_the_next_one(
    place: Place, words: tuple[str, ...]
) -> None:
    no_groups = cgroup.hierarchy() is None
    bots = [place.bot(name, STUBBORN)["path"] for name in ("a", "b", "c")]
    process = place.start(*words, *bots[: 1 if words == ("check",) else 3])
    while not place.left_behind() or not (groups_of(process.pid) or no_groups):
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert place.left_behind()
    assert place.arena("match", "leaves", "first", "first", "first").returncode == 0
    assert not place.processes(2)
    assert not place.left_behind()
    assert not groups_of(process.pid)

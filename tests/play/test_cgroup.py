"""Control groups: where they are looked for, what they bound, and that nothing is left of them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from needed import needed
from running import has_ended

from arena.play import cgroup
from arena.play.cgroup import Group, Hierarchy, candidates

GREEDY = "import time; x = bytearray(200 << 20); time.sleep(60)"
SPREAD = """
import subprocess, time
children = []
try:
    while True:
        children.append(subprocess.Popen(["sleep", "60"], start_new_session=True))
except OSError:
    print(*(child.pid for child in children), flush=True)
    time.sleep(60)
"""
ABANDON = """
import os, signal, subprocess
from arena.play import cgroup
group = cgroup.Group(cgroup.hierarchy(), 64 << 20, 8)
sleeper = subprocess.Popen(["sleep", "60"], start_new_session=True, stdout=subprocess.DEVNULL)
for path in group.entrances:
    path.write_text(str(sleeper.pid))
print(sleeper.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def group() -> Iterator[Group]:
    """A group with little room."""
    found = cgroup.hierarchy()
    if found is None:
        needed("control groups that can be written to")
    group = Group(found, 64 << 20, 8)
    yield group
    group.end()


def entering(group: Group, script: str) -> "subprocess.Popen[bytes]":
    enter = " && ".join(f"echo $$ >{path}" for path in group.entrances)
    return subprocess.Popen(
        ["/bin/sh", "-c", f"{enter} && {script}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.process
def test_a_group_bounds_memory(group: Group) -> None:
    with entering(group, f"exec {sys.executable} -c '{GREEDY}'") as process:
        assert process.wait(20) == -9
    assert group.starved


@pytest.mark.process
def test_a_group_bounds_threads_and_ends_processes_that_have_left_their_session(
    group: Group,
) -> None:
    with entering(group, f"exec {sys.executable} -c '{SPREAD}'") as process:
        assert process.stdout
        started = [int(pid) for pid in process.stdout.readline().split()]
        assert len(started) == 7
        group.end()
        assert process.wait(5) == -9
    assert not any(path.exists() for path in group.entrances)
    assert all(has_ended(pid, 5) for pid in started)


@pytest.mark.process
def test_the_groups_of_a_process_that_was_killed_are_ended() -> None:
    found = cgroup.hierarchy()
    if found is None:
        needed("control groups that can be written to")
    with subprocess.Popen([sys.executable, "-c", ABANDON], stdout=subprocess.PIPE) as maker:
        assert maker.stdout
        sleeper = int(maker.stdout.readline())
        assert maker.wait(10) == -9
    left = [path for folder in found.folders for path in folder.glob(f"arena-{maker.pid}-*")]
    assert len(left) == len(found.folders)
    cgroup.end_lost_groups()
    assert not any(path.exists() for path in left)
    assert has_ended(sleeper, 5)


V1 = [
    ("/", "/sys/fs/cgroup/memory", "cgroup", "rw,memory"),
    ("/", "/sys/fs/cgroup/pids", "cgroup", "rw,pids"),
]


@pytest.mark.parametrize(
    ("mounts", "groups", "memory", "threads"),
    [
        (V1, "3:memory:/user/me\n2:pids:/\n", "memory/user/me", "pids"),
        (
            [("/docker/1", point, kind, options) for _, point, kind, options in V1],
            "3:memory:/docker/1/in\n2:pids:/docker/1\n",
            "memory/in",
            "pids",
        ),
    ],
)
def test_groups_of_version_1_are_made_below_the_own_ones(
    mounts: list[tuple[str, str, str, str]], groups: str, memory: str, threads: str
) -> None:
    first = next(candidates(mounts, groups))
    top = Path("/sys/fs/cgroup")
    assert first == Hierarchy(1, top / memory, top / threads)


def test_groups_of_version_1_count_and_share_processor_time_where_they_can() -> None:
    mounts = [*V1, ("/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup", "rw,cpu,cpuacct")]
    groups = "4:cpu,cpuacct:/me\n3:memory:/user/me\n2:pids:/\n"
    top = Path("/sys/fs/cgroup")
    memory, threads, processor = top / "memory/user/me", top / "pids", top / "cpu,cpuacct/me"
    first, second, *_ = candidates(mounts, groups)
    assert first == Hierarchy(1, memory, threads, processor, processor)
    assert second == Hierarchy(1, memory, threads)
    assert first.folders == (memory, threads, processor)


def test_groups_of_version_2_are_made_where_both_limits_are_shared_out(tmp_path: Path) -> None:
    own = tmp_path / "user.slice" / "app.slice" / "shell.scope"
    own.mkdir(parents=True)
    for folder, shared in ((own, ""), (own.parent, "memory pids"), (tmp_path, "cpu memory pids")):
        (folder / "cgroup.subtree_control").write_text(shared)
    mounts = [("/", str(tmp_path), "cgroup2", "rw")]
    found = list(candidates(mounts, "0::/user.slice/app.slice/shell.scope\n"))
    assert found == [Hierarchy(2, place, place, place) for place in (own.parent, tmp_path)]


def test_a_system_without_groups_has_no_place_for_them() -> None:
    assert list(candidates([], "")) == []

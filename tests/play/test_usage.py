"""What the processes of a bot use together."""

import shutil
import subprocess
import sys

import pytest

from arena.play import usage

MIB = 1 << 20
PROGRAM = """
import os, sys, time
held = os.urandom(32 << 20)
while time.process_time() < 0.3:
    pass
os.fork()
print(flush=True)
sys.stdin.readline()
"""


@pytest.mark.process
@pytest.mark.parametrize("told_by", ["proc", "ps"])
def test_usage_is_that_of_all_processes(told_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if told_by == "proc" and not usage.is_watchable():
        pytest.skip("this system has no /proc")
    if told_by == "ps":
        if not shutil.which("ps"):
            pytest.skip("this system has no ps")
        monkeypatch.setattr(usage, "is_watchable", lambda: False)
    bot = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert bot.stdout
    bot.stdout.read(2)
    found = usage.used(bot.pid)
    bot.communicate(b"\n\n", timeout=20)
    assert (found.processes, found.threads) == (2, 2)
    assert 64 * MIB < found.memory < 200 * MIB
    assert found.seconds >= (0.2 if told_by == "proc" else 0.0)


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [("00:00:03", 3), ("1-02:03:04", 93784), ("3:04.50", 184.5)],
)
def test_the_times_of_ps(clock: str, seconds: float) -> None:
    assert usage._seconds(clock) == seconds

"""Ending a run: by signals and by time. The signals go to a process of their own."""

import os
import signal
import subprocess
import sys

import pytest

from arena.league.stop import Stop

WAIT = """
import select, signal, sys
from arena.league.stop import SIGNALS, stopping

before = [signal.getsignal(number) for number in SIGNALS]
with stopping(float(sys.argv[1]) if len(sys.argv) > 1 else None) as stop:
    print("ready", flush=True)
    ready, _, _ = select.select([stop.descriptor], [], [], 20)
    print(bool(ready), stop.signal.name if stop.signal else None, stop.time_over)
print([signal.getsignal(number) for number in SIGNALS] == before, signal.getitimer(0))
"""
RESTORED = "True (0.0, 0.0)"


def waiting(*words: str, ignoring: signal.Signals | None = None) -> "subprocess.Popen[str]":
    """Start a process that waits for its end; it ignores a signal as one under nohup does."""
    kept = None if ignoring is None else signal.signal(ignoring, signal.SIG_IGN)
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", WAIT, *words], stdout=subprocess.PIPE, text=True
        )
    finally:
        if ignoring is not None:
            signal.signal(ignoring, kept)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def said(process: "subprocess.Popen[str]") -> list[str]:
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    return out.splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_each_of_the_signals_ends_a_run_and_is_named(number: signal.Signals) -> None:
    process = waiting()
    process.send_signal(number)
    assert said(process) == [f"True {number.name} False", RESTORED]


def test_a_run_ends_after_its_time() -> None:
    assert said(waiting("0.05")) == ["True None True", RESTORED]


def test_a_signal_before_the_time_is_over_is_the_reason() -> None:
    process = waiting("20")
    process.send_signal(signal.SIGTERM)
    assert said(process) == ["True SIGTERM False", RESTORED]


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    process = waiting(ignoring=signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    assert said(process) == ["True SIGTERM False", RESTORED]


def test_any_number_of_signals_is_taken_without_blocking() -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    stop = Stop(read_end, write_end)
    for _ in range(100_000):
        stop.handle(signal.SIGINT, None)
    assert stop.signal is signal.SIGINT
    os.close(read_end)
    os.close(write_end)

"""What a process of Python costs."""

import os
import subprocess
import sys


def measured(*words: str) -> tuple[float, float, str]:
    """Run Python; return the seconds of a processor it took, its peak of MB, its first line."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process.stdout:
        said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3, said.partition("\n")[0]

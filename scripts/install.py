"""Install arena into .venv: ``install.py FOLDER [EXTRA ...]``. Called by ``scripts/install``.

Two at once wait for each other: the lock belongs to an open file that pip inherits, so it is free
as soon as the last process of a killed installation is gone. The lock file holds text as long as
an installation is under way; if it does so for the next one, .venv is made anew.
"""

import fcntl
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO


def install(folder: Path, extras: Sequence[str]) -> int:
    """Install arena with the extras and return the exit code, 2 where there is none of the name."""
    project = tomllib.loads((folder / "pyproject.toml").read_text()).get("project", {})
    known = project.get("optional-dependencies", {})
    for extra in extras:
        if extra not in known:
            print(f"arena: there is no extra {extra!r}, but {', '.join(known)}", file=sys.stderr)
            return 2
    return max(main(folder, extra) for extra in extras or [""])


def main(folder: Path, extra: str) -> int:
    """Install where that is needed and return the exit code."""
    with (folder / ".venv.lock").open("a+") as lock:
        _wait_for(lock)
        wanted = (folder / "pyproject.toml").read_bytes()
        if _is_installed(folder, extra, wanted):
            return 0
        lock.seek(0)
        is_broken = lock.read() != "" or not _is_usable(folder)
        print(f"arena: installing into {folder / '.venv'} ...", file=sys.stderr, flush=True)
        lock.write("under way\n")
        lock.flush()
        failure = _install(folder, extra, lock, make_anew=is_broken)
        if failure:
            print(f"arena: {failure}", file=sys.stderr)
        else:
            _note(folder, extra, wanted)
        lock.truncate(0)
        return 1 if failure else 0


def _wait_for(lock: TextIO) -> None:
    os.set_inheritable(lock.fileno(), True)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("arena: waiting for another installation to end ...", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)


def _is_installed(folder: Path, extra: str, wanted: bytes) -> bool:
    stamp = _stamp(folder, extra)
    return _is_usable(folder) and stamp.is_file() and stamp.read_bytes() == wanted


def _is_usable(folder: Path) -> bool:
    """Return whether .venv was made here and has pip and a Python that is new enough."""
    made = folder / ".venv" / "arena.txt"
    if made.is_file() and made.read_text() != _place(folder):
        return False
    probe = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        check = subprocess.run([_python(folder), "-I", "-c", probe], stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return check.returncode == 0


def _install(folder: Path, extra: str, lock: TextIO, *, make_anew: bool) -> str:
    """Return what went wrong, empty if nothing did."""
    for stamp in (_stamp(folder, ""), _stamp(folder, extra)):
        stamp.unlink(missing_ok=True)
    if make_anew:
        base = getattr(sys, "_base_executable", "") or sys.executable
        command = [base, "-I", "-m", "venv", "--clear", str(folder / ".venv")]
        if _run(command, folder, lock):
            return f"{folder / '.venv'} could not be made"
    pip = [_python(folder), "-I", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if _run([*pip, "install", "--editable", f".[{extra}]" if extra else "."], folder, lock):
        return "the installation failed"
    _run([_python(folder), "-I", "-m", "compileall", "-q", "arena"], folder, lock)
    return ""


def _run(step: list[str], folder: Path, lock: TextIO) -> int:
    """Run a command that prints to stderr only; return its exit code."""
    return subprocess.run(
        step,
        cwd=folder,
        env={**os.environ, "PIP_USER": "0"},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        pass_fds=(lock.fileno(),),
    ).returncode


def _note(folder: Path, extra: str, wanted: bytes) -> None:
    """Note what was installed, for ``scripts/arena`` and for the next installation."""
    (folder / ".venv" / "arena.txt").write_text(_place(folder))
    for stamp in (_stamp(folder, ""), _stamp(folder, extra)):
        stamp.write_bytes(wanted)


def _stamp(folder: Path, extra: str) -> Path:
    return folder / ".venv" / (f"arena-{extra}.toml" if extra else "arena.toml")


def _python(folder: Path) -> str:
    return str(folder / ".venv" / "bin" / "python")


def _place(folder: Path) -> str:
    """Return what .venv cannot outlive: its folder and its interpreter."""
    return f"{folder}\n{os.path.realpath(_python(folder))}\n"


if __name__ == "__main__":
    try:
        sys.exit(install(Path(sys.argv[1]), sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        print(f"arena: the installation failed: {error}", file=sys.stderr)
        sys.exit(1)

"""Bots that have to be built, and the tools that build them."""

import functools
import os
import shutil
import subprocess

import pytest

from arena.commands.build import build_stale
from arena.entrants import load_bot, shipped_bots
from arena.model import Entrant, Sandbox

PROGRAMS = {
    "starter-cpp": ("c++", "cmake", "pkg-config"),
    "starter-go": ("go",),
    "starter-java": ("java", "javac", "mvn"),
    "starter-javascript": ("node", "npm"),
    "starter-python": (),
    "starter-rust": ("cargo",),
}
LIBRARIES = {"starter-cpp": ("libzmq", "cppzmq", "nlohmann_json")}
BUILD_SECONDS = 900


@functools.cache
def built(name: str) -> Entrant:
    """Return a shipped bot, built; where a tool is missing, skip the test, or fail it in CI."""
    demand(name)
    entrant = load_bot(name, base=shipped_bots())
    build_stale([entrant], Sandbox(), quiet=True)
    return entrant


def demand(name: str) -> None:
    """Skip the test where a tool to build a bot with is missing; in CI fail it."""
    if lacking := missing(name):
        message = f"{name} needs {', '.join(lacking)}"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{message}: in CI no test is skipped for a missing toolchain")
        pytest.skip(message)


def missing(name: str) -> list[str]:
    """Return the programs and libraries that a bot is built with and that are not here."""
    programs = [program for program in PROGRAMS[name] if not shutil.which(program)]
    return programs or [library for library in LIBRARIES.get(name, ()) if not _has(library)]


def _has(library: str) -> bool:
    return subprocess.run(["pkg-config", "--exists", library], check=False).returncode == 0

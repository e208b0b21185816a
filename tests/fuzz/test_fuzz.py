"""Every target is fuzzed for a moment; bytes that once were wrong are tried again."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import needed

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import targets  # noqa: E402

FOUND = sorted(HERE.glob("found/*/*"))
MOMENT = 2
LONG = 120
SPLICES = st.lists(
    st.tuples(st.integers(0, 1 << 16), st.integers(0, 64), st.binary(max_size=16)), max_size=4
)
"""By splice: where, how many bytes go, which come instead."""


def target(name: str) -> Any:
    return importlib.import_module(f"targets.{name}")


def fuzz(name: str, seconds: int, folder: Path, seed: int = 0) -> None:
    """Fuzz a target for some time; fail with what was found. The seed 0 is another each time."""
    if sys.platform != "linux":
        pytest.skip("atheris is for Linux")
    try:
        import atheris  # noqa: F401
    except ImportError:
        needed("atheris (pip install -e '.[dev]')")
    limits = [
        f"-max_total_time={seconds}",
        "-timeout=30",
        f"-artifact_prefix={folder}/",
        f"-seed={seed}",
    ]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
    environment["TMPDIR"] = str(folder)  # libFuzzer ends the process at once
    done = subprocess.run(
        [sys.executable, str(HERE / "fuzz.py"), name, *limits],
        capture_output=True,
        env=environment,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Done " in done.stderr


@pytest.mark.process
@pytest.mark.parametrize("name", targets.NAMES)
def test_a_target_is_right_for_what_is_found_in_a_moment(name: str, tmp_path: Path) -> None:
    fuzz(name, MOMENT, tmp_path, seed=13)


@pytest.mark.slow
@pytest.mark.timeout(2 * LONG)
@pytest.mark.parametrize("name", targets.NAMES)
def test_a_target_is_right_for_what_is_found_in_minutes(name: str, tmp_path: Path) -> None:
    fuzz(name, LONG, tmp_path)


@pytest.mark.parametrize("name", targets.NAMES)
def test_a_target_is_right_for_its_seeds_with_other_bytes_in_them(name: str) -> None:
    @settings(max_examples=25)
    @given(st.sampled_from(target(name).SEEDS), SPLICES)
    def spliced(seed: bytes, splices: list[tuple[int, int, bytes]]) -> None:
        for where, gone, instead in splices:
            at = where % (len(seed) + 1)
            seed = seed[:at] + instead + seed[at + gone :]
        target(name).run(seed)

    spliced()


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_bytes_that_once_were_wrong_are_right_now(path: Path) -> None:
    target(path.parent.name).run(path.read_bytes())

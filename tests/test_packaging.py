"""What is installed: the wheel, and the scripts that install arena on first use."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import TextIO

import pytest

from arena import fingerprint

ROOT = Path(__file__).parent.parent


PACKED = ("arena", "bots", "LICENSE", "README.md", "pyproject.toml", ".gitignore")
MADE = (
    "starter-go/bin/starter-go",
    "starter-cpp/build/CMakeCache.txt",
    "starter-java/target/lib/gson.jar",
    "starter-javascript/node_modules/zeromq/package.json",
    "starter-javascript/package-lock.json",
    "starter-rust/target/release/starter-rust",
    "starter-rust/Cargo.lock",
    "starter-rust/.arena-build/log",
)
"""What builds leave beside the bots."""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and a source distribution of a clone in which bots were built."""
    clone, folder = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("packed")
    made = shutil.ignore_patterns(*fingerprint.BUILT, ".arena-build", "*.lock")
    for name in PACKED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, clone / name, ignore=made)
        else:
            shutil.copy(ROOT / name, clone)
    for name in MADE:
        (clone / "bots" / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / "bots" / name).write_text("made")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=clone, check=True, timeout=100)
    return folder


@pytest.fixture(scope="module")
def unpacked(packed: Path) -> Path:
    """The folder of an unpacked wheel."""
    (wheel,) = packed.glob("arena-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packed / "unpacked")
    return packed / "unpacked"


def test_the_source_distribution_has_the_bots_and_nothing_that_builds_made(packed: Path) -> None:
    (source,) = packed.glob("arena-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"bots/starter-rust/Cargo.toml", "bots/starter-go/go.sum"} <= names
    assert not names & {f"bots/{name}" for name in MADE}


def test_the_wheel_has_the_bots_and_the_type_marker(unpacked: Path) -> None:
    for bot in (ROOT / "bots").glob("*/bot.toml"):
        packed = unpacked / "arena" / "_bots" / bot.parent.name
        assert (packed / "bot.toml").read_bytes() == bot.read_bytes()
    assert (unpacked / "arena" / "_bots" / "first" / "main.py").is_file()
    assert (unpacked / "arena" / "_bots" / "starter-rust" / "src" / "main.rs").is_file()
    assert not [name for name in MADE if (unpacked / "arena" / "_bots" / name).exists()]
    assert (unpacked / "arena" / "py.typed").is_file()
    assert not list(unpacked.rglob("*.pyc"))
    assert {entry.name for entry in unpacked.iterdir() if "dist-info" not in entry.name} == {
        "arena"
    }


def test_the_wheel_has_the_description_of_records(unpacked: Path) -> None:
    place = Path("arena", "league", "RECORDS.md")
    assert (unpacked / place).read_bytes() == (ROOT / place).read_bytes()


def test_the_wheel_has_what_a_new_league_is_made_of(unpacked: Path) -> None:
    place = Path("arena", "_templates")
    parts = [path.relative_to(ROOT) for path in (ROOT / place).rglob("*") if path.is_file()]
    for part in parts:
        if part.suffix != ".pyc":
            assert (unpacked / part).read_bytes() == (ROOT / part).read_bytes()
    assert place / "league" / "league.toml" in parts


def test_the_wheel_has_what_pages_are_made_of(unpacked: Path) -> None:
    place = Path("arena", "views", "html")
    parts = {path.name for path in (ROOT / place).iterdir() if path.is_file()}
    assert {"page.html", "report.css", "report.js", "replay.html"} <= parts
    assert parts == {path.name for path in (unpacked / place).iterdir()}


def test_an_installed_arena_finds_its_bots(unpacked: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r})\n"
        "from pathlib import Path\n"
        "from arena.config import load_bot\n"
        "print(load_bot('greedy', base=Path('/')).folder)"
    )
    answer = subprocess.run(
        [sys.executable, "-IB", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert answer.stdout.strip() == str(unpacked / "arena" / "_bots" / "greedy")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the scripts, and with an arena in .venv that prints what it is given."""
    folder = tmp_path / "my arena"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    (folder / "pyproject.toml").write_text("[project]\n")
    venv = folder / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "arena.txt").write_text(f"{folder.resolve()}\n{os.path.realpath(sys.executable)}\n")
    (venv / "arena.toml").write_text("[project]\n")
    write_script(venv / "bin" / "arena", 'printf "<%s>" "$@"; exit 7')
    write_script(folder / "scripts" / "install", "echo installing")
    return folder


def write_script(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def run(script: Path, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(script), "a", "b c"],
        cwd="/",
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_an_installed_arena_is_run_at_once(copy: Path) -> None:
    done = run(copy / "scripts" / "arena")
    assert (done.stdout, done.stderr, done.returncode) == ("<a><b c>", "", 7)


def test_arena_can_be_run_through_a_link(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "first").symlink_to(f"{copy.name}/scripts/arena")
    (tmp_path / "second").symlink_to(tmp_path / "first")
    assert run(tmp_path / "second").stdout == "<a><b c>"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", "[project]\nname = 'x'\n"),
        (".venv/arena.txt", "/elsewhere\n/bin/sh\n"),
        (".venv/arena.txt", "{folder}\n/no/such/python\n"),
        (".venv/arena.txt", ""),
    ],
    ids=["changed", "moved", "without its python", "cut off"],
)
def test_what_does_not_fit_is_installed_first(copy: Path, file: str, text: str) -> None:
    (copy / file).write_text(text.format(folder=copy.resolve()))
    assert run(copy / "scripts" / "arena").stdout == "installing\n<a><b c>"


def test_arena_is_not_run_when_it_cannot_be_installed(copy: Path) -> None:
    (copy / ".venv" / "arena.toml").unlink()
    write_script(copy / "scripts" / "install", "exit 1")
    done = run(copy / "scripts" / "arena")
    assert (done.stdout, done.returncode) == ("", 1)


def test_an_extra_that_is_none_is_refused_and_several_are_installed(copy: Path) -> None:
    (copy / "pyproject.toml").write_text("[project.optional-dependencies]\na = []\n'b c' = []\n")
    shutil.copy(ROOT / "scripts" / "install", copy / "scripts" / "install")
    for extra in ("a", "b c"):
        (copy / ".venv" / f"arena-{extra}.toml").write_bytes((copy / "pyproject.toml").read_bytes())
    (copy / ".venv" / "bin" / "python").symlink_to(sys.executable)
    assert run(copy / "scripts" / "install").returncode == 0
    (copy / "pyproject.toml").write_text("[project.optional-dependencies]\na = []\n")
    (copy / ".venv" / "arena-a.toml").write_bytes((copy / "pyproject.toml").read_bytes())
    done = run(copy / "scripts" / "install")
    assert (done.stderr, done.returncode) == ("arena: there is no extra 'b c', but a\n", 2)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with the tools of any system, and without a Python."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or name)
    return tools


@pytest.mark.parametrize("name", ["python3", "python3.12"])
def test_a_python_without_venv_names_the_missing_package(tools: Path, name: str) -> None:
    (tools / "ensurepip.py").write_text("raise ImportError")
    write_script(tools / name, f"PYTHONPATH='{tools}' exec '{sys.executable}' \"$@\"")
    package = f"python3.{sys.version_info.minor}-venv"
    done = run(ROOT / "scripts" / "install", str(tools))
    assert done.stderr == (
        f"arena: {name} cannot make virtual environments: install the package {package} or "
        f"python3-venv (Debian, Ubuntu: sudo apt install {package})\n"
    )
    assert done.returncode == 1


def test_a_python_that_is_too_old_is_named_with_its_version(tools: Path) -> None:
    write_script(tools / "python3", "echo 3.9.2; exit 3")
    done = run(ROOT / "scripts" / "install", str(tools))
    assert done.stderr == "arena: Python 3.11 or newer is needed; python3 is Python 3.9.2\n"
    assert done.returncode == 1


def test_a_system_without_python_is_told_so(tools: Path) -> None:
    done = run(ROOT / "scripts" / "install", str(tools))
    assert (
        done.stderr
        == "arena: Python 3.11 or newer is needed; there is no working python3 on PATH\n"
    )
    assert done.returncode == 1


def test_a_python_that_does_not_work_is_passed_over(tools: Path, copy: Path) -> None:
    shutil.copy(ROOT / "scripts" / "install", copy / "scripts" / "install")
    (copy / "scripts" / "install.py").write_text("import sys; print(sys.argv[1:])")
    write_script(tools / "python3.13", "exit 127")
    (tools / "python3").symlink_to(sys.executable)
    done = run(copy / "scripts" / "install", str(tools))
    assert done.stdout == f"{[str(copy.resolve()), 'a', 'b c']}\n"


class Steps(list[str]):
    """What an installation ran, in place of running it; ``failing`` is the step that fails."""

    failing = ""

    def run(self, step: list[str], folder: Path, lock: TextIO) -> int:
        assert lock.writable()
        assert "under way" in (folder / ".venv.lock").read_text()
        name = step[step.index("-m") + 1]
        if name == "venv":
            shutil.rmtree(folder / ".venv")
            (folder / ".venv").mkdir()
        self.append(name)
        return int(name == self.failing)


@pytest.fixture
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / "scripts" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def steps(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()
    monkeypatch.setattr(install, "_run", steps.run)
    return steps


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A fresh clone with a virtual environment of the developer's own."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    write_script(tmp_path / ".venv" / "bin" / "python", "exit 0")
    return tmp_path


def test_a_working_environment_is_kept(install: ModuleType, steps: Steps, fresh: Path) -> None:
    assert install.main(fresh, "dev") == 0
    assert steps == ["pip", "compileall"]


def test_nothing_is_installed_twice(install: ModuleType, steps: Steps, fresh: Path) -> None:
    assert [install.main(fresh, extra) for extra in ("dev", "dev", "")] == [0, 0, 0]
    assert steps == ["pip", "compileall"]


def test_an_extra_is_installed_on_top(install: ModuleType, steps: Steps, fresh: Path) -> None:
    assert [install.main(fresh, extra) for extra in ("", "dev")] == [0, 0]
    assert steps == ["pip", "compileall", "pip", "compileall"]


def test_a_broken_environment_is_made_anew(install: ModuleType, steps: Steps, fresh: Path) -> None:
    write_script(fresh / ".venv" / "bin" / "python", "exit 1")
    assert install.main(fresh, "") == 0
    assert steps == ["venv", "pip", "compileall"]


def test_an_interrupted_installation_is_made_anew(
    install: ModuleType, steps: Steps, fresh: Path
) -> None:
    (fresh / ".venv.lock").write_text("under way\n")
    assert install.main(fresh, "") == 0
    assert steps == ["venv", "pip", "compileall"]
    assert (fresh / ".venv.lock").read_text() == ""


def test_a_moved_environment_is_made_anew(install: ModuleType, steps: Steps, fresh: Path) -> None:
    assert install.main(fresh, "") == 0
    moved = fresh.rename(fresh.with_name(f"{fresh.name} moved"))
    assert install.main(moved, "") == 0
    assert steps == ["pip", "compileall", "venv", "pip", "compileall"]


def test_a_failed_installation_is_tried_again(
    install: ModuleType, steps: Steps, fresh: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps.failing = "pip"
    assert install.main(fresh, "") == 1
    assert capsys.readouterr().err.endswith("arena: the installation failed\n")
    steps.failing = ""
    assert install.main(fresh, "") == 0
    assert steps == ["pip", "pip", "compileall"]

"""Whatever is damaged in the files of a journal, every command that reads it ends well."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import scripted
from running import REPOSITORY

from arena.league.journal import FILE, Journal

PAGE = 4096
RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
OLD = REPOSITORY / "tests" / "league" / "data" / "schema-1.sqlite"
Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs that were closed, killed, of schema 1, and brought from it to the present one."""
    folder = tmp_path_factory.mktemp("runs")
    places = {name: folder / name for name in ("closed", "killed", "old", "brought", "writing")}
    scripted.record(scripted.LEAGUE, iter(RESULTS), places["closed"])
    for name in ("writing", "old", "brought"):
        places[name].mkdir()
    journal = Journal.create(places.pop("writing"), scripted.LEAGUE)
    for result in RESULTS:
        journal.add(result)
    shutil.copytree(journal.path.parent, places["killed"])
    journal.close()
    for name in ("old", "brought"):
        shutil.copy(OLD, places[name] / FILE)
    Journal.open(places["brought"]).close()
    return places


def damage(rng: random.Random, path: Path) -> None:
    """Damage a file in one of many ways."""
    data = bytearray(path.read_bytes())
    place = rng.randrange(max(1, len(data) // PAGE)) * PAGE
    match rng.choice(["bit", "bytes", "page", "zeros", "cut", "header", "gone"]):
        case "bit":
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case "bytes":
            for _ in range(rng.randrange(1, 200)):
                data[rng.randrange(len(data))] = rng.randrange(256)
        case "page":
            data[place : place + PAGE] = rng.randbytes(PAGE)
        case "zeros":
            data[place : place + PAGE] = bytes(PAGE)
        case "cut":
            del data[rng.randrange(len(data)) :]
        case "header":
            data[:100] = rng.randbytes(100)
        case "gone":
            path.unlink()
            return
    path.write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".zip"}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["closed", "killed", "old", "brought"])
def test_every_command_ends_well(
    arena: Arena, runs: dict[str, Path], tmp_path: Path, name: str
) -> None:
    for seed in range(25):
        rng = random.Random(f"{name} {seed}")
        run = tmp_path / "run"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(runs[name], run)
        (run / f"{FILE}-shm").unlink(missing_ok=True)
        damage(rng, rng.choice([run / FILE, *run.glob("*-wal")]))
        before = contents(run)
        match = rng.choice(RESULTS).outcome.match
        for words in (
            ("standings", run),
            ("standings", run, "--table", "faults"),
            ("report", run),
            ("export", run),
            ("verify", run),
            ("verify", run, "--leaks", "--sample", "1"),
            ("replay", run, match),
            ("feedback", run, "ann", "--output", tmp_path / "ann.zip"),
        ):
            code, out, err = arena(*words)
            assert code in (0, 1, 2), (seed, words)
            assert out or err, (seed, words)
        after = contents(run)
        after.pop(f"{FILE}-shm", None)
        assert after.items() >= before.items(), seed

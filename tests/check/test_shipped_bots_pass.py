"""The bots that come with the arena pass the checks that their authors are asked to do."""

from pathlib import Path

import pytest
from toolchains import BUILD_SECONDS, PROGRAMS, built

from arena import games
from arena.check import lab
from arena.check.conduct import catalog, conduct, select
from arena.check.finding import Status
from arena.check.lab import Lab
from arena.entrants import games_of, load_bot
from arena.model import Entrant, Limits

BOTS = Path(__file__).parents[2] / "bots"
NAMES = [
    path.parent.name
    for path in sorted(BOTS.glob("*/bot.toml"))
    if not load_bot(path.parent.name, base=BOTS).build
]
"""The bots that need not be built."""
PATIENT = Limits(start=60_000, first_move=60_000, move=60_000)
"""Whether a bot is quick enough depends on what else this machine does."""
QUICK = ("handshake", "ping", "unknown", "determinism", "bye", "stdin")
LONG = ("first", "random", "rummy-watcher", "search-leaves", "search-thirteen", "starter-python")
"""Bots whose checks take longest, left to the full check."""


@pytest.mark.process
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in NAMES]
)
def test_bot_passes_at_the_smallest_tables(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "CHECK_SECONDS", 2.0)
    assert check(load_bot(name, base=BOTS), tmp_path, smallest=True) == {}


@pytest.mark.process
@pytest.mark.toolchain
@pytest.mark.slow
@pytest.mark.timeout(BUILD_SECONDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_starter_passes_at_the_smallest_tables(name: str, tmp_path: Path) -> None:
    assert check(built(name), tmp_path, smallest=True) == {}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", NAMES)
def test_bot_passes_every_check(name: str, tmp_path: Path) -> None:
    assert check(load_bot(name, base=BOTS), tmp_path, smallest=False) == {}


def check(bot: Entrant, folder: Path, *, smallest: bool) -> dict[str, str]:
    """Return what is not as it should be, by check."""
    (folder / "s").mkdir()
    keys = games_of(bot.folder, base=folder)
    played = [games.load(key) for key in (games.names() if "*" in keys else keys)]
    sockets = folder / "s"
    place = Lab(bot, played, limits=PATIENT, seed="1", sockets=sockets, logs=folder)
    wanted = select(catalog(played), QUICK if smallest else ())
    if smallest:
        place.tables = {key: sizes[:1] for key, sizes in place.tables.items()}
        wanted += [c for c in catalog(played) if c.size == place.tables.get(c.game, [0])[0] != 0]
    findings = list(conduct(place, wanted))
    place.close()
    return {f.check: f.detail for f in findings if f.status in (Status.FAILED, Status.SKIPPED)}

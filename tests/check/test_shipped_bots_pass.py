"""The bots that come with the arena pass the checks that their authors are asked to do."""

from pathlib import Path

import pytest

from arena import games
from arena.check.conduct import catalog, conduct, select
from arena.check.finding import Status
from arena.check.lab import Lab
from arena.entrants import games_of, load_bot
from arena.model import Limits

BOTS = Path(__file__).parents[2] / "bots"
NAMES = sorted(path.parent.name for path in BOTS.glob("*/bot.toml"))
QUICK = ("handshake", "ping", "unknown", "determinism", "bye", "stdin")


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_bot_passes_at_the_smallest_tables(name: str, tmp_path: Path) -> None:
    assert check(name, tmp_path, smallest=True) == {}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", NAMES)
def test_bot_passes_every_check(name: str, tmp_path: Path) -> None:
    assert check(name, tmp_path, smallest=False) == {}


def check(name: str, folder: Path, *, smallest: bool) -> dict[str, str]:
    """Return what is not as it should be, by check."""
    (folder / "s").mkdir()
    keys = games_of(name, base=folder)
    played = [games.load(key) for key in (games.names() if "*" in keys else keys)]
    lab = Lab(
        load_bot(name, base=folder),
        played,
        limits=Limits(),
        seed="1",
        sockets=folder / "s",
        logs=folder,
    )
    wanted = select(catalog(played), QUICK if smallest else ())
    if smallest:
        lab.tables = {key: sizes[:1] for key, sizes in lab.tables.items()}
        wanted += [c for c in catalog(played) if c.size == lab.tables.get(c.game, [0])[0] != 0]
    findings = list(conduct(lab, wanted))
    lab.close()
    return {f.check: f.detail for f in findings if f.status in (Status.FAILED, Status.SKIPPED)}

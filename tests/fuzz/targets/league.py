"""League files: a league with a plan, or a complaint about the file that one can read."""

import tempfile
from pathlib import Path

import msgspec

from arena import config, plugins
from arena.errors import ConfigError
from arena.model import League

ROOT = Path(__file__).parents[3]
SEEDS = [path.read_bytes() for path in sorted(ROOT.glob("configs/*.toml"))]
WORDS = [
    *config._KEYS, *config._RUN_KEYS, "path", "command", "env", "active", "kind", "blocks",
    "rotations", "candidates", "rounds", "matches", "level", "memory", "read", "first_move",
    "move", "bank", "start", "tolerate", "suspend", "true", "[[", "]]", "'''", "nan",
    "9223372036854775807", "inf", "1979-05-27", "../bots/*", "../bots/random",
]  # fmt: skip
FOLDER = tempfile.TemporaryDirectory(prefix="arena-fuzz-")
FILE = Path(FOLDER.name) / "configs" / "league.toml"
FILE.parent.mkdir()
(Path(FOLDER.name) / "bots").symlink_to(ROOT / "bots")


def run(data: bytes) -> None:
    FILE.write_bytes(data)
    try:
        league = config.load_league(FILE)
    except ConfigError as complaint:
        text = str(complaint)
        assert str(FILE) in text or "bot" in text, text
        assert all(line.isprintable() for line in text.splitlines()), text
        return
    assert msgspec.json.decode(msgspec.json.encode(league), type=League) == league
    plan = plugins.load("formats", league.format).plan(league, [])
    assert plan.extent().matches > 0
    assert next(iter(plan.fixtures())).seats

"""The file bot.toml: a bot that can be started, or a complaint about the file."""

import tempfile
from pathlib import Path

from arena import entrants
from arena.errors import ConfigError
from arena.model import BOT_FILE

BOTS = Path(__file__).parents[3] / "bots"
SEEDS = [path.read_bytes() for path in sorted(BOTS.glob(f"*/{BOT_FILE}"))]
WORDS = [*entrants._BOT_KEYS, "main.py", "./main.py", "true", "[env]", "PATH", "tcp", "'''", '"*"']
FOLDER = tempfile.TemporaryDirectory(prefix="arena-fuzz-")
BOT = Path(FOLDER.name) / "bot"
BOT.mkdir()
(BOT / "main.py").write_text("print('hello')\n")


def run(data: bytes) -> None:
    (BOT / BOT_FILE).write_bytes(data)
    try:
        bot = entrants.load_bot("bot", base=BOT.parent, game="leaves")
    except ConfigError as complaint:
        text = str(complaint)
        assert str(BOT) in text, text
        assert all(line.isprintable() for line in text.splitlines()), text
        return
    assert bot.name
    assert bot.command
    assert bot.fingerprint

"""Texts that people read, kept as files: a change shows in the diff and has to be meant."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "cli" / "snapshots"
REWRITE = "REWRITE_SNAPSHOTS"


def same_as_snapshot(name: str, text: str) -> None:
    """Compare a text with the file of that name; with REWRITE_SNAPSHOTS=1 write the file."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get(REWRITE):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"run pytest with {REWRITE}=1 to write {path.name}"
    assert text == path.read_text(), f"run pytest with {REWRITE}=1 if the new text is right"

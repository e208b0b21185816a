"""Take pictures of every page that arena writes, to be looked at: ``screenshots.py [FOLDER]``.

Small leagues are played for them in a temporary folder. The pictures are whole pages, at the width
of a desk and of a telephone, light and dark; the folder is ``screenshots`` unless told otherwise.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from arena.commands.reading import reading

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
LEAGUES = {"leaves": ("league.toml", "10"), "thirteen": ("thirteen.toml", "6")}
"""The league file by game, and how many blocks are played."""
POSITIONS = {"all": "step=30", "seat": "step=20&seat=1"}
"""Where replays are looked at, by what is seen there."""
WIDTHS = {"desk": 1280, "phone": 375}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main(folder: Path) -> int:
    """Write the pictures and return the exit code."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not program:
        print(f"screenshots: no browser is installed: {' or '.join(PROGRAMS)}", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, address in pages(Path(place)):
            for picture in taken(browser, address, folder / name):
                print(picture)
        browser.close()
    return 0


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Play the leagues and yield the name of each page and its address."""
    for game, (league, blocks) in LEAGUES.items():
        run = place / game
        arena("tournament", REPOSITORY / "configs" / league, "--blocks", blocks, "--out", run)
        yield f"report-{game}", (run / "report.html").as_uri()
        with reading(run) as journal:
            match = next(journal.outcomes()).match
        page = place / f"{game}.html"
        arena("replay", run, match, "--output", page)
        for view, position in POSITIONS.items():
            yield f"replay-{game}-{view}", f"{page.as_uri()}#match={match}&{position}"


def arena(*words: str | Path) -> None:
    """Run a command of arena that is to say nothing."""
    own = {key: value for key, value in os.environ.items() if key != "ARENA_REPORT"}
    command = [sys.executable, "-m", "arena", *map(str, words)]
    subprocess.run(command, cwd=REPOSITORY, env=own, check=True, stdout=subprocess.DEVNULL)


def taken(browser: Browser, address: str, target: Path) -> Iterator[Path]:
    """Yield the pictures of a page at every width and in every scheme."""
    for width, pixels in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": pixels, "height": 900}, color_scheme=scheme
            )
            tab = context.new_page()
            tab.goto(address)
            picture = target.with_name(f"{target.name}-{width}-{scheme}.png")
            tab.screenshot(path=picture, full_page=True)
            context.close()
            yield picture


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else REPOSITORY / "screenshots"))

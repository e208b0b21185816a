"""``arena replay --html``: where the page is, and that a browser is asked to open it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import scripted
from running import Place

Arena = Callable[..., tuple[int, str, str]]
RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
MATCH = RESULTS[0].outcome.match


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "run"
    scripted.record(scripted.LEAGUE, iter(RESULTS), folder)
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ((), f"{MATCH}.html"),
        (("--seat", "1"), f"{MATCH}-seat-1.html"),
        (("--output", "page.html"), "page.html"),
    ],
)
def test_the_page_is_named_after_the_match(
    arena: Arena, run: Path, words: tuple[str, ...], name: str
) -> None:
    assert arena("replay", run, MATCH[:8], "--html", *words) == (0, f"{name}\n", "")
    assert f"match {MATCH}" in run.with_name(name).read_text(encoding="utf-8")


def test_a_page_for_a_seat_has_no_other_hands(arena: Arena, run: Path) -> None:
    for seat in (None, 1):
        words = () if seat is None else ("--seat", seat)
        assert arena("replay", run, MATCH, "--output", f"{seat}.html", *words)[0] == 0
    everything, own = (run.with_name(f"{seat}.html").read_text() for seat in (None, 1))
    assert '"hand0"' in everything
    assert '"hand1"' in own
    assert not [key for key in ('"hand0"', '"hand2"') if key in own]


@pytest.mark.process
def test_a_browser_is_asked_to_open_the_page(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.record(scripted.LEAGUE, iter(RESULTS), place.folder / "run")
    asked = place.folder / "asked"
    browser = place.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{asked}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    done = place.arena("replay", "run", MATCH, "--open")
    assert (done.returncode, done.stderr) == (0, "")
    assert asked.read_text().strip() == (place.folder / done.stdout.strip()).resolve().as_uri()


@pytest.mark.process
def test_where_no_browser_is_the_page_is_named(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.record(scripted.LEAGUE, iter(RESULTS), place.folder / "run")
    monkeypatch.setenv("BROWSER", str(place.folder / "nothing"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("DISPLAY", raising=False)
    done = place.arena("replay", "run", MATCH, "--open")
    assert (done.returncode, done.stdout) == (0, f"{MATCH}.html\n")
    assert done.stderr == f"arena: there is no browser here; open {MATCH}.html in one\n"

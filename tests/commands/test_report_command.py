"""``arena report``, and the page at the end of a tournament."""

import importlib.util
import re
from collections.abc import Callable, Iterable
from html import unescape
from pathlib import Path

import pytest
import scripted
from msgspec.structs import replace
from running import STOCK, Place

from arena.commands import report as command
from arena.commands.report import PAGE
from arena.config import load_league
from arena.errors import installing
from arena.league import journal
from arena.league.journal import FILE
from arena.model import MatchResult

Arena = Callable[..., tuple[int, str, str]]
RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
SECRET = "the weather of Tuesday"


def recorded(folder: Path, results: Iterable[MatchResult] = RESULTS) -> Path:
    league = replace(scripted.LEAGUE, seed=SECRET)
    scripted.record(league, iter(results), folder)
    return folder


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no charts, as without the extra."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "vl_convert" else find(name)
    )


def words(page: Path) -> str:
    """Return the text of a page."""
    body = page.read_text(encoding="utf-8").partition("<body>")[2]
    text = re.sub(r"<script.*?</script>|<[^>]*>", " ", body, flags=re.DOTALL)
    return " ".join(unescape(text).split())


@pytest.mark.usefixtures("plainly")
def test_the_page_is_written_and_nothing_else_is_changed(arena: Arena, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    before = (run / FILE).read_bytes()
    assert arena("report", run) == (0, f"{run / PAGE}\n", "")
    assert (run / FILE).read_bytes() == before
    assert {path.name for path in run.iterdir()} == {FILE, PAGE}
    text = words(run / PAGE)
    assert f"Charts need an extra package: {installing('report')}" in text
    assert f"Seed {SECRET}" in text
    assert f"whole: {len(RESULTS)} matches and 2 notes agreed with it" in text
    assert "still to be played" not in text
    assert f"arena verify {run} --head" in text


@pytest.mark.usefixtures("plainly")
def test_what_the_page_says_of_a_run_that_is_not_at_its_end(arena: Arena, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", RESULTS[:-3])
    assert arena("report", run)[0] == 0
    assert "This league is not at its end. 3 matches are still to be played" in words(run / PAGE)
    with journal.lock(run):
        assert arena("report", run)[0] == 0
    assert "This league is being played. 3 matches are still to be played" in words(run / PAGE)
    assert SECRET not in (run / PAGE).read_text()
    assert "hidden: the league is not at its end" in words(run / PAGE)


@pytest.mark.usefixtures("plainly")
def test_no_match_is_shown_whose_cards_are_to_be_dealt_again(arena: Arena, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", RESULTS[:-3])
    arena("report", run)
    played = [result.outcome for result in RESULTS[:-3]]
    to_come = {result.outcome.block_id for result in RESULTS[-3:]}
    shown = set(re.findall("#match=([0-9a-f]+)", (run / PAGE).read_text()))
    assert shown
    assert shown.isdisjoint(outcome.match for outcome in played if outcome.block_id in to_come)


def test_charts_that_cannot_be_drawn_are_told(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise ValueError("no room for letters")

    monkeypatch.setattr("vl_convert.vegalite_to_svg", fails)
    run = recorded(tmp_path / "run")
    assert arena("report", run) == (0, f"{run / PAGE}\n", "")
    assert "The charts could not be drawn: no room for letters" in words(run / PAGE)


@pytest.mark.parametrize("matches", [0, 1, 4])
def test_a_run_that_has_just_begun_has_a_page(arena: Arena, tmp_path: Path, matches: int) -> None:
    run = recorded(tmp_path / "run", RESULTS[:matches])
    assert arena("report", run) == (0, f"{run / PAGE}\n", "")
    text = words(run / PAGE)
    assert ("No match has been played yet." in text) == (matches == 0)


@pytest.mark.usefixtures("plainly")
def test_a_changed_journal_is_told_on_the_page(arena: Arena, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    with scripted.sqlite3.connect(run / FILE) as db:
        db.execute("UPDATE results SET match = 'x' || substr(match, 2) WHERE number = 5")
    db.close()
    arena("report", run)
    assert "Chain of hashes broken:" in words(run / PAGE)


def test_a_folder_without_a_run_is_refused(arena: Arena, tmp_path: Path) -> None:
    code, out, err = arena("report", tmp_path)
    assert (code, out) == (2, "")
    assert str(tmp_path) in err


@pytest.mark.usefixtures("plainly")
def test_the_page_is_opened_in_the_browser(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(command, "open_page", opened.append)
    run = recorded(tmp_path / "run")
    arena("report", run, "--open")
    assert opened == [run / PAGE]


@pytest.mark.process
def test_a_tournament_ends_with_its_page(place: Place) -> None:
    league = place.league(*STOCK[:3], format={"blocks": 1}, options={"variant": "basic"})
    done = place.arena("tournament", league, "--out", "run", "--report")
    assert (done.returncode, done.stdout.splitlines()[-2].rpartition(", ")[2]) == (0, PAGE)
    text = words(place.folder / "run" / PAGE)
    assert f'name = "{load_league(league).name}"' in text
    assert str(place.folder) not in text


@pytest.mark.process
def test_a_page_that_cannot_be_written_is_no_failure_of_the_league(place: Place) -> None:
    (place.folder / "run" / PAGE).mkdir(parents=True)
    league = place.league(*STOCK[:3], format={"blocks": 1})
    done = place.arena("tournament", league, "--out", "run", "--report")
    assert done.returncode == 0
    assert f"run/{PAGE} could not be written: " in done.stderr
    assert "to try again: arena report run" in done.stderr
    assert PAGE not in done.stdout

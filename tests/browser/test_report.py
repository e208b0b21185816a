"""The report in a browser: it is read, sorted and found in, at every width and in both schemes."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
import scripted
from browsing import DESKTOP, PHONE, Pages, contrast_faults, overflow, structure_faults
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from arena.commands.report import PAGE, write_report
from arena.model import Fault, League, MatchResult

HOSTILE = "</pre></script><script>document.title='taken'</script><img src=x onerror=alert(1)>"
NAMES = {"ann": "<b onclick=alert(1)>", "bob": "bob", "cyd": "&lt;\"'", "dan": "日本語" * 8}
LEAGUE = replace(
    scripted.LEAGUE,
    name="<script>alert(1)<",
    entrants=tuple(replace(bot, name=NAMES[bot.name]) for bot in scripted.LEAGUE.entrants),
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a finished league whose bots try to get into it."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    scripted.record(LEAGUE, printing(LEAGUE), folder)
    write_report(folder, opened=False)
    return folder / PAGE


def printing(league: League) -> Iterator[MatchResult]:
    """Play a league in which whatever a bot says of a fault is hostile."""
    for result in scripted.play_all(league):
        faults = tuple(map(hostile, result.outcome.faults))
        yield replace(result, outcome=replace(result.outcome, faults=faults))


def hostile(fault: Fault) -> Fault:
    return replace(
        fault, detail=f"{fault.detail}{HOSTILE}", output=f"{HOSTILE}\x1b[31m\n\0", log="l"
    )


def column(page: Page, number: int) -> list[str]:
    """Return the cells of a column of the standings."""
    rows = page.locator("table.standings tbody tr").all()
    return [row.locator("th, td").nth(number).inner_text() for row in rows]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_the_page_can_be_read(
    pages: Pages, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    page = pages.open(report, width=width, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert overflow(page) == 0
    assert structure_faults(page) == []
    assert contrast_faults(page) == []
    assert page.locator("svg.chart").count() == 3


def test_what_bots_and_the_league_say_is_text(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    assert page.title().startswith(LEAGUE.name)
    assert page.locator("main script, main img, [onclick], [onerror], [style]").count() == 0
    assert set(column(page, 1)) == set(NAMES.values())
    page.locator("details.fault summary").first.click()
    said = page.locator("details.fault").first
    assert HOSTILE in said.inner_text()
    assert "\x1b" not in said.inner_text()
    names = page.locator("svg.chart").first.locator("text").all_text_contents()
    assert {"<b onclick=alert(1)>", "&lt;\"'"} <= set(names)


def test_a_column_is_sorted_by_a_click_and_by_a_key(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    ranked = column(page, 1)
    heading = page.locator("table.standings thead th", has_text="bot")
    expect(heading).to_have_attribute("aria-sort", "none")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert column(page, 1) != ranked
    ascending = column(page, 1)
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert column(page, 1) == ascending[::-1]
    rank = page.locator("table.standings thead th", has_text="rank")
    rank.get_by_role("button").focus()
    page.keyboard.press("Space")
    expect(rank).to_have_attribute("aria-sort", "ascending")
    expect(heading).to_have_attribute("aria-sort", "none")
    assert column(page, 1) == ranked


@pytest.mark.parametrize("name", ["share", "penalty", "faults"])
def test_numbers_are_sorted_as_numbers_the_most_first(
    pages: Pages, report: Path, name: str
) -> None:
    page = pages.open(report)
    headings = page.locator("table.standings thead").locator("th, td").all_inner_texts()
    page.locator("table.standings thead th", has_text=name).get_by_role("button").click()
    shown = column(page, headings.index(name))
    values = [float(text) for text in shown if text != "-"]
    assert values == sorted(values, reverse=True)
    assert shown[: len(values)] == [text for text in shown if text != "-"]


def test_every_section_is_reached_by_key(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    links = page.locator("nav a").all()
    assert len(links) == page.locator("h2").count()
    for link in links:
        link.focus()
        page.keyboard.press("Enter")
        target = page.locator(f"h2{link.get_attribute('href')}")
        expect(target).to_be_in_viewport()
    boxes = page.locator(".scroll").all()
    assert all(box.get_attribute("tabindex") == "0" for box in boxes)


def test_a_fault_has_the_command_that_asks_the_bot_again(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    page.locator("details.fault summary").first.click()
    command = page.locator("details.fault pre code").first.inner_text()
    match = next(scripted.play_all(LEAGUE)).outcome.match
    assert command.startswith(f"arena debug {report.parent} ")
    assert len(command.split()[3]) == len(match)


def test_a_fault_is_looked_at_in_the_match(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    page.locator("details.fault summary").first.click()
    link = page.locator("details.fault a").first
    address = link.get_attribute("href") or ""
    link.click()
    expect(page.locator("#replay")).to_be_in_viewport()
    assert page.url.endswith(address)
    assert page.locator("#replay .rp-fault").is_visible()
    (match,) = re.findall("match=([0-9a-f]+)", address)
    expect(page.locator("#replay")).to_contain_text(match[:8])
    page.locator("nav a[href='#standings']").click()
    expect(page.locator("h2#standings")).to_be_in_viewport()


def test_a_match_of_the_list_is_opened_at_its_beginning(pages: Pages, report: Path) -> None:
    page = pages.open(report)
    links = page.locator("#matches ~ .scroll a").all()
    assert 2 < len(links) == page.locator("#replay select").first.locator("option").count()
    links[1].click()
    expect(page.locator("#replay")).to_be_in_viewport()
    assert page.url.endswith("&step=0")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_league_of_10000_matches_is_small_and_opens_quickly(pages: Pages, tmp_path: Path) -> None:
    """Under 5 MB, and 2 s until everything is there."""
    options = {"blocks": 2500, "rotations": "all"}
    league = replace(LEAGUE, format_options=options, seats=(4,))
    scripted.record(league, itertools.islice(printing(league), 10_000), tmp_path / "run")
    write_report(tmp_path / "run", opened=False)
    assert (tmp_path / "run" / PAGE).stat().st_size < 5_000_000
    page = pages.open(tmp_path / "run" / PAGE)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") < 2000

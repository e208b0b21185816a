"""The replay viewer: a match is stepped through, seen by a seat, and linked to."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from browsing import DESKTOP, PHONE, Pages, contrast_faults, overflow, structure_faults
from matches import played, states
from msgspec import structs
from playwright.sync_api import Page, expect

from arena import games
from arena.model import FaultKind, MatchResult
from arena.play.referee import Failure
from arena.views.grid import printable
from arena.views.html.page import Part, page
from arena.views.html.replay import replay, replay_page, step_of, viewer

PLUGIN = Path(__file__).parents[1] / "e2e" / "plugin"
NAMES = ("ann", "bob", "cy")
HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">\u202e<b>&amp;"
ILLEGAL = Failure(FaultKind.ILLEGAL, HOSTILE, 12.5)
EVERY_STEP = """() => {
  const find = (selector) => Array.from(document.querySelectorAll(selector));
  const cards = (place, selector = ".rp-card") =>
    Array.from(place.querySelectorAll(selector), (card) => card.dataset.card ?? "?");
  const look = () => ({
    hands: Object.fromEntries(find("[data-seat]").map((seat) => [seat.dataset.seat, cards(seat)])),
    row: find(".rp-stack").map((stack) => cards(stack)),
    pile: find(".rp-discards").map((pile) => cards(pile)).flat(),
    moved: cards(document, ".rp-moved"),
    acting: document.querySelector(".rp-acting")?.dataset.seat ?? null,
    text: document.querySelector(".rp-text")?.textContent ?? null,
    table: document.querySelector(".rp-table").outerHTML.replace(/<svg.*?<.svg>/g, ""),
    now: document.querySelector(".rp-now").textContent,
    moves: document.querySelector(".rp-moves").textContent,
    step: document.querySelector(".rp-moves [aria-current]").dataset.step,
  });
  const next = document.querySelector("[data-go='step+']");
  const found = [look()];
  while (next.getAttribute("aria-disabled") === "false") {
    next.click();
    found.push(look());
  }
  return found;
}"""
"""Steps from where the page is to the end; returns what is to be seen at each step."""


@pytest.fixture(scope="module")
def leaves() -> MatchResult:
    """A match in which a seat answers something that is not legal."""
    quick = {"hand_size": 6, "target": 8}
    return played(games.load("leaves"), NAMES, options=quick, failures={5: ILLEGAL})


@pytest.fixture(scope="module")
def thirteen() -> MatchResult:
    """A match in which somebody goes out."""
    result = played(games.load("thirteen"), NAMES, options={"max_turns": 8})
    assert any(action.startswith("out") for deal in result.deals for _, action, _ in deal.actions)
    return result


@pytest.fixture(scope="module")
def full() -> MatchResult:
    """A match at the largest table there is."""
    names = [f"bot-{n}" for n in range(8)]
    return played(games.load("thirteen"), names, options={"max_turns": 9})


@pytest.fixture(params=["leaves", "thirteen"])
def result(request: pytest.FixtureRequest) -> MatchResult:
    found: MatchResult = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a game that the script knows nothing of."""
    monkeypatch.syspath_prepend(str(PLUGIN))
    return "high_card:PLUGIN"


def shown(pages: Pages, result: MatchResult, seat: int | None = None, **how: Any) -> Page:
    return pages.open(replay_page(replay(result, games.load(result.game), seat)), **how)


def link(result: MatchResult, step: int, more: str = "") -> str:
    return f"match={result.outcome.match}&step={step}{more}"


def test_every_step_shows_the_state_of_the_match(pages: Pages, result: MatchResult) -> None:
    seen = shown(pages, result).evaluate(EVERY_STEP)
    every = states(result, games.load(result.game))
    assert len(seen) == len(every)
    for number, (look, state) in enumerate(zip(seen, every, strict=True)):
        assert look["step"] == str(number)
        assert look["acting"] == (None if state.to_act is None else str(state.to_act))
        for seat in range(len(NAMES)):
            view = state.observe(seat)
            assert sorted(look["hands"][str(seat)]) == sorted(map(str, view["hand"]))
            if result.game == "leaves":
                row = [[str(value)] * count for value, count in view["table"]]
                assert look["row"] == row
            else:
                assert look["pile"][-1:] == [view["top"]] * (view["top"] is not None)


def test_a_game_that_cannot_be_drawn_is_shown_as_text(pages: Pages, shelf: str) -> None:
    game = games.load(shelf)
    result = played(game, NAMES)
    opened = pages.open(replay_page(replay(result, game)))
    every = states(result, game)
    assert [look["text"] for look in opened.evaluate(EVERY_STEP)] == [s.text() for s in every]
    opened.keyboard.press("1")
    opened.keyboard.press("Home")
    texts = [look["text"] for look in opened.evaluate(EVERY_STEP)]
    asked = [number for number, state in enumerate(every) if state.to_act is not None]
    assert [texts[number] for number in asked] == [every[number].text(1) for number in asked]


def test_a_seat_sees_what_is_in_a_page_made_for_it(pages: Pages, result: MatchResult) -> None:
    seat = 2
    everything = shown(pages, result)
    everything.get_by_role("radio", name=f"{seat} {NAMES[seat]}").check()
    own = shown(pages, result, seat)
    assert everything.evaluate(EVERY_STEP) == own.evaluate(EVERY_STEP)
    assert own.get_by_role("radio").count() == 1


def test_hidden_cards_are_nowhere_in_what_a_seat_is_shown(
    pages: Pages, thirteen: MatchResult
) -> None:
    opened = shown(pages, thirteen, fragment=link(thirteen, 0, "&seat=1"))
    hands = opened.locator("[data-seat]")
    expect(opened.get_by_role("radio", name="1 bob")).to_be_checked()
    for seat in (0, 2):
        hand = hands.and_(opened.locator(f"[data-seat='{seat}']"))
        assert hand.locator("[data-card]").count() == 0
        assert hand.locator(".rp-back").count() == 3
        assert hand.get_by_role("img").get_attribute("aria-label") == (
            f"Hand of {seat} {NAMES[seat]}: 3 face down"
        )
    opened.get_by_role("radio", name="all").check()
    assert opened.locator(".rp-seat .rp-back").count() == 0


def test_a_link_opens_a_position_and_the_address_follows(pages: Pages, result: MatchResult) -> None:
    step = len(result.deals[0].actions) + 3
    opened = shown(pages, result, fragment=link(result, step, "&seat=2"))
    expect(opened.locator(".rp-where")).to_have_text(
        f"Deal 2 of {len(result.deals)}, step 2 of {len(result.deals[1].actions)}"
    )
    opened.get_by_role("button", name="Step back").click()
    opened.wait_for_url(f"**/*#{link(result, step - 1, '&seat=2')}")
    opened.evaluate(f"location.hash = '{link(result, 1)}'")
    expect(opened.locator(".rp-where")).to_have_text(re.compile("Deal 1 .*, step 1 "))
    expect(opened.get_by_role("radio", name="all")).to_be_checked()


@pytest.mark.parametrize(
    "fragment", ["match=no&step=3", "step=3", "nothing", "match={match}&step=x&seat=9"]
)
def test_a_link_to_nothing_opens_the_beginning(
    pages: Pages, leaves: MatchResult, fragment: str
) -> None:
    opened = shown(pages, leaves, fragment=fragment.format(match=leaves.outcome.match))
    expect(opened.locator(".rp-now")).to_have_text("The cards are dealt.")


def test_a_fault_is_jumped_to_and_told_as_text(pages: Pages, leaves: MatchResult) -> None:
    (fault,) = leaves.outcome.faults
    opened = shown(pages, leaves)
    expect(opened.locator(".rp-fault")).to_be_hidden()
    opened.get_by_role("button", name="Next fault").click()
    expect(opened.locator(".rp-fault pre")).to_have_text(printable(HOSTILE))
    expect(opened.locator(".rp-now")).to_contain_text("(house move)")
    opened.wait_for_url(f"**/*#{link(leaves, step_of(leaves, fault))}")
    opened.keyboard.press("Home")
    expect(opened.locator(".rp-fault")).to_be_hidden()
    opened.locator(".rp-faults button").click()
    expect(opened.locator(".rp-fault")).to_contain_text("illegal after 12.5 ms")
    opened.keyboard.press(str((fault.seat + 1) % 3))
    expect(opened.locator(".rp-fault")).to_be_hidden()
    expect(opened.locator(".rp-faults")).to_be_hidden()
    assert "taken" not in opened.title()


def test_names_of_bots_are_text(pages: Pages) -> None:
    result = played(games.load("leaves"), (HOSTILE, "bob", "W" * 300))
    for width in (DESKTOP, PHONE):
        opened = shown(pages, result, width=width)
        expect(opened.locator("[data-seat='0'] .rp-name")).to_have_text(printable(HOSTILE))
        assert opened.locator("img").count() == 0
        assert overflow(opened) == 0


def test_a_match_without_a_deal_is_shown(pages: Pages) -> None:
    gone = {seat: Failure(FaultKind.NOT_READY, "exit code 1") for seat in (0, 1)}
    opened = shown(pages, played(games.load("leaves"), NAMES, absent=gone))
    expect(opened.locator(".rp-now")).to_have_text("No deal was played.")
    expect(opened.locator(".rp-fault pre")).to_have_text(["exit code 1", "exit code 1"])
    assert len(opened.evaluate(EVERY_STEP)) == 1


def test_keys_step_and_choose_what_is_seen(pages: Pages, leaves: MatchResult) -> None:
    opened = shown(pages, leaves)
    where, last = opened.locator(".rp-where"), len(leaves.deals[0].actions)
    for key, text in [
        ("ArrowRight", "Deal 1 .*, step 1 "),
        ("ArrowRight", "Deal 1 .*, step 2 "),
        ("ArrowLeft", "Deal 1 .*, step 1 "),
        ("Shift+ArrowRight", "Deal 2 .*, step 0 "),
        ("ArrowLeft", f"Deal 1 .*, step {last} of {last}"),
        ("Shift+ArrowLeft", "Deal 1 .*, step 0 "),
        ("ArrowLeft", "Deal 1 .*, step 0 "),
        ("End", f"Deal {len(leaves.deals)} of {len(leaves.deals)}, "),
        ("Home", "Deal 1 .*, step 0 "),
    ]:
        opened.keyboard.press(key)
        expect(where).to_have_text(re.compile(text))
    opened.keyboard.press("2")
    expect(opened.get_by_role("radio", name="2 cy")).to_be_checked()
    opened.keyboard.press("a")
    expect(opened.get_by_role("radio", name="all")).to_be_checked()
    opened.locator(".rp-moves [aria-current]").focus()
    opened.keyboard.press("ArrowRight")
    focused = opened.locator(".rp-moves :focus")
    expect(focused).to_have_attribute("data-step", "1")
    assert focused.evaluate("(button) => getComputedStyle(button).outlineStyle") == "solid"


def test_it_plays_until_it_is_paused_or_over(pages: Pages, leaves: MatchResult) -> None:
    steps = len(states(leaves, games.load("leaves")))
    opened = shown(pages, leaves, fragment=link(leaves, steps - 3))
    opened.clock.install(time=datetime(2026, 1, 1))
    opened.clock.pause_at(datetime(2026, 1, 2))
    opened.get_by_label("Speed").select_option("10")
    play, where = opened.locator(".rp-play"), opened.locator(".rp-where")
    play.click()
    expect(play).to_have_text("Pause")
    opened.clock.run_for(300)
    expect(play).to_have_text("Play")
    assert opened.url.endswith(f"step={steps - 1}")
    opened.keyboard.press("p")
    opened.clock.run_for(450)
    expect(where).to_have_text(re.compile("Deal 1 .*, step 4 "))
    opened.keyboard.press("p")
    opened.clock.run_for(1000)
    expect(where).to_have_text(re.compile("Deal 1 .*, step 4 "))


def test_a_move_is_told_and_a_deal_ends_with_its_penalties(
    pages: Pages, result: MatchResult
) -> None:
    deal = result.deals[0]
    seat, _, ms = deal.actions[0]
    opened = shown(pages, result)
    now = opened.locator("[aria-live=polite]")
    opened.keyboard.press("ArrowRight")
    expect(now).to_contain_text(f"{seat} {NAMES[seat]}: ")
    expect(now).to_contain_text(f"({ms} ms)")
    opened.get_by_role("button", name="End of deal 1", exact=True).click()
    assert deal.penalties
    for seat, penalty in enumerate(deal.penalties):
        expect(now).to_contain_text(f"{seat} {NAMES[seat]} +{penalty}")
        facts = opened.locator(f"[data-seat='{seat}'] .rp-facts")
        expect(facts).to_contain_text(f"total {penalty} (+{penalty})")
    totals = opened.locator("tfoot tr").first.locator("td").all_text_contents()
    assert totals == [str(total) for total in result.outcome.totals]


def test_several_matches_are_in_one_page(pages: Pages, leaves: MatchResult) -> None:
    game = games.load("leaves")
    renamed = replay(played(game, ("dee", "eve", "fay", "gus"), seed=7), game)
    both = viewer([replay(leaves, game), structs.replace(renamed, match="b2")])
    link_to_it = Part('<p><a href="#match=b2&amp;step=4">go</a></p>')
    opened = pages.open(page("Matches", [link_to_it, both]))
    opened.get_by_role("link", name="go").click()
    expect(opened.locator("[data-seat='3'] .rp-name")).to_have_text("gus")
    expect(opened.locator(".rp-where")).to_have_text(re.compile("Deal 1 .*, step 4 "))
    opened.keyboard.press("ArrowRight")
    expect(opened.locator(".rp-where")).to_have_text(re.compile("Deal 1 .*, step 5 "))
    opened.get_by_label("Match").select_option("0")
    expect(opened.locator("[data-seat='0'] .rp-name")).to_have_text("ann")
    opened.wait_for_url(f"**/*#{link(leaves, 0)}")
    opened.evaluate("document.activeElement.blur()")
    opened.keyboard.press("ArrowRight")
    expect(opened.locator(".rp-where")).to_have_text(re.compile("step 0 "))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_can_be_read(
    pages: Pages, leaves: MatchResult, thirteen: MatchResult, scheme: Literal["light", "dark"]
) -> None:
    (fault,) = leaves.outcome.faults
    for result, step in ((leaves, step_of(leaves, fault)), (thirteen, 30)):
        opened = shown(pages, result, scheme=scheme, fragment=link(result, step, "&seat=0"))
        assert structure_faults(opened) == []
        assert contrast_faults(opened) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_full_table_fits_the_window(
    pages: Pages, full: MatchResult, width: int, scheme: Literal["light", "dark"]
) -> None:
    last = sum(len(deal.actions) + 1 for deal in full.deals) - 1
    opened = shown(pages, full, width=width, scheme=scheme, fragment=link(full, last))
    assert overflow(opened) == 0
    assert opened.locator(".rp-seat").count() == 8
    outside = """(table) => {
      const { left, right } = table.getBoundingClientRect();
      return Array.from(table.querySelectorAll(".rp-card"), (card) => card.getBoundingClientRect())
        .filter((box) => box.left < left || box.right > right).length;
    }"""
    assert opened.locator(".rp-table").evaluate(outside) == 0

"""The shell of a page: it loads nothing, and text never becomes script or style."""

import pytest
from browsing import DESKTOP, PHONE, Pages, overflow

from arena.views.html.page import Part, page

SCRIPT = """
(() => {
  "use strict";
  const held = JSON.parse(document.getElementById("held").textContent);
  document.getElementById("shown").textContent = held.word;
})();
"""
WORD = "</script><script>document.title = 'taken'</script><!--<script>&amp;\u2028"


def test_a_page_runs_its_script_with_its_data_and_its_style(pages: Pages) -> None:
    part = Part('<p id="shown"></p>', "#shown { display: flex; }", SCRIPT, {"held": {"word": WORD}})
    shown = pages.open(page("A <title>", [part, Part("<p>more</p>")], lead="a & b"))
    assert shown.title() == shown.inner_text("h1") == "A <title>"
    assert shown.inner_text(".lead") == "a & b"
    assert shown.text_content("#shown") == WORD
    assert shown.evaluate("getComputedStyle(document.getElementById('shown')).display") == "flex"


@pytest.mark.parametrize(
    "body",
    [
        "<script>document.title = 'taken'</script>",
        "<img src='nothing' onerror=\"document.title = 'taken'\" alt=''>",
        "<svg onload=\"document.title = 'taken'\"></svg>",
        "<style>h1 { display: none; }</style>",
        "<p style='position: fixed'></p>",
        "<iframe src='http://127.0.0.1:9/'></iframe>",
        "<img src='http://127.0.0.1:9/a.png' alt=''>",
    ],
)
def test_what_is_not_the_pages_own_does_nothing(pages: Pages, body: str) -> None:
    shown = pages.open(page("mine", [Part(body)]))
    assert shown.title() == "mine"
    assert shown.is_visible("h1")
    positions = "Array.from(document.querySelectorAll('p'), (p) => getComputedStyle(p).position)"
    assert "fixed" not in shown.evaluate(positions)
    assert any("Content Security Policy" in complaint for complaint in pages.complaints)
    pages.complaints.clear()


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_what_is_wide_scrolls_in_its_own_box(pages: Pages, width: int) -> None:
    cells = "<td>a long cell of a wide table</td>" * 30
    shown = pages.open(
        page("W" * 200, [Part(f'<div class="scroll"><table><tr>{cells}</table></div>')]),
        width=width,
    )
    assert overflow(shown) == 0


def test_the_colours_follow_the_scheme(pages: Pages) -> None:
    light, dark = (
        pages.open(page("mine", []), scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("light", "dark")
    )
    assert light != dark

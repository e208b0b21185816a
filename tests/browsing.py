"""Pages in a real browser: Debian's Chromium without a window, driven by Playwright."""

import shutil
from pathlib import Path
from typing import Literal

from needed import needed
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
DESKTOP, PHONE = 1280, 375
"""Widths in CSS pixels."""
_LOUD = ("error", "warning")
_OWN = ("data:", "blob:")
_WAIT_MS = 10_000


def launch(playwright: Playwright) -> Browser:
    """Start the browser; skip the test where there is none."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not program:
        needed("chromium")
    return playwright.chromium.launch(
        executable_path=program, args=["--no-sandbox", "--disable-gpu"]
    )


class Pages:
    """Opens pages, and keeps what they ask for and what they complain of in ``complaints``."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open(
        self,
        content: Path | str,
        *,
        width: int = DESKTOP,
        scheme: Literal["light", "dark"] = "light",
        fragment: str = "",
    ) -> Page:
        """Open a file, or HTML, at a width; ``fragment`` is what follows ``#`` in the address."""
        if isinstance(content, str):
            path = self._folder / f"page-{len(self._contexts)}.html"
            path.write_text(content, encoding="utf-8")
        else:
            path = content.resolve()
        context = self._browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(_WAIT_MS)
        page.on("request", lambda request: self._asked(request, path.as_uri()))
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
        return page

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()

    def _asked(self, request: Request, address: str) -> None:
        if request.url.partition("#")[0] != address and not request.url.startswith(_OWN):
            self.complaints.append(f"request: {request.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in _LOUD:
            self.complaints.append(f"{message.type}: {message.text}")


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def structure_faults(page: Page) -> list[str]:
    """Return what is wrong with the headings, tables, pictures and names of a page."""
    faults: list[str] = page.evaluate(_STRUCTURE)
    return faults


def contrast_faults(page: Page) -> list[str]:
    """Return the visible texts of a page that have less contrast than WCAG asks for at level AA."""
    faults: list[str] = page.evaluate(_CONTRAST)
    return faults


_STRUCTURE = """() => {
  const faults = [];
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push(`heading ${heading.textContent} skips a level`);
    level = own;
  }
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  for (const table of document.querySelectorAll("table")) {
    const name = table.caption?.textContent.trim();
    if (!name) faults.push("table without a caption");
    for (const cell of table.querySelectorAll("th"))
      if (!["col", "row"].includes(cell.scope)) faults.push(`${name}: th without scope`);
    for (const row of table.tBodies[0].rows)
      if (!row.querySelector("th")) faults.push(`${name}: row without a heading`);
  }
  for (const picture of document.querySelectorAll("svg"))
    if (!picture.closest("[aria-hidden=true]") && !picture.getAttribute("aria-label"))
      faults.push("picture without a description");
  for (const one of document.querySelectorAll("a, button, summary, input, select"))
    if (!(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length))
      faults.push(`${one.tagName} without a name`);
  for (const one of document.querySelectorAll("[role=region]"))
    if (!one.getAttribute("aria-label")) faults.push("region without a name");
  for (const link of document.querySelectorAll("a[href^='#']"))
    if (!link.hash.includes("=") && !document.getElementById(link.hash.slice(1)))
      faults.push(`link to ${link.hash}, which is not there`);
  const ids = Array.from(document.querySelectorAll("[id]"), (one) => one.id);
  if (new Set(ids).size < ids.length) faults.push("an id is there twice");
  return faults;
}"""
_CONTRAST = """() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (upper, lower) => {
    const mixed = [0, 1, 2].map((n) => upper[n] * upper[3] + lower[n] * (1 - upper[3]));
    return [...mixed, 1];
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement)
      layers.unshift(parse(getComputedStyle(one).backgroundColor));
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faults = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    if (!text || element.closest("script, style, noscript, .hidden, :disabled, .rp-card")) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const below = behind(element);
    const colour = over(parse(element.closest("svg") ? style.fill : style.color), below);
    const [a, b] = [light(colour), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) faults.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return faults;
}"""

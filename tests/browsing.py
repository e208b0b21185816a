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

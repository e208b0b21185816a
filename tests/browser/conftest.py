"""A browser for all tests of pages."""

from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser, for no longer than it is needed: while Playwright runs, its event loop
    keeps others from running in this process."""
    with sync_playwright() as playwright:
        browser = browsing.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def pages(browser: Browser, tmp_path: Path) -> Iterator[browsing.Pages]:
    """Opens pages; in the end the test fails if one of them asked for anything but itself, or
    complained of anything."""
    pages = browsing.Pages(browser, tmp_path)
    yield pages
    pages.close()
    assert not pages.complaints

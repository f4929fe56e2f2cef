"""Debian's Chromium without a window, for tests that open pages from disk with the network off."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> "Iterator[Browser]":
    """Start the browser, with a fresh profile; skip or fail where there is none."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        if os.environ.get("WOOLSIM_NEED_BROWSER") == "1":
            pytest.fail("Chromium is not installed, and WOOLSIM_NEED_BROWSER=1 asks for it")
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: "Browser", file: Path, **settings: Any) -> "Iterator[Page]":
    """Open a page from disk without a network; it may neither complain nor ask for anything but itself."""
    said: list[str] = []
    context = browser.new_context(offline=True, **{"viewport": {"width": 360, "height": 740}, **settings})
    page = context.new_page()
    page.on("console", lambda message: said.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: said.append(f"request: {request.url}"))
    try:
        page.goto(file.as_uri())
        yield page
        assert said == [f"request: {file.as_uri()}"]
    finally:
        context.close()

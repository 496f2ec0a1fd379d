"""The browser that tests and pictures look through: the packaged one, so that nothing is fetched from elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright


@contextmanager
def chromium() -> Iterator[Browser]:
    """A Chromium without a window: the build that never had one, which is smaller."""
    path = shutil.which("chromium-headless-shell")
    assert path, "chromium-headless-shell is missing: '.ci/system-packages test' installs it."
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()

"""The owner hands in an update with a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from quarto_pi.updates import OUTCOME_FILE, RECEIVED_UPDATE, UPDATE_FOLDER, CardUpdates
from quarto_pi.web.service import ServedBoard
from tests.browser.visitor import Visitor
from tests.web.visit import feed_with, moment, served

pytestmark = pytest.mark.slow

PIN = "open sesame"
LOOK_MS = 3_000
"""So often the page asks what has become of an update, which takes minutes."""


def test_owner_hands_in_an_update_and_reads_what_becomes_of_it(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "photo.raucb").write_bytes(b"a photo")
    (tmp_path / "new.raucb").write_bytes(b"hsqs" + bytes(100_000))
    outcome, received = tmp_path / OUTCOME_FILE, tmp_path / UPDATE_FOLDER / RECEIVED_UPDATE
    desk = CardUpdates(tmp_path, tmp_path)
    with served(ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, updates=desk)) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        page.clock.install()
        Visitor(page, f"{address}/")
        page.locator("#open-settings").click()
        page.locator("#pin").fill(PIN)
        page.locator("#update summary").click()
        page.locator("#update-file").set_input_files(tmp_path / "photo.raucb")
        expect(page.locator("#settings .sheet-trouble")).to_have_text("That file isn't an update.")
        for stage, told in (
            ("refused\nsignature verification failed", "The board doesn't take this file: it isn't signed"),
            ("installed\n2", "The update is installed. The board starts again."),
        ):
            page.locator("#update-file").set_input_files([])
            page.locator("#update-file").set_input_files(tmp_path / "new.raucb")
            expect(page.locator("#update-told")).to_contain_text("The board checks the update and installs it.")
            outcome.write_text(f"{stage}\n", encoding="utf-8")
            received.unlink()
            page.clock.fast_forward(LOOK_MS)
            expect(page.locator("#update-told")).to_contain_text(told)
        page.close()

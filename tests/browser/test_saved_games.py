"""The owner takes the games off the board with a phone, and brings them back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.boards import looked_at
from tests.browser.conftest import Visits
from tests.web.test_backups import PIN, kept_games

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "accept_downloads": True}


def test_owner_takes_the_games_off_the_board_and_brings_them_back(tmp_path: Path, visit: Visits) -> None:
    folder, stick = tmp_path / "kept", tmp_path / "stick"
    stick.mkdir()
    kept_games(folder, 1, 2)
    with looked_at(tmp_path, PIN, f'[journal]\nstick = "{stick}"\n', "--keep", f"{folder}") as board:
        visitor = visit(board, **PHONE)
        page = visitor.page
        page.locator("#open-settings").click()
        page.locator("#pin").fill(PIN)
        page.locator("#saved summary").click()
        with page.expect_download() as downloading:
            page.locator("#saved-take").click()
        downloading.value.save_as(tmp_path / "taken.sqlite")
        page.locator("#saved-stick").click()
        expect(page.locator("#saved-told")).to_have_text("The games are saved.")
        expect(page.locator("#saved-copies option")).to_contain_text(["…", "Games on the board: ", "USB stick: 2"])
        page.locator("#saved-file").set_input_files(tmp_path / "taken.sqlite")
        page.locator("#saved-yes").click()
        expect(page.locator("#saved-told")).to_have_text("The games are back.")
        # A file without games is told, and what is there stays.
        (tmp_path / "holiday.sqlite").write_bytes(b"a photo")
        page.locator("#saved-file").set_input_files(tmp_path / "holiday.sqlite")
        page.locator("#saved-yes").click()
        expect(page.locator("#settings .sheet-trouble")).to_have_text("No games were found in that file.")
        # The browser tells of every answer that is no success.
        visitor.complaints.clear()
        page.close()
    assert kept_games(folder) == 2
    assert [file.name for file in stick.iterdir()] == ["quarto-games-000001.sqlite"]

"""The owner's path: a new board opens its own Wi-Fi, a phone sets it up, and the board starts with what was said."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from quarto_pi.cli import main
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.simulation.wifi import AROUND
from tests.browser.boards import Running
from tests.browser.test_access import faults_of_page

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 740}, "locale": "de-DE", "timezone_id": "Europe/Vienna"}
PIN = "471147"
HURRIED = 10
"""What the board says last stays for some seconds: so many times as fast, it is still there for who looks on."""


class NewCard:
    """A card that has just been flashed: its partitions as folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("boot", "etc", "state"):
            (folder / name).mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.config = folder / "etc/quarto-pi.toml"
        self.config.write_text(f'profile = "pi"\n[page]\nport = {port}\n[network]\npresent = true\n', encoding="utf-8")

    def start(self) -> Running:
        """Switch the board on: what its units do, one after the other."""
        arguments = ["first-start", "--card", f"{self.folder / 'boot'}", "--config", f"{self.config}"]
        more = ["--networks", f"{self.folder / 'networks'}", "--notices", f"{self.folder / 'notices'}"]
        assert main([*arguments, *more]) == 0
        return Running("run", "--simulated", "--speed", f"{HURRIED}", "--start-anyway", "--config", f"{self.config}")


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewCard:
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'state'}")
    return NewCard(tmp_path)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(**cast("Any", {**PHONE, "reduced_motion": "reduce"}))
    yield context.new_page()
    context.close()


def test_owner_sets_a_new_board_up_with_a_phone(card: NewCard, phone: Page) -> None:
    with card.start() as board:
        phone.goto(board.address)
        expect(phone.locator("h1")).to_have_text("Das Brett einrichten")
        expect(phone.locator("#first-start")).not_to_contain_text("null")
        assert faults_of_page(phone) == []
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # A password that is too short is told at once, one that is wrong once the board has tried it.
        phone.locator("#setup-password").fill("kurz")
        phone.locator("#setup-pin").fill(PIN)
        phone.locator("#setup-next").click()
        phone.locator("#setup-go").click()
        expect(phone.locator("#setup-complaint")).to_contain_text("8 bis 63 Zeichen")
        phone.locator("#setup-password").fill("instant coffee")
        phone.locator("#setup-next").click()
        phone.locator("#setup-go").click()
        expect(phone.locator("#first-start-told")).to_contain_text("Café Zoë")
        expect(phone.locator("#setup-complaint")).to_have_text(
            "Das Passwort von Café Zoë ist falsch. Versuch es noch einmal."
        )
        phone.locator("#setup-password").fill(AROUND["Café Zoë"])
        phone.locator("#setup-wiring").select_option("pi-simple")
        phone.locator("#setup-next").click()
        expect(phone.locator("#setup-lines")).to_contain_text(PIN)
        assert faults_of_page(phone) == []
        phone.locator("#setup-go").click()
        expect(phone.locator("#first-start-told")).to_contain_text("Café Zoë")
        board.wait()
    with card.start() as board:
        phone.goto(board.address)
        expect(phone.locator("#board")).to_be_visible()
        expect(phone.locator("html")).to_have_attribute("lang", "de")
        phone.locator("#open-settings").click()
        phone.locator("#pin").fill(PIN)
        phone.locator("#report summary").click()
        with phone.expect_download() as downloading:
            phone.locator("#report-take").click()
        assert downloading.value.suggested_filename == "quarto-pi-report.tar.gz"
    config = lay(ConfigPlace(card.config).sources()).config
    assert (config.readers.offer, config.kiosk.time_zone) == (False, "Europe/Vienna")
    assert config.network is not None
    assert config.network.expected
    kept = "".join(file.read_text(encoding="utf-8") for file in (card.folder / "state").glob("*answers*"))
    assert PIN not in kept, "what has been taken over is in one place"
    assert json.loads((card.folder / "etc/first-start.json").read_text(encoding="utf-8"))["lines"] == {}

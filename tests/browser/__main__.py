"""Take the pictures of the page again, and write down how it is heard: `make pictures`."""

from __future__ import annotations

import io
import os
import socket
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser

from quarto_pi.first_start.set_up import OWN_WIFI_NAME, SetUpStage, SetUpView, WifiNetwork
from quarto_pi.screens.drawing import render
from quarto_pi.screens.first_start import set_up_pages
from tests.browser.boards import Running, simulated
from tests.browser.chromium import chromium
from tests.browser.listening import whole_game
from tests.browser.test_listening import KEPT
from tests.browser.visitor import Visitor
from tests.web.visit import Visit

DOCS: Final = Path(__file__).parents[2] / "docs"
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
KIOSK: Final[dict[str, Any]] = {"viewport": {"width": 1920, "height": 1080}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 1.5}
DARK: Final[dict[str, Any]] = {**DESK, "color_scheme": "dark"}
OLED: Final = (128, 64)
WIDTH: Final = 960
COLOURS: Final = 200
"""A picture in so many colours is a third as large, and looks the same."""

OPENING: Final = ("LTRF b2", "DSQH c3", "LSRH a4", "DTQF d1", "DTRH c2")


def main() -> None:
    """Play a game, and take a picture of every main view on the way."""
    with chromium() as browser, simulated(speed=1) as board:
        player = _open(browser, board, DESK)
        _take(browser, board, "start", DESK)
        player.play(*OPENING)
        player.give("LTQH")
        _take(browser, board, "game", KIOSK)
        _take(browser, board, "phone", PHONE)
        _take(browser, board, "dark", DARK)
        player.place("LTQH", "b4")
        player.play("DTQH c4")
        player.give("DSRH")
        player.place("DSRH", "d4")
        player.call()
        player.in_phase("over")
        _take(browser, board, "win", DESK)
        _take_first_start(browser)
        with ExitStack() as stack:
            page = browser.new_context(reduced_motion="reduce").new_page()
            KEPT.write_text(whole_game(page, Visit(stack)), encoding="utf-8")
    print(f"pictures of the page in {DOCS}, and a whole game as it is heard in {KEPT}")


def _take_first_start(browser: Browser) -> None:
    """What a phone sees that sets a new board up, and the small display beside it."""
    with TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        config = Path(folder) / "quarto-pi.toml"
        config.write_text(f"[page]\nport = {port}\n[network]\npresent = true\n", encoding="utf-8")
        environ = {**os.environ, "STATE_DIRECTORY": folder}
        arguments = ("run", "--simulated", "--start-anyway", "--config", f"{config}")
        with Running(*arguments, environ=environ) as board:
            page = browser.new_context(reduced_motion="reduce", **PHONE).new_page()
            page.goto(board.address)
            page.locator("#setup-password").fill("steaming espresso")
            page.locator("#setup-pin").fill("471147")
            _keep(page.screenshot(), "first-start")
            page.locator("#setup-next").click()
            page.locator("#setup-go").wait_for()
            _keep(page.screenshot(), "first-start-sure")
    view = SetUpView(SetUpStage.OPEN, WifiNetwork(OWN_WIFI_NAME, "k7mq3xwz"), "http://10.42.0.1:8040/", "en")
    shown = [render(each, OLED, 0) for each in set_up_pages(view, OLED)]
    sheet = Image.new("1", (len(shown) * (OLED[0] + 8) - 8, OLED[1]), 1)
    for index, picture in enumerate(shown):
        sheet.paste(picture, (index * (OLED[0] + 8), 0))
    sheet.resize((sheet.width * 2, sheet.height * 2)).save(DOCS / "first-start-display.png", optimize=True)


def _open(browser: Browser, board: Running, device: dict[str, Any]) -> Visitor:
    return Visitor(browser.new_context(reduced_motion="reduce", **device).new_page(), board.address)


def _take(browser: Browser, board: Running, name: str, device: dict[str, Any]) -> None:
    visitor = _open(browser, board, device)
    visitor.page.wait_for_load_state("load")
    _keep(visitor.page.screenshot(), name)
    visitor.page.context.close()


def _keep(taken: bytes, name: str) -> None:
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    if picture.width > WIDTH:
        picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.Resampling.LANCZOS)
    picture.quantize(COLOURS).save(DOCS / f"page-{name}.png", optimize=True)


if __name__ == "__main__":
    main()

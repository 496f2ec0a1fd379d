"""The hub's page in Firefox: logging in, what boards do, a finished game; and nothing has to be scrolled sideways."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser.firefox import firefox
from tests.hub.boards import PLAYS
from tests.hub.served import served_fleet

pytestmark = pytest.mark.campaign

FITS = "return document.documentElement.scrollWidth <= innerWidth"


def test_somebody_looks_after_boards_in_firefox(tmp_path: Path) -> None:
    with served_fleet() as fleet, firefox(tmp_path) as fox:
        fox.open(fleet.address)
        fox.wait("return document.querySelector('#password') !== null")
        fox.run("document.querySelector('#name').focus()")
        fox.press(*"anna")
        fox.run("document.querySelector('#password').focus()")
        fox.press(*fleet.password)
        fox.click(".login button")
        fox.wait("return document.querySelectorAll('.fleet-row').length === 12")
        fleet.watch.status("board-03", replace(PLAYS, game=90))
        fox.wait("return document.querySelector('[data-board=board-03]').dataset.condition === 'playing'")
        for view, there in {
            "live": ".live-card .small-board [data-piece]",
            "alarms": ".alarm",
            "orders": "#new-hours",
            "versions": "#version-choose",
            "people": ".person",
            "games": ".game",
        }.items():
            fox.click(f'.view[data-view="{view}"]')
            fox.wait(f"return document.querySelector('{there}') !== null")
            for width, height in ((1280, 800), (500, 800)):
                fox.resize(width, height)
                assert fox.run(FITS), view
        fox.click(".game")
        fox.wait("return document.querySelectorAll('.review .small-board .well[data-won]').length === 4")

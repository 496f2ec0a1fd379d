"""The page in a browser: what its start weighs on the wire, and how smoothly it moves on a slow phone.

The phone is Chromium's: 360x740 at two dots a pixel, and a processor that is four times as slow. A piece is dragged to
and fro, and pieces glide to where a finger sends them, while every frame is timed. What the board makes of it is asked
past the page, which has nothing to do but what it has to do on a phone. Nothing but the processor paints for this
browser, unlike on a phone; and what else runs on this machine counts in.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Locator, Page

from tests.bench.measure import table
from tests.browser.boards import Running, simulated
from tests.browser.chromium import chromium
from tests.browser.visitor import Visitor

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "has_touch": True}
SLOWER: Final = 4
DRAGS: Final = 4
STEPS: Final = 40
GAMES: Final = ("LTRF a1", "DSQH b2", "LSRH c4")
FRAME_MS: Final = 1_000 / 60
LONG_MS: Final = 50.0
SETTLED_MS: Final = 2_500
ASKED_AGAIN_S: Final = 0.1

RECORD: Final = """() => {
    window.gaps = [];
    let last = 0;
    const note = (at) => {
        if (last) window.gaps.push(at - last);
        last = at;
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""


def run() -> None:
    """Measure and print."""
    with chromium() as browser, simulated(speed=1) as board:
        requests, size = weight_of_start(browser, board)
        table("The start of the page, over the wire", ["requests", "kB"], [[f"{requests}", f"{size / 1_000:.1f}"]])
        rows = [[name, *_figures(gaps)] for name, gaps in frames_on_a_phone(browser, board).items()]
    header = [
        "a phone, four times slower",
        "frames",
        "a second",
        "median ms",
        "95 %",
        f"over {LONG_MS:.0f} ms",
        "worst",
    ]
    table("Frames", header, rows)


def weight_of_start(browser: Browser, board: Running) -> tuple[int, int]:
    """How many requests a first visit makes, and how many bytes they bring until the game is seen, headers and all."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    wire = _Wire(context.new_cdp_session(page))
    Visitor(page, board.address)
    page.wait_for_load_state("load")
    context.close()
    return len(wire.received), sum(wire.received.values())


class _Wire:
    """Counts the bytes of each request, and of a stream that never ends those of its first snapshot."""

    def __init__(self, session: CDPSession) -> None:
        self.received: dict[str, int] = {}
        self._streams: set[str] = set()
        self._begun: set[str] = set()
        session.on("Network.dataReceived", self._came)
        session.on("Network.loadingFinished", self._ended)
        session.on("Network.responseReceived", self._began)
        session.send("Network.enable")

    def _began(self, event: dict[str, Any]) -> None:
        self.received[event["requestId"]] = int(event["response"]["encodedDataLength"])
        if event["type"] == "EventSource":
            self._streams.add(event["requestId"])

    def _came(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        if request in self._begun:
            return
        if request in self._streams:
            self._begun.add(request)
        self.received[request] = self.received.get(request, 0) + int(event["encodedDataLength"] or event["dataLength"])

    def _ended(self, event: dict[str, Any]) -> None:
        self.received[event["requestId"]] = int(event["encodedDataLength"])


def frames_on_a_phone(browser: Browser, board: Running) -> dict[str, list[float]]:
    """The milliseconds between frames while a piece is dragged, and while pieces glide."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    visitor = Visitor(page, board.address)
    session = context.new_cdp_session(page)
    page.wait_for_timeout(SETTLED_MS)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(RECORD)
    found = {"nothing happens": _gaps(page, lambda: page.wait_for_timeout(SETTLED_MS))}
    found["a piece is dragged"] = _gaps(page, lambda: _drag(visitor))
    places = _places(visitor)
    found["pieces glide to their squares"] = _gaps(page, lambda: _send(page, board, places))
    context.close()
    return found


def _drag(visitor: Visitor) -> None:
    mouse = visitor.page.mouse
    x, y = _middle(visitor.piece("DTRH"))
    mouse.move(x, y)
    mouse.down()
    for step in range(DRAGS * STEPS):
        part = math.sin(2 * math.pi * step / STEPS)
        mouse.move(180 + 120 * part, 320 + 150 * math.cos(2 * math.pi * step / STEPS))
        time.sleep(FRAME_MS / 1_000)
    mouse.move(x, y)
    mouse.up()


def _places(visitor: Visitor) -> dict[str, tuple[float, float]]:
    """Where to tap for all that is played with; they are looked for before any frame is timed."""
    moves = [game.split() for game in GAMES]
    spots = {"offer": visitor.spot("offer"), **{square: visitor.spot(square) for _, square in moves}}
    spots.update({piece: visitor.piece(piece) for piece, _ in moves})
    return {name: _middle(spot) for name, spot in spots.items()}


def _send(page: Page, board: Running, places: dict[str, tuple[float, float]]) -> None:
    for game in GAMES:
        piece, square = game.split()
        for start, end, phase in ((piece, "offer", "given"), ("offer", square, "placed")):
            page.touchscreen.tap(*places[start])
            page.touchscreen.tap(*places[end])
            _await_phase(board, phase)


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _await_phase(board: Running, phase: str) -> None:
    while board.state()["phase"] != phase:
        time.sleep(ASKED_AGAIN_S)


def _gaps(page: Page, do: Callable[[], object]) -> list[float]:
    page.evaluate("window.gaps.length = 0")
    do()
    return [float(gap) for gap in page.evaluate("window.gaps")]


def _figures(gaps: list[float]) -> list[str]:
    ordered = sorted(gaps)
    long = sum(1 for gap in gaps if gap > LONG_MS)
    rate = 1_000 * len(gaps) / sum(gaps)
    return [
        f"{len(gaps)}",
        f"{rate:.1f}",
        f"{median(ordered):.1f}",
        f"{ordered[int(0.95 * len(ordered))]:.1f}",
        f"{long}",
        f"{ordered[-1]:.0f}",
    ]


if __name__ == "__main__":
    run()

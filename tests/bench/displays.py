"""The displays: bytes on the bus for each change of screen, what is dropped when things happen fast, and CPU time."""

from __future__ import annotations

import time

from PIL import Image, ImageDraw

from quarto_pi.devices.settings import Controller, DisplayBus, OledSettings
from quarto_pi.screens.boards import fold_corner
from quarto_pi.screens.drawing import CORNER
from tests.bench import shows
from tests.bench.measure import table
from tests.displays import Desk, desk, noise

SIZE = (128, 64)
BURST = 100
ROUNDS = 200
I2C_BIT_US = {"100 kHz": 10.0, "400 kHz": 2.5}
_BITS = 9  # a byte on I2C and its acknowledgement


def board(*squares: tuple[int, int]) -> Image.Image:
    """A board of sixteen fields on the left, pieces on these, and three lines of text on the right."""
    image = Image.new("1", SIZE)
    draw = ImageDraw.Draw(image)
    for line in range(0, 65, 16):
        draw.line((0, min(line, 63), 64, min(line, 63)), fill=1)
        draw.line((line, 0, line, 63), fill=1)
    for column, row in squares:
        draw.ellipse((16 * column + 3, 16 * row + 3, 16 * column + 13, 16 * row + 13), outline=1)
    for row, text in enumerate(("player A", "place it", "on b2")):
        draw.text((70, 4 + 18 * row), text, fill=1)
    return image


def clock(seconds: int) -> Image.Image:
    """The board with a clock in the place of the last line."""
    image = board((1, 1))
    draw = ImageDraw.Draw(image)
    draw.rectangle((70, 40, 127, 63), fill=0)
    draw.text((70, 40), f"{seconds // 60}:{seconds % 60:02}", fill=1)
    return image


def title() -> Image.Image:
    """A screen with nothing but two large words."""
    image = Image.new("1", SIZE)
    draw = ImageDraw.Draw(image)
    draw.text((10, 4), "A has", fill=1, font_size=24)
    draw.text((10, 34), "won", fill=1, font_size=24)
    return image


def folded(image: Image.Image) -> Image.Image:
    """The same picture while hands are seen."""
    image = image.copy()
    fold_corner(image, CORNER)
    return image


CHANGES: dict[str, tuple[Image.Image, Image.Image]] = {
    "nothing": (board((1, 1)), board((1, 1))),
    "a corner that is folded in: hands are seen": (board((1, 1)), folded(board((1, 1)))),
    "a tick of the clock": (clock(59), clock(58)),
    "one more piece on the board": (board((1, 1)), board((1, 1), (2, 3))),
    "another line of text and a piece": (board((1, 1)), clock(30)),
    "another screen": (board((1, 1)), title()),
    "every pixel at random": (noise(SIZE, 1), noise(SIZE, 2)),
}


def run() -> None:
    """Measure and print."""
    with desk() as it:
        full = whole_picture(it)
    rows = []
    for name, (before, after) in CHANGES.items():
        cells = [f"{bytes_for(controller, before, after)}" for controller in Controller]
        ms = [
            f"{bytes_for(Controller.SSD1306, before, after) * _BITS * bit / 1_000:.1f}" for bit in I2C_BIT_US.values()
        ]
        rows.append([name, *cells, f"{full}", *ms])
    header = ["change", *(controller.value for controller in Controller), "luma alone"]
    table("Bytes on I2C for a change of screen", [*header, *(f"ssd1306 ms at {speed}" for speed in I2C_BIT_US)], rows)
    _burst()
    _cpu_time()
    shows.run(full)


def bytes_for(controller: Controller, before: Image.Image, after: Image.Image) -> int:
    """Bytes that go over the bus for a change, addresses and control bytes included."""
    with desk(OledSettings(controller=controller)) as it:
        it.bytes_of(before)
        return it.bytes_of(after)


def whole_picture(it: Desk) -> int:
    """Bytes that luma's own `display` takes, whatever has changed."""
    from luma.core.interface.serial import i2c  # noqa: PLC0415 - the simulated bus has to be in place
    from luma.oled.device import ssd1306  # noqa: PLC0415

    serial = i2c(port=1, address=0x3C)
    device = ssd1306(serial)
    device.persist = True
    before = it.bytes
    device.display(Image.new("1", SIZE))
    taken = it.bytes - before
    serial.cleanup()
    return taken


def _burst() -> None:
    with desk() as it:
        it.settle()
        for second in range(BURST):
            it.oled.show(clock(second))
        before = it.bytes
        it.settle()
        row = [f"{BURST}", f"{it.oled.dropped}", f"{it.bytes - before}"]
    table("Pictures that arrive at once", ["pictures", "dropped", "bytes sent"], [row])


def _cpu_time() -> None:
    rows = []
    for name, pictures in (
        ("a tick of the clock", [clock(second) for second in range(60)]),
        ("every pixel at random", [noise(SIZE, seed) for seed in range(60)]),
    ):
        for connection in DisplayBus:
            with desk(OledSettings(connection=connection)) as it:
                it.settle()
                spent = _us_per_round(it, pictures)
            rows.append([f"{name}, {connection.value}", f"{spent[0]:.0f}", f"{spent[1]:.0f}"])
    table("CPU time for a picture, the simulated chip included", ["", "us for the caller", "us for the worker"], rows)


def _us_per_round(it: Desk, pictures: list[Image.Image]) -> tuple[float, float]:
    caller = worker = 0.0
    for index in range(ROUNDS):
        started = time.process_time()
        it.oled.show(pictures[index % len(pictures)])
        shown = time.process_time()
        it.settle()
        caller += shown - started
        worker += time.process_time() - shown
    return 1e6 * caller / ROUNDS, 1e6 * worker / ROUNDS

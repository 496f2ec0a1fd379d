"""The OLED: pictures go in, and a worker brings what has changed of the newest one to the display through luma.

Nothing that happens to the display reaches the caller: it is told by `condition`, and the display is tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Final

from gpiozero import Factory
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from quarto_pi.clock import Clock
from quarto_pi.devices.luma_wires import Interface, Wire, open_i2c, open_spi_with_pins, troubles
from quarto_pi.devices.settings import Controller, DisplayBus, OledSettings
from quarto_pi.devices.upkeep import Upkeep, UpkeptDevice

Pages = tuple[bytes, ...]
"""For each page one byte a column, the topmost line in its lowest bit."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of columns and pages, the last ones included."""

    left: int
    right: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """Return how many bytes it has."""
        return (self.right - self.left + 1) * (self.last - self.first + 1)

    def cut_out(self, pages: Pages) -> bytes:
        """Return its bytes, page by page."""
        return b"".join(page[self.left : self.right + 1] for page in pages[self.first : self.last + 1])

    def around(self, other: Area) -> Area:
        """Return the least area around both."""
        return Area(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.first, other.first),
            max(self.last, other.last),
        )


def display_pages(image: Image.Image) -> Pages:
    r"""Return an image of one bit a pixel as pages.

    >>> image = Image.new("1", (2, 8))
    >>> image.putpixel((1, 3), 1)
    >>> display_pages(image)
    (b'\x00\x08',)
    """
    count = image.height // 8
    # Turned to the right by a quarter, every column is a row of bytes, its lowest line first and in the highest bit.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return tuple(columns[count - 1 - page :: count] for page in range(count))


def whole(pages: Pages) -> Area:
    """Return the area of a whole picture."""
    return Area(0, len(pages[0]) - 1, 0, len(pages) - 1)


def differences(old: Pages, new: Pages, overhead: int, *, tall: bool) -> list[Area]:
    """Return areas that hold all differences, chosen to take few bytes; each costs `overhead` bytes more than it holds.

    Only where `tall` areas can be addressed do they reach over several pages.
    """
    by_page = [_runs(before, after, overhead) for before, after in zip(old, new, strict=True)]
    areas = [Area(left, right, page, page) for page, runs in enumerate(by_page) for left, right in runs]
    if not tall or len(areas) < 2:
        return areas
    areas = _stacked(areas, overhead)
    around = areas[0]
    for area in areas[1:]:
        around = around.around(area)
    return [around] if around.size + overhead <= sum(area.size + overhead for area in areas) else areas


def _runs(before: bytes, after: bytes, overhead: int) -> list[tuple[int, int]]:
    """The changed columns of a page, with gaps that are cheaper to send than to leave out."""
    if before == after:
        return []
    runs: list[tuple[int, int]] = []
    for column, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if runs and column - runs[-1][1] - 1 <= overhead:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def _stacked(areas: Sequence[Area], overhead: int) -> list[Area]:
    """Areas put together with those that end on the page above, where that takes fewer bytes."""
    stacked: list[Area] = []
    for area in areas:
        for index, above in enumerate(stacked):
            both = above.around(area)
            if above.last == area.first - 1 and both.size <= above.size + area.size + overhead:
                stacked[index] = replace(both, last=area.last)
                break
        else:
            stacked.append(area)
    return stacked


_DRIVERS: Final = {Controller.SSD1306: ssd1306, Controller.SH1106: sh1106, Controller.SSD1309: ssd1309}
_DISPLAY_OFF: Final = 0xAE
_SET_COLUMNS: Final = 0x21  # these two with first and last: SSD1306 10.1.4, 10.1.5
_SET_PAGES: Final = 0x22
_SET_PAGE: Final = 0xB0
_SET_HIGH_COLUMN: Final = 0x10
_FIRST_COLUMN: Final = 2  # the SH1106 has 132 columns, and the glass hangs on the middle ones
# Bytes on I2C that an area costs besides its own: address and control byte of two messages, and the commands.
_WINDOW_OVERHEAD: Final = 10
_PAGE_OVERHEAD: Final = 7


@dataclass(frozen=True, slots=True)
class Screen:
    """What the display should be like; a shift moves the picture by so many pixels to the right and down."""

    image: Image.Image
    contrast: int
    awake: bool = True
    shift: tuple[int, int] = (0, 0)

    def shifted(self) -> Image.Image:
        """Return the picture where it should stand; what leaves the display is lost, what becomes free is dark."""
        if self.shift == (0, 0):
            return self.image
        moved = Image.new("1", self.image.size)
        moved.paste(self.image, self.shift)
        return moved


class OledPanel:
    """A luma display on a wire that comes and goes, brought from one screen to the next with few bytes."""

    def __init__(self, settings: OledSettings, pin_factory: Factory | None = None) -> None:
        self._settings = settings
        self._pin_factory = pin_factory
        self._wire = Wire()
        self._driver: Any = _DRIVERS[settings.controller](
            self._wire, width=settings.width, height=settings.height, rotate=settings.rotate
        )
        # When the program ends, luma lets go of the wire; what the display shows then is for us to say.
        self._driver.persist = True
        self._start_up = tuple(self._wire.said)
        self._windowed = settings.controller is not Controller.SH1106
        self._shown: Screen | None = None
        self._pages: Pages | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the pictures that it takes."""
        size: tuple[int, int] = self._driver.size
        return size

    # -- what the upkeep asks for ------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the bus and set the chip up, its display still off."""
        self._forget()
        with self._troubles():
            self._wire.plug_in(self._open_interface())
            for command in self._start_up:
                self._driver.command(*command)

    def write(self, state: Screen) -> None:
        """Send what differs from the screen before."""
        with self._troubles():
            before, self._shown = self._shown, None  # unknown until all of it has gone through
            if before is None or before.contrast != state.contrast:
                self._driver.contrast(state.contrast)
            if not state.awake and (before is None or before.awake):
                self._driver.hide()
            self._draw(display_pages(self._driver.preprocess(state.shifted())))
            if state.awake and (before is None or not before.awake):
                self._driver.show()
            self._shown = state

    def refresh(self, state: Screen) -> None:
        """Send everything once more, without switching a working display off on the way."""
        with self._troubles():
            for command in self._start_up:
                self._driver.command(*(command[1:] if command[0] == _DISPLAY_OFF else command))
        self._forget()
        self.write(state)

    def close(self) -> None:
        """Let go of the bus; the display keeps what it shows."""
        self._wire.unplug()
        self._forget()

    # -- bytes -------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._shown = None
        self._pages = None

    def _open_interface(self) -> Interface:
        chosen = self._settings
        if chosen.connection is DisplayBus.I2C:
            return open_i2c(chosen.i2c_port, chosen.i2c_address)
        return open_spi_with_pins(
            chosen.spi_port, chosen.spi_device, chosen.spi_hz, chosen.dc_pin, chosen.reset_pin, self._pin_factory
        )

    def _draw(self, pages: Pages) -> None:
        before, self._pages = self._pages, None
        if before is None:
            areas = self._everything(pages)
        else:
            overhead = _WINDOW_OVERHEAD if self._windowed else _PAGE_OVERHEAD
            areas = differences(before, pages, overhead, tall=self._windowed)
        for area in areas:
            self._address(area)
            self._driver.data(list(area.cut_out(pages)))
        self._pages = pages

    def _everything(self, pages: Pages) -> list[Area]:
        area = whole(pages)
        if self._windowed:
            return [area]
        return [replace(area, first=page, last=page) for page in range(len(pages))]

    def _address(self, area: Area) -> None:
        if self._windowed:
            self._driver.command(_SET_COLUMNS, area.left, area.right, _SET_PAGES, area.first, area.last)
        else:
            column = area.left + _FIRST_COLUMN
            self._driver.command(_SET_PAGE | area.first, column & 0x0F, _SET_HIGH_COLUMN | column >> 4)

    def _troubles(self) -> AbstractContextManager[None]:
        chosen = self._settings
        if chosen.connection is DisplayBus.I2C:
            return troubles(
                f"the display at {chosen.i2c_address:#04x}",
                f"/dev/i2c-{chosen.i2c_port}",
                "i2c",
                f"look at its plug; 'i2cdetect -y {chosen.i2c_port}' lists what answers",
            )
        return troubles(
            "the display", f"/dev/spidev{chosen.spi_port}.{chosen.spi_device}", "spi", "look at its plug and its pins"
        )


class Oled(UpkeptDevice[Screen]):
    """The display as the rest of the program sees it: it takes pictures at once and never raises for the display."""

    def __init__(self, settings: OledSettings, clock: Clock, pin_factory: Factory | None = None) -> None:
        panel = OledPanel(settings, pin_factory)
        self.size = panel.size
        self.contrast = settings.contrast
        dark = Screen(Image.new("1", self.size), settings.contrast)
        super().__init__(Upkeep(panel, clock, settings.patience, dark))

    def show(self, image: Image.Image) -> None:
        """Show this picture as soon as it can be; one that was not shown yet is dropped."""
        if image.size != self.size:
            raise ValueError(f"the picture is {image.size}, and the display takes {self.size}")
        own = image.copy() if image.mode == "1" else image.convert("1", dither=Image.Dither.NONE)
        self._want(image=own)

    def set_contrast(self, level: int) -> None:
        """Set how bright it is, 0 to 255; 0 is dim, not dark."""
        if not 0 <= level <= 0xFF:
            raise ValueError(f"the contrast is {level}: it goes from 0 to 255")
        self._want(contrast=level)

    def sleep(self) -> None:
        """Switch the display off; pictures are still taken, and seen when it wakes."""
        self._want(awake=False)

    def wake(self) -> None:
        """Switch the display on again."""
        self._want(awake=True)

    def set_shift(self, right: int, down: int) -> None:
        """Move all pictures by so many pixels, so that none burns in."""
        self._want(shift=(right, down))

    def _want(self, **changes: Any) -> None:  # noqa: ANN401 - fields of Screen
        wanted = replace(self._upkeep.wanted, **changes)
        self._upkeep.want(wanted, frame="image" in changes)

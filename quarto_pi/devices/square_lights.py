"""The lights under the squares: sixteen APA102 on an SPI bus of their own, through luma.

They have no select line and no answer: every byte on their bus reaches them, and nothing tells that they are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from luma.led_matrix.device import apa102
from PIL import Image

from quarto_pi.clock import Clock
from quarto_pi.devices.light_patterns import BLACK, Colour, Pattern, SquareLight, SquareLightsSettings, brightness_of
from quarto_pi.devices.luma_wires import Wire, open_plain_spi, troubles
from quarto_pi.devices.upkeep import Upkeep, UpkeptDevice
from quarto_pi.sensing.readings import SQUARE_NAMES

LIGHT_FULL_MA: Final = 60.0
"""What one light takes with all three colours at full."""
_STEP: Final = 15  # luma gives the highest brightness that it has to an alpha just below opaque: 15 of 31
_ALPHA: Final = _STEP << 4
_STEPS: Final = 31
_SIDE: Final = 4

LightFrame = tuple[Colour, ...]
"""One colour for each square, in the order of SQUARES."""


def milliamperes(frame: LightFrame) -> float:
    """Return the current that these colours take together, as they are sent."""
    return sum(LIGHT_FULL_MA * sum(colour) / (3 * 255) for colour in frame) * _STEP / _STEPS


def within(frame: LightFrame, budget_ma: float) -> LightFrame:
    """Return the colours, all darker by the same share if together they would take more current than there is."""
    taken = milliamperes(frame)
    if taken <= budget_ma:
        return frame
    share = budget_ma / taken
    # Rounded down: a light that goes out is better than a supply that does.
    return tuple(Colour(*(int(part * share) for part in colour)) for colour in frame)


def frame_of(lights: Mapping[str, SquareLight], now: int, brightness: float, budget_ma: float) -> LightFrame:
    """Return the colours of all squares at this millisecond; squares that are not named are dark."""
    dark = SquareLight(BLACK, Pattern.OFF)
    shown = [lights.get(square, dark) for square in SQUARE_NAMES]
    frame = tuple(light.colour.dimmed(brightness_of(light.pattern, now) * brightness) for light in shown)
    return within(frame, budget_ma)


class LightStrip:
    """A luma strip on a wire that comes and goes."""

    def __init__(self, settings: SquareLightsSettings) -> None:
        self._settings = settings
        self._wire = Wire()
        # The picture's first line is the row that is farthest from the button, and its pixels are numbered from there.
        pixels = [f"{column}{row}" for row in "4321" for column in "abcd"]
        self._pixels = [SQUARE_NAMES.index(square) for square in pixels]
        self._driver: Any = apa102(
            self._wire, width=_SIDE, height=_SIDE, mapping=[settings.order.index(square) for square in pixels]
        )
        # When the program ends, luma lets go of the wire; what is shown then is for us to say.
        self._driver.persist = True

    def open(self) -> None:
        """Open the bus."""
        chosen = self._settings
        with self._troubles():
            self._wire.plug_in(open_plain_spi(chosen.spi_port, chosen.spi_device, chosen.spi_hz))

    def write(self, state: LightFrame) -> None:
        """Send all colours: a strip has to be told all of them."""
        image = Image.new("RGBA", (_SIDE, _SIDE))
        image.putdata([(*state[index], _ALPHA) for index in self._pixels])
        with self._troubles():
            self._driver.display(image)

    def refresh(self, state: LightFrame) -> None:
        """Send all colours once more."""
        self.write(state)

    def close(self) -> None:
        """Let go of the bus."""
        self._wire.unplug()

    def _troubles(self) -> AbstractContextManager[None]:
        chosen = self._settings
        return troubles(
            "the strip of lights",
            f"/dev/spidev{chosen.spi_port}.{chosen.spi_device}",
            "spi",
            "look at its plug, and that the bus is switched on in config.txt",
        )


class SquareLights(UpkeptDevice[LightFrame]):
    """The lights as the rest of the program sees them: told each time, sent by a worker, silent about trouble."""

    def __init__(self, settings: SquareLightsSettings, clock: Clock) -> None:
        self._settings = settings
        super().__init__(Upkeep(LightStrip(settings), clock, settings.patience, (BLACK,) * len(SQUARE_NAMES)))

    def show(self, lights: Mapping[str, SquareLight], now: int) -> None:
        """Show these lights as they are at this millisecond; squares that are not named are dark."""
        unknown = [square for square in lights if square not in SQUARE_NAMES]
        if unknown:
            raise ValueError(f"there is no square {unknown[0]}")
        frame = frame_of(lights, now, self._settings.brightness, self._settings.budget_ma)
        if frame != self._upkeep.wanted:
            self._upkeep.want(frame)

    def close(self) -> None:
        """Switch all lights off and let go of the bus; a second call does nothing."""
        self._upkeep.want((BLACK,) * len(SQUARE_NAMES))
        super().close()

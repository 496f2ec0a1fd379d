"""The displays that a simulated board may have, by the name of their chip."""

from __future__ import annotations

from quarto_pi.simulation.oled_chip import OledChip
from quarto_pi.simulation.sh1106 import Sh1106
from quarto_pi.simulation.ssd1306 import Ssd1306, Ssd1309


def display_with(chip: str, width: int, height: int) -> OledChip:
    """Return a display with this chip, as it is sold.

    >>> display_with("sh1106", 128, 64).NAME
    'SH1106'
    """
    if chip == "ssd1306":
        return Ssd1306.of_size(width, height)
    return {"sh1106": Sh1106, "ssd1309": Ssd1309}[chip]()

"""The glass in front of a display's chip: which output of the chip each of its pixels hangs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

COMS: Final = 64
ALTERNATIVE: Final = 0x10  # "set COM pins" (SSD1306 10.1.18): even lines leave on one side, odd ones on the other
SIDES_SWAPPED: Final = 0x20


@dataclass(frozen=True, slots=True)
class Glass:
    """A glass as it is on the usual modules, where the chip sits behind the picture's lower edge.

    So the picture stands upright only with segments and lines remapped (commands A1 and C8), as every driver sets it.
    `com_pins` is how the lines are laid, and has to be told to the chip.
    """

    width: int = 128
    height: int = 64
    first_segment: int = 0
    com_pins: int = ALTERNATIVE

    def column(self, segment: int) -> int | None:
        """Return the column that a segment output lights, counted from the left; None where it is not connected."""
        column = self.width - 1 - (segment - self.first_segment)
        return column if 0 <= column < self.width else None

    def line(self, com: int, com_pins: int) -> int | None:
        """Return the line that a COM signal lights, counted from above, when the chip is told this layout."""
        line = self.height - 1 - _LAID[self.com_pins].index(_LAID[com_pins & 0x30][com])
        return line if line >= 0 else None


def _pads(com_pins: int) -> tuple[int, ...]:
    """For each COM signal the pad where it leaves the chip."""
    other_side = COMS // 2
    laid = [com // 2 + other_side * (com % 2) if com_pins & ALTERNATIVE else com for com in range(COMS)]
    return tuple(pad ^ other_side for pad in laid) if com_pins & SIDES_SWAPPED else tuple(laid)


_LAID: Final = {pins: _pads(pins) for pins in (0, ALTERNATIVE, SIDES_SWAPPED, ALTERNATIVE | SIDES_SWAPPED)}

LARGE: Final = Glass()
FLAT: Final = Glass(height=32, com_pins=0)
LARGE_OF_132: Final = Glass(first_segment=2)
"""The SH1106 has 132 segments, and the usual glass hangs on the middle 128."""

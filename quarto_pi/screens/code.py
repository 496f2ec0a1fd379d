"""The address of the page as a QR code, for the phones of those who stand around the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import segno
from PIL import Image

# With fewer dots a module, or a narrower edge, phones have trouble; the standard asks for four modules of edge.
DOTS: Final = 2
LEAST_EDGE: Final = 2


@dataclass(frozen=True, slots=True)
class Code:
    """An address to be scanned."""

    address: str


def fits(address: str, side: int) -> bool:
    """Whether the code of an address can be scanned from a square of so many dots."""
    return bool(address) and DOTS * (len(_modules(address)) + 2 * LEAST_EDGE) <= side


def picture_of(code: Code, side: int) -> Image.Image:
    """The code, dark on a lit square that is as wide as there is room."""
    modules = _modules(code.address)
    image = Image.new("1", (side, side), 255)
    edge = (side - DOTS * len(modules)) // 2
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            if dark:
                left, top = edge + DOTS * column, edge + DOTS * row
                image.paste(0, (left, top, left + DOTS, top + DOTS))
    return image


@cache
def _modules(address: str) -> tuple[tuple[bool, ...], ...]:
    # The least correction makes the fewest and so the largest modules; a display is neither torn nor dirty.
    code = segno.make(address, error="l", micro=False, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)

"""Colours that people with any kind of colour vision tell apart: Okabe and Ito's set."""

from __future__ import annotations

from typing import Final, NamedTuple


class Colour(NamedTuple):
    """Red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int

    def dimmed(self, share: float) -> Colour:
        """Return it with this share of its brightness; what shines a little does not go out by rounding."""
        red, green, blue = (max(round(part * share), int(part * share > 0)) for part in self)
        return Colour(red, green, blue)


BLACK: Final = Colour(0, 0, 0)
ORANGE: Final = Colour(230, 159, 0)
SKY_BLUE: Final = Colour(86, 180, 233)
GREEN: Final = Colour(0, 158, 115)
YELLOW: Final = Colour(240, 228, 66)
BLUE: Final = Colour(0, 114, 178)
VERMILION: Final = Colour(213, 94, 0)
PURPLE: Final = Colour(204, 121, 167)
WHITE: Final = Colour(255, 255, 255)
"""Not of the set, where black is the other neutral colour; on lights black is dark."""

"""The field over a coil: what a tag gets of it, against what ISO/IEC 14443-2 asks for and allows."""

from __future__ import annotations

from typing import Final

import numpy as np

from hardware.antenna.coil import lines
from hardware.antenna.design import Coil

LEAST_FIELD: Final = 1.5
MOST_FIELD: Final = 7.5
"""In ampere a metre, as root mean square: between these a card has to work (ISO/IEC 14443-2)."""
_RINGS: Final = 6


def tag_field(coil: Coil, ampere: float, height: float, diameter: float, aside: float = 0.0) -> float:
    """The mean of the upright field through a tag's disc over the coil, in ampere a metre (Biot and Savart)."""
    radii = (np.arange(_RINGS) + 0.5) / _RINGS * diameter / 2
    angles = np.arange(24) / 24 * 2 * np.pi
    x = np.outer(radii, np.cos(angles)).ravel() + aside
    y = np.outer(radii, np.sin(angles)).ravel()
    weights = np.repeat(radii, len(angles))
    total = np.zeros(len(x))
    for (x1, y1), (x2, y2) in lines(coil):
        length = np.hypot(x2 - x1, y2 - y1)
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
        side = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length
        square = side**2 + height**2
        sines = along / np.sqrt(along**2 + square) + (length - along) / np.sqrt((length - along) ** 2 + square)
        total += side / square * sines
    return float(abs((total * weights).sum() / weights.sum()) * ampere * 1000 / (4 * np.pi))

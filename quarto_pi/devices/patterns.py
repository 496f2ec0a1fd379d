"""How a light behaves in time: a pattern and a moment give a brightness."""

from __future__ import annotations

import math
from enum import Enum
from typing import Final

SLOW_MS: Final = 1_000
FAST_MS: Final = 400
"""2.5 flashes a second: more than three can harm people with photosensitive epilepsy (WCAG 2.3.1)."""
PULSE_MS: Final = 2_000
_PULSE_LEAST: Final = 0.1
_FAINT: Final = 0.35
_FLASHING_MS: Final = 2_000
_FLASHES_MS: Final = ((0, 200), (400, 600), (800, 1_000))


class Pattern(Enum):
    """What a light does."""

    OFF = "off"
    ON = "on"
    SLOW = "slow"
    FAST = "fast"
    PULSE = "pulse"
    DOUBLE = "double"
    TRIPLE = "triple"
    FAINT = "faint"


def level(pattern: Pattern, now: int) -> float:
    """Return how bright a light with this pattern is at a millisecond, 0 to 1.

    >>> [level(Pattern.SLOW, now) for now in (0, 499, 500, 999, 1_000)]
    [1.0, 1.0, 0.0, 0.0, 1.0]
    """
    match pattern:
        case Pattern.OFF:
            return 0.0
        case Pattern.ON:
            return 1.0
        case Pattern.FAINT:
            return _FAINT
        case Pattern.SLOW:
            return float(now % SLOW_MS < SLOW_MS // 2)
        case Pattern.FAST:
            return float(now % FAST_MS < FAST_MS // 2)
        case Pattern.PULSE:
            swing = (1 + math.cos(2 * math.pi * (now % PULSE_MS) / PULSE_MS)) / 2
            return _PULSE_LEAST + (1 - _PULSE_LEAST) * swing
        case Pattern.DOUBLE:
            return float(any(begin <= now % _FLASHING_MS < end for begin, end in _FLASHES_MS[:2]))
        case Pattern.TRIPLE:
            return float(any(begin <= now % _FLASHING_MS < end for begin, end in _FLASHES_MS))

"""What the settings of all output devices share; settings need no package but the standard library."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from quarto_pi.rules import QuartoError

CLOCKS_HZ: Final = (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
"""The bit rates that luma knows and these chips can follow."""


HEADER_PINS: Final = range(28)
NOT_ON_HEADER: Final = "the header has GPIO 0 to 27"


LEAST_READER_HZ: Final = 100_000
MOST_READER_HZ: Final = 10_000_000
NO_READER_HZ: Final = f"the MFRC522 takes {LEAST_READER_HZ} to {MOST_READER_HZ}, and cables 1000000 to 4000000"


class SettingsError(QuartoError, ValueError):
    """A setting that no device can work with: its key, its value, and what to write instead."""

    def __init__(self, key: str, value: object, todo: str) -> None:
        super().__init__(f"{key} is {value}: {todo}.")
        self.key = key
        self.value = value
        self.todo = todo


def check_pins(pins: Collection[tuple[str, int]]) -> None:
    """Make sure that these keys name pins of the header, each its own."""
    used: dict[int, str] = {}
    for key, pin in pins:
        if pin not in HEADER_PINS:
            raise SettingsError(key, pin, NOT_ON_HEADER)
        if pin in used:
            raise SettingsError(key, pin, f"{used[pin]} has this pin already; choose another one")
        used[pin] = key

"""The error that all settings of output devices raise."""

from __future__ import annotations

from collections.abc import Collection

from quarto_pi.rules import QuartoError


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
        if not 0 <= pin < 28:
            raise SettingsError(key, pin, "the header has GPIO 0 to 27")
        if pin in used:
            raise SettingsError(key, pin, f"{used[pin]} has this pin already; choose another one")
        used[pin] = key

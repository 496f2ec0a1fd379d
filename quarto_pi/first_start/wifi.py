"""A Wi-Fi by its name and password, and what both may be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quarto_pi.rules import QuartoError

MOST_IN_WIFI_NAME: Final = 32
"""In bytes (IEEE 802.11, 9.4.2.2)."""
FEWEST_IN_WIFI_PASSWORD: Final = 8
MOST_IN_WIFI_PASSWORD: Final = 63
"""Of WPA; 64 hexadecimal digits are the key itself."""
_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}")


class WifiRefused(QuartoError, ValueError):
    """A name or password that no Wi-Fi has; `is_password` tells which."""

    def __init__(self, text: str, *, is_password: bool) -> None:
        super().__init__(text)
        self.is_password = is_password


@dataclass(frozen=True, slots=True)
class WifiNetwork:
    """A Wi-Fi by its name and its password, which is empty where it asks for none."""

    name: str
    password: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.encode("utf-8")) <= MOST_IN_WIFI_NAME or not self.name.isprintable():
            raise WifiRefused(f"the name of a Wi-Fi has 1 to {MOST_IN_WIFI_NAME} letters.", is_password=False)
        fits = FEWEST_IN_WIFI_PASSWORD <= len(self.password) <= MOST_IN_WIFI_PASSWORD
        plain = self.password.isascii() and self.password.isprintable()
        if self.password and not (plain and fits) and not _KEY.fullmatch(self.password):
            said = f"a Wi-Fi password has {FEWEST_IN_WIFI_PASSWORD} to {MOST_IN_WIFI_PASSWORD} plain characters."
            raise WifiRefused(said, is_password=True)

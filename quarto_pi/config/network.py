"""The section `[network]`: a board that looks after its own Wi-Fi; and what a Wi-Fi's name and password may be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quarto_pi.config.section import Section
from quarto_pi.rules import QuartoError

MOST_IN_WIFI_NAME: Final = 32
"""In bytes (IEEE 802.11, 9.4.2.2)."""
FEWEST_IN_WIFI_PASSWORD: Final = 8
MOST_IN_WIFI_PASSWORD: Final = 63
"""Of WPA; 64 hexadecimal digits are the key itself."""
_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """A board that opens a Wi-Fi of its own until it is set up; the country is the one whose radio rules hold."""

    country: str = ""


def read_network(section: Section) -> NetworkConfig | None:
    """The section `[network]`."""
    present = section.take("present", True)
    country = section.take("country", NetworkConfig().country)
    section.close()
    if country and not _COUNTRY.fullmatch(country):
        raise section.wrong("country", country, "write two capital letters, such as DE")
    return NetworkConfig(country) if present else None


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

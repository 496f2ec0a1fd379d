"""The section `[network]`: a board that looks after its own Wi-Fi."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quarto_pi.config.section import Section

_COUNTRY: Final = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """A board that opens a Wi-Fi of its own until it is set up; the country is the one whose radio rules hold.

    One whose network is `expected` says so when it has none.
    """

    country: str = ""
    expected: bool = False


def read_network(section: Section) -> NetworkConfig | None:
    """The section `[network]`."""
    present = section.take("present", True)
    country = section.take("country", NetworkConfig().country)
    expected = section.take("expected", NetworkConfig().expected)
    section.close()
    if country and not _COUNTRY.fullmatch(country):
        raise section.wrong("country", country, "write two capital letters, such as DE")
    return NetworkConfig(country, expected) if present else None

"""The page: who may see it, and the PIN without which nobody changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from quarto_pi.config.section import HIDDEN, Section

FEWEST_IN_PIN: Final = 6
MOST_IN_PIN: Final = 64


@dataclass(frozen=True, slots=True)
class PageConfig:
    """Where the page of the board is served; without a PIN it is only to be looked at."""

    host: str = "127.0.0.1"
    port: int = 8040
    pin: str = ""


def read_page(section: Section) -> PageConfig | None:
    """The section `[page]`."""
    plain = PageConfig()
    present = section.take("present", True)
    page = PageConfig(
        section.take("host", plain.host),
        section.take("port", plain.port),
        section.secret("pin", plain.pin),
    )
    section.close()
    if not page.host or not page.host.isascii() or not page.host.isprintable() or " " in page.host:
        raise section.wrong("host", page.host, "write an address such as 127.0.0.1, or 0.0.0.0 for the whole network")
    if not 1 <= page.port <= 65_535:
        raise section.wrong("port", page.port, "write 1 to 65535; below 1024 only the system may listen")
    if page.pin and (not page.pin.isascii() or not page.pin.isprintable()):
        raise section.wrong("pin", HIDDEN, 'write letters and digits, or "" for a page that is only looked at')
    if page.pin and not FEWEST_IN_PIN <= len(page.pin) <= MOST_IN_PIN:
        raise section.wrong("pin", HIDDEN, f'write {FEWEST_IN_PIN} to {MOST_IN_PIN} characters, or "" for none')
    return page if present else None

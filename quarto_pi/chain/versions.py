"""A version that a hub offers to a board that runs from a card.

An offer is retained at the broker, and empty where there is none. It says where the bundle is and what it has to be;
that somebody whom the board believes has signed it is for the board's card to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quarto_pi.chain.messages import MessageRefused, packed, unpacked

MOST_OF_BUNDLE: Final = 805_306_368
"""A little more than both partitions of a system hold."""
LONGEST_VERSION: Final = 60
LONGEST_URL: Final = 400
VERSIONS_PATH: Final = "/versions"

_VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~_-]*")
_URL: Final = re.compile(
    r"https?://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,60}\])(:(?P<port>[0-9]{1,5}))?(?P<path>/.*)"
)


@dataclass(frozen=True, slots=True)
class VersionOffer:
    """A version for a board: what it is called, the SHA-256 and the length of its bundle, and where that is."""

    version: str
    sha256: str
    size: int
    url: str


def bundle_path(sha256: str) -> str:
    """The path of a bundle at its hub.

    >>> bundle_path("ab" * 32)[:24]
    '/versions/ababababababab'
    """
    return f"{VERSIONS_PATH}/{sha256}.raucb"


def check_version(version: str) -> str:
    """The name of a version, if it may be one; `MessageRefused` says that it is none."""
    if len(version) > LONGEST_VERSION or not _VERSION.fullmatch(version):
        raise MessageRefused(f"a version is up to {LONGEST_VERSION} letters, digits, dots, dashes, + and ~.")
    return version


def pack_offer(offer: VersionOffer) -> bytes:
    """An offer as it goes over the wire."""
    return packed({"version": offer.version, "sha256": offer.sha256, "size": offer.size, "url": offer.url})


def read_offer(payload: bytes) -> VersionOffer | None:
    """An offer that came over the wire; None where there is none."""
    if not payload:
        return None
    fields = unpacked(payload)
    version = check_version(fields.text("version", 1, LONGEST_VERSION))
    sha256, size, url = fields.sha256("sha256"), fields.whole("size", 1), fields.text("url", 1, LONGEST_URL)
    if size > MOST_OF_BUNDLE:
        raise MessageRefused(f"a bundle of {size} bytes is too long: {MOST_OF_BUNDLE} are the most.")
    if not is_bundle_url(url, sha256):
        raise MessageRefused("an offer's url is not where a hub has this bundle.")
    return VersionOffer(version, sha256, size, url)


def is_bundle_url(url: str, sha256: str) -> bool:
    """Whether this is the address of that bundle at any hub.

    A path of the hub's own choice would let it have the board ask other machines of the house for anything.

    >>> is_bundle_url("https://hub.local:8050/versions/" + "ab" * 32 + ".raucb", "ab" * 32)
    True
    >>> is_bundle_url("http://192.168.1.1/reboot", "ab" * 32)
    False
    """
    found = _URL.fullmatch(url)
    return found is not None and found["path"] == bundle_path(sha256) and int(found["port"] or 1) in range(1, 65_536)

"""What a hub says to a board: an order, and what became of it; a version it offers; where the board may be watched.

An order is retained at the broker, and said anew by the hub at each of its connections. It wants nothing but what it
names; a board takes each part of it or refuses it in one sentence, and says so. The same order twice is taken once.

An offered version is retained at the broker as well, and empty where there is none. It says where the bundle is and
what it has to be; that somebody whom the board believes has signed it is for the board's card to find out.

The address to watch at is in capitals, which a code on a small display has more room for; the hub leads on from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.chain.messages import Fields, JsonObject, MessageRefused, packed, unpacked

# --- What a hub wants of a board, and what became of it: settings, language and opening hours -------------------------

MOST_SETTINGS: Final = 30
LONGEST_KEY: Final = 40
LONGEST_VALUE: Final = 200
LONGEST_HOURS: Final = 400
LONGEST_WHY: Final = 400
HOURS: Final = "hours"
"""What opening hours are called among the parts of an order."""

OrderedValue = str | int | bool | None | list[str]


@dataclass(frozen=True, slots=True)
class BoardOrder:
    """What is wanted of a board: settings by the keys of its page, and opening hours.

    A higher `number` is a newer order. `hours` is None where nothing is wanted of them, and "" for those of the board's
    own configuration.
    """

    number: int
    settings: Mapping[str, OrderedValue] = field(default_factory=dict)
    hours: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """What it names."""
        return (*self.settings, *((HOURS,) if self.hours is not None else ()))


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """What became of an order: which parts were taken, and which were refused and why."""

    number: int
    taken: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


def pack_order(order: BoardOrder) -> bytes:
    """An order as it goes over the wire."""
    return packed({"number": order.number, "settings": dict(order.settings), "hours": order.hours})


def read_order(payload: bytes) -> BoardOrder:
    """An order that came over the wire."""
    fields = unpacked(payload)
    hours = fields.optional_text("hours", LONGEST_HOURS)
    return BoardOrder(fields.whole("number", 1), ordered_settings(fields.mapping("settings")), hours)


def ordered_settings(body: JsonObject) -> dict[str, OrderedValue]:
    """Settings as they may stand in an order; whether there are such is the board's to say."""
    if len(body) > MOST_SETTINGS:
        raise MessageRefused(f"an order has {len(body)} settings: {MOST_SETTINGS} are the most.")
    found: dict[str, OrderedValue] = {}
    for key, value in body.items():
        if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
            raise MessageRefused("an order's setting has no name.")
        found[key] = _ordered_value(key, value)
    return found


def _ordered_value(key: str, value: object) -> OrderedValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**31:
        return value
    if isinstance(value, str) and len(value) <= LONGEST_VALUE and value.isprintable():
        return value
    if isinstance(value, list) and len(value) <= MOST_SETTINGS:
        texts = [each for each in value if isinstance(each, str) and len(each) <= LONGEST_KEY and each.isprintable()]
        if len(texts) == len(value):
            return texts
    raise MessageRefused(f"an order's {key} is no value of a setting.")


def pack_outcome(outcome: OrderOutcome) -> bytes:
    """What became of an order, as it goes over the wire."""
    refused = [{"part": part, "why": why[:LONGEST_WHY]} for part, why in outcome.refused]
    return packed({"number": outcome.number, "taken": list(outcome.taken), "refused": refused})


def read_outcome(payload: bytes) -> OrderOutcome:
    """What a board says that became of an order."""
    fields = unpacked(payload)
    refused = fields.objects("refused", MOST_SETTINGS + 1)
    return OrderOutcome(
        fields.whole("number", 1),
        tuple(fields.texts("taken", MOST_SETTINGS + 1, LONGEST_KEY)),
        tuple(_refused(each) for each in refused),
    )


def _refused(fields: Fields) -> tuple[str, str]:
    return fields.text("part", 1, LONGEST_KEY), fields.text("why", 1, LONGEST_WHY)


# --- A version that a hub offers to a board that runs from a card -----------------------------------------------------

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


# --- Where a board may be watched without being logged in, as its hub tells it: an address for a code, or nothing -----

LONGEST_ADDRESS: Final = 200
_BEGINNINGS: Final = ("HTTP://", "HTTPS://")


def pack_spectators(address: str) -> bytes:
    """The address as it goes over the wire; nothing where the board is not to be watched."""
    return packed({"address": address}) if address else b""


def read_spectators(payload: bytes) -> str:
    """The address that came over the wire, empty where there is none."""
    if not payload:
        return ""
    address = unpacked(payload).text("address", 1, LONGEST_ADDRESS)
    if not address.startswith(_BEGINNINGS) or not address.isascii() or address != address.upper() or " " in address:
        raise MessageRefused("a message's address is none in capitals that begins with HTTP:// or HTTPS://.")
    return address

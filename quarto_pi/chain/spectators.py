"""Where a board may be watched without being logged in, as its hub tells it: an address for a code, or nothing.

The address is in capitals, which a code on a small display has more room for; the hub leads on from there.
"""

from __future__ import annotations

from typing import Final

from quarto_pi.chain.messages import MessageRefused, packed, unpacked

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

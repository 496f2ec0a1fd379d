"""Where each message is published, and who may write and read there: clients and the broker's list of rights agree."""

from __future__ import annotations

import re
from typing import Final

from quarto_pi.rules import QuartoError

ROOT: Final = "quarto"
HUB: Final = "hub"
"""The hub's account and its name in topics; no board may have it."""

HOME: Final = "home-assistant"
"""The account of the house's Home Assistant; no board may have its name either."""

_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?")

DISCOVERY: Final = "homeassistant"
"""Below this Home Assistant looks for devices."""


class BoardNameError(QuartoError, ValueError):
    """A name that no board can have on a chain."""


def check_board_name(name: str) -> str:
    """The name, if a board may have it on a chain.

    >>> check_board_name("cafe-central-2")
    'cafe-central-2'
    """
    if not _NAME.fullmatch(name):
        raise BoardNameError(
            f"'{name}' is no name for a board: write up to 30 of a to z, 0 to 9 and -, no - at either end."
        )
    if name in (HUB, HOME):
        owner = "the hub's own" if name == HUB else "Home Assistant's"
        raise BoardNameError(f"'{name}' is {owner} name: give the board another one.")
    return name


def presence_of(board: str) -> str:
    """Where it is retained whether a board is there: `online` or `offline`; its will says `offline`."""
    return f"{ROOT}/{board}/presence"


def state_of(board: str) -> str:
    """Where the newest state of a board is retained."""
    return f"{ROOT}/{board}/state"


def settled_of(board: str) -> str:
    """Where a board sends what has been settled, one message for each entry of its journal."""
    return f"{ROOT}/{board}/settled"


def outcomes_of(board: str) -> str:
    """Where a board says what became of an order of the hub."""
    return f"{ROOT}/{board}/outcome"


def letters(sender: str, receiver: str) -> str:
    """Where one board writes to another one; a receiver subscribes with `+` for the sender."""
    return f"{ROOT}/{sender}/to/{receiver}"


def taken_by_hub(board: str) -> str:
    """Where the hub tells a board what it has committed."""
    return f"{ROOT}/{board}/in/through"


def orders_for(board: str) -> str:
    """Where the hub tells a board what is wanted of it: settings, opening hours; retained."""
    return f"{ROOT}/{board}/in/order"


def others_for(board: str) -> str:
    """Where the hub tells a board whom it may play with; retained."""
    return f"{ROOT}/{board}/in/others"


def tournament_for(board: str) -> str:
    """Where the hub tells a board which tournament its house has; retained, and empty where it has none."""
    return f"{ROOT}/{board}/in/tournament"


def spectators_for(board: str) -> str:
    """Where the hub tells a board the address at which it may be watched; retained, and empty where nobody may."""
    return f"{ROOT}/{board}/in/spectators"


def version_for(board: str) -> str:
    """Where the hub offers a board a version; retained, and empty where it offers none."""
    return f"{ROOT}/{board}/in/version"


HUB_PRESENCE: Final = f"{ROOT}/{HUB}/presence"
"""Where it is retained that the hub is there, with its epoch; empty while it is not."""


def sender_of(topic: str) -> str | None:
    """The board that has published on this topic of ours, which only it could; None for any other topic.

    >>> sender_of("quarto/cafe-central-2/settled")
    'cafe-central-2'
    """
    parts = topic.split("/")
    if len(parts) < 3 or parts[0] != ROOT or not _NAME.fullmatch(parts[1]) or parts[1] == HUB:
        return None
    return parts[1]


# --- Who may write and read where: `%u` stands for the account that a client has logged in with -----------------------

RIGHTS_OF_BOARDS: Final = (
    ("write", presence_of("%u")),
    ("write", state_of("%u")),
    ("write", settled_of("%u")),
    ("write", outcomes_of("%u")),
    ("write", letters("%u", "+")),
    ("read", letters("+", "%u")),
    ("read", f"{ROOT}/%u/in/#"),
    ("read", HUB_PRESENCE),
    ("write", f"{DISCOVERY}/device/quarto-%u/config"),
    ("read", f"{DISCOVERY}/status"),
    ("write", f"{ROOT}/%u/home/#"),
)
"""A board writes below its own name only, and reads what is meant for it; `home` is what Home Assistant reads."""

RIGHTS_OF_HUB: Final = (
    ("write", HUB_PRESENCE),
    ("read", HUB_PRESENCE),
    ("write", f"{ROOT}/+/in/#"),
    ("read", presence_of("+")),
    ("read", state_of("+")),
    ("read", settled_of("+")),
    ("read", outcomes_of("+")),
    ("write", presence_of("+")),
    ("write", state_of("+")),
)
"""The hub reads all boards, writes to each, and may take away what a board that is gone for good has left retained."""

RIGHTS_OF_HOME: Final = (
    ("read", f"{DISCOVERY}/#"),
    ("write", f"{DISCOVERY}/status"),
    ("read", f"{ROOT}/+/home/#"),
    ("read", presence_of("+")),
)
"""Home Assistant reads what is written for it, and whether each board is there, and nothing of the games themselves."""

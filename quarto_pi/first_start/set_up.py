"""The set-up by phone: a Wi-Fi, what a radio can do, what is seen of the set-up, and how one is gone through."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from quarto_pi.rules import QuartoError

# --- A Wi-Fi by its name and password, and what both may be -----------------------------------------------------------

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


OWN_WIFI_NAME: Final = "QUARTO"
"""Short, so that the code which joins it fits a display of 64 dots."""
LETTERS_TO_TYPE: Final = "23456789abcdefghijkmnpqrstuvwxyz"
"""Without those that look alike: 0 and o, 1 and l."""


def own_wifi() -> WifiNetwork:
    """The board's own Wi-Fi, with a password that nobody has had before."""
    return WifiNetwork(OWN_WIFI_NAME, "".join(secrets.choice(LETTERS_TO_TYPE) for _ in range(FEWEST_IN_WIFI_PASSWORD)))


def code_to_join(wifi: WifiNetwork) -> str:
    r"""What a phone's camera reads to join a Wi-Fi.

    >>> print(code_to_join(WifiNetwork("Joe's; Bar", "back\\slash")))
    WIFI:T:WPA;S:Joe's\; Bar;P:back\\slash;;
    """
    name, password = (
        "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)
        for text in (wifi.name, wifi.password)
    )
    return f"WIFI:T:WPA;S:{name};P:{password};;" if wifi.password else f"WIFI:T:nopass;S:{name};;"


# --- A radio ----------------------------------------------------------------------------------------------------------


class JoinTrouble(Enum):
    """Why a Wi-Fi was not joined."""

    WRONG_PASSWORD = "wrong password"  # noqa: S105 - the word for it
    NOT_FOUND = "not found"
    NO_ADDRESS = "no address"
    NO_ANSWER = "no answer"
    NOT_KEPT = "not kept"
    """It may have been joined, but the answers cannot be kept: the card is full, or broken."""


@dataclass(frozen=True, slots=True)
class VisibleNetwork:
    """A Wi-Fi that can be joined from here, and whether it asks for a password."""

    name: str
    secured: bool


class RadioFails(OSError):
    """The radio does not do what it is told; the text says why."""


class WifiRadio(Protocol):
    """The radio of a board; everything may take its time, and what does not work is raised as `RadioFails`."""

    @property
    def own_address(self) -> str:
        """The board's address in its own Wi-Fi."""

    def knows_network(self) -> bool:
        """Whether the board has a network without being set up: a Wi-Fi that was named, or a cable."""

    def visible(self) -> tuple[VisibleNetwork, ...]:
        """What can be joined, the strongest first; looked for while the own Wi-Fi is closed."""

    def open_own(self, wifi: WifiNetwork) -> None:
        """Open the board's own Wi-Fi."""

    def close_own(self) -> None:
        """Close it; where it is not open nothing happens."""

    def join(self, wifi: WifiNetwork) -> JoinTrouble | None:
        """Join a Wi-Fi for good; where that does not work it is forgotten again."""


# --- What is seen of a set-up -----------------------------------------------------------------------------------------


class SetUpStage(Enum):
    """How far it is."""

    OPENING = "opening"
    OPEN = "open"
    """The own Wi-Fi is open: somebody can answer."""
    JOINING = "joining"
    DONE = "done"
    FAILED = "failed"
    """There is no own Wi-Fi: the file on the card is the only way."""


@dataclass(frozen=True, slots=True)
class SetUpView:
    """What people are to see: the own Wi-Fi, the page's address in it, and what became of the last answers.

    `language` is None until somebody has chosen one; `network` is the one that was chosen.
    """

    stage: SetUpStage
    own: WifiNetwork
    address: str = ""
    language: str | None = None
    network: str = ""
    trouble: JoinTrouble | None = None


@dataclass(frozen=True, slots=True)
class SetUpAnswers:
    """What a phone has answered: the owner's settings by their names, all right, and the Wi-Fi to be joined."""

    settings: Mapping[str, str]
    language: str
    wifi: WifiNetwork | None = None


@dataclass(frozen=True, slots=True)
class SetUpState:
    """Where a set-up stands; the answers are those that are being tried."""

    view: SetUpView
    answers: SetUpAnswers | None = None
    visible: tuple[VisibleNetwork, ...] = field(default=())


def opened(state: SetUpState, address: str, visible: tuple[VisibleNetwork, ...]) -> SetUpState:
    """The own Wi-Fi is open, at first or again."""
    return SetUpState(_with(state.view, SetUpStage.OPEN, address=address), None, visible)


def answered(state: SetUpState, answers: SetUpAnswers) -> SetUpState:
    """Somebody has answered; what comes while others are being tried is too late."""
    if state.view.stage is not SetUpStage.OPEN:
        return state
    name = "" if answers.wifi is None else answers.wifi.name
    stage = SetUpStage.DONE if answers.wifi is None else SetUpStage.JOINING
    view = SetUpView(stage, state.view.own, "", answers.language, name)
    return SetUpState(view, answers, state.visible)


def joined(state: SetUpState, trouble: JoinTrouble | None) -> SetUpState:
    """It was tried to join the Wi-Fi; where that has not worked the own one is to be opened again."""
    stage = SetUpStage.DONE if trouble is None else SetUpStage.OPENING
    return SetUpState(_with(state.view, stage, trouble=trouble), state.answers, state.visible)


def not_kept(state: SetUpState) -> SetUpState:
    """The answers cannot be kept; somebody should know, and may try again."""
    return SetUpState(_with(state.view, SetUpStage.OPENING, trouble=JoinTrouble.NOT_KEPT), None, state.visible)


def failed(state: SetUpState) -> SetUpState:
    """The own Wi-Fi cannot be opened."""
    return SetUpState(_with(state.view, SetUpStage.FAILED), None, state.visible)


def _with(view: SetUpView, stage: SetUpStage, address: str = "", trouble: JoinTrouble | None = None) -> SetUpView:
    return SetUpView(stage, view.own, address, view.language, view.network, trouble or view.trouble)

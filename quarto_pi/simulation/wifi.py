"""A simulated radio, and the Wi-Fis around it: what a phone in the room can join, and what the board can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from quarto_pi.first_start.set_up import JoinTrouble, RadioFails, VisibleNetwork, WifiNetwork

AROUND: Final[Mapping[str, str]] = MappingProxyType(
    {"Café Zoë": "steaming espresso", "Guests": "", "Stairwell: 2nd floor": "very long ladder"}
)
"""The Wi-Fis around a simulated board by their names, with their passwords."""


@dataclass
class SimulatedRadio:
    """A radio among such networks; `without_address` are those that let the board in and then leave it alone."""

    around: Mapping[str, str] = field(default_factory=lambda: AROUND)
    without_address: frozenset[str] = frozenset()
    broken: bool = False
    own: WifiNetwork | None = None
    joined: WifiNetwork | None = None
    opened: list[WifiNetwork] = field(default_factory=list)

    @property
    def own_address(self) -> str:
        """Where a phone reaches the board: on this computer."""
        return "127.0.0.1"

    def knows_network(self) -> bool:
        """Whether it has joined one."""
        return self.joined is not None

    def visible(self) -> tuple[VisibleNetwork, ...]:
        """All that there are; nothing, while it has a network of its own."""
        if self.own is not None:
            return ()
        return tuple(VisibleNetwork(name, bool(password)) for name, password in self.around.items())

    def open_own(self, wifi: WifiNetwork) -> None:
        """Open a Wi-Fi, unless it is broken."""
        if self.broken:
            raise RadioFails("there is no radio.")
        self.own = wifi
        self.opened.append(wifi)

    def close_own(self) -> None:
        """Close it."""
        self.own = None

    def join(self, wifi: WifiNetwork) -> JoinTrouble | None:
        """Join a Wi-Fi, if it is there and the password is right; one radio can't do both at once."""
        if self.own is not None or self.broken:
            return JoinTrouble.NO_ANSWER
        if wifi.name not in self.around:
            return JoinTrouble.NOT_FOUND
        if wifi.password != self.around[wifi.name]:
            return JoinTrouble.WRONG_PASSWORD
        if wifi.name in self.without_address:
            return JoinTrouble.NO_ADDRESS
        self.joined = wifi
        return None

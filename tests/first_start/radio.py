"""What stands below the set-up in tests: a clock that goes by itself, and NetworkManager as its command sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from quarto_pi.first_start.network_manager import NmcliAnswer


class SteppingClock:
    """A clock that stands until somebody waits, and then is there at once."""

    def __init__(self) -> None:
        self.moment = 0

    def now(self) -> int:
        """The microseconds since the start."""
        return self.moment

    def wait_until(self, moment: int) -> None:
        """Be there."""
        self.moment = max(self.moment, moment)


ERRORS = {
    "password": (4, "Error: Connection activation failed: Secrets were required, but not provided"),
    "missing": (4, "Error: Connection activation failed: The Wi-Fi network could not be found"),
    "address": (
        4,
        "Error: Connection activation failed: IP configuration could not be reserved (no available address)",
    ),
    "silent": (4, "Error: Timeout expired (45 seconds)"),
}


def escaped(text: str) -> str:
    """A field as `nmcli --terse` prints it."""
    return text.replace("\\", "\\\\").replace(":", "\\:")


@dataclass
class SimulatedNetworkManager:
    """NetworkManager behind nmcli: its connections, what is around, and how joining that fails."""

    around: Mapping[str, str]
    trouble: Mapping[str, str] = field(default_factory=dict)
    cable: str = "unavailable"
    connections: dict[str, dict[str, str]] = field(default_factory=dict)
    up: set[str] = field(default_factory=set)
    asked: list[Sequence[str]] = field(default_factory=list)

    def run(self, arguments: Sequence[str], seconds: float) -> NmcliAnswer:
        """What nmcli would do."""
        assert seconds > 0
        self.asked.append(arguments)
        words = [word for word in arguments if not word.startswith("--")]
        match words:
            case [fields, "connection", "show"] if fields == "TYPE,NAME":
                return self._said(f"{each['type']}:{escaped(name)}" for name, each in self.connections.items())
            case [_, "connection", "show", name]:
                return self._said(["10.42.0.1/24"] if name in self.up else [])
            case [_, "device"]:
                return self._said([f"ethernet:{self.cable}", "wifi:disconnected", "loopback:unmanaged"])
            case [_, "device", "wifi", "list", "yes"]:
                return self._said(
                    f"{90 - 10 * index}:{'WPA2' if password else ''}:{escaped(name)}"
                    for index, (name, password) in enumerate(self.around.items())
                )
            case ["connection", "delete", "id", name]:
                self.up.discard(name)
                known = self.connections.pop(name, None)
                return NmcliAnswer(0 if known else 10, "", "" if known else f"Error: unknown connection '{name}'.")
            case ["connection", "add", *rest]:
                pairs = dict(zip(rest[::2], rest[1::2], strict=True))
                self.connections[pairs["con-name"]] = {**pairs, "type": "802-11-wireless"}
                return NmcliAnswer(0, "", "")
            case [*_, "connection", "up", "id", name]:
                return self._activated(name)
        raise AssertionError(f"nmcli does not know {arguments}")

    def _activated(self, name: str) -> NmcliAnswer:
        connection = self.connections[name]
        if connection.get("802-11-wireless.mode") != "ap":
            ssid, password = connection["ssid"], connection.get("802-11-wireless-security.psk", "")
            if ssid not in self.around:
                return NmcliAnswer(*self._error("missing"))
            if self.around[ssid] != password:
                return NmcliAnswer(*self._error("password"))
            if ssid in self.trouble:
                return NmcliAnswer(*self._error(self.trouble[ssid]))
        self.up.add(name)
        return NmcliAnswer(0, "", "")

    @staticmethod
    def _error(kind: str) -> tuple[int, str, str]:
        code, said = ERRORS[kind]
        return code, "", said

    @staticmethod
    def _said(lines: Iterable[str]) -> NmcliAnswer:
        return NmcliAnswer(0, "".join(f"{line}\n" for line in lines), "")

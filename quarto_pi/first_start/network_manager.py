"""The radio by way of NetworkManager, whose nmcli does what polkit lets the board's user do."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from quarto_pi.first_start.set_up import JoinTrouble, RadioFails, VisibleNetwork, WifiNetwork

OWN_CONNECTION: Final = "quarto-own"
JOINED_CONNECTION: Final = "quarto-pi"
"""The names under which NetworkManager has the board's own Wi-Fi, and the one that it joins."""
JOIN_SECONDS: Final = 45
COMMAND_SECONDS: Final = 20
MOST_VISIBLE: Final = 20
_SHARED_ADDRESS: Final = "10.42.0.1"
"""What NetworkManager gives the one who shares a network, unless that is taken."""
_WIFI: Final = "802-11-wireless"
_SECURITY: Final = f"{_WIFI}-security"


@dataclass(frozen=True, slots=True)
class NmcliAnswer:
    """How a command has ended, and what it has said."""

    code: int
    out: str
    err: str


def run_nmcli(arguments: Sequence[str], seconds: float) -> NmcliAnswer:
    """Run nmcli, and wait for so long at most."""
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, without a shell
            ["nmcli", *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RadioFails(f"nmcli does not work: {error}.") from error
    return NmcliAnswer(done.returncode, done.stdout, done.stderr)


class NetworkManagerRadio:
    """The radio of a machine whose networks NetworkManager looks after."""

    def __init__(self, run: Callable[[Sequence[str], float], NmcliAnswer] = run_nmcli) -> None:
        self._run = run

    @property
    def own_address(self) -> str:
        """The board's address in its own Wi-Fi."""
        told = self._run(("--get-values", "IP4.ADDRESS", "connection", "show", "--active", OWN_CONNECTION), 5)
        address = told.out.partition("/")[0].strip()
        return address if re.fullmatch(r"[0-9.]+", address) else _SHARED_ADDRESS

    def knows_network(self) -> bool:
        """Whether a Wi-Fi was named, or a cable is connected, or about to be."""
        known = self._ask("--terse", "--fields", "TYPE,NAME", "connection", "show")
        devices = self._ask("--terse", "--fields", "TYPE,STATE", "device")
        return any(kind == _WIFI and name != OWN_CONNECTION for kind, name, *_ in known) or any(
            kind == "ethernet" and state.startswith("connect") for kind, state, *_ in devices
        )

    def visible(self) -> tuple[VisibleNetwork, ...]:
        """What can be joined; what asks for a user's name as well cannot."""
        lines = self._ask("--terse", "--fields", "SIGNAL,SECURITY,SSID", "device", "wifi", "list", "--rescan", "yes")
        strongest = sorted(lines, key=lambda line: -int(line[0]) if line[0].isdecimal() else 0)
        found = {
            name: VisibleNetwork(name, security not in ("", "--"))
            for _, security, name, *_ in reversed(strongest)
            if name and "802.1X" not in security
        }
        return tuple(reversed(found.values()))[:MOST_VISIBLE]

    def open_own(self, wifi: WifiNetwork) -> None:
        """Open the board's own Wi-Fi; it is not written to the card, and is gone with the plug."""
        self.close_own()
        self._do(
            *("connection", "add", "save", "no", "type", "wifi", "ifname", "*", "con-name", OWN_CONNECTION),
            *("autoconnect", "no", "ssid", wifi.name, f"{_WIFI}.mode", "ap", f"{_WIFI}.band", "bg"),
            *(f"{_SECURITY}.key-mgmt", "wpa-psk", f"{_SECURITY}.proto", "rsn", f"{_SECURITY}.pairwise", "ccmp"),
            *(f"{_SECURITY}.group", "ccmp", f"{_SECURITY}.psk", wifi.password),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
        )
        self._do("connection", "up", "id", OWN_CONNECTION)

    def close_own(self) -> None:
        """Close it, and forget it."""
        self._run(("connection", "delete", "id", OWN_CONNECTION), COMMAND_SECONDS)

    def join(self, wifi: WifiNetwork) -> JoinTrouble | None:
        """Join a Wi-Fi, now and at every start."""
        self._forget()
        secured = (f"{_SECURITY}.key-mgmt", "wpa-psk", f"{_SECURITY}.psk", wifi.password) if wifi.password else ()
        self._do(
            *("connection", "add", "type", "wifi", "ifname", "*", "con-name", JOINED_CONNECTION, "ssid", wifi.name),
            *("connection.autoconnect-retries", "0", *secured),
        )
        try:
            up = ("--wait", f"{JOIN_SECONDS}", "connection", "up", "id", JOINED_CONNECTION)
            told = self._run(up, JOIN_SECONDS + COMMAND_SECONDS)
        except RadioFails:
            self._forget()
            return JoinTrouble.NO_ANSWER
        if told.code == 0:
            return None
        self._forget()
        return _trouble(told.err)

    def _forget(self) -> None:
        self._run(("connection", "delete", "id", JOINED_CONNECTION), COMMAND_SECONDS)

    def _do(self, *arguments: str) -> NmcliAnswer:
        told = self._run(arguments, COMMAND_SECONDS)
        if told.code:
            raise RadioFails(f"NetworkManager refuses: {told.err.strip().removeprefix('Error: ') or told.code}")
        return told

    def _ask(self, *arguments: str) -> list[list[str]]:
        """The lines that are answered, each in its fields; a colon within one has a backslash before it."""
        found = [re.findall(r"((?:\\.|[^:\\])*)(:|$)", line) for line in self._do(*arguments).out.splitlines()]
        # Behind the last field, which no colon follows, there is nothing more.
        return [[_unescaped(part) for part, _ in parts[: [end for _, end in parts].index("") + 1]] for parts in found]


def _unescaped(part: str) -> str:
    return re.sub(r"\\(.)", r"\1", part)


def _trouble(said: str) -> JoinTrouble:
    """What nmcli's words mean."""
    words = said.lower()
    if "secrets were required" in words or "802-11-wireless-security" in words:
        return JoinTrouble.WRONG_PASSWORD
    if "could not be found" in words or "no network with ssid" in words:
        return JoinTrouble.NOT_FOUND
    return JoinTrouble.NO_ADDRESS if "ip configuration" in words else JoinTrouble.NO_ANSWER

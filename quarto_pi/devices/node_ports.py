"""Finding the node among the serial ports, and opening its port."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Protocol

import serial
from serial.tools import list_ports

from quarto_pi.devices.upkeep import Trouble

VENDOR: Final = 0x2E8A  # Raspberry Pi
PRODUCT: Final = "quarto-pi node"
BAUD: Final = 115_200  # USB takes no notice of it
MOST_AT_ONCE: Final = 4096
WRITE_SECONDS: Final = 0.02
"""How long a node that takes nothing may hold the host up; without any, pyserial would try for ever."""


class Port:
    """An open serial port; what goes wrong with it is trouble that says what to do."""

    def __init__(self, opened: serial.Serial) -> None:
        self._serial = opened

    def read(self) -> bytes:
        """Return what has come in."""
        try:
            data: bytes = self._serial.read(MOST_AT_ONCE)
        except (OSError, TypeError) as error:  # pyserial's own descriptor is None once it has failed
            raise _unplugged() from error
        return data

    def write(self, data: bytes) -> None:
        """Send this; what the other side does not take in time is lost."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException:
            return
        except (OSError, TypeError) as error:
            raise _unplugged() from error

    def close(self) -> None:
        """Close the port, in whatever condition it is; a second call does nothing."""
        with suppress(OSError, TypeError):
            self._serial.close()


class Listed(Protocol):
    """What the system says about a serial port."""

    device: str
    vid: int | None
    product: str | None


def picos(listed: Iterable[Listed] | None = None) -> list[Listed]:
    """The ports of everything that the maker of the Pico has made."""
    return [port for port in (list_ports.comports() if listed is None else listed) if port.vid == VENDOR]


def nodes(listed: Iterable[Listed] | None = None) -> list[str]:
    """The ports of nodes: of Picos that call themselves one."""
    return [port.device for port in picos(listed) if port.product == PRODUCT]


def find_node(listed: Iterable[Listed] | None = None) -> str:
    """The port of the one node that is plugged in."""
    there = picos(listed)
    found = nodes(there)
    if len(found) == 1:
        return found[0]
    if found:
        raise Trouble(f"there are {len(found)} nodes ({', '.join(found)})", "name the port in [node] port")
    if there:
        names = ", ".join(port.device for port in there)
        todo = "run 'quarto-pi firmware', or name its port in [node] port if it has the firmware"
        raise Trouble(f"there is a Pico ({names}), but it does not call itself a node", todo)
    raise Trouble("no node is plugged in", "plug the Pico in")


def open_port(name: str) -> Port:
    """Open the port with this name, or the one of the node that is found."""
    name = name or find_node()
    try:
        return Port(serial.Serial(name, BAUD, timeout=0, write_timeout=WRITE_SECONDS, exclusive=True))
    except (OSError, ValueError) as error:
        raise _closed(name, error) from error


def _unplugged() -> Trouble:
    return Trouble("the node was unplugged", "plug it in")


def _closed(name: str, error: Exception) -> Trouble:
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return Trouble(f"there is no {name}", "plug the Pico in, or name its port in [node] port")
        case errno.EACCES | errno.EPERM:
            return Trouble(f"{name} may not be opened", "become a member of the group dialout, and log in again")
        case errno.EAGAIN | errno.EBUSY:
            return Trouble(f"{name} is in use", "end the other program that uses it")
    return Trouble(f"{name} cannot be opened ({error})", "unplug the Pico and plug it in")

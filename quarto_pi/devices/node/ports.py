"""Finding the node among the serial ports, and opening its port: all that is asked of pyserial is asked here."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Protocol

import serial
from serial.tools import list_ports

from quarto_pi.devices.upkeep import Trouble

VENDOR: Final = 0x2E8A  # Raspberry Pi
PRODUCT: Final = "quarto-pi node"
BAUD: Final = 115_200  # USB takes no notice of it
MOST_READ_BYTES: Final = 4096
WRITE_SECONDS: Final = 0.02
"""How long a node that takes nothing may hold the host up; without any, pyserial would try for ever."""
LOOKS: Final = 3
"""How often the ports are listed at the most: a cable that goes meanwhile, of whatever device, breaks the list."""

FAILURES: Final = (OSError, termios.error, TypeError, ValueError)
"""What pyserial raises when a cable goes while it is at work.

`OSError`: what the system says of a device that is gone; `SerialException` is one. `termios.error`: the same about a
terminal's settings, and no `OSError`. `TypeError`: pyserial goes on with what is None by then, its descriptor, or a
number that /sys no longer has. `ValueError`: a descriptor of -1, and a line of /sys that is empty or cut off.
"""


class Listed(Protocol):
    """What the system says about a serial port."""

    @property
    def device(self) -> str:
        """Its name."""

    @property
    def vid(self) -> int | None:
        """Its maker."""

    @property
    def product(self) -> str | None:
        """What it calls itself."""

    @property
    def serial_number(self) -> str | None:
        """Which of all alike it is."""


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A port of which nothing is known but its name."""

    device: str
    vid: int | None = None
    product: str | None = None
    serial_number: str | None = None


class SerialPort:
    """An open serial port; what goes wrong with it is trouble that says what to do."""

    def __init__(self, opened: serial.Serial) -> None:
        self._serial = opened

    def read(self) -> bytes:
        """Return what has come in."""
        with _failing(_unplugged):
            data: bytes = self._serial.read(MOST_READ_BYTES)
        return data

    def write(self, data: bytes) -> None:
        """Send this; what the other side does not take in time is lost."""
        with _failing(_unplugged), suppress(serial.SerialTimeoutException):
            self._serial.write(data)

    def close(self) -> None:
        """Close the port, in whatever condition it is; a second call does nothing."""
        with suppress(*FAILURES):
            self._serial.close()
            return
        # Its descriptor is closed all the same, and may soon be something else's: pyserial must not close it again.
        ends = ("pipe_abort_read_r", "pipe_abort_read_w", "pipe_abort_write_r", "pipe_abort_write_w")
        for pipe in [getattr(self._serial, end, None) for end in ends]:
            if pipe is not None:
                with suppress(OSError):
                    os.close(pipe)
        self._serial.fd = None
        self._serial.is_open = False


def ports() -> list[Listed]:
    """All serial ports that there are."""
    for _ in range(LOOKS - 1):
        with suppress(*FAILURES):
            return list(list_ports.comports())
    with _failing(_not_listed):
        return list(list_ports.comports())


def picos(listed: Iterable[Listed] | None = None) -> list[Listed]:
    """The ports of everything that the maker of the Pico has made."""
    return [port for port in (ports() if listed is None else listed) if port.vid == VENDOR]


def nodes(listed: Iterable[Listed] | None = None) -> list[Listed]:
    """The ports of nodes: of Picos that call themselves one."""
    return [port for port in picos(listed) if port.product == PRODUCT]


def named(port: Listed) -> str:
    """A port with its product and its serial number, as far as they are known."""
    known = (port.product or "product unknown", f"serial number {port.serial_number or 'unknown'}")
    return f"{port.device} ({', '.join(known)})"


def find_node(listed: Iterable[Listed] | None = None) -> str:
    """The port of the one node that is plugged in."""
    there = picos(listed)
    found = nodes(there)
    if len(found) == 1:
        return found[0].device
    if found:
        names = ", ".join(map(named, found))
        raise Trouble(f"there are {len(found)} nodes: {names}", "name the serial number of one in [node] port")
    if there:
        names = ", ".join(map(named, there))
        todo = "run 'quarto-pi firmware', or name its serial number in [node] port if it has the firmware"
        raise Trouble(f"there is a Pico, but it does not call itself a node: {names}", todo)
    raise Trouble("no node is plugged in", "plug the Pico in")


def find_port(name: str, listed: Iterable[Listed] | None = None) -> Listed:
    """What has this serial number, or this port."""
    there = ports() if listed is None else list(listed)
    if os.sep in name:
        # Under /dev/serial there are other names for the same ports.
        same = [port for port in there if os.path.realpath(port.device) == os.path.realpath(name)]
        return same[0] if same else Unlisted(name)
    for port in there:
        if name == port.device or name.lower() == (port.serial_number or "").lower():
            return port
    known = "; ".join(map(named, picos(there)))
    todo = "plug it in, or name one that is there" if known else "plug it in"
    raise Trouble(f"nothing with the serial number {name} is plugged in{f', only {known}' if known else ''}", todo)


def open_port(name: str) -> SerialPort:
    """Open the port with this name or serial number, without any the one of the node that is found."""
    if not name:
        name = find_node()
    elif os.sep not in name:
        name = find_port(name).device
    with _failing(lambda error: _closed(name, error)):
        return SerialPort(serial.Serial(name, BAUD, timeout=0, write_timeout=WRITE_SECONDS, exclusive=True))


@contextmanager
def _failing(trouble: Callable[[Exception], Trouble]) -> Iterator[None]:
    """What fails in a single call of pyserial is trouble, and never the end of a run."""
    try:
        yield
    except FAILURES as error:
        raise trouble(error) from error


def _unplugged(_: Exception) -> Trouble:
    return Trouble("the node was unplugged", "plug it in")


def _not_listed(error: Exception) -> Trouble:
    return Trouble(f"the serial ports cannot be listed ({error})", "name the node's port in [node] port")


def _closed(name: str, error: Exception) -> Trouble:
    # What the system says of a terminal has its number and its reason in the same places.
    number, reason = (error.args[0], error.args[-1]) if error.args else (None, error)
    match number:
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return Trouble(f"there is no {name}", "plug the Pico in, or name its port in [node] port")
        case errno.EACCES | errno.EPERM:
            return Trouble(f"{name} may not be opened", "become a member of the group dialout, and log in again")
        case errno.EAGAIN | errno.EBUSY:
            return Trouble(f"{name} is in use", "end the other program that uses it")
    return Trouble(f"{name} cannot be opened ({reason})", "unplug the Pico and plug it in")

"""The computer's USB as pyserial sees it: /dev and /sys, and every call on a port, at each of which a cable may go.

pyserial is the real one; only the names `os`, `glob`, `fcntl`, `termios`, `select` and `open` in its modules lead here.
"""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import select
import shutil
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from serial import serialposix
from serial.tools import list_ports_linux

PICO: Final = "2e8a"
ON_A_PORT: Final = {
    "os": ("open", "read", "write", "close"),
    "fcntl": ("flock", "ioctl"),
    "termios": ("tcgetattr", "tcsetattr", "tcflush"),
    "select": ("select",),
}
IN_THE_LIST: Final = ("exists", "realpath")
ERRORS: Final[dict[str, tuple[Exception, ...]]] = {
    "open": tuple(OSError(number, os.strerror(number)) for number in (errno.ENXIO, errno.EIO, errno.EBUSY)),
    "termios": tuple(termios.error(number, os.strerror(number)) for number in (errno.EIO, errno.ENODEV)),
    "select": (OSError(errno.EBADF, "Bad file descriptor"), ValueError("file descriptor cannot be a negative integer")),
    "": tuple(OSError(number, os.strerror(number)) for number in (errno.EIO, errno.ENODEV)),
}
"""What the calls raise when a cable goes, by the call or by its module."""


@dataclass
class Listing:
    """What /sys says about a port."""

    product: str | None = None
    serial_number: str | None = None
    vendor: str = PICO


class Usb:
    """The ports of a computer; `before_call` is told of every call before it is made, and may let a cable go."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.calls: list[str] = []
        self.before_call: Callable[[str], None] = lambda _: None
        self._ports: set[int] = set()
        for folder in ("dev", "sys/class/tty", "sys/bus/usb"):
            (root / folder).mkdir(parents=True, exist_ok=True)

    def port(self, name: str) -> Path:
        """Where a port stands while something is plugged in there."""
        return self._root / "dev" / name

    def plug_in(self, name: str, listing: Listing) -> None:
        """Have something listed."""
        device = self._device(name)
        interface = device / "1-1:1.0"
        interface.mkdir(parents=True)
        (interface / "subsystem").symlink_to(self._root / "sys/bus/usb")
        lines = {"idVendor": listing.vendor, "idProduct": "0005", "bNumInterfaces": " 2", "manufacturer": "MicroPython"}
        given = {"product": listing.product, "serial": listing.serial_number}
        for file, line in {**lines, **{key: value for key, value in given.items() if value is not None}}.items():
            (device / file).write_text(f"{line}\n")
        (self._root / "sys/class/tty" / name).mkdir()
        (self._root / "sys/class/tty" / name / "device").symlink_to(interface)

    def unplug(self, name: str) -> None:
        """Have it listed no more."""
        shutil.rmtree(self._root / "sys/class/tty" / name, ignore_errors=True)
        shutil.rmtree(self._device(name), ignore_errors=True)

    def _device(self, name: str) -> Path:
        return self._root / "sys/devices" / name

    @contextmanager
    def below_pyserial(self) -> Iterator[None]:
        """Have pyserial see this computer."""
        kept = {name: getattr(serialposix, name) for name in ON_A_PORT}
        listed = {name: getattr(list_ports_linux, name) for name in ("os", "glob")}
        try:
            for name, module in (("os", os), ("fcntl", fcntl), ("termios", termios), ("select", select)):
                calls = {call: self._on_a_port(name, call, getattr(module, call)) for call in ON_A_PORT[name]}
                setattr(serialposix, name, _Names(module, calls))
            paths = {name: self._in_the_list(name, getattr(os.path, name)) for name in IN_THE_LIST}
            # A port that leads on to a pseudo-terminal is a port all the same.
            paths["islink"] = lambda _: False
            list_ports_linux.os = _Names(os, {"path": _Names(os.path, paths)})  # type: ignore[attr-defined]
            list_ports_linux.glob = _Names(glob, {"glob": self._in_the_list("glob", glob.glob)})  # type: ignore[attr-defined]
            list_ports_linux.open = self._in_the_list("open", open)  # type: ignore[attr-defined]
            yield
        finally:
            for name, module in kept.items():
                setattr(serialposix, name, module)
            for name, module in listed.items():
                setattr(list_ports_linux, name, module)
            if hasattr(list_ports_linux, "open"):
                del list_ports_linux.open

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self.before_call(call)

    def _in_the_list(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: str) -> Any:  # noqa: ANN401 - whatever the function returns
            self._note(f"list.{name}")
            return function(f"{self._root}{path}" if path.startswith(("/dev/", "/sys/")) else path)

        return call

    def _on_a_port(self, module: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:  # noqa: ANN401
            on = given[0]
            if name == "open":
                self._note("os.open")
                self._ports.add(opened := function(*given))
                return opened
            if name == "close" and on in self._ports:
                # A descriptor is closed whatever close says: man 2 close.
                function(on)
                self._ports.discard(on)
                self._note("os.close")
                return None
            if on in self._ports if isinstance(on, int) else any(end in self._ports for end in (*on, *given[1])):
                self._note(f"{module}.{name}")
            return function(*given)

        return call


class _Names:
    """A module of which some names lead elsewhere."""

    def __init__(self, module: ModuleType, names: dict[str, Any]) -> None:
        self._module = module
        self._names = names

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return self._names[name] if name in self._names else getattr(self._module, name)


def errors_of(call: str) -> tuple[Exception, ...]:
    """What a call on a port may raise when the cable goes."""
    module, _, name = call.partition(".")
    if module == "list":
        return ()
    return ERRORS.get(name) or ERRORS.get(module) or ERRORS[""]

"""A Pico's end of a USB cable in the virtual machine: a serial gadget on a USB host that is a program (dummy_hcd).

The Pico itself is a computer of its own: what goes through the cable leaves the machine by a port. Writing the name of
the controller into the gadget's file `UDC` is putting the cable in, an empty line pulls it out.
"""

from __future__ import annotations

import errno
import os
import selectors
import sys
import time
import tty
from contextlib import suppress
from pathlib import Path
from typing import Final

GADGET: Final = Path("/sys/kernel/config/usb_gadget/pico")
CONTROLLER: Final = "dummy_udc.0"
DEVICE: Final = Path("/dev/ttyGS0")
AT_ONCE: Final = 4096
WRITTEN: Final = {
    "idVendor": "0x2e8a",
    "idProduct": "0x0005",
    "bcdDevice": "0x0100",
    "strings/0x409/manufacturer": "MicroPython",
    "strings/0x409/product": "quarto-pi node",
    "strings/0x409/serialnumber": "E66164084373532B",
    "configs/c.1/MaxPower": "250",
}
"""As the firmware's boot.py describes itself (firmware/boot.py), on Raspberry Pi's own numbers."""


def make_gadget(gadget: Path = GADGET) -> None:
    """Describe it; the cable is not in yet."""
    for folder in ("strings/0x409", "configs/c.1", "functions/acm.usb0"):
        (gadget / folder).mkdir(parents=True, exist_ok=True)
    for name, value in WRITTEN.items():
        (gadget / name).write_text(f"{value}\n")
    (gadget / "configs/c.1/acm.usb0").symlink_to(gadget / "functions/acm.usb0")


class Relay:
    """Carries bytes between the gadget's terminal and the port that leads out of the machine."""

    def __init__(self, port: Path) -> None:
        self._port = os.open(port, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._terminal: int | None = None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._port, selectors.EVENT_READ)

    def run(self) -> None:
        """Carry for ever."""
        while True:
            if self._terminal is None:
                self._open_terminal()
            for key, _ in self._selector.select(0.2):
                if key.fd == self._port:
                    self._carry(self._port, self._terminal)
                else:
                    self._carry(key.fd, self._port)

    def _open_terminal(self) -> None:
        with suppress(OSError):
            opened = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
            tty.setraw(opened)
            self._selector.register(opened, selectors.EVENT_READ)
            self._terminal = opened

    def _carry(self, source: int, target: int | None) -> None:
        try:
            data = os.read(source, AT_ONCE)
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno != errno.EIO or source == self._port:
                raise
            data = b""
        if not data:
            if source == self._port:
                # Nobody is at the other end yet.
                time.sleep(0.05)
            else:
                self._let_go()
            return
        # What finds no room is lost, as on any cable that nobody reads.
        with suppress(BlockingIOError, OSError):
            if target is not None:
                os.write(target, data)

    def _let_go(self) -> None:
        assert self._terminal is not None
        self._selector.unregister(self._terminal)
        os.close(self._terminal)
        self._terminal = None


def main() -> None:
    """Make the gadget, with the cable out, and carry what goes through it."""
    make_gadget()
    Relay(Path(sys.argv[1])).run()


if __name__ == "__main__":
    main()

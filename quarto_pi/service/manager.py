"""The service manager that has started us, and what it is told; switching the machine off.

The protocol is one datagram of lines on a socket. That is less than what a package for it would have to be watched for.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import MutableMapping, Sequence
from typing import Final, Self

from quarto_pi.referee import Effect, ShutDown

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"
USEC_PER_MS: Final = 1000
_VARIABLES: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


class ServiceManager:
    """Hears what it is told, if it is there; `patience_ms` is how long it waits for a sign of life, 0 for ever."""

    def __init__(self, address: str = "", patience_ms: int = 0) -> None:
        # An address that begins with @ is in Linux's abstract namespace.
        self._address = address.replace("@", "\0", 1) if address.startswith("@") else address
        self.patience_ms = patience_ms

    @classmethod
    def of(cls, environ: MutableMapping[str, str], pid: int) -> Self:
        """The one that the environment names, if any; its variables are taken out: our children are not the service."""
        address, patience, whom = (environ.pop(name, "") for name in _VARIABLES)
        is_for_us = patience.isdecimal() and whom in ("", str(pid))
        return cls(address, int(patience) // USEC_PER_MS if is_for_us else 0)

    def tell(self, *lines: str) -> bool:
        """Send this, and return whether it has arrived; it never waits and never fails."""
        if not self._address:
            return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.setblocking(False)
            try:
                line.sendto("\n".join(lines).encode(), self._address)
            except OSError:
                # Its queue is full, or it is being started anew: whoever tells something important says it again.
                return False
        return True


# --- Switching the machine off as people ask for it in the menu: logind does it, and polkit says who may ask ----------

POWER_OFF: Final = (
    *("busctl", "call", "org.freedesktop.login1", "/org/freedesktop/login1"),
    *("org.freedesktop.login1.Manager", "PowerOff", "b", "false"),
)
"""Not interactive: nobody could type a password."""
POWER_OFF_SECONDS: Final = 30


class PowerOffRefused(OSError):
    """The machine stays on; the text says why."""


class PowerSwitch:
    """Knows whether people have switched the board off in its menu."""

    def __init__(self) -> None:
        self.off = False

    def perform(self, effect: Effect) -> None:
        """Take the menu's word."""
        self.off |= isinstance(effect, ShutDown)

    def tick(self, now: int) -> None:
        """Nothing: a switch does not move by itself."""


def power_off(command: Sequence[str] = POWER_OFF) -> None:
    """Have the machine switched off, as the user that we are; returns once it has been promised."""
    try:
        subprocess.run(  # noqa: S603 - the command above
            command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=POWER_OFF_SECONDS
        )
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip().removeprefix("Call failed: ") or f"exit code {error.returncode}"
        raise PowerOffRefused(
            f"the machine can't be switched off ({reason.rstrip('.')}): run the installer again for the rule that "
            "lets the board do it."
        ) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerOffRefused(f"the machine can't be switched off: {command[0]} does not work ({error}).") from error

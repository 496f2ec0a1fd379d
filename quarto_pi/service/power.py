"""Switching the machine off as people ask for it in the menu: logind does it, and polkit says who may ask."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Final

from quarto_pi.referee import Effect, ShutDown

POWER_OFF: Final = (
    *("busctl", "call", "org.freedesktop.login1", "/org/freedesktop/login1"),
    *("org.freedesktop.login1.Manager", "PowerOff", "b", "false"),
)
"""Not interactive: nobody could type a password."""
PATIENCE_SECONDS: Final = 30


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
            command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS
        )
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip().removeprefix("Call failed: ") or f"exit code {error.returncode}"
        raise PowerOffRefused(
            f"the machine can't be switched off ({reason.rstrip('.')}): run the installer again for the rule that "
            "lets the board do it."
        ) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerOffRefused(f"the machine can't be switched off: {command[0]} does not work ({error}).") from error

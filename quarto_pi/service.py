"""The controller as a service: what the service manager is told, by a watchdog, and how the machine is switched off.

The protocol is one datagram of lines on a socket. That is less than what a package for it would have to be watched for.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Final, Self

from quarto_pi.referee import Effect, Show, ShutDown

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


# --- Vital signs: what must move for the controller to count as alive -------------------------------------------------

VitalSign = Callable[[], bool]
"""Whether something has moved since this was asked last."""


def counted(count: Callable[[], int]) -> VitalSign:
    """The vital sign of something that counts what it does.

    >>> strokes = iter((1, 1, 2))
    >>> moved = counted(lambda: next(strokes))
    >>> moved(), moved(), moved()
    (True, False, True)
    """
    before = 0

    def has_moved() -> bool:
        nonlocal before
        now = count()
        moved, before = now != before, now
        return moved

    return has_moved


class VitalSigns:
    """Named signs, each of which has to move between two meals of the watchdog."""

    def __init__(self, signs: Mapping[str, VitalSign]) -> None:
        self._signs = dict(signs)
        self._missing = set(signs)

    def look(self) -> tuple[str, ...]:
        """Take note of what has moved, and return the names of what has not since `forget`."""
        # All are asked every time: what moved before a meal does not count for the next one.
        self._missing -= {name for name, has_moved in self._signs.items() if has_moved()}
        return tuple(name for name in self._signs if name in self._missing)

    def forget(self) -> None:
        """From now on everything has to move again."""
        self._missing = set(self._signs)


# --- What is told, and when -------------------------------------------------------------------------------------------

MEALS: Final = 4
"""How often the watchdog is fed within the time that it waits, while all moves."""
STATUS_EVERY_MS: Final = 1000
ASLEEP: Final = "asleep"
"""What the status says instead of a phase where nobody has been at the board for long, or the house is closed."""

ReaderCounts = Callable[[], tuple[int, int]]
"""How many readers answer, and how many there are."""


class Watchdog:
    """An output that shows nothing. A loop that hangs does not tick, so the watchdog is not fed and has it restarted.

    A reader, a display or a disk that fails is not among the signs: the board goes on without it, and must.
    """

    def __init__(self, manager: ServiceManager) -> None:
        self._manager = manager
        self._signs = VitalSigns({})
        self._readers: ReaderCounts = lambda: (0, 0)
        self._has_begun: Callable[[], bool] = lambda: False
        self._ready = False
        self._phase = "starting"
        self._status = ""
        self._meal_at = 0
        self._status_at = 0

    def attend(
        self,
        signs: Mapping[str, VitalSign],
        readers: ReaderCounts,
        has_begun: Callable[[], bool],
        doing: str = "starting",
    ) -> None:
        """Answer for these vital signs; the board is ready once it has begun. Each loop has a time of its own."""
        self._meal_at = self._status_at = 0
        self._phase = doing
        self._signs = VitalSigns(signs)
        self._readers = readers
        self._has_begun = has_begun

    def perform(self, effect: Effect) -> None:
        """Know what the game is at."""
        if isinstance(effect, Show):
            # With an opponent that always plays, the phase alone does not tell whether anybody is there.
            self._phase = ASLEEP if effect.view.asleep else effect.view.phase.value

    def tick(self, now: int) -> None:
        """Say once that the board is ready; from then on that it lives, if it does, and how it is."""
        if not self._ready:
            if not (self._has_begun() and self._manager.tell(READY, *self._status_lines(()))):
                return
            self._ready = True
            self._meal_at = now
        self._tell_status(self._feed(now), now)

    def close(self) -> None:
        """Say that the board ends."""
        self._manager.tell(STOPPING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _feed(self, now: int) -> tuple[str, ...]:
        """Feed the watchdog if it is time and all has moved; return what has not, if that is why it goes hungry."""
        still = self._signs.look()
        if not self._manager.patience_ms or now < self._meal_at:
            return ()
        if not still and self._manager.tell(ALIVE):
            self._signs.forget()
            self._meal_at = now + self._manager.patience_ms // MEALS
        return still

    def _tell_status(self, still: tuple[str, ...], now: int) -> None:
        if now < self._status_at:
            return
        self._status_at = now + STATUS_EVERY_MS
        lines = self._status_lines(still)
        if lines[0] != self._status and self._manager.tell(*lines):
            self._status = lines[0]

    def _status_lines(self, still: tuple[str, ...]) -> tuple[str]:
        answering, there = self._readers()
        parts = [self._phase, f"{answering} of {there} readers answer", *(f"{name} stands still" for name in still)]
        return (f"STATUS={'; '.join(parts)}",)

"""Keeping a slow device that may come and go at the newest wanted state, without holding anybody up."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypeVar

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.settings import DevicePatience

_State = TypeVar("_State")
_Wanted_contra = TypeVar("_Wanted_contra", contravariant=True)

DEVICE_CLOSE_SECONDS: Final = 2.0
"""How long closing waits for a write that is under way; a stuck one is left behind."""


class ClosedWith(ABC):
    """Something that is closed at the end of a `with`."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Trouble(Exception):
    """A device cannot be used now: what is wrong, and what to do about it."""

    def __init__(self, detail: str, todo: str) -> None:
        super().__init__(f"{detail}: {todo}")
        self.detail = detail
        self.todo = todo


@dataclass(frozen=True, slots=True)
class DeviceCondition:
    """How a device is doing: since which microsecond of the clock, what is wrong and what to do."""

    ok: bool
    since: int
    detail: str = ""
    todo: str = ""


class Device(Protocol[_Wanted_contra]):
    """A device that can be opened, brought to a state, and closed; each raises `Trouble` and nothing else."""

    def open(self) -> None:
        """Connect and set up."""

    def write(self, state: _Wanted_contra) -> None:
        """Bring the device to this state."""

    def refresh(self, state: _Wanted_contra) -> None:
        """Bring the device to this state as if nothing were known about it."""

    def close(self) -> None:
        """Let go of it, in whatever condition it is; never raises."""


class Upkeep(ClosedWith, Generic[_State]):
    """Brings a device to the newest wanted state; older ones that were not sent yet are dropped.

    `step` does one piece of work. `start` has a thread of its own do the steps; without it, the caller does.
    """

    def __init__(self, device: Device[_State], clock: Clock, patience: DevicePatience, first: _State) -> None:
        self._device = device
        self._clock = clock
        self._patience = patience
        self._changed = threading.Condition()
        self._wanted = first
        self._pending = False
        self._frame_waits = False
        self._closing = False
        self._thread: threading.Thread | None = None
        self._open = False
        self._wait_ms = patience.first_ms
        self._retry_at = clock.now()
        self._refresh_at = clock.now()
        self._condition = DeviceCondition(True, clock.now())
        self._busy_since: int | None = None
        self.dropped = 0

    # -- the caller's side: never waits ------------------------------------------------------------------------

    @property
    def wanted(self) -> _State:
        """The newest wanted state."""
        return self._wanted

    def want(self, state: _State, *, frame: bool = True) -> None:
        """Have the device brought to this state as soon as it can be; only lost frames count as dropped."""
        with self._changed:
            self.dropped += frame and self._frame_waits
            self._frame_waits |= frame
            self._wanted, self._pending = state, True
            self._changed.notify()

    @property
    def condition(self) -> DeviceCondition:
        """How the device is doing; a write that does not come back counts as trouble."""
        busy_since = self._busy_since
        if busy_since is not None and self._condition.ok:
            stuck_ms = (self._clock.now() - busy_since) // US_PER_MS
            if stuck_ms >= self._patience.stuck_after_ms:
                return DeviceCondition(
                    False, busy_since, "the bus does not come back", "unplug the device and plug it in"
                )
        return self._condition

    # -- the worker's side -------------------------------------------------------------------------------------

    def step(self) -> int | None:
        """Do one piece of work; return the moment when there may be more, None for when something new is wanted."""
        now = self._clock.now()
        if not self._open and now < self._retry_at:
            return self._retry_at
        self._busy_since = now
        try:
            self._work(now)
        except Trouble as trouble:
            return self._fail(now, trouble)
        finally:
            self._busy_since = None
        return self._refresh_at if self._patience.refresh_ms else None

    def _work(self, now: int) -> None:
        opened = not self._open
        if opened:
            self._device.open()
            self._open = True
        with self._changed:
            state, pending, self._pending = self._wanted, self._pending, False
            self._frame_waits = False
        if not opened and self._patience.refresh_ms and now >= self._refresh_at:
            self._device.refresh(state)
        elif opened or pending:
            self._device.write(state)
            if not opened:
                return
        else:
            return
        # Only what went all the way through counts as a recovery: flaky wires are met with growing patience.
        self._wait_ms = self._patience.first_ms
        self._refresh_at = self._clock.now() + self._patience.refresh_ms * US_PER_MS
        if not self._condition.ok:
            self._condition = DeviceCondition(True, self._clock.now())

    def _fail(self, now: int, trouble: Trouble) -> int:
        since = now if self._condition.ok else self._condition.since
        self._condition = DeviceCondition(False, since, trouble.detail, trouble.todo)
        self._device.close()
        self._open = False
        self._retry_at = self._clock.now() + self._wait_ms * US_PER_MS
        self._wait_ms = min(2 * self._wait_ms, self._patience.most_ms)
        return self._retry_at

    # -- the thread --------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Have a thread do the steps from now on."""
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._run, name=type(self._device).__name__, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._closing:
            due = self.step()
            with self._changed:
                if not self._closing and not (self._pending and self._open):
                    self._changed.wait(None if due is None else max(0, due - self._clock.now()) / 1_000_000)
        self._end()

    def _end(self) -> None:
        """Send what is still wanted, if the device is there, and let go of it."""
        if self._open and self._pending:
            self.step()
        self._device.close()
        self._open = False

    def close(self) -> None:
        """Send what is still wanted and let go of the device; a second call does nothing."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify()
        if self._thread is None:
            self._end()
        else:
            self._thread.join(DEVICE_CLOSE_SECONDS)


class UpkeptDevice(ClosedWith, Generic[_State]):
    """A device as the rest of the program sees it: told what it is to show, kept at that by `upkeep`."""

    def __init__(self, upkeep: Upkeep[_State]) -> None:
        self._upkeep = upkeep

    @property
    def condition(self) -> DeviceCondition:
        """How it is doing, as far as its bus can tell, since when, and what to do about it."""
        return self._upkeep.condition

    @property
    def dropped(self) -> int:
        """How many states were never sent because newer ones came."""
        return self._upkeep.dropped

    def step(self) -> int | None:
        """Do one piece of the worker's work, where no thread does it; see `Upkeep.step`."""
        return self._upkeep.step()

    def start(self) -> None:
        """Have a thread do the work from now on."""
        self._upkeep.start()

    def close(self) -> None:
        """Send what is still wanted and let go of the device; a second call does nothing."""
        self._upkeep.close()


SILENT_AFTER_MS: Final = 10_000
ANSWERS_AFTER_MS: Final = 60_000
"""A device with a loose wire comes and goes: people are not told so again and again."""


class SilenceWatch(Generic[_State]):
    """Knows whether a device has not answered for so long that somebody should know."""

    def __init__(self, device: UpkeptDevice[_State], clock: Clock) -> None:
        self._device, self._clock = device, clock
        self._silent = False

    def is_silent(self) -> bool:
        """Look, and say whether it has not answered for a while, or has not been answering for long again."""
        condition = self._device.condition
        lasted_ms = (self._clock.now() - condition.since) // US_PER_MS
        self._silent = lasted_ms < ANSWERS_AFTER_MS if self._silent and condition.ok else self._silent
        if not condition.ok and lasted_ms >= SILENT_AFTER_MS:
            self._silent = True
        return self._silent

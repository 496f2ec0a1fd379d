"""How a board is wired to a Pico, and where that is; the Pico's clock in terms of the host's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.interface import Hung, Surroundings
from quarto_pi.devices.settings import LEAST_READER_HZ, MOST_READER_HZ, NO_READER_HZ, DevicePatience, SettingsError
from quarto_pi.firmware import pins
from quarto_pi.firmware.protocol import since

# --- How a board's readers, buttons and lights are wired to a Pico, and where the Pico is -----------------------------

FREE_PINS: Final = (*range(23), 26, 27, 28)
BUS_PINS: Final = {pins.MISO: "SPI (MISO)", pins.SCK: "SPI (clock)", pins.MOSI: "SPI (MOSI)"}
PWM_APART: Final = 16
"""Pins so far apart hang on the same channel of the Pico's PWM."""


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """The Pico's serial port or serial number, empty for the one that is found, and its pins by their GP numbers."""

    port: str = ""
    spi_hz: int = pins.SPI_HZ
    address_pins: tuple[int, int, int, int] = pins.ADDRESS
    enable_pin: int = pins.ENABLE
    offer_pin: int = pins.OFFER
    reset_pin: int = pins.RESET
    call_pin: int = pins.CALL
    second_pin: int = pins.SECOND
    menu_pin: int = pins.MENU
    light_pins: tuple[int, int, int] = pins.LIGHTS
    patience: DevicePatience = field(default_factory=DevicePatience)

    def __post_init__(self) -> None:
        if not LEAST_READER_HZ <= self.spi_hz <= MOST_READER_HZ:
            raise SettingsError("spi_hz", self.spi_hz, NO_READER_HZ)
        used: dict[int, str] = {}
        for key, pin in self._pins():
            if pin not in FREE_PINS:
                raise SettingsError(key, pin, "a Pico has GP0 to GP22 and GP26 to GP28 for you")
            if pin in BUS_PINS:
                raise SettingsError(key, pin, f"GP{pin} belongs to {BUS_PINS[pin]}; choose another pin")
            if pin in used:
                raise SettingsError(key, pin, f"{used[pin]} has this pin already; choose another one")
            used[pin] = key
        for pin in self.light_pins:
            if pin - PWM_APART in self.light_pins:
                todo = f"GP{pin} and GP{pin - PWM_APART} can only shine alike; choose another pin for one of them"
                raise SettingsError("light_pins", pin, todo)

    @property
    def section(self) -> str:
        """The section of the configuration that is about it."""
        return "node"

    @property
    def only_readers(self) -> bool:
        """A Pico has buttons and the panel's lights as well."""
        return False

    def hang(self, around: Surroundings, clock: Clock, stack: ExitStack, tell: Callable[[str], None]) -> Hung:
        """The Pico with all that hangs on it; the stack lets go of it."""
        # Imported only now: the settings need no package, and the cable needs pyserial.
        from quarto_pi.devices.node.board import build_node

        node = stack.enter_context(build_node(self, around, clock, tell))
        lights = around.panel_lights
        return Hung(node.bank, node.buttons, None if lights is None else node.lights(lights))

    def _pins(self) -> list[tuple[str, int]]:
        single = ("enable_pin", "offer_pin", "reset_pin", "call_pin", "second_pin", "menu_pin")
        return [
            *(("address_pins", pin) for pin in self.address_pins),
            *((key, getattr(self, key)) for key in single),
            *(("light_pins", pin) for pin in self.light_pins),
        ]


KIND: Final = NodeSettings()


# --- The node's clock in terms of the host's, so that a press keeps its moment ----------------------------------------

WINDOW_MS: Final = 10_000
"""How long the fastest frame counts. Two clocks that differ by 100 ppm drift apart by 1 ms in that time."""


class NodeClock:
    """Learns from every frame when it was sent and when it came.

    A frame may be late, but it never comes before it was sent. So the least difference between the two clocks is the
    one of the fastest frame; that of the present window and of the one before is what counts, because clocks drift.
    """

    def __init__(self) -> None:
        self._newest = 0  # the node's count, as it was in the newest frame
        self._sent = 0  # the same without starting again
        self._least: int | None = None
        self._least_before: int | None = None
        self._window_ends = 0

    def note(self, node_at: int, host_at: int) -> None:
        """Take a frame into account: the millisecond at which it was sent, and the one at which it came."""
        if self._least is None:
            self._sent, self._window_ends = 0, host_at + WINDOW_MS
        else:
            self._sent += since(self._newest, node_at)
        self._newest = node_at
        if host_at >= self._window_ends:
            self._least_before, self._least = self._least, None
            self._window_ends = host_at + WINDOW_MS
        difference = host_at - self._sent
        self._least = difference if self._least is None else min(self._least, difference)

    def to_host(self, node_at: int) -> int:
        """Return the host's millisecond of a moment that lies before the newest frame."""
        differences = [least for least in (self._least, self._least_before) if least is not None]
        return self._sent - since(node_at, self._newest) + min(differences, default=0)

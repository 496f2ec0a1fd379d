"""One SPI bus: shared lines, a 4-to-16 decoder for the squares, a select line for the offer reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from quarto_pi.sensing.readings import OFFER_LINE
from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.clock import Durations, SimulatedClock
from quarto_pi.simulation.faults import NOTHING_ANSWERS_HIGH, FaultyLines

# --- The Pi's pins as the decoder sees them, and those that the stand-in of RPi.GPIO drives ---------------------------


class Pins(Protocol):
    """Levels of pins by BCM number."""

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""


class HeaderPins:
    """Pins that the stand-in of RPi.GPIO sets."""

    def __init__(self) -> None:
        self._levels: dict[int, bool] = {}
        self._toggled: set[int] = set()

    def drive(self, number: int, level: bool) -> None:
        """Set a pin."""
        if self._levels.get(number, True) != level:
            self._toggled.add(number)
        self._levels[number] = level

    def release(self, number: int) -> None:
        """Let a pin float."""
        self.drive(number, True)
        self._levels.pop(number, None)

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        return self._levels.get(number, True)

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        toggled = number in self._toggled
        self._toggled.discard(number)
        return toggled


# --- One SPI bus: shared lines, a 4-to-16 decoder for the squares, a select line for the offer reader -----------------

CHIP_MOST_HZ: Final = 10_000_000  # datasheet 8.1.2
MODE_0: Final = 0


@dataclass(frozen=True, slots=True)
class Wiring:
    """BCM numbers: the decoder's address (lowest bit first) and enable, the offer reader's select; both are low active.

    With `chip_enable_gates` the SPI controller's CE line goes to the decoder's second enable input and to a gate
    before the offer reader, so that every transfer is a frame of its own while the pins stay where they are.
    """

    address: tuple[int, int, int, int] = (17, 27, 22, 23)
    enable: int = 24
    offer: int = 25
    chip_enable_gates: bool = False


class SpiBus:
    """Carries transfers to the selected chip and lets the time pass that they take."""

    def __init__(  # noqa: PLR0913 - all that a bus is made of
        self,
        clock: SimulatedClock,
        pins: Pins,
        wiring: Wiring,
        lines: Mapping[int, SimulatedChip],
        faults: FaultyLines,
        durations: Durations | None = None,
    ) -> None:
        self.clock = clock
        self.faults = faults
        self.transfers: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self._pins = pins
        self._wiring = wiring
        self._lines = lines
        self._durations = durations or Durations()
        self._frame_open_with: list[SimulatedChip] = []

    def transfer(self, data: Sequence[int], speed_hz: int, mode: int) -> list[int]:
        """Exchange bytes with whatever chip the pins select; nobody selected reads as a floating line."""
        chips = self._selected()
        continued = self._frame_stayed_open(chips)
        byte_ns = 8_000_000_000 // speed_hz
        spans = self._durations.spans
        before, after = self._durations.draw(spans.before_transfer), self._durations.draw(spans.after_transfer)
        starts_at = self.clock.ns + before
        if speed_hz > CHIP_MOST_HZ or mode != MODE_0 or not chips:
            answer = [0xFF] * len(data)
        else:
            answer = self._exchange(chips[0], list(data), starts_at, byte_ns, continued=continued)
            for other in chips[1:]:
                second = self._exchange(other, list(data), starts_at, byte_ns, continued=continued)
                answer = [one & two for one, two in zip(answer, second, strict=True)]
        self.clock.advance_ns(before + byte_ns * len(data) + after)
        return answer

    def _exchange(
        self, chip: SimulatedChip, data: list[int], starts_at: int, byte_ns: int, *, continued: bool
    ) -> list[int]:
        self.transfers[chip.cell] += 1
        self.bytes[chip.cell] += len(data)
        fault = self.faults.of(chip.cell)
        if fault is None:
            return chip.transfer(data, starts_at, byte_ns, continued=continued)
        if fault.stuck_at is not None:
            return [fault.stuck_at] * len(data)  # a dead chip does not act either
        if self.faults.is_lost(fault):
            return [NOTHING_ANSWERS_HIGH] * len(data)
        received = self.faults.towards_chip(fault, data)
        answer = chip.transfer(received, starts_at, byte_ns, continued=continued)
        return self.faults.towards_host(fault, answer)

    def _selected(self) -> list[SimulatedChip]:
        selected = []
        level, wiring = self._pins.level, self._wiring
        if not level(wiring.enable):
            bit0, bit1, bit2, bit3 = wiring.address
            number = level(bit0) | level(bit1) << 1 | level(bit2) << 2 | level(bit3) << 3
            if number in self._lines:
                selected.append(self._lines[number])
        if OFFER_LINE in self._lines and not level(wiring.offer):
            selected.append(self._lines[OFFER_LINE])
        return selected

    def _frame_stayed_open(self, chips: list[SimulatedChip]) -> bool:
        wiring = self._wiring
        # both are asked, so that neither remembers a change from before this transfer
        enabled, offered = self._pins.has_toggled(wiring.enable), self._pins.has_toggled(wiring.offer)
        stayed = not (enabled or offered or wiring.chip_enable_gates) and chips == self._frame_open_with
        self._frame_open_with = chips
        return stayed


# --- The Pi's pins as gpiozero's mock factory drives them -------------------------------------------------------------


class ForgetfulPin(MockPWMPin):  # type: ignore[misc] # gpiozero has no type information
    """A mock pin that remembers its last change only: select lines change a thousand times a second, for weeks."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-2]
        return changed


class GpiozeroPins:
    """Pins of a gpiozero `MockFactory`."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self._pins: dict[int, MockPin] = {}

    def _pin(self, number: int) -> MockPin:
        if number not in self._pins:
            self._pins[number] = self._factory.pin(f"GPIO{number}")
        return self._pins[number]

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        pin = self._pins.get(number) or self._pin(number)
        # what gpiozero's properties would say, for five pins at each transfer
        return bool(pin._state) if pin._function == "output" else True  # noqa: SLF001

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        pin = self._pins.get(number) or self._pin(number)
        toggled = len(pin.states) > 1
        if toggled:
            del pin.states[:-1]
        return toggled

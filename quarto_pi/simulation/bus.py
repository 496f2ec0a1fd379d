"""One SPI bus: shared lines, a 4-to-16 decoder for the squares, a select line for the offer; and its faults."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final, Protocol

from gpiozero.pins.mock import MockFactory, MockPWMPin

from quarto_pi.sensing.readings import OFFER_LINE
from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.clock import Durations, SimulatedClock

NOTHING_ANSWERS_LOW: Final = 0x00
NOTHING_ANSWERS_HIGH: Final = 0xFF


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of one reader's wires; chances are per byte for flips, per one-bit for loading, per transfer for loss."""

    stuck_at: int | None = None
    flip_to_chip: float = 0.0
    flip_to_host: float = 0.0
    drops_ones: float = 0.0
    loses: float = 0.0


class FaultyLines:
    """The faults of all lines of a bus, drawn from one seeded source."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_cell: dict[str, LineFault] = {}
        self._loaders: dict[str, float] = {}
        self._met: dict[str, LineFault | None] = {}

    def set(self, cell: str, fault: LineFault) -> None:
        """Give one reader's lines a fault."""
        self._by_cell[cell] = fault
        self._met.clear()

    def clear(self, cell: str | None = None) -> None:
        """Repair one reader's lines, or all of them."""
        self._met.clear()
        if cell is None:
            self._by_cell.clear()
            self._loaders.clear()
        else:
            self._by_cell.pop(cell, None)
            self._loaders.pop(cell, None)

    def load_miso(self, cell: str, probability: float) -> None:
        """Let a chip pull MISO down while another one is selected, as clones without a tri-state output do."""
        self._loaders[cell] = probability
        self._met.clear()

    def of(self, cell: str) -> LineFault | None:
        """Return the fault that a transfer with this reader meets, loading by the others included."""
        if not self._loaders:
            return self._by_cell.get(cell)
        if cell not in self._met:
            self._met[cell] = self._fault_met(cell)
        return self._met[cell]

    def _fault_met(self, cell: str) -> LineFault | None:
        fault = self._by_cell.get(cell)
        loading = max((share for other, share in self._loaders.items() if other != cell), default=0.0)
        if not loading:
            return fault
        own = fault or LineFault()
        return replace(own, drops_ones=max(own.drops_ones, loading))

    def is_lost(self, fault: LineFault) -> bool:
        """Return whether a transfer never reaches the chip."""
        return bool(fault.loses) and self._rng.random() < fault.loses

    def towards_chip(self, fault: LineFault, data: Sequence[int]) -> list[int]:
        """Return the bytes as the chip gets them."""
        return [self._flip(byte, fault.flip_to_chip) for byte in data]

    def towards_host(self, fault: LineFault, data: list[int]) -> list[int]:
        """Return the bytes as the host gets them."""
        return [self._flip(self._drop(byte, fault.drops_ones), fault.flip_to_host) for byte in data]

    def _flip(self, byte: int, probability: float) -> int:
        if probability and self._rng.random() < probability:
            return byte ^ 1 << self._rng.randrange(8)
        return byte

    def _drop(self, byte: int, probability: float) -> int:
        if not probability:
            return byte
        kept = sum(1 << position for position in range(8) if self._rng.random() >= probability)
        return byte & kept


# --- The Pi's pins as the decoder sees them, and those that the stand-in of RPi.GPIO drives ---------------------------


class Pins(Protocol):
    """Levels of pins by BCM number."""

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Have it told whenever somebody drives that pin: whether it is high now."""

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""


class HeaderPins:
    """Pins that the stand-in of RPi.GPIO sets."""

    def __init__(self) -> None:
        self._levels: dict[int, bool] = {}
        self._toggled: set[int] = set()
        self._watchers: dict[int, Callable[[bool], None]] = {}

    def drive(self, number: int, level: bool) -> None:
        """Set a pin."""
        if self._levels.get(number, True) != level:
            self._toggled.add(number)
        self._levels[number] = level
        if number in self._watchers:
            self._watchers[number](level)

    def release(self, number: int) -> None:
        """Let a pin float."""
        self.drive(number, True)
        self._levels.pop(number, None)

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        return self._levels.get(number, True)

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Have it told whenever somebody drives that pin: whether it is high now."""
        self._watchers[number] = moved

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

    A high level on `reset` pulls the reset pins of all chips low; without it nothing does.
    With `chip_enable_gates` the SPI controller's CE line goes to the decoder's second enable input and to a gate
    before the offer reader, so that every transfer is a frame of its own while the pins stay where they are.
    """

    address: tuple[int, int, int, int] = (17, 27, 22, 23)
    enable: int = 24
    offer: int = 25
    reset: int | None = None
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
        self._held_in_reset = False
        if wiring.reset is not None:
            pins.watch(wiring.reset, self._hold_in_reset)

    def transfer(self, data: Sequence[int], speed_hz: int, mode: int) -> list[int]:
        """Exchange bytes with whatever chip the pins select; nobody selected reads as a floating line."""
        chips = self._selected()
        continued = self._frame_stayed_open(chips)
        byte_ns = 8_000_000_000 // speed_hz
        spans = self._durations.spans
        before, after = self._durations.draw(spans.before_transfer), self._durations.draw(spans.after_transfer)
        starts_at = self.clock.ns + before
        if self._held_in_reset:
            answer = [NOTHING_ANSWERS_LOW] * len(data)
        elif speed_hz > CHIP_MOST_HZ or mode != MODE_0 or not chips:
            answer = [0xFF] * len(data)
        else:
            answer = self._exchange(chips[0], data, starts_at, byte_ns, continued=continued)
            for other in chips[1:]:
                second = self._exchange(other, data, starts_at, byte_ns, continued=continued)
                answer = [one & two for one, two in zip(answer, second, strict=True)]
        self.clock.advance_ns(before + byte_ns * len(data) + after)
        return answer

    def _hold_in_reset(self, held: bool) -> None:
        if self._held_in_reset and not held:
            for chip in self._lines.values():
                chip.hard_reset(self.clock.ns)
        self._held_in_reset = held

    def _exchange(
        self, chip: SimulatedChip, data: Sequence[int], starts_at: int, byte_ns: int, *, continued: bool
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
    """A mock pin without a history: select lines change thousands of times a second, for weeks."""

    _state: float
    toggled = False
    watcher: Callable[[bool], None] | None = None

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            super()._set_state(value)
        self._change_state(value)

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        self._state = value
        self.toggled = True
        if self.watcher is not None:
            self.watcher(bool(value))
        if self._when_changed is not None:
            self._last_change = monotonic()
        return True


class GpiozeroPins:
    """Pins of a gpiozero `MockFactory` whose pins are forgetful ones."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self._pins: dict[int, ForgetfulPin] = {}

    def _pin(self, number: int) -> ForgetfulPin:
        if number not in self._pins:
            self._pins[number] = self._factory.pin(f"GPIO{number}")
        return self._pins[number]

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        pin = self._pins.get(number) or self._pin(number)
        # what gpiozero's properties would say, for five pins at each transfer
        return bool(pin._state) if pin._function == "output" else True  # noqa: SLF001

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Have it told whenever somebody drives that pin: whether it is high now."""
        self._pin(number).watcher = moved

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        pin = self._pins.get(number) or self._pin(number)
        toggled, pin.toggled = pin.toggled, False
        return toggled

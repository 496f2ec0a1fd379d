"""What is wired to which pin and bus: readers, their fields, buttons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.config.section import Section
from quarto_pi.devices.readers.fields import BudgetTooSmall, CurrentBudget, FieldMode
from quarto_pi.devices.settings import HEADER_PINS, LEAST_READER_HZ, MOST_READER_HZ, NO_READER_HZ, NOT_ON_HEADER
from quarto_pi.firmware import pins
from quarto_pi.rules import hint
from quarto_pi.sensing.readings import CELLS, LINES, SQUARE_NAMES

# What the header's pins are already used for: the identification EEPROM, the first I2C bus, SPI0, the UART.
RESERVED_PINS: Final = {
    0: "the identification EEPROM",
    1: "the identification EEPROM",
    2: "I2C (the OLED)",
    3: "I2C (the OLED)",
    9: "SPI (MISO)",
    10: "SPI (MOSI)",
    11: "SPI (clock)",
    14: "the serial line",
    15: "the serial line",
}
DECODER_OUTPUTS: Final = range(16)
FIELD_MODES: Final = tuple(mode.value for mode in FieldMode)


@dataclass(frozen=True, slots=True)
class ReadersConfig:
    """How the readers are wired; a reset line is not needed: 0."""

    spi_bus: int = 0
    spi_device: int = 0
    spi_hz: int = pins.SPI_HZ
    address_pins: tuple[int, int, int, int] = (17, 27, 22, 23)
    enable_pin: int = 24
    offer_pin: int = 25
    reset_pin: int = 0
    offer: bool = True
    tags: str = ""
    lines: Mapping[str, int] = field(default_factory=lambda: {square: LINES[square] for square in SQUARE_NAMES})

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that have a reader."""
        return CELLS if self.offer else SQUARE_NAMES


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The pins of the push buttons; with two for calling, the first is player 1's. A menu button is not needed: 0."""

    call_pin: int = 12
    second_pin: int = 4
    menu_pin: int = 0


@dataclass(frozen=True, slots=True)
class FieldsConfig:
    """How many readers' fields may be on at once: the mode, the supply, and where the calibration stands."""

    mode: FieldMode = FieldMode.ONE_AT_A_TIME
    budget: CurrentBudget = field(default_factory=CurrentBudget)
    calibration: str = ""


def read_readers(section: Section) -> ReadersConfig:
    """The section `[readers]`."""
    plain = ReadersConfig()
    spi_bus = section.take("spi_bus", plain.spi_bus)
    spi_device = section.take("spi_device", plain.spi_device)
    spi_hz = section.take("spi_hz", plain.spi_hz)
    address = section.pins("address_pins", plain.address_pins)
    enable_pin = section.take("enable_pin", plain.enable_pin)
    offer_pin = section.take("offer_pin", plain.offer_pin)
    reset_pin = section.take("reset_pin", plain.reset_pin)
    offer = section.take("offer", plain.offer)
    tags = section.take("tags", plain.tags)
    lines = _read_lines(section.subsection("lines"))
    section.close()
    if spi_bus < 0 or spi_device < 0:
        key = "spi_bus" if spi_bus < 0 else "spi_device"
        raise section.wrong(key, min(spi_bus, spi_device), "devices are numbered from 0")
    if not LEAST_READER_HZ <= spi_hz <= MOST_READER_HZ:
        raise section.wrong("spi_hz", spi_hz, NO_READER_HZ)
    used: dict[int, str] = {}
    single = [("enable_pin", enable_pin), ("offer_pin", offer_pin)]
    if reset_pin:
        single.append(("reset_pin", reset_pin))
    for key, pin in [*(("address_pins", pin) for pin in address), *single]:
        if pin not in HEADER_PINS:
            raise section.wrong(key, pin, NOT_ON_HEADER)
        if pin in RESERVED_PINS:
            raise section.wrong(key, pin, f"GPIO {pin} belongs to {RESERVED_PINS[pin]}; choose another pin")
        if pin in used:
            raise section.wrong(key, pin, f"{used[pin]} has this pin already; choose another one")
        used[pin] = key
    first, second, third, fourth = address
    pins_of_address = first, second, third, fourth
    return ReadersConfig(
        spi_bus, spi_device, spi_hz, pins_of_address, enable_pin, offer_pin, reset_pin, offer, tags, lines
    )


def _read_lines(section: Section) -> Mapping[str, int]:
    """The decoder output of each square; those that are not named keep theirs."""
    plain = ReadersConfig().lines
    lines = {square: section.take(square, plain[square]) for square in SQUARE_NAMES}
    section.close()
    used: dict[int, str] = {}
    for square, line in lines.items():
        if line not in DECODER_OUTPUTS:
            raise section.wrong(square, line, "the decoder has outputs 0 to 15")
        if line in used:
            raise section.wrong(square, line, f"{used[line]} is on this select line already; each reader needs its own")
        used[line] = square
    return lines


def read_buttons(section: Section) -> ButtonsConfig:
    """The section `[buttons]`."""
    plain = ButtonsConfig()
    buttons = ButtonsConfig(
        section.take("call_pin", plain.call_pin),
        section.take("second_pin", plain.second_pin),
        section.take("menu_pin", plain.menu_pin),
    )
    section.close()
    for key in ("call_pin", "second_pin", "menu_pin"):
        pin = getattr(buttons, key)
        if key == "menu_pin" and pin == 0:
            continue
        if pin not in HEADER_PINS:
            raise section.wrong(key, pin, NOT_ON_HEADER)
        if pin in RESERVED_PINS:
            raise section.wrong(key, pin, f"GPIO {pin} belongs to {RESERVED_PINS[pin]}; choose another pin")
    return buttons


def read_fields(section: Section) -> FieldsConfig:
    """The section `[fields]`."""
    plain = FieldsConfig()
    mode = section.take("mode", plain.mode.value)
    supply_ma = section.number("supply_ma", plain.budget.supply_ma)
    field_ma = section.number("field_ma", plain.budget.field_ma)
    reader_ma = section.number("reader_ma", plain.budget.reader_ma)
    calibration = section.take("calibration", plain.calibration)
    section.close()
    if mode not in FIELD_MODES:
        raise section.wrong("mode", mode, hint(mode, FIELD_MODES).rstrip(".?"))
    for key, value in ("field_ma", field_ma), ("reader_ma", reader_ma):
        if value <= 0:
            raise section.wrong(key, value, "a current is above 0")
    try:
        budget = CurrentBudget(supply_ma, field_ma, reader_ma)
    except BudgetTooSmall as error:
        raise section.wrong("supply_ma", supply_ma, f"{error}; 2000 is right for seventeen readers") from error
    return FieldsConfig(FieldMode(mode), budget, calibration)

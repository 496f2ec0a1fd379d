"""The stand-ins for RPi.GPIO and spidev, where programs meet their checks."""

from __future__ import annotations

from types import ModuleType

import pytest

from quarto_pi.devices.readers.spi import SelectPins
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import HeaderPins, Wiring
from quarto_pi.simulation.modules import SpiDev, gpio_over


@pytest.fixture
def pins() -> HeaderPins:
    return HeaderPins()


@pytest.fixture
def gpio(pins: HeaderPins) -> ModuleType:
    return gpio_over(pins)


@pytest.fixture
def spi(pins: HeaderPins) -> SpiDev:
    opened: SpiDev = SimulatedBoard(pins).spidev.SpiDev(0, 0)
    return opened


def test_an_output_drives_its_pin_by_bcm_number(gpio: ModuleType, pins: HeaderPins) -> None:
    gpio.setmode(gpio.BCM)
    gpio.setup(24, gpio.OUT, initial=gpio.HIGH)
    gpio.output(24, gpio.LOW)
    assert not pins.level(24)
    assert gpio.input(24) == 0


def test_an_output_drives_its_pin_by_position_on_the_header(gpio: ModuleType, pins: HeaderPins) -> None:
    gpio.setmode(gpio.BOARD)
    gpio.setup(18, gpio.OUT)
    assert not pins.level(24)


def test_a_pin_needs_a_numbering_first(gpio: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="pin numbering mode"):
        gpio.setup(24, gpio.OUT)


def test_the_numbering_is_set_once(gpio: ModuleType) -> None:
    gpio.setmode(gpio.BCM)
    with pytest.raises(ValueError, match="different mode"):
        gpio.setmode(gpio.BOARD)


def test_a_pin_that_is_no_output_cannot_be_set(gpio: ModuleType) -> None:
    gpio.setmode(gpio.BCM)
    with pytest.raises(RuntimeError, match="not been set up as an OUTPUT"):
        gpio.output(24, 1)


def test_a_channel_that_is_a_supply_pin_is_refused(gpio: ModuleType) -> None:
    gpio.setmode(gpio.BOARD)
    with pytest.raises(ValueError, match="invalid"):
        gpio.setup(1, gpio.OUT)


def test_cleaning_up_lets_pins_float(gpio: ModuleType, pins: HeaderPins) -> None:
    gpio.setmode(gpio.BCM)
    gpio.setup(24, gpio.OUT)
    gpio.cleanup()
    assert pins.level(24)
    assert gpio.getmode() is None


def test_bytes_can_be_read_and_written_without_an_answer(spi: SpiDev) -> None:
    assert spi.readbytes(3) == [0xFF, 0xFF, 0xFF]
    spi.writebytes([1, 2])
    assert spi.xfer([1]) == [0xFF]


def test_what_is_no_byte_is_refused(spi: SpiDev) -> None:
    with pytest.raises(TypeError):
        spi.xfer2([256])
    with pytest.raises(ValueError, match="empty"):
        spi.xfer2([])


def test_the_simulated_board_is_wired_as_the_bank_expects_it() -> None:
    wiring, pins = Wiring(), SelectPins()
    assert (wiring.address, wiring.enable, wiring.offer) == (pins.address, pins.enable, pins.offer)

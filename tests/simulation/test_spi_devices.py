"""What hangs on SPI besides the readers: displays with their control pins, beside the readers' bus."""

from __future__ import annotations

import pytest

from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import HeaderPins
from quarto_pi.simulation.oled_models import Ssd1306
from quarto_pi.simulation.outputs import OledOnSpi, SpiLine, spidev_with

DC, RESET = 16, 26


@pytest.fixture
def pins() -> HeaderPins:
    return HeaderPins()


@pytest.fixture
def line(pins: HeaderPins) -> SpiLine:
    return SpiLine(OledOnSpi(Ssd1306(), pins, DC, RESET))


def chip_of(line: SpiLine) -> Ssd1306:
    assert isinstance(line.listener, OledOnSpi)
    assert isinstance(line.listener.display, Ssd1306)
    return line.listener.display


def test_the_control_pin_tells_commands_from_data(pins: HeaderPins, line: SpiLine) -> None:
    spi = spidev_with({(0, 1): line}).SpiDev(0, 1)
    pins.drive(DC, False)
    spi.writebytes([0x81, 9])
    pins.drive(DC, True)
    spi.writebytes([0x81])
    assert chip_of(line).contrast == 9
    assert chip_of(line).memory[0] == 0x81
    assert (line.transfers, line.bytes) == (2, 3)


def test_the_reset_pin_resets_and_holds_the_chip(pins: HeaderPins, line: SpiLine) -> None:
    chip = chip_of(line)
    pins.drive(DC, False)
    line.send(b"\xaf")
    pins.drive(RESET, False)
    line.send(b"\xaf")
    assert not chip.on
    pins.drive(RESET, True)
    line.send(b"\xaf")
    assert chip.on


def test_bytes_to_an_unplugged_display_vanish(pins: HeaderPins, line: SpiLine) -> None:
    chip_of(line).unplug()
    pins.drive(DC, False)
    line.send(b"\xaf")
    assert not chip_of(line).on


def test_the_readers_stay_on_their_bus(pins: HeaderPins, line: SpiLine) -> None:
    board = SimulatedBoard(pins)
    module = spidev_with({(0, 1): line}, board.bus)
    with module.SpiDev(0, 0) as readers:
        assert readers.xfer2([0x00]) == [0xFF]
    with pytest.raises(FileNotFoundError):
        module.SpiDev(5, 0)


def test_the_driver_s_limits_are_kept(line: SpiLine) -> None:
    spi = spidev_with({(0, 1): line}).SpiDev(0, 1)
    with pytest.raises(ValueError, match="empty"):
        spi.writebytes([])
    with pytest.raises(OverflowError, match="4096"):
        spi.writebytes([0] * 4097)
    spi.close()
    spi.close()
    assert line.openings == 0
    line.exists = False
    with pytest.raises(FileNotFoundError):
        spi.open(0, 1)

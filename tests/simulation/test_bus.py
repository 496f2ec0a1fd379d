"""The shared bus: decoder, select lines, the time that transfers take, faults of the wires."""

from __future__ import annotations

from typing import Any

import pytest
from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory

from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import (
    NOTHING_ANSWERS_HIGH,
    NOTHING_ANSWERS_LOW,
    ForgetfulPin,
    GpiozeroPins,
    LineFault,
    Wiring,
)

READ_VERSION = [0x37 << 1 | 0x80, 0]


class Wires:
    """A board, its pins as gpiozero drives them, and an open SPI device."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=ForgetfulPin)
        versions = {cell: 0x40 + number for number, cell in enumerate(SQUARE_NAMES)} | {"offer": 0x5F}
        self.board = SimulatedBoard(GpiozeroPins(self.factory), versions=versions)
        wiring = Wiring()
        self.address = [OutputDevice(pin, pin_factory=self.factory) for pin in wiring.address]
        self.enable = OutputDevice(wiring.enable, active_high=False, pin_factory=self.factory)
        self.offer = OutputDevice(wiring.offer, active_high=False, pin_factory=self.factory)
        self.spi: Any = self.board.spidev.SpiDev(0, 0)
        self.spi.max_speed_hz = 4_000_000

    def show(self, number: int) -> None:
        for place, device in enumerate(self.address):
            device.value = number >> place & 1

    def version(self) -> int:
        self.enable.on()
        answer: list[int] = self.spi.xfer2(READ_VERSION)
        self.enable.off()
        return answer[1]


@pytest.fixture
def wires() -> Wires:
    return Wires()


def test_the_decoder_selects_each_of_sixteen_chips_by_its_address(wires: Wires) -> None:
    versions = []
    for number in range(16):
        wires.show(number)
        versions.append(wires.version())
    assert versions == [0x40 + number for number in range(16)]


def test_the_offer_reader_has_a_line_of_its_own(wires: Wires) -> None:
    wires.offer.on()
    assert wires.spi.xfer2(READ_VERSION)[1] == 0x5F


def test_nobody_selected_reads_as_a_floating_line(wires: Wires) -> None:
    assert wires.spi.xfer2(READ_VERSION) == [0xFF, 0xFF]


def test_two_chips_selected_pull_each_others_bits_down(wires: Wires) -> None:
    wires.show(0)
    wires.enable.on()
    wires.offer.on()
    assert wires.spi.xfer2(READ_VERSION)[1] == 0x40 & 0x5F


def test_a_line_that_stays_low_keeps_the_frame_open(wires: Wires) -> None:
    wires.show(0)
    wires.enable.on()
    assert wires.spi.xfer2(READ_VERSION)[1] == 0x40
    # the zero that ended the frame was the address of a reserved register, and is answered now
    assert wires.spi.xfer2(READ_VERSION) == [0x00, 0x40]


def test_a_transfer_takes_thirty_microseconds_and_its_bytes(wires: Wires) -> None:
    before = wires.board.clock.ns
    wires.spi.xfer2([0] * 10)
    assert wires.board.clock.ns - before == 30_000 + 10 * 2_000


def test_transfers_and_bytes_are_counted_by_chip(wires: Wires) -> None:
    wires.show(5)
    wires.version()
    assert (wires.board.bus.transfers["b2"], wires.board.bus.bytes["b2"]) == (1, 2)


@pytest.mark.parametrize("level", [NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH])
def test_a_dead_chip_answers_with_one_level_only(wires: Wires, level: int) -> None:
    wires.board.faults.set("a1", LineFault(stuck_at=level))
    assert wires.version() == level
    wires.show(1)
    assert wires.version() == 0x41


def test_a_chip_that_loads_the_line_drops_the_ones_of_others(wires: Wires) -> None:
    wires.board.faults.load_miso("d4", 1.0)
    assert wires.version() == 0x00
    wires.show(15)
    assert wires.version() == 0x4F


def test_flipped_bits_come_at_the_rate_that_was_asked_for(wires: Wires) -> None:
    wires.board.faults.set("a1", LineFault(flip_to_host=0.25))
    wrong = sum(wires.version() != 0x40 for _ in range(400))
    assert 60 < wrong < 140


def test_the_wrong_mode_or_too_fast_a_clock_reads_as_nothing(wires: Wires) -> None:
    wires.spi.mode = 3
    assert wires.version() == 0xFF
    wires.spi.mode = 0
    wires.spi.max_speed_hz = 12_000_000
    assert wires.version() == 0xFF


def test_a_device_that_is_not_there_cannot_be_opened(wires: Wires) -> None:
    with pytest.raises(FileNotFoundError):
        wires.spi.open(3, 0)


def test_a_closed_device_carries_nothing(wires: Wires) -> None:
    wires.spi.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        wires.spi.xfer2([0])

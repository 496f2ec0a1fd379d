"""The package `mfrc522` 0.0.7 as it is, against the simulated chips: its known behaviour is the simulation's test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, HeaderPins, LineFault, Wiring
from quarto_pi.simulation.modules import unmodified_package

# line 219's `~` on truth values; newer Pythons warn of it
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")

WIRING = Wiring(chip_enable_gates=True)


@dataclass
class Package:
    """The package's reader, with the decoder held at one square, and a count of its transfers."""

    board: SimulatedBoard
    module: Any
    reader: Any

    def transfers(self) -> int:
        return self.board.bus.transfers.total()

    def request(self) -> int:
        status, _ = self.reader.MFRC522_Request(self.reader.PICC_REQIDL)
        return int(status)

    def read_uid(self) -> bytes | None:
        if self.request() != self.reader.MI_OK:
            return None
        status, uid = self.reader.MFRC522_Anticoll()
        return bytes(uid) if status == self.reader.MI_OK else None


@pytest.fixture
def package() -> Iterator[Package]:
    pins = HeaderPins()
    for pin in (*WIRING.address, WIRING.enable):
        pins.drive(pin, False)
    board = SimulatedBoard(pins, wiring=WIRING)
    with unmodified_package(board.bus, pins) as module:
        reader = module.MFRC522()
        board.clock.advance_ms(10)
        yield Package(board, module, reader)


def test_an_empty_poll_spins_through_2013_transfers(package: Package) -> None:
    for _ in range(3):
        before = package.transfers()
        assert package.request() == package.reader.MI_ERR
        assert package.transfers() - before == 2013


@pytest.mark.parametrize("speed_hz", [500_000, 1_000_000, 4_000_000])
def test_a_present_tag_takes_63_to_109_transfers(package: Package, speed_hz: int) -> None:
    package.reader.spi.max_speed_hz = speed_hz
    package.board.table.rest("DEADBEEF", "a1")
    package.board.clock.advance_ms(10)
    before = package.transfers()
    assert package.read_uid() == bytes.fromhex("DEADBEEF22")
    # the number hangs on how often it looks while the answer comes in; at 500 kHz transfers are slow, so few
    assert (55 if speed_hz == 500_000 else 63) <= package.transfers() - before <= 109


def test_a_stationary_tag_is_seen_every_other_time(package: Package) -> None:
    package.board.table.rest("DEADBEEF", "a1")
    package.board.clock.advance_ms(10)
    assert [package.read_uid() is not None for _ in range(6)] == [True, False] * 3


def test_a_seven_byte_uid_comes_back_as_the_cascade_tag_and_three_bytes(package: Package) -> None:
    package.board.table.rest("04A1B2C3D4E5F6", "a1")
    package.board.clock.advance_ms(10)
    uid = package.read_uid()
    assert uid is not None
    assert uid[:4] == bytes.fromhex("8804A1B2")


def test_the_cascade_bit_of_sak_is_ignored(package: Package) -> None:
    package.board.table.rest("04A1B2C3D4E5F6", "a1")
    package.board.clock.advance_ms(10)
    uid = package.read_uid()
    assert uid is not None
    assert package.reader.MFRC522_SelectTag(list(uid)) == 0x04


def test_the_crc_coprocessor_serves_its_select(package: Package) -> None:
    package.board.table.rest("DEADBEEF", "a1")
    package.board.clock.advance_ms(10)
    uid = package.read_uid()
    assert uid is not None
    assert package.reader.MFRC522_SelectTag(list(uid)) == 0x08


def test_a_dead_reader_looks_like_an_empty_square(package: Package) -> None:
    package.board.faults.set("a1", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    package.board.table.rest("DEADBEEF", "a1")
    assert package.request() == package.reader.MI_ERR


def test_its_simple_reader_reads_an_id(package: Package) -> None:
    package.board.table.rest("DEADBEEF", "a1")
    simple = package.module.SimpleMFRC522()
    package.board.clock.advance_ms(10)
    assert simple.read_id_no_block() == int("DEADBEEF22", 16)


def test_closing_it_frees_every_pin_of_the_process(package: Package) -> None:
    gpio = package.module.SimpleMFRC522.__init__.__globals__["GPIO"]
    gpio.setup(40, gpio.OUT)
    gpio.output(40, 0)
    package.reader.Close_MFRC522()
    assert gpio.getmode() is None


def test_the_modules_that_were_there_are_back_afterwards() -> None:
    before = {name: sys.modules.get(name) for name in ("spidev", "RPi.GPIO", "mfrc522")}
    pins = HeaderPins()
    with unmodified_package(SimulatedBoard(pins).bus, pins):
        assert sys.modules["spidev"] is not before["spidev"]
    assert {name: sys.modules.get(name) for name in before} == before

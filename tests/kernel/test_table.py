"""The table of the virtual machine, over a folder that looks as gpio-sim's does."""

from __future__ import annotations

import base64
import struct
from pathlib import Path

import pytest

from quarto_pi.sensing.readings import CELLS, LINES, OFFER
from quarto_pi.simulation.bus import Wiring
from tests.kernel.caller import Caller
from tests.kernel.cuse import Conversation
from tests.kernel.gpio_sim import SimulatedLines
from tests.kernel.table import Table

TX, RX, AT = 0x1000, 0x2000, 0x3000
MESSAGE = 1 << 30 | 32 << 16 | ord("k") << 8
VERSION_REGISTER, NXP = 0x37, 0x92
WIRING = Wiring()


class Header:
    """A folder with the 54 lines of a chip, whose levels somebody drives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for number in range(54):
            line = folder / f"sim_gpio{number}"
            line.mkdir()
            (line / "value").write_text("0\n")
            (line / "pull").write_text("pull-down\n")

    def drive(self, number: int, level: bool) -> None:
        (self.folder / f"sim_gpio{number}" / "value").write_text(f"{int(level)}\n")

    def pulled_up(self) -> set[int]:
        return {
            number for number in range(54) if (self.folder / f"sim_gpio{number}/pull").read_text().strip() == "pull-up"
        }

    def select(self, cell: str) -> None:
        """As the select lines are while a transfer with this cell's chip goes on."""
        for bit, pin in enumerate(WIRING.address):
            self.drive(pin, bool(LINES[cell] >> bit & 1))
        self.drive(WIRING.enable, cell == OFFER)
        self.drive(WIRING.offer, cell != OFFER)


@pytest.fixture
def header(tmp_path: Path) -> Header:
    return Header(tmp_path)


@pytest.fixture
def table(header: Header) -> Table:
    return Table(SimulatedLines(header.folder))


def caller_of(table: Table, name: str) -> Caller:
    caller = Caller(Conversation(name, table.devices()[name]))
    caller.open()
    return caller


def version_read_by(caller: Caller) -> int:
    caller.put(TX, bytes([VERSION_REGISTER << 1 | 0x80, 0])), caller.put(RX, bytes(2))
    described = struct.pack("<QQIIHBBBBBx", TX, RX, 2, 1_000_000, 0, 8, 0, 0, 0, 0)
    assert caller.ioctl(MESSAGE, caller.put(AT, described)) == 2
    return caller.memory[RX][1]


def test_the_chip_that_answers_is_the_one_that_the_select_lines_name(table: Table, header: Header) -> None:
    spi = caller_of(table, "spidev0.0")
    for cell in CELLS:
        before = table.board.bus.transfers.copy()
        header.select(cell)
        assert version_read_by(spi) == NXP
        assert table.board.bus.transfers - before == {cell: 1}


def test_nobody_answers_while_both_select_lines_are_up(table: Table, header: Header) -> None:
    header.drive(WIRING.enable, True)
    header.drive(WIRING.offer, True)
    assert version_read_by(caller_of(table, "spidev0.0")) == 0xFF


def test_the_select_lines_are_pulled_up_until_somebody_drives_them(table: Table, header: Header) -> None:
    assert table.transfers == 0
    assert header.pulled_up() == {*WIRING.address, WIRING.enable, WIRING.offer}


def test_who_watches_a_line_is_told_when_it_has_moved(table: Table, header: Header) -> None:
    told: list[bool] = []
    table.lines.watch(26, told.append)
    spi = caller_of(table, "spidev0.0")
    version_read_by(spi)
    header.drive(26, True)
    version_read_by(spi)
    version_read_by(spi)
    header.drive(26, False)
    version_read_by(spi)
    assert told == [True, False]


def test_a_finger_pulls_the_buttons_line_down_and_lets_it_go(table: Table, header: Header) -> None:
    table.do({"do": "pull", "line": 12, "up": True})
    assert 12 in header.pulled_up()
    table.do({"do": "pull", "line": 12, "up": False})
    assert 12 not in header.pulled_up()


def test_what_is_written_to_the_bus_is_on_the_glass(table: Table) -> None:
    i2c = caller_of(table, "i2c-1")
    i2c.ioctl(0x0703, 0x3C)
    for commands in (b"\x8d\x14", b"\xa1\xc8", b"\xaf"):
        assert i2c.write(b"\x00" + commands) == 1 + len(commands)
    i2c.write(b"\x00\x20\x00")
    i2c.write(b"\x40" + b"\xff" * 1024)
    seen = table.do({"do": "look", "lines": [5]})
    assert base64.b64decode(seen["picture"]) == b"\xff" * 1024
    assert (seen["on"], seen["levels"], seen["faults"]) == (True, [0], [])


def test_pieces_stand_where_a_machine_without_power_finds_them(table: Table) -> None:
    table.do({"do": "set", "standing": {"LTRF": "a1", "DSQH": "offer"}})
    table.do({"do": "set", "standing": {"DSQH": "b2"}})
    assert list(table.do({"do": "look", "lines": []})["standing"].values()) == ["b2"]

"""Devices of CUSE: what spidev and i2c-dev would do with the same ioctls, without a kernel."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

from tests.kernel.caller import Caller
from tests.kernel.cuse import Conversation, Device, Operation
from tests.kernel.i2c_dev_ioctls import Command, I2cAdapter, Size
from tests.kernel.spidev_ioctls import SpiDevice

TX, RX, AT = 0x7F00_1000, 0x7F00_2000, 0x7F00_3000
WR_MODE, RD_MODE, WR_SPEED, RD_SPEED, WR_MODE32 = 0x40016B01, 0x80016B01, 0x40046B04, 0x80046B04, 0x40046B05


def message(count: int) -> int:
    """SPI_IOC_MESSAGE(count)."""
    return 1 << 30 | count * 32 << 16 | ord("k") << 8


def transfer(length: int, tx: int = TX, rx: int = RX, hertz: int = 0) -> bytes:
    """struct spi_ioc_transfer."""
    return struct.pack("<QQIIHBBBBBx", tx, rx, length, hertz, 0, 8, 0, 0, 0, 0)


class Bus:
    """Answers each byte with its complement, and remembers what came."""

    def __init__(self) -> None:
        self.made: list[tuple[bytes, int, int]] = []

    def exchange(self, data: bytes, hertz: int, mode: int) -> bytes:
        self.made.append((data, hertz, mode))
        return bytes(byte ^ 0xFF for byte in data)


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def spi(bus: Bus) -> Caller:
    caller = Caller(Conversation("spidev0.0", SpiDevice.on(bus.exchange)))
    caller.open()
    return caller


def test_a_device_says_its_name_and_that_its_ioctls_are_its_own(spi: Caller) -> None:
    _, body = spi.ask(Operation.INIT, struct.pack("<IIII", 7, 41, 0, 1))
    assert struct.unpack_from("<IIII", body) == (7, 31, 0, 1)
    assert body[72:] == b"DEVNAME=spidev0.0\0"


def test_a_transfer_carries_the_callers_bytes_there_and_back(spi: Caller, bus: Bus) -> None:
    spi.put(TX, b"\x6e\x00"), spi.put(RX, bytes(2))
    assert spi.ioctl(message(1), spi.put(AT, transfer(2, hertz=1_000_000))) == 2
    assert bus.made == [(b"\x6e\x00", 1_000_000, 0)]
    assert bytes(spi.memory[RX]) == b"\x91\xff"


def test_a_transfer_is_made_once_however_often_its_memory_has_to_be_asked_for(spi: Caller, bus: Bus) -> None:
    spi.put(TX, b"ab"), spi.put(RX, bytes(2))
    spi.ioctl(message(1), spi.put(AT, transfer(2)))
    assert (spi.attempts, len(bus.made)) == (3, 1)


def test_several_transfers_of_a_message_are_made_in_their_order(spi: Caller, bus: Bus) -> None:
    spi.put(TX, b"abc"), spi.put(TX + 16, b"de"), spi.put(RX, bytes(3)), spi.put(RX + 16, bytes(2))
    assert spi.ioctl(message(2), spi.put(AT, transfer(3) + transfer(2, TX + 16, RX + 16))) == 5
    assert [data for data, _, _ in bus.made] == [b"abc", b"de"]
    assert bytes(spi.memory[RX + 16]) == bytes(byte ^ 0xFF for byte in b"de")


def test_a_transfer_without_bytes_to_send_sends_zeros_and_one_without_room_drops_what_comes(
    spi: Caller, bus: Bus
) -> None:
    spi.put(TX, b"xy"), spi.put(RX, bytes(2))
    assert spi.ioctl(message(2), spi.put(AT, transfer(2, tx=0) + transfer(2, rx=0))) == 4
    assert [data for data, _, _ in bus.made] == [b"\0\0", b"xy"]
    assert bytes(spi.memory[RX]) == b"\xff\xff"


def test_mode_and_speed_are_kept_and_are_those_of_the_next_transfer(spi: Caller, bus: Bus) -> None:
    assert spi.ioctl(WR_SPEED, spi.put(AT, struct.pack("<I", 4_000_000))) == 0
    assert spi.ioctl(WR_MODE32, spi.put(AT, struct.pack("<I", 3))) == 0
    spi.put(AT, bytes(4))
    assert spi.ioctl(RD_SPEED, AT) == 0
    assert struct.unpack("<I", spi.memory[AT]) == (4_000_000,)
    assert spi.ioctl(RD_MODE, AT) == 0
    assert spi.memory[AT][0] == 3
    assert spi.write(b"hello") == 5
    assert bus.made == [(b"hello", 4_000_000, 3)]
    spi.ioctl(WR_MODE, spi.put(AT, b"\0"))
    assert spi.read(3) == b"\xff\xff\xff"
    assert bus.made[-1] == (bytes(3), 4_000_000, 0)


def test_what_is_no_ioctl_of_spidev_is_refused_and_so_is_more_than_its_buffer_holds(spi: Caller, bus: Bus) -> None:
    assert spi.ioctl(0x5401, AT) == -errno.ENOTTY
    assert spi.ioctl(message(1), spi.put(AT, transfer(5000))) == -errno.EMSGSIZE
    assert not bus.made


class Display:
    """Acknowledges one address."""

    def __init__(self) -> None:
        self.came: list[tuple[int, bytes]] = []

    def send(self, address: int, data: bytes) -> None:
        if address != 0x3C:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.came.append((address, data))


@pytest.fixture
def display() -> Display:
    return Display()


@pytest.fixture
def i2c(display: Display) -> Caller:
    caller = Caller(Conversation("i2c-1", I2cAdapter(display.send)))
    caller.open()
    return caller


def smbus(caller: Caller, size: int, code: int, data: bytes) -> int:
    """I2C_SMBUS, writing."""
    caller.put(TX, data.ljust(34, b"\0"))
    return caller.ioctl(Command.SMBUS, caller.put(AT, struct.pack("<BBxxIQ", 0, code, size, TX)))


def test_an_adapter_says_that_it_has_blocks_and_plain_messages(i2c: Caller) -> None:
    assert i2c.ioctl(Command.FUNCS, i2c.put(AT, bytes(8))) == 0
    functions = int.from_bytes(i2c.memory[AT], "little")
    assert functions & 0x1
    assert functions & 0x08000000


@pytest.mark.parametrize(
    ("size", "code", "data", "on_the_wire"),
    [
        (Size.QUICK, 0, b"", b""),
        (Size.BYTE, 0xAE, b"", b"\xae"),
        (Size.BYTE_DATA, 0x00, b"\xaf", b"\x00\xaf"),
        (Size.WORD_DATA, 0x00, b"\x81\x7f", b"\x00\x81\x7f"),
        (Size.BLOCK_DATA, 0x40, b"\x02ab", b"\x40\x02ab"),
        (Size.I2C_BLOCK_DATA, 0x40, b"\x03abc", b"\x40abc"),
    ],
)
def test_what_smbus_writes_is_on_the_wire_as_i2c_has_it(
    i2c: Caller, display: Display, size: Size, code: int, data: bytes, on_the_wire: bytes
) -> None:
    i2c.ioctl(Command.SLAVE, 0x3C)
    assert smbus(i2c, size, code, data) == 0
    assert display.came == [(0x3C, on_the_wire)]


def test_messages_go_to_their_own_address_whatever_was_chosen_before(i2c: Caller, display: Display) -> None:
    i2c.ioctl(Command.SLAVE, 0x20)
    i2c.put(RX, struct.pack("<HHHxxQ", 0x3C, 0, 3, TX) + struct.pack("<HHHxxQ", 0x3C, 0, 1, TX + 16))
    i2c.put(TX, b"\x40ab"), i2c.put(TX + 16, b"\x00")
    assert i2c.ioctl(Command.RDWR, i2c.put(AT, struct.pack("<QI4x", RX, 2))) == 2
    assert display.came == [(0x3C, b"\x40ab"), (0x3C, b"\x00")]


def test_an_address_that_nobody_acknowledges_is_an_error_with_the_kernels_number(i2c: Caller) -> None:
    i2c.ioctl(Command.SLAVE, 0x20)
    assert smbus(i2c, Size.BYTE, 0, b"") == -errno.EREMOTEIO
    assert i2c.write(b"x") == -errno.EREMOTEIO


def test_reading_from_what_never_answers_is_refused(i2c: Caller, display: Display) -> None:
    i2c.ioctl(Command.SLAVE, 0x3C)
    i2c.put(TX, bytes(34))
    assert i2c.ioctl(Command.SMBUS, i2c.put(AT, struct.pack("<BBxxIQ", 1, 0, Size.BYTE, TX))) == -errno.EOPNOTSUPP
    i2c.put(RX, struct.pack("<HHHxxQ", 0x3C, 1, 3, TX))
    assert i2c.ioctl(Command.RDWR, i2c.put(AT, struct.pack("<QI4x", RX, 1))) == -errno.EOPNOTSUPP
    assert not display.came


ASKED = Path(__file__).with_name("asked_by_packages.txt")
"""What Debian's kernel 6.12 passed on of calls by spidev 3.8 and smbus2 0.6.1: device and request, in their order."""


def test_what_the_kernel_passes_on_of_the_real_packages_is_what_they_were_told(bus: Bus, display: Display) -> None:
    devices: dict[str, Device] = {"spidev0.0": SpiDevice.on(bus.exchange), "i2c-1": I2cAdapter(display.send)}
    talks = {name: Conversation(name, device) for name, device in devices.items()}
    errors = []
    for name, request in (line.split() for line in ASKED.read_text().splitlines()):
        answer = talks[name].answer(bytes.fromhex(request))
        assert answer is not None
        errors.append(-struct.unpack_from("<IiQ", answer)[1])
    # xfer2, xfer, xfer3, xfer2 at another speed, writebytes, writebytes2, readbytes; in mode 0 at 1 MHz
    assert bus.made == [
        (b"\xee\0", 1_000_000, 0),
        (b"\xee\0\0", 1_000_000, 0),
        (b"\xee\0\0\0", 1_000_000, 0),
        (b"\xee\0", 500_000, 0),
        (b"\1\2\3", 1_000_000, 0),
        (bytes(range(40)), 1_000_000, 0),
        (b"\0\0", 1_000_000, 0),
    ]
    # write_byte, write_byte_data, write_i2c_block_data, i2c_rdwr with two messages; and an address where nobody is
    assert display.came == [(0x3C, data) for data in (b"\xe3", b"\0\xe3", b"\0\xae\xe3", b"@\1\2\3", b"\0\xe3")]
    assert [error for error in errors if error] == [errno.EREMOTEIO]

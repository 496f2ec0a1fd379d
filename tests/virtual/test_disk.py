"""The disk that forgets: what was flushed stays, what was not may be gone, and qemu's way of asking is understood."""

from __future__ import annotations

import random
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.virtual.archive import archive
from tests.virtual.disk import SECTOR, DiskServer, Request, VolatileDisk

OLD, NEW = b"o" * SECTOR, b"n" * SECTOR
SECTORS = 64


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[VolatileDisk]:
    image = tmp_path / "image"
    image.write_bytes(OLD * SECTORS)
    disk = VolatileDisk(image, random.Random(1))
    yield disk
    disk.close()


def sectors(disk: VolatileDisk) -> list[bytes]:
    return [disk.read(number * SECTOR, SECTOR) for number in range(SECTORS)]


def test_what_is_written_is_read_before_it_is_on_the_platter(disk: VolatileDisk) -> None:
    disk.write(3 * SECTOR, NEW * 2)
    assert disk.read(2 * SECTOR, 4 * SECTOR) == OLD + NEW * 2 + OLD


def test_what_was_flushed_outlives_the_power(disk: VolatileDisk) -> None:
    disk.write(0, NEW * SECTORS)
    disk.flush()
    assert disk.lose_power() == 0
    assert sectors(disk) == [NEW] * SECTORS


def test_of_what_was_not_flushed_some_sectors_are_old_and_some_are_new(disk: VolatileDisk) -> None:
    disk.write(0, NEW * SECTORS)
    lost = disk.lose_power()
    assert 0 < lost < SECTORS
    assert sectors(disk).count(OLD) == lost
    assert set(sectors(disk)) == {OLD, NEW}


class Machine:
    """What qemu says to a disk, in the order in which it says it."""

    def __init__(self, path: Path) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(path))
        assert self.take(18)[:16] == b"NBDMAGICIHAVEOPT"
        self.connection.sendall(struct.pack(">I", 3))

    def take(self, length: int) -> bytes:
        return self.connection.recv(length, socket.MSG_WAITALL)

    def option(self, option: int) -> int:
        self.connection.sendall(b"IHAVEOPT" + struct.pack(">II", option, 0))
        return self.reply()

    def reply(self) -> int:
        _, _, kind, length = struct.unpack(">QIII", self.take(20))
        self.take(length)
        return int(kind)

    def ask(self, kind: Request, offset: int, data: bytes = b"", length: int = 0, flags: int = 0) -> bytes:
        head = struct.pack(">IHHQQI", 0x25609513, flags, kind, 7, offset, length or len(data))
        self.connection.sendall(head + data)
        _, error, handle = struct.unpack(">IIQ", self.take(16))
        assert (error, handle) == (0, 7)
        return self.take(length)


def test_a_machine_agrees_writes_flushes_and_is_cut_off(disk: VolatileDisk, tmp_path: Path) -> None:
    server = DiskServer(disk, tmp_path / "socket")
    machine = Machine(tmp_path / "socket")
    assert machine.option(8) == 2**31 + 1
    assert machine.option(7) == 3
    assert machine.reply() == 1
    machine.ask(Request.WRITE, 0, NEW)
    machine.ask(Request.FLUSH, 0)
    machine.ask(Request.WRITE, SECTOR, NEW, flags=1)
    machine.ask(Request.WRITE, 2 * SECTOR, NEW * 30)
    assert machine.ask(Request.READ, 0, length=2 * SECTOR) == NEW * 2
    machine.connection.sendall(b"\x25\x60")
    machine.connection.close()
    server.wait_until_idle()
    assert disk.lose_power() > 0
    assert disk.read(0, 2 * SECTOR) == NEW * 2
    assert (disk.flushes, disk.written) == (2, 32 * SECTOR)
    server.close()


def test_archive_is_laid_out_as_the_kernel_reads_it() -> None:
    made = archive({"dev": None, "init": b"#!/busybox sh\n"})
    assert made.startswith(b"070701" + b"00000001" + b"000041ED")
    assert len(made) % 4 == 0
    assert b"init\0" in made
    assert b"TRAILER!!!\0" in made

"""The partition of the games grows to the end of the card, while it is in use; cut off anywhere, it goes on."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from card.partitions import SECTOR, Partition, Table, read_table

_BLKPG: Final = 0x1269
_RESIZE: Final = 3
_SIZE_IN_BYTES: Final = 0x80081272

Resize = Callable[[Partition], None]


def grow(card: Path, resize: Resize) -> bool:
    """Grow the last partition of a card; return whether there was anything to grow into."""
    descriptor = os.open(card, os.O_RDWR)
    try:
        table = read_table(lambda sector: os.pread(descriptor, SECTOR, sector * SECTOR))
        grown = table.grown(_sectors_of(descriptor))
        if grown != table:
            _write(descriptor, table, grown)
    finally:
        os.close(descriptor)
    # Also where the table was right already: the file system may have been left behind by a power cut.
    resize(grown.logical[-1])
    return grown != table


def resize_in_use(card: Path, number: int) -> Resize:
    """Tells the kernel of a larger partition, and has the file system in it grow."""

    def resize(partition: Partition) -> None:
        device = Path(f"{card}p{number}")
        descriptor = os.open(card, os.O_RDONLY)
        try:
            _tell_kernel(descriptor, number, partition)
        finally:
            os.close(descriptor)
        subprocess.run(["resize2fs", device], check=True)

    return resize


def _write(descriptor: int, table: Table, grown: Table) -> None:
    """The outer partition first: one that is larger than what is in it does no harm."""
    before = table.sectors()
    for sector, content in grown.sectors().items():
        if before.get(sector) != content:
            os.pwrite(descriptor, content, sector * SECTOR)
            os.fsync(descriptor)


def _sectors_of(descriptor: int) -> int:
    size = os.fstat(descriptor).st_size
    if not size:
        size = struct.unpack("Q", fcntl.ioctl(descriptor, _SIZE_IN_BYTES, b"\0" * 8))[0]
    return size // SECTOR


def _tell_kernel(descriptor: int, number: int, partition: Partition) -> None:
    told = bytearray(struct.pack("qqi64s64s4x", partition.start * SECTOR, partition.sectors * SECTOR, number, b"", b""))
    at = (ctypes.c_char * len(told)).from_buffer(told)
    fcntl.ioctl(descriptor, _BLKPG, struct.pack("iiiP", _RESIZE, 0, len(told), ctypes.addressof(at)))

"""Where a file in the root folder of a FAT partition stands on the card, found without mounting it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card.partitions import SECTOR

_FOLDER_ENTRY: Final = 32
_IS_LABEL: Final = 0x08
_GONE: Final = 0xE5
_LEAST_CLUSTERS_OF_FAT32: Final = 65525
_LEAST_CLUSTERS_OF_FAT16: Final = 4085


class NoSuchFileError(Exception):
    """A file, or the whole file system, that is not there."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it stands on the card."""

    places: tuple[int, ...]
    """Where each of its clusters begins, in bytes from the start of the partition."""
    cluster: int
    """How many bytes each of them has."""
    size: int


class FatPartition:
    """A FAT partition, by the path of its device or of an image."""

    def __init__(self, path: Path) -> None:
        self._path = path
        boot = self._bytes(0, SECTOR)
        self._sector, sectors_per_cluster, reserved, tables = struct.unpack_from("<HBHB", boot, 11)
        root_entries, small_total = struct.unpack_from("<HH", boot, 17)
        small_table, large_total, large_table = struct.unpack_from("<H8xII", boot, 22)
        if boot[-2:] != b"\x55\xaa" or not self._sector or not sectors_per_cluster:
            raise NoSuchFileError(f"{path} holds no FAT file system.")
        table = small_table or large_table
        self._cluster: int = sectors_per_cluster * self._sector
        self._table_at = reserved * self._sector
        self._root_at = self._table_at + tables * table * self._sector
        self._root_size = root_entries * _FOLDER_ENTRY
        self._data_at: int = self._root_at + -(-self._root_size // self._sector) * self._sector
        clusters = ((small_total or large_total) * self._sector - self._data_at) // self._cluster
        self._is_32 = clusters >= _LEAST_CLUSTERS_OF_FAT32
        if clusters < _LEAST_CLUSTERS_OF_FAT16:
            raise NoSuchFileError(f"{path} holds a FAT file system that is too small for a card of quarto-pi.")
        self._most: int = clusters + 1
        self._root_cluster: int = struct.unpack_from("<I", boot, 44)[0]

    def find(self, name: str) -> Stored:
        """The file of this short name, as `AUTOBOOT.TXT`, in the root folder."""
        stem, _, suffix = name.upper().partition(".")
        wanted = f"{stem:<8}{suffix:<3}".encode("ascii")
        for entry in self._root():
            if entry[:11] == wanted and not entry[11] & _IS_LABEL:
                high, low, size = struct.unpack_from("<H4xHI", entry, 20)
                first = high << 16 | low if self._is_32 else low
                chain = self._chain(first) if size else ()
                return Stored(tuple(map(self._place, chain)), self._cluster, size)
        raise NoSuchFileError(f"There is no {name} on {self._path}.")

    def read(self, name: str) -> bytes:
        """What stands in a file."""
        stored = self.find(name)
        return b"".join(self._bytes(place, stored.cluster) for place in stored.places)[: stored.size]

    def used(self) -> int:
        """How many bytes, from the beginning, hold all that is in it; what stands behind them does not matter."""
        width = 4 if self._is_32 else 2
        table = self._bytes(self._table_at, (self._most + 1) * width).rstrip(b"\0")
        return self._place(-(-len(table) // width))

    def _root(self) -> Iterator[bytes]:
        if self._is_32:
            folder = b"".join(self._bytes(self._place(each), self._cluster) for each in self._chain(self._root_cluster))
        else:
            folder = self._bytes(self._root_at, self._root_size)
        for at in range(0, len(folder), _FOLDER_ENTRY):
            entry = folder[at : at + _FOLDER_ENTRY]
            if not entry[0]:
                return
            if entry[0] != _GONE:
                yield entry

    def _chain(self, first: int) -> tuple[int, ...]:
        chain: list[int] = []
        cluster = first
        while 2 <= cluster <= self._most and len(chain) <= self._most:
            chain.append(cluster)
            cluster = self._following(cluster)
        return tuple(chain)

    def _following(self, cluster: int) -> int:
        width = 4 if self._is_32 else 2
        number = int.from_bytes(self._bytes(self._table_at + cluster * width, width), "little")
        return number & 0x0FFFFFFF

    def _place(self, cluster: int) -> int:
        return self._data_at + (cluster - 2) * self._cluster

    def _bytes(self, at: int, count: int) -> bytes:
        with self._path.open("rb") as device:
            device.seek(at)
            found = device.read(count)
        if len(found) != count:
            raise NoSuchFileError(f"{self._path} ends in the middle of its file system.")
        return found

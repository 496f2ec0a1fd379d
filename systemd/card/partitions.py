"""The card's partition table: an MBR, because the boot ROM of a Pi 3 reads no GPT."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

SECTOR: Final = 512
MEBIBYTE: Final = 1024 * 1024 // SECTOR
ALIGNMENT: Final = 4 * MEBIBYTE
"""What cards erase at once, more or less; nothing of two partitions lies in one such piece."""

FAT: Final = 0x0C
LINUX: Final = 0x83
EXTENDED: Final = 0x0F

_ENTRIES_AT: Final = 446
_ENTRY: Final = struct.Struct("<B3sB3sII")
_SIGNATURE: Final = b"\x55\xaa"
_MOST_SECTORS: Final = 2**32 - 1
# Cylinders, heads and sectors say nothing on a card: the highest means "look at the numbers instead".
_NO_GEOMETRY: Final = b"\xfe\xff\xff"

Sectors = Mapping[int, bytes]
"""What stands in which sector."""
ReadSector = Callable[[int], bytes]


class NotOurTableError(Exception):
    """A partition table that this project has not made."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of the card, in sectors of the whole card."""

    start: int
    sectors: int
    kind: int

    @property
    def end(self) -> int:
        """The first sector behind it."""
        return self.start + self.sectors


@dataclass(frozen=True, slots=True)
class Table:
    """Three partitions of their own, and an extended one that is full of the others, each behind a sector about it."""

    disk_id: int
    primary: tuple[Partition, ...]
    extended: Partition
    logical: tuple[Partition, ...]

    def partition(self, number: int) -> Partition:
        """The partition with this number, as Linux and the Pi's firmware count them."""
        return self.logical[number - 5] if number > 4 else (*self.primary, self.extended)[number - 1]

    def sectors(self) -> Sectors:
        """The table as it stands on a card; who changes it writes in this order, and may be cut off after each."""
        first = _table_sector(self.disk_id, (*((each, 0) for each in self.primary), (self.extended, 0)))
        chain = {}
        for record, partition, following in self._chain():
            links = [(partition, record)]
            if following is not None:
                # It begins at its own sector of the chain, which is counted from the whole extended partition.
                start = following.start - ALIGNMENT
                links.append((Partition(start, following.end - start, EXTENDED), self.extended.start))
            chain[record] = _table_sector(0, links)
        return {0: first, **chain}

    def _chain(self) -> Iterator[tuple[int, Partition, Partition | None]]:
        followers = (*self.logical[1:], None)
        for partition, following in zip(self.logical, followers, strict=True):
            yield partition.start - ALIGNMENT, partition, following

    def grown(self, card_sectors: int) -> Table:
        """The same with a last partition that reaches to the end of the card; never a smaller one."""
        end = min(card_sectors, _MOST_SECTORS) // ALIGNMENT * ALIGNMENT
        last = self.logical[-1]
        if end <= last.end:
            return self
        return replace(
            self,
            extended=replace(self.extended, sectors=end - self.extended.start),
            logical=(*self.logical[:-1], replace(last, sectors=end - last.start)),
        )


def laid_out(disk_id: int, primary: tuple[int, ...], logical: tuple[int, ...]) -> Table:
    """A table of partitions of so many mebibytes: FAT ones, and then those of Linux."""
    at = ALIGNMENT
    firsts = []
    for mebibytes in primary:
        firsts.append(Partition(at, mebibytes * MEBIBYTE, FAT))
        at = _aligned(firsts[-1].end)
    start, rest = at, []
    for mebibytes in logical:
        rest.append(Partition(at + ALIGNMENT, mebibytes * MEBIBYTE, LINUX))
        at = _aligned(rest[-1].end)
    return Table(disk_id, tuple(firsts), Partition(start, at - start, EXTENDED), tuple(rest))


def read_table(read: ReadSector) -> Table:
    """The table of a card, or an error where it is none that `laid_out` has made."""
    first = read(0)
    entries = _entries(first)
    if [each.kind for each in entries] != [FAT, FAT, FAT, EXTENDED]:
        raise NotOurTableError("This card has another partition table than quarto-pi's: it is left as it is.")
    extended = entries[3]
    logical: list[Partition] = []
    at: int | None = extended.start
    while at is not None:
        own, *link = _entries(read(at))
        logical.append(replace(own, start=own.start + at))
        at = link[0].start + extended.start if link else None
        if len(logical) > 16:
            raise NotOurTableError("The card's partition table leads in a circle: it is left as it is.")
    table = Table(struct.unpack_from("<I", first, 440)[0], tuple(entries[:3]), extended, tuple(logical))
    if any(one.end > other.start for one, other in pairwise((*table.primary, *table.logical))):
        raise NotOurTableError("Partitions of this card lie across each other: it is left as it is.")
    return table


def _table_sector(
    disk_id: int,
    entries: Iterator[tuple[Partition, int]] | list[tuple[Partition, int]] | tuple[tuple[Partition, int], ...],
) -> bytes:
    sector = bytearray(SECTOR)
    struct.pack_into("<I", sector, 440, disk_id)
    for index, (partition, base) in enumerate(entries):
        entry = (0, _NO_GEOMETRY, partition.kind, _NO_GEOMETRY, partition.start - base, partition.sectors)
        _ENTRY.pack_into(sector, _ENTRIES_AT + index * _ENTRY.size, *entry)
    sector[-2:] = _SIGNATURE
    return bytes(sector)


def _entries(sector: bytes) -> list[Partition]:
    if sector[-2:] != _SIGNATURE:
        raise NotOurTableError("This card has no partition table where one should be: it is left as it is.")
    found = (_ENTRY.unpack_from(sector, _ENTRIES_AT + index * _ENTRY.size) for index in range(4))
    return [Partition(start, sectors, kind) for _, _, kind, _, start, sectors in found if sectors]


def _aligned(sector: int) -> int:
    return -(-sector // ALIGNMENT) * ALIGNMENT

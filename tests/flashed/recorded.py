"""What a machine has written onto its card, write by write, as QEMU's `blklogwrites` keeps it.

An SD card acknowledges a sector once it has it, and Debian's driver has one command under way at a time: so what is on
a card whose plug was pulled are the first so many sectors of this list. That a card keeps what it has acknowledged, and
nothing else, is taken for granted; one that lies is not shown here.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card.partitions import SECTOR, Table

_HEAD: Final = struct.Struct("<4Q")
_DISCARDED: Final = 4


@dataclass(frozen=True, slots=True)
class Write:
    """One of them."""

    sector: int
    content: bytes
    end: int
    """How long the list was once it was done, in bytes."""

    @property
    def last(self) -> int:
        """The sector behind it."""
        return self.sector + len(self.content) // SECTOR


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a machine has said is safe, and how long the list of writes was by then at the latest."""

    number: int
    end: int


@dataclass(frozen=True, slots=True)
class Recording:
    """A card as it was before, and all that was written since."""

    before: Path
    log: Path
    told: tuple[Told, ...] = ()
    end: int | None = None
    """How long the list was when there was nothing more to look at, in bytes; None for all of it."""

    def writes(self) -> Iterator[Write]:
        """In their order."""
        end = SECTOR
        with self.log.open("rb") as log:
            log.seek(end)
            while len(head := log.read(SECTOR)) == SECTOR:
                if self.end is not None and end >= self.end:
                    return
                sector, sectors, flags, _ = _HEAD.unpack_from(head)
                end += SECTOR
                if flags & _DISCARDED or not sectors:
                    continue
                content = log.read(sectors * SECTOR)
                if len(content) < sectors * SECTOR:
                    return
                end += len(content)
                yield Write(sector, content, end)

    def written_to(self, table: Table) -> Mapping[int, int]:
        """How many bytes were written to each partition; those that nothing was written to are left away."""
        parts = {number: table.partition(number) for number in (1, 2, 3, 5, 6, 7)}
        written = dict.fromkeys(parts, 0)
        for write in self.writes():
            number = next((number for number, part in parts.items() if part.start <= write.sector < part.end), None)
            if number is not None:
                written[number] += len(write.content)
        return {number: count for number, count in written.items() if count}

    def forget(self) -> None:
        """Make room."""
        self.before.unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)

    def told_by(self, end: int) -> int | None:
        """The last number that was told before the list was longer than this."""
        return max((each.number for each in self.told if each.end <= end), default=None)


def copy_sparsely(source: Path, target: Path, at: int = 0, length: int | None = None) -> None:
    """Copy a file, or a part of it, without what was never written of it."""
    target.unlink(missing_ok=True)
    with source.open("rb") as whole, target.open("wb") as copy:
        end = os.fstat(whole.fileno()).st_size if length is None else at + length
        copy.truncate(end - at)
        place = at
        while place < end:
            try:
                begin = os.lseek(whole.fileno(), place, os.SEEK_DATA)
            except OSError:
                return  # nothing but holes from here on
            place = min(os.lseek(whole.fileno(), begin, os.SEEK_HOLE), end)
            while begin < place:
                begin += os.copy_file_range(whole.fileno(), copy.fileno(), place - begin, begin, begin - at)

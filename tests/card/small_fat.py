"""A FAT16 file system with a few files, written by hand: the smallest that the card's own reader takes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

SECTOR = 512
CLUSTERS = 4200
TABLE_SECTORS = 17
ROOT_ENTRIES = 32


def write_small_fat(path: Path, files: Mapping[str, bytes]) -> None:
    """Write one: a sector is a cluster, and every file lies in pieces, last one first."""
    boot = bytearray(SECTOR)
    struct.pack_into("<HBHBHHBH", boot, 11, SECTOR, 1, 1, 1, ROOT_ENTRIES, 0, 0xF8, TABLE_SECTORS)
    struct.pack_into("<I", boot, 32, 1 + TABLE_SECTORS + ROOT_ENTRIES * 32 // SECTOR + CLUSTERS)
    boot[-2:] = b"\x55\xaa"
    table, folder, data = [0xFFF8, 0xFFFF], bytearray(), {}
    for name, content in files.items():
        pieces = [content[at : at + SECTOR] for at in range(0, len(content), SECTOR)]
        first = len(table)
        chain = list(range(first, first + len(pieces)))[::-1]
        table += [0] * len(pieces)
        for cluster, follower, piece in zip(chain, [*chain[1:], 0xFFFF], pieces, strict=True):
            table[cluster] = follower
            data[cluster] = piece
        stem, _, suffix = name.partition(".")
        short = f"{stem:<8}{suffix:<3}".encode()
        folder += short + bytes(15) + struct.pack("<HI", chain[0] if chain else 0, len(content))
    tables = struct.pack(f"<{len(table)}H", *table).ljust(TABLE_SECTORS * SECTOR, b"\0")
    clusters = b"".join(data[each].ljust(SECTOR, b"\0") for each in sorted(data))
    path.write_bytes(bytes(boot) + tables + bytes(folder).ljust(ROOT_ENTRIES * 32, b"\0") + clusters + bytes(SECTOR))

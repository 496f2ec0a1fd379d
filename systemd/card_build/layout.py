"""Which partitions a card has."""

from __future__ import annotations

from typing import Final

from card.partitions import Table, laid_out

DISK_ID: Final = 0x51756172
"""The same on all cards: RAUC's configuration names partitions by it. A Pi has one card."""
OWNERS: Final = 1
BOOT_A: Final = 2
BOOT_B: Final = 3
ROOT_A: Final = 5
ROOT_B: Final = 6
DATA: Final = 7

OWNERS_MEBIBYTES: Final = 64
BOOT_MEBIBYTES: Final = 192
ROOT_MEBIBYTES: Final = 512
DATA_MEBIBYTES: Final = 64

OWNERS_LABEL: Final = "QUARTO-PI"


def card_table() -> Table:
    """The partition table of a card as it is flashed."""
    return laid_out(
        DISK_ID,
        (OWNERS_MEBIBYTES, BOOT_MEBIBYTES, BOOT_MEBIBYTES),
        (ROOT_MEBIBYTES, ROOT_MEBIBYTES, DATA_MEBIBYTES),
    )

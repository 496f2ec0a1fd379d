"""A card, and what the Pi does with it: a model of firmware and initial file system, as far as slots go.

The firmware takes the partition that PM_RSTS asks for, or else what `autoboot.txt` says. Pulling the plug clears the
register; a restart does not, the first thing that a started system does is to clear it. A slot that is not whole does
not start.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from card.boot_choice import FILE, Slot, read_choice
from card.fat import FatPartition
from card.slots import CMDLINE, Slots, running_slot
from card_build.boot_files import COMMAND_LINE

from tests.card.small_fat import write_small_fat

WHOLE = b"a system, version "


class PlugPulledError(Exception):
    """The power went."""


@dataclass
class Pi:
    """A Pi with a card in it, whose partitions are files."""

    card: Path
    reset_status: int = 0
    writes_left: int | None = None
    """After so many writes the plug is pulled; never, if nothing."""
    writes: int = field(default=0, init=False)

    def partition(self, number: int) -> Path:
        return self.card / f"p{number}"

    def flash(self, autoboot: bytes) -> None:
        """A card as it is flashed: a system in slot A, nothing in B."""
        write_small_fat(self.partition(1), {FILE: autoboot})
        self.fill(Slot.A, b"1")
        for number in (3, 6):
            self.partition(number).write_bytes(b"")

    def boot_files(self, version: bytes) -> bytes:
        """What an update brings for a boot partition; it does not know into which slot it comes."""
        image = self.card / "boot.img"
        write_small_fat(image, {CMDLINE: COMMAND_LINE.encode() + b"\n", "VERSION.TXT": version})
        return image.read_bytes()

    def fill(self, slot: Slot, version: bytes) -> None:
        """Put a system into a slot, as it is flashed."""
        self.partition(slot.root_partition).write_bytes(WHOLE + version)
        self.partition(slot.boot_partition).write_bytes(self.boot_files(version))

    def write_update(self, slot: Slot, version: bytes) -> None:
        """What RAUC does between its questions: pieces of both partitions, any of which may be the last."""
        for number, content in (
            (slot.root_partition, WHOLE + version),
            (slot.boot_partition, self.boot_files(version)),
        ):
            half = len(content) // 2
            for piece in (b"", content[:half], content):
                self.count_write()
                self.partition(number).write_bytes(piece)

    def start(self) -> Slots:
        """Switch it on, or let it restart: the slot that runs then; an error, if nothing whole is found."""
        asked = {0x4: 2, 0x5: 3}.get(self.reset_status & 0x555)
        autoboot = FatPartition(self.partition(1)).read(FILE)
        number = asked or read_choice(autoboot).usual.boot_partition
        boot = FatPartition(self.partition(number))
        slot, _ = running_slot(boot.read(CMDLINE).decode())
        root = self.partition(slot.root_partition).read_bytes()
        assert root == WHOLE + boot.read("VERSION.TXT"), f"what partition {number} boots is not whole"
        self.reset_status = 0
        return self.slots(slot)

    def slots(self, running: Slot) -> Slots:
        return Slots(running, self.partition, self.request)

    def request(self, partition: int) -> None:
        self.reset_status = {2: 0x4, 3: 0x5}[partition]

    def pull_the_plug(self) -> None:
        self.reset_status = 0
        self.writes_left = None

    def count_write(self) -> None:
        if self.writes_left == 0:
            raise PlugPulledError
        if self.writes_left is not None:
            self.writes_left -= 1
        self.writes += 1

    def contents(self) -> str:
        """A digest of all partitions."""
        return hashlib.sha256(b"".join(self.partition(n).read_bytes() for n in (1, 2, 3, 5, 6))).hexdigest()

    @contextmanager
    def cut_after(self, writes: int | None) -> Iterator[None]:
        """Pull the plug at a write, whoever makes it."""
        self.writes_left = writes
        self.writes = 0
        with mock.patch("os.pwrite", counted(os.pwrite, self.count_write)):
            yield


def counted(write: Callable[[int, bytes, int], int], before: Callable[[], None]) -> Callable[[int, bytes, int], int]:
    def pwrite(descriptor: int, content: bytes, at: int) -> int:
        before()
        return write(descriptor, content, at)

    return pwrite

"""What the Pi does before Linux, played by hand: which partition is booted, and what is loaded from it.

`-M raspi3b` begins where the Pi's firmware ends. So this reads what the firmware would have read, from the card and
from nowhere else: the partition that PM_RSTS asks for, or `boot_partition=` of `autoboot.txt`; there `config.txt`,
`cmdline.txt`, kernel, initial file system and device tree. That the real firmware does the same is not shown by it.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from card.boot_choice import Slot
from card.partitions import SECTOR, Table, read_table
from card.reset_status import PARTITION_BITS, requested

from tests.flashed.emulator import Files, Machine

TREE: Final = "bcm2837-rpi-3-b.dtb"
PI_3_B: Final = "a02082"
ONLY_HERE: Final = (
    # A console that can be read, with a shell on it: the card itself asks nobody in and has no password.
    "console=ttyS1,115200 systemd.debug_shell=ttyS1 systemd.mask=serial-getty@ttyS1.service"
    " systemd.log_target=journal loglevel=1 systemd.show_status=0"
    # This machine's watchdog restarts it the moment it is armed.
    " systemd.watchdog_device=/dev/null"
)


@dataclass
class FlashedCard:
    """A card in a Pi, and what the Pi remembers from one start to the next."""

    image: Path
    folder: Path
    program: Sequence[str]
    reset_status: int = 0
    starts: int = field(default=0, init=False)

    def table(self) -> Table:
        """Its partition table."""
        with self.image.open("rb") as card:

            def read(sector: int) -> bytes:
                card.seek(sector * SECTOR)
                return card.read(SECTOR)

            return read_table(read)

    def file(self, partition: int, name: str) -> bytes:
        """A file of one of its boot partitions."""
        at = self.table().partition(partition).start * SECTOR
        return subprocess.run(
            ["mtype", "-i", f"{self.image}@@{at}", f"::{name}"], check=True, capture_output=True
        ).stdout

    def bytes_at(self, sector: int, sectors: int) -> bytes:
        """What stands on it."""
        with self.image.open("rb") as card:
            card.seek(sector * SECTOR)
            return card.read(sectors * SECTOR)

    def slot_digest(self, slot: Slot) -> str:
        """A checksum of all that is in a slot."""
        digest = hashlib.sha256()
        for number in (slot.boot_partition, slot.root_partition):
            part = self.table().partition(number)
            with self.image.open("rb") as card:
                card.seek(part.start * SECTOR)
                digest.update(card.read(part.sectors * SECTOR))
        return digest.hexdigest()

    def booted_partition(self) -> int:
        """Which partition the firmware takes."""
        asked = requested(self.reset_status & PARTITION_BITS)
        found = re.search(rb"(?m)^boot_partition=(\d)\s*$", self.file(1, "autoboot.txt"))
        return asked or (int(found[1]) if found else 1)

    def start(self, written_to: Path | None = None) -> Machine:
        """Switch it on, or let it go on with its restart; a file may keep whatever is written to the card."""
        files = self._load(self.booted_partition())
        self.starts += 1
        asked = self.reset_status & PARTITION_BITS
        return Machine(self.program, self.folder, self.image, files, rsts=asked, written_to=written_to)

    def restarted(self, machine: Machine, seconds: float) -> None:
        """Wait until it restarts by itself, and keep what its register asks for, as a Pi does."""
        machine.wait_until_stopped(seconds)
        self.reset_status = machine.reset_status()

    def unplugged(self) -> None:
        """The plug was pulled: the register forgets."""
        self.reset_status = 0

    def _load(self, partition: int) -> Files:
        config = self.file(partition, "config.txt").decode()
        kernel = re.search(r"(?m)^kernel=(\S+)", config)
        initial = re.search(r"(?m)^initramfs (\S+)", config)
        if kernel is None or initial is None:
            raise ValueError(f"config.txt of partition {partition} names no kernel")
        loaded = []
        for name in (kernel[1], initial[1], TREE):
            path = self.folder / f"loaded-{name}"
            path.write_bytes(self.file(partition, name))
            loaded.append(path)
        # The firmware writes into the tree which Pi it is; what drives the pins asks for that.
        subprocess.run(["fdtput", "-p", "-t", "x", loaded[2], "/system", "linux,revision", PI_3_B], check=True)
        command_line = self.file(partition, "cmdline.txt").decode().strip().replace("console=tty1", "")
        return Files(loaded[0], loaded[1], loaded[2], f"{command_line} {ONLY_HERE}")

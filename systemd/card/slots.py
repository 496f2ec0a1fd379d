"""The two slots of the card in this board: which one runs, what is known of both, and how one becomes the usual one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card.boot_choice import FILE, BootChoice, Slot, State, read_choice
from card.fat import FatPartition
from card.partitions import SECTOR

CMDLINE: Final = "CMDLINE.TXT"
_ROOT: Final = re.compile(rb"root=PARTUUID=([0-9a-f]{8})-0([56])")


class CardError(Exception):
    """Something about the card that keeps an update from being made; a sentence."""


def running_slot(command_line: str) -> tuple[Slot, str]:
    """The slot that the kernel was told to take its root from, and the card's identifier."""
    found = _ROOT.search(command_line.encode())
    if found is None:
        raise CardError("This system does not run from a card of quarto-pi.")
    return Slot(int(found[2]) - 3), found[1].decode()


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots, by the paths of the card's partitions."""

    running: Slot
    partition: Callable[[int], Path]
    request: Callable[[int], None]
    """Asks the firmware to boot a partition at the next restart, once."""

    def choice(self) -> BootChoice:
        """What stands on the card."""
        return read_choice(FatPartition(self.partition(1)).read(FILE))

    def write(self, choice: BootChoice) -> None:
        """Put it on the card: one sector, so that it is there or is not; nothing is written where nothing changes."""
        path = self.partition(1)
        boot = FatPartition(path)
        stored = boot.find(FILE)
        content = choice.encoded()
        if stored.size < SECTOR:
            # Somebody has written it with an editor: it stays as long as it is, and says what counts.
            content = content[: stored.size].rstrip(b"\n") if stored.size else b""
            if read_choice(content) != choice:
                raise CardError(
                    "autoboot.txt on the card was edited: put the one of the release back, of 512 characters."
                )
        if boot.read(FILE)[: len(content)] != content:
            _overwrite(path, stored.places[0], content)

    def mark(self, slot: Slot, state: State) -> None:
        """Note what is known of a slot."""
        self.write(self.choice().marked(slot, state))

    def offer(self, slot: Slot) -> None:
        """An update is in this slot, whole: have it use its own root, and be tried at the next opportunity."""
        if slot is self.running:
            raise CardError("The running system can't be replaced by an update.")
        self._point_to_own_root(slot)
        self.mark(slot, State.NEW)

    def try_new(self) -> bool:
        """Have the next restart boot an update that was not tried yet, once; return whether there is one."""
        choice = self.choice()
        slot = choice.to_try()
        if slot is None or slot is self.running:
            return False
        self.write(choice.marked(slot, State.TRIED))
        self.request(slot.boot_partition)
        return True

    def leave(self) -> bool:
        """Let the other slot be the usual one, where that was good; return whether it was."""
        choice = self.choice()
        left = choice.left(self.running)
        self.write(left)
        return left != choice

    def _point_to_own_root(self, slot: Slot) -> None:
        """Both slots get the same boot files; which root belongs to them is the one thing that differs."""
        path = self.partition(slot.boot_partition)
        boot = FatPartition(path)
        text = boot.read(CMDLINE)
        pointed = _ROOT.sub(lambda found: b"root=PARTUUID=%s-0%d" % (found[1], slot.root_partition), text)
        if not _ROOT.search(text) or len(text) > SECTOR:
            raise CardError("The update's boot files name no root: it is not for this card.")
        if pointed != text:
            _overwrite(path, boot.find(CMDLINE).places[0], pointed)


def _overwrite(device: Path, at: int, content: bytes) -> None:
    """Replace what stands in one sector; on the card when this returns."""
    descriptor = os.open(device, os.O_RDWR)
    try:
        sector = os.pread(descriptor, SECTOR, at)
        os.pwrite(descriptor, content + sector[len(content) :], at)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

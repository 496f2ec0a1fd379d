"""A recorded update whose plug is pulled at any moment of it: what would be on the card, and what would start from it.

The card is put together for every moment, from what it was before and from all that was written until then. What the Pi
would boot is told by `autoboot.txt`, as after every pulled plug; whether that is whole is compared byte for byte.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from card.boot_choice import BootChoice, Slot, State, read_choice
from card.partitions import SECTOR
from card_build.boot_files import PROGRAMS_PATH

from quarto_pi.journal.repair import open_checked
from tests.flashed.boot import FlashedCard
from tests.flashed.recorded import Recording, copy_sparsely

OWNERS: Final = 1
DATA: Final = 7
KEPT: Final = "trial"
"""The folder of partition 7 in which a journal was kept meanwhile."""
_DECIDING: Final = (b"boot_partition=", b"root=PARTUUID=")
"""What stands in the sectors that decide what is booted: in `autoboot.txt`, and in a slot's `cmdline.txt`."""
_WHOLE: Final = (State.NEW, State.TRIED, State.GOOD)
_CORRECTED: Final = 1
_ENVIRONMENT: Final = {**os.environ, "PATH": PROGRAMS_PATH}


class CutError(Exception):
    """What would be wrong with a card after a cut; a sentence."""


@dataclass(frozen=True, slots=True)
class Found:
    """A card after a cut, and what was found on it."""

    writes: int
    choice: BootChoice
    kept: int
    """How many entries its journal has."""
    told: int
    """How many of them had been told as safe."""


@dataclass
class Cuts:
    """The moments of one recording at which the plug is pulled."""

    card: FlashedCard
    recording: Recording
    digests: Mapping[Slot, str]
    """What is in a slot once it is whole."""
    found: list[Found] = field(default_factory=list)
    _seen: dict[Slot, str] = field(default_factory=dict)
    """What is in a slot, as long as nothing is written into it."""

    def moments(self, count: int, seed: int) -> Sequence[int]:
        """After how many writes: so many by chance, and both sides of every write that decides what is booted."""
        slots = [place for slot in Slot for place in self._places(slot)]
        begun, number, edges = 0, 0, set[int]()
        for number, write in enumerate(self.recording.writes(), 1):
            decides = any(mark in write.content for mark in _DECIDING)
            if not begun and (decides or any(write.sector in place for place in slots)):
                begun = number
            if decides:
                edges |= {number - 1, number}
        draw = random.Random(seed)
        return sorted({*draw.sample(range(begun, number + 1), count), *edges})

    def judge(self, moments: Sequence[int], keep: Mapping[int, Path]) -> None:
        """Put the card together at every one of them, and look at it; some of the cards are kept, for a start."""
        with TemporaryDirectory(dir=self.card.folder) as name:
            image = Path(name) / "cut.img"
            copy_sparsely(self.recording.before, image)
            self._seen.clear()
            for writes, end in self._at(image, moments):
                if writes in keep:
                    copy_sparsely(image, keep[writes])
                self.found.append(self._look(image, writes, end))

    def _at(self, image: Path, moments: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The image at each of these moments: how many writes it has, and how long the list of writes was."""
        places = {slot: self._places(slot) for slot in Slot}
        wanted = iter(moments)
        moment = next(wanted, None)
        with image.open("r+b", buffering=0) as disk:
            for number, write in enumerate(self.recording.writes(), 1):
                while moment is not None and moment < number:
                    yield moment, write.end - len(write.content) - SECTOR
                    moment = next(wanted, None)
                if moment is None:
                    return
                os.pwrite(disk.fileno(), write.content, write.sector * SECTOR)
                for slot in [slot for slot in self._seen if any(write.sector in place for place in places[slot])]:
                    del self._seen[slot]
                if moment == number:
                    yield number, write.end
                    moment = next(wanted, None)

    def _look(self, image: Path, writes: int, end: int) -> Found:
        card = FlashedCard(image, self.card.folder, self.card.program)
        choice = read_choice(card.file(OWNERS, "autoboot.txt"))
        if card.booted_partition() != choice.usual.boot_partition:
            raise CutError(f"after {writes} writes the Pi would boot partition {card.booted_partition()}")
        for slot in Slot:
            counts = slot is choice.usual or choice.state(slot) in _WHOLE
            if counts and self._digest(card, slot) != self.digests[slot]:
                raise CutError(f"after {writes} writes slot {slot.name} is {choice.state(slot)}, and is not whole")
        with TemporaryDirectory(dir=self.card.folder) as name:
            folder = Path(name)
            self._check_owners_partition(card, folder / "owners.img", writes)
            kept = self._journal(card, folder, writes)
        told = self.recording.told_by(end)
        if told is not None and kept <= told:
            raise CutError(f"after {writes} writes the journal has {kept} entries, and {told + 1} were told as safe")
        return Found(writes, choice, kept, 0 if told is None else told + 1)

    def _check_owners_partition(self, card: FlashedCard, part: Path, writes: int) -> None:
        self._extract(card, OWNERS, part)
        done = subprocess.run(["fsck.vfat", "-n", part], check=False, capture_output=True, text=True, env=_ENVIRONMENT)
        # That it was not unmounted is no damage: whoever pulls a plug does not unmount.
        if done.returncode and "Dirty bit is set" not in done.stdout:
            raise CutError(f"after {writes} writes the owner's partition is damaged: {done.stdout[-300:]}")

    def _journal(self, card: FlashedCard, folder: Path, writes: int) -> int:
        """Have the file system of the games repaired as every start does, and count what the journal on it has."""
        part = folder / "data.img"
        self._extract(card, DATA, part)
        repaired = subprocess.run(["e2fsck", "-p", part], check=False, capture_output=True, text=True, env=_ENVIRONMENT)
        checked = subprocess.run(["e2fsck", "-fn", part], check=False, capture_output=True, text=True, env=_ENVIRONMENT)
        if repaired.returncode > _CORRECTED or checked.returncode:
            raise CutError(
                f"after {writes} writes the games' file system is damaged: {repaired.stdout}{checked.stdout}"
            )
        asked: list[str | Path] = ["debugfs", "-R", f"rdump /{KEPT} {folder}", part]
        subprocess.run(asked, check=True, capture_output=True, env=_ENVIRONMENT)
        kept = folder / KEPT
        if not (kept / "journal.sqlite").exists():
            return 0
        connection, note = open_checked(kept)
        with closing(connection):
            if note is not None:
                raise CutError(f"after {writes} writes: {note}")
            return _entries(connection)

    def _extract(self, card: FlashedCard, partition: int, target: Path) -> None:
        part = card.table().partition(partition)
        copy_sparsely(card.image, target, part.start * SECTOR, part.sectors * SECTOR)

    def _digest(self, card: FlashedCard, slot: Slot) -> str:
        if slot not in self._seen:
            self._seen[slot] = card.slot_digest(slot)
        return self._seen[slot]

    def _places(self, slot: Slot) -> Sequence[range]:
        table = self.card.table()
        parts = [table.partition(number) for number in (slot.boot_partition, slot.root_partition)]
        return [range(part.start, part.end) for part in parts]


def _entries(connection: sqlite3.Connection) -> int:
    (count, highest) = connection.execute("SELECT count(*), coalesce(max(game), -1) FROM events").fetchone()
    if highest != count - 1:
        raise CutError(f"the journal's entries have gaps: {count}, up to number {highest}")
    return int(count)

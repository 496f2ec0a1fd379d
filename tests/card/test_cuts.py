"""What `make test-card` says of a card whose plug was pulled: that it finds what is wrong."""

from __future__ import annotations

import os
import struct
import subprocess
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from card.boot_choice import BootChoice, Slot, State
from card.partitions import SECTOR, laid_out
from card_build.boot_files import PROGRAMS_PATH
from card_build.image import write_card

from quarto_pi.journal.journal import write
from quarto_pi.journal.records import Entry, EventRow
from quarto_pi.journal.repair import open_checked
from tests.flashed.boot import FlashedCard
from tests.flashed.cuts import DATA, KEPT, OWNERS, CutError, Cuts
from tests.flashed.recorded import Recording, Told, copy_sparsely

TABLE = laid_out(0x51756172, (2, 1, 1), (1, 1, 8))
OLD, NEW = b"\1" * 1024 * 1024, b"\2" * 1024 * 1024
ENVIRONMENT = {**os.environ, "PATH": PROGRAMS_PATH, "MTOOLS_SKIP_CHECK": "1"}


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)  # noqa: S603 - Debian's own tools


@dataclass
class Recorder:
    """Writes onto a card as a machine does, and takes it down as QEMU does."""

    folder: Path
    card: FlashedCard
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.before, self.log = self.folder / "before", self.folder / "log"
        copy_sparsely(self.card.image, self.before)
        self.log.write_bytes(bytes(SECTOR))

    def write(self, place: int, content: bytes, at_once: int = SECTOR) -> None:
        with self.card.image.open("r+b") as card, self.log.open("ab") as log:
            for at in range(0, len(content), at_once):
                sector, piece = (place + at) // SECTOR, content[at : at + at_once]
                card.seek(place + at)
                card.write(piece)
                log.write(struct.pack("<4Q", sector, len(piece) // SECTOR, 0, len(piece)).ljust(SECTOR, b"\0") + piece)

    def fill(self, slot: Slot, content: bytes) -> None:
        for number in (slot.root_partition, slot.boot_partition):
            self.write(TABLE.partition(number).start * SECTOR, content)

    def choose(self, choice: BootChoice) -> None:
        """One sector, where it stands."""
        image = self.card.image.read_bytes()
        self.write(image.index(b"[all]\nboot_partition="), choice.encoded())

    def keep(self, entries: int) -> None:
        """A journal with so many entries is on the card, and told as safe."""
        kept = self.folder / KEPT
        connection, _ = open_checked(kept)
        with closing(connection):
            number = connection.execute("SELECT count(*) FROM events").fetchone()[0]
            write(connection, [Entry(events=tuple(EventRow(each, 0.0, "kept") for each in range(number, entries)))])
        part = self.folder / "p7"
        data_with(part, kept)
        content = part.read_bytes()
        # The file system sees to it that half of this never counts; here it is made anew, and comes as a whole.
        self.write(TABLE.partition(DATA).start * SECTOR, content, len(content))
        self.tell(entries)

    def tell(self, entries: int) -> None:
        self.told.append(Told(entries - 1, self.log.stat().st_size))

    def cuts(self) -> Cuts:
        digests = {slot: self.card.slot_digest(slot) for slot in Slot}
        return Cuts(self.card, Recording(self.before, self.log, tuple(self.told)), digests)


def data_with(path: Path, kept: Path | None) -> None:
    """A partition of games."""
    content = path.with_suffix(".content")
    content.mkdir(exist_ok=True)
    if kept is not None:
        run("cp", "-a", kept, content)
    path.unlink(missing_ok=True)
    run("mkfs.ext4", "-q", "-d", content, path, "8M")


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    owners, image = tmp_path / "p1", tmp_path / "card.img"
    with owners.open("wb") as file:
        file.truncate(2 * 1024 * 1024)
    run("mkfs.vfat", "-s", "1", owners)
    (tmp_path / "autoboot.txt").write_bytes(BootChoice().encoded())
    run("mcopy", "-i", owners, tmp_path / "autoboot.txt", "::autoboot.txt")
    (tmp_path / "old").write_bytes(OLD)
    data_with(tmp_path / "p7", None)
    parts = {OWNERS: owners, 2: tmp_path / "old", 5: tmp_path / "old", DATA: tmp_path / "p7"}
    write_card(image, TABLE, parts)
    return Recorder(tmp_path, FlashedCard(image, tmp_path, ()))


def installed(recorder: Recorder) -> None:
    recorder.choose(BootChoice())
    recorder.fill(Slot.B, NEW)
    recorder.keep(3)
    recorder.choose(BootChoice().marked(Slot.B, State.NEW))


def test_what_was_written_to_each_partition_is_counted(recorder: Recorder) -> None:
    recorder.choose(BootChoice())
    recorder.fill(Slot.B, NEW)
    recorder.write(SECTOR, bytes(SECTOR))  # of no partition
    written = recorder.cuts().recording.written_to(TABLE)
    assert written == {OWNERS: SECTOR, Slot.B.boot_partition: len(NEW), Slot.B.root_partition: len(NEW)}


def test_update_in_the_right_order_survives_every_cut(recorder: Recorder) -> None:
    installed(recorder)
    cuts = recorder.cuts()
    moments = cuts.moments(20, 1)
    writes = sum(1 for _ in cuts.recording.writes())
    assert {0, 1, writes - 1, writes} <= set(moments), "both sides of what decides"
    kept = recorder.folder / "kept.img"
    cuts.judge(moments, {moments[-1]: kept})
    states = [found.choice.state(Slot.B) for found in cuts.found]
    assert states == [State.BAD] * (len(moments) - 1) + [State.NEW]
    assert (cuts.found[-1].told, cuts.found[-1].kept) == (3, 3)
    assert kept.read_bytes() == recorder.card.image.read_bytes()


def test_slot_that_is_called_whole_too_early_is_found(recorder: Recorder) -> None:
    recorder.choose(BootChoice().marked(Slot.B, State.NEW))
    recorder.fill(Slot.B, NEW)
    cuts = recorder.cuts()
    with pytest.raises(CutError, match="slot B is new, and is not whole"):
        cuts.judge(cuts.moments(20, 1), {})


def test_write_into_the_system_that_runs_is_found(recorder: Recorder) -> None:
    installed(recorder)
    cuts = recorder.cuts()
    recorder.write(TABLE.partition(5).start * SECTOR, bytes(SECTOR))
    with pytest.raises(CutError, match="slot A is good, and is not whole"):
        cuts.judge([sum(1 for _ in cuts.recording.writes())], {})


def test_entry_that_was_told_as_safe_and_is_not_there_is_found(recorder: Recorder) -> None:
    installed(recorder)
    recorder.tell(5)
    recorder.choose(BootChoice())
    cuts = recorder.cuts()
    with pytest.raises(CutError, match="has 3 entries, and 5 were told as safe"):
        cuts.judge([sum(1 for _ in cuts.recording.writes())], {})


def test_damaged_partition_of_games_is_found(recorder: Recorder) -> None:
    installed(recorder)
    place = TABLE.partition(DATA).start * SECTOR
    recorder.write(place + 1024, bytes(2048))
    cuts = recorder.cuts()
    with pytest.raises(CutError, match="the games' file system is damaged"):
        cuts.judge([sum(1 for _ in cuts.recording.writes())], {})

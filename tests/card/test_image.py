"""The parts of a card that are put together without mounting anything, here with next to nothing in them."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from card.boot_choice import FILE, BootChoice, Slot, read_choice
from card.fat import FatPartition, NoSuchFileError
from card.partitions import FAT, LINUX, MEBIBYTE, SECTOR, laid_out, read_table
from card.slots import running_slot
from card_build import layout
from card_build.boot_files import COMMAND_LINE, CONFIG, PROGRAMS_PATH, fat_image
from card_build.bundle import COMPATIBLE, manifest
from card_build.image import TooLargeError, data_image, write_card
from card_build.system import OWN_FILES

from quarto_pi.config.layers import ConfigPlace, lay

MOMENT = 1_700_000_000
UNITS = "usr/lib/systemd/system"
SMALL = laid_out(layout.DISK_ID, (36, 4, 4), (4, 4, 4))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def boot_partition(folder: Path, name: str) -> Path:
    files = folder / f"files-{name}"
    files.mkdir()
    (files / "autoboot.txt").write_bytes(BootChoice().encoded())
    (files / "a-long-name-of-a-device-tree.dtb").write_bytes(b"tree" * 700)
    image = folder / f"{name}.img"
    fat_image(image, 36, "TRIAL", sorted(files.iterdir()), MOMENT)
    return image


def test_the_same_contents_give_the_same_boot_partition(tmp_path: Path) -> None:
    assert digest(boot_partition(tmp_path, "one")) == digest(boot_partition(tmp_path, "two"))


def test_what_stands_behind_the_files_of_a_boot_partition_does_not_matter(tmp_path: Path) -> None:
    """An update leaves it away: there is still what was there before."""
    image = boot_partition(tmp_path, "one")
    used = FatPartition(image).used()
    assert used < image.stat().st_size / 10
    content = image.read_bytes()
    image.write_bytes(content[:used] + b"\xff" * (len(content) - used))
    boot = FatPartition(image)
    assert boot.read(FILE) == BootChoice().encoded()
    command: list[str | Path] = ["mtype", "-i", image, "::a-long-name-of-a-device-tree.dtb"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == b"tree" * 700  # noqa: S603
    command = ["fsck.vfat", "-n", image]
    environment = {**os.environ, "PATH": PROGRAMS_PATH}
    subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603
    assert content[used - SECTOR : used].strip(b"\0"), "no less of it"
    assert not content[used:].strip(b"\0")


def test_what_another_program_wrote_is_found_without_mounting(tmp_path: Path) -> None:
    boot = FatPartition(boot_partition(tmp_path, "one"))
    assert read_choice(boot.read(FILE)) == BootChoice()
    with pytest.raises(NoSuchFileError, match=r"There is no CMDLINE\.TXT"):
        boot.find("CMDLINE.TXT")


def test_what_is_no_file_system_is_refused_in_a_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(bytes(4096))
    with pytest.raises(NoSuchFileError, match="holds no FAT file system"):
        FatPartition(empty)
    empty.write_bytes(b"")
    with pytest.raises(NoSuchFileError, match="ends in the middle"):
        FatPartition(empty)


def test_two_cards_of_the_same_parts_are_the_same_and_hold_them_where_the_table_says(tmp_path: Path) -> None:
    boot = boot_partition(tmp_path, "one")
    root = tmp_path / "root.img"
    root.write_bytes(b"system" * 100_000)
    cards = [tmp_path / "card-1", tmp_path / "card-2"]
    for card in cards:
        write_card(card, SMALL, {1: boot, 5: root})
    assert digest(cards[0]) == digest(cards[1])
    content = cards[0].read_bytes()
    table = read_table(lambda sector: content[sector * SECTOR : (sector + 1) * SECTOR])
    assert table == SMALL
    for number, image in ((1, boot), (5, root)):
        at = table.partition(number).start * SECTOR
        assert content[at : at + image.stat().st_size] == image.read_bytes()


def test_the_partition_of_the_games_is_the_same_at_every_call_and_grows_without_writing_much(tmp_path: Path) -> None:
    images = [tmp_path / "one.img", tmp_path / "two.img"]
    for image in images:
        data_image(image, MOMENT)
    assert digest(images[0]) == digest(images[1])
    command: list[str | Path] = ["dumpe2fs", "-h", images[0]]
    environment = {**os.environ, "PATH": PROGRAMS_PATH}
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout  # noqa: S603
    known = dict(re.findall(r"(?m)^([A-Z][\w ]+):\s+(\d+)$", told))
    places = int(known["Inode count"]) * int(known["Inode size"])
    assert places <= 0.005 * int(known["Block count"]) * int(known["Block size"]), "growing fills them with zeros"
    assert int(known["Free inodes"]) > 500


def test_a_part_that_does_not_fit_is_refused_with_the_place_to_change(tmp_path: Path) -> None:
    large = tmp_path / "root.img"
    large.write_bytes(bytes(5 * MEBIBYTE * SECTOR))
    with pytest.raises(TooLargeError, match=r"does not fit into partition 5.*layout\.py"):
        write_card(tmp_path / "card", SMALL, {5: large})


def test_the_table_of_a_card_has_the_partitions_that_its_slots_name() -> None:
    table = layout.card_table()
    for slot in Slot:
        assert table.partition(slot.boot_partition).kind == FAT
        assert table.partition(slot.root_partition).kind == LINUX
    assert table.partition(layout.BOOT_A).sectors == table.partition(layout.BOOT_B).sectors
    assert table.partition(layout.ROOT_A).sectors == table.partition(layout.ROOT_B).sectors
    assert table.logical[-1] == table.partition(layout.DATA), "what grows is the last one"


def test_the_command_line_names_the_first_slots_root() -> None:
    assert running_slot(COMMAND_LINE) == (Slot.A, f"{layout.DISK_ID:08x}")
    assert len(COMMAND_LINE) < SECTOR, "one sector is replaced as a whole"


def test_the_firmware_is_told_what_lies_beside_it() -> None:
    assert "kernel=vmlinuz\n" in CONFIG
    assert "initramfs initrd.img followkernel\n" in CONFIG


def test_rauc_knows_the_partitions_of_the_layout() -> None:
    text = (OWN_FILES / "etc/rauc/system.conf").read_text(encoding="ascii")
    found = dict(re.findall(r"\[slot\.(\w+\.\d)\]\ndevice=/dev/disk/by-partuuid/(\S+)", text))
    names = {"rootfs.0": layout.ROOT_A, "boot.0": layout.BOOT_A, "rootfs.1": layout.ROOT_B, "boot.1": layout.BOOT_B}
    assert found == {name: f"{layout.DISK_ID:08x}-{number:02d}" for name, number in names.items()}
    assert f"compatible={COMPATIBLE}\n" in text
    assert f"compatible={COMPATIBLE}\n" in manifest("1", 1)


def test_the_configuration_that_a_card_begins_with_is_right() -> None:
    """The board looks after its own Wi-Fi, and its page is where a phone looks first."""
    config = lay(ConfigPlace(OWN_FILES / "usr/share/quarto-pi/quarto-pi.toml").sources()).config
    assert config.network is not None
    assert config.page is not None
    assert config.page.port == 80
    port = (OWN_FILES.parents[1] / "quarto-pi-port.conf").read_text(encoding="ascii")
    assert "ip_unprivileged_port_start = 80" in port


def test_scripts_of_the_card_are_sound() -> None:
    scripts = [path for path in OWN_FILES.rglob("*") if path.is_file() and path.read_bytes().startswith(b"#!/bin/sh")]
    assert len(scripts) >= 5
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck judges them, where it is installed")
    command: list[str | Path] = ["shellcheck", "--shell=dash", "--exclude=SC1091", *scripts]
    judged = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - the scripts here
    assert judged.returncode == 0, judged.stdout


@pytest.mark.parametrize("unit", sorted(path.name for path in (OWN_FILES / UNITS).glob("quarto-pi-card-*.*")))
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_has_not_a_word_to_say_about_a_unit_of_the_card(unit: str, tmp_path: Path) -> None:
    shutil.copytree("/usr/lib/systemd/system", tmp_path / UNITS, symlinks=True)
    shutil.copytree(OWN_FILES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "usr/bin").mkdir()
    for program in ("touch", "umount", "dmesg"):
        shutil.copy(f"/usr/bin/{program}", tmp_path / "usr/bin")
    command: list[str | Path] = [
        "systemd-analyze",
        "verify",
        "--man=no",
        f"--root={tmp_path}",
        unit.replace("@", "@sda"),
    ]
    judged = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - systemd's own judge
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")


def test_what_the_kernel_says_gets_into_the_log_within_bounds_alone() -> None:
    """A wire that has come off makes it say the same all night: journald bounds what services say, not the kernel."""
    journal = (OWN_FILES / "usr/lib/systemd/journald.conf.d/quarto-pi.conf").read_text(encoding="ascii")
    assert "\nReadKMsg=no\n" in journal
    unit = (OWN_FILES / UNITS / "quarto-pi-card-kernel.service").read_text(encoding="ascii")
    bound = re.search(r"\nLogRateLimitIntervalSec=1h\nLogRateLimitBurst=(\d+)\n", unit)
    assert bound is not None
    # With half a kilobyte for a line, a night of ten hours, and three times the bound while the log has room.
    assert int(bound[1]) * 3 * 10 * 512 <= 5_000_000

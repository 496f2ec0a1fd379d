"""The root of a slot: Debian, the program, and the files in `root/`, as one read-only file system."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card_build.cache import Cache, contents_of, key_of, remove
from card_build.program import PYTHON, Sources, load_compiled, place_program

HERE: Final = Path(__file__).resolve().parent
OWN_FILES: Final = HERE / "root"
_SOURCE: Final = "opt/quarto-pi/current/source"
_UNITS: Final = (
    "quarto-pi.service",
    "quarto-pi-card-grow.service",
    "quarto-pi-card-trial.service",
    "quarto-pi-card-page.path",
    "quarto-pi-card-kernel.service",
)
_SERVICES: Final = {
    "quarto-pi.service": "usr/lib/systemd/system/quarto-pi.service",
    "quarto-pi.sysusers": "usr/lib/sysusers.d/quarto-pi.conf",
    "quarto-pi.rules": "usr/share/polkit-1/rules.d/50-quarto-pi.rules",
    "quarto-pi.modules": "usr/lib/modules-load.d/quarto-pi.conf",
    "quarto-pi-first-start.service": "usr/lib/systemd/system/quarto-pi-first-start.service",
    "quarto-pi-network.rules": "usr/share/polkit-1/rules.d/50-quarto-pi-network.rules",
    "quarto-pi-captive.conf": "etc/NetworkManager/dnsmasq-shared.d/quarto-pi.conf",
    "quarto-pi-port.conf": "usr/lib/sysctl.d/60-quarto-pi-port.conf",
}
_WANTED: Final = ("NetworkManager.service", "systemd-timesyncd.service")
_UNWANTED: Final = (
    *(
        "apt-daily.timer",
        "apt-daily-upgrade.timer",
        "dpkg-db-backup.timer",
        "e2scrub_all.timer",
        "e2scrub_reap.service",
    ),
    *(
        "fstrim.timer",
        "getty@tty1.service",
        "NetworkManager-wait-online.service",
        "nftables.service",
        "dnsmasq.service",
    ),
    # What brings a system up to date after its packages were changed: here that is done.
    *("systemd-hwdb-update.service", "ldconfig.service", "systemd-journal-catalog-update.service"),
    *("systemd-firstboot.service", "systemd-sysusers.service"),
    # There is no such chip.
    *("systemd-pcrmachine.service", "systemd-pcrphase.service", "systemd-pcrphase-sysinit.service"),
)
_EMPTIED: Final = ("boot", "var/log", "var/cache", "var/lib/apt", "usr/lib/raspi-firmware", "var/tmp", "tmp", "run")
_MOUNT_POINTS: Final = ("data", "boot/quarto-pi", "media")
_INITIAL: Final = "etc/initramfs-tools"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a system is put together from."""

    debian: Path
    packages: Path
    search: Path
    sources: Sources
    version: str
    certificates: str


def put_together(folder: Path, parts: Parts, cache: Cache) -> None:
    """All of a system in a folder, with what the boot partition is made of still in it."""
    remove(folder)
    folder.mkdir(parents=True)
    subprocess.run(["tar", "--numeric-owner", "-xf", parts.debian, "-C", folder], check=True)
    _place_version(folder, parts)
    # As they were committed: what somebody is changing meanwhile is of another card.
    _copy_own_files(committed_files(folder) / "root", folder)
    _settle(folder)
    _compile_python(folder, parts)
    load_compiled(("chroot", folder, "/opt/quarto-pi/current/venv/bin/python"))
    _initial_file_system(folder, parts, cache)


def committed_files(folder: Path) -> Path:
    """What of this package the system in a folder was committed with."""
    return folder / _SOURCE / "systemd" / HERE.name


def squash(folder: Path, image: Path, moment: int) -> None:
    """The system as a read-only file system, without what only the boot partition needs; the same at every call."""
    for each in _EMPTIED:
        _empty(folder / each)
    remove(next((folder / "usr/lib").glob("linux-image-*")))
    for each in _MOUNT_POINTS:
        (folder / each).mkdir(parents=True, exist_ok=True)
    remove(image)
    order = ("-noappend", "-quiet", "-no-progress", "-no-exports")
    same = ("-mkfs-time", str(moment), "-all-time", str(moment))
    environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    compressed = ("-comp", "zstd", "-Xcompression-level", "15")
    command: list[str | Path] = ["mksquashfs", folder, image, *order, *same, *compressed]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def _copy_own_files(source: Path, folder: Path) -> None:
    for path in sorted(source.rglob("*")):
        if path.is_file():
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
            os.chown(target, 0, 0)


def _place_version(folder: Path, parts: Parts) -> None:
    """Where the installer puts a version, so that the same unit runs it."""
    version = folder / "opt/quarto-pi/versions" / parts.version
    source = version / "source"
    source.mkdir(parents=True)
    parts.sources.unpack(source)
    (source / "COMMIT").write_text(parts.version.rpartition("-")[2], encoding="ascii")
    place_program(version / "venv", parts.packages, parts.search, source)
    # The page of the documentation and the services are what is needed of it.
    for each in ("tests", "hardware", "quarto_pi", "firmware", ".ci"):
        remove(source / each)
    (folder / "opt/quarto-pi/current").symlink_to(f"versions/{parts.version}")
    services = source / "systemd"
    for file, target in _SERVICES.items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(services / file, folder / target)
    command = folder / "usr/local/bin/quarto-pi"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.symlink_to("/opt/quarto-pi/current/venv/bin/quarto-pi")
    own = folder / "usr/share/quarto-pi"
    own.mkdir(parents=True, exist_ok=True)
    (own / "version").write_text(parts.version + "\n", encoding="ascii")
    (own / "update-certificates.pem").write_text(parts.certificates, encoding="ascii")
    subprocess.run(["chown", "-R", "0:0", version], check=True)


def _settle(folder: Path) -> None:
    """What a package leaves to the machine that it is installed on."""
    subprocess.run(["systemd-sysusers", f"--root={folder}"], check=True, stderr=subprocess.DEVNULL)
    systemctl = ("systemctl", f"--root={folder}", "--quiet")
    subprocess.run([*systemctl, "enable", *_UNITS, *_WANTED], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([*systemctl, "mask", *_UNWANTED], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([*systemctl, "set-default", "multi-user.target"], check=True, stderr=subprocess.DEVNULL)
    (folder / "etc/machine-id").write_bytes(b"")
    (folder / "etc/hostname").write_text("quarto\n", encoding="ascii")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 quarto\n::1 localhost\n", encoding="ascii")
    resolv = folder / "etc/resolv.conf"
    remove(resolv)
    resolv.symlink_to("../run/NetworkManager/resolv.conf")
    for each in ("etc", "var"):
        # All of it was brought up to date here; what is forgotten at every start would otherwise be at every start.
        (folder / each / ".updated").write_text("# With the system.\n", encoding="ascii")
    for backup in [*(folder / "etc").glob("*-"), *(folder / "var/lib/dpkg").glob("*-old")]:
        remove(backup)


def _compile_python(folder: Path, parts: Parts) -> None:
    """A root that is read-only can't keep what Python compiles: every start would do it again."""
    inside = f"/opt/quarto-pi/versions/{parts.version}"
    places = (f"{inside}/venv/lib/python{PYTHON}/site-packages", f"{inside}/source/systemd")
    options = ("-q", "--invalidation-mode", "unchecked-hash")
    subprocess.run(["chroot", folder, "/usr/bin/python3", "-I", "-m", "compileall", *options, *places], check=True)


def _initial_file_system(folder: Path, parts: Parts, cache: Cache) -> None:
    kernel = next((folder / "boot").glob("vmlinuz-*")).name.removeprefix("vmlinuz-")
    key = key_of((parts.debian.name, kernel, *contents_of(committed_files(folder) / "root" / _INITIAL)))
    initial = cache.file("initrd.img", key, lambda path: _make_initial(path, folder, kernel))
    shutil.copy(initial, folder / f"boot/initrd.img-{kernel}")


def _make_initial(path: Path, folder: Path, kernel: str) -> None:
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SOURCE_DATE_EPOCH": "1735689600", "LC_ALL": "C.UTF-8"}
    subprocess.run(
        ["chroot", folder, "mkinitramfs", "-o", "/boot/initrd.new", kernel],
        check=True,
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    shutil.move(folder / "boot/initrd.new", path)


def _empty(folder: Path) -> None:
    for each in folder.glob("*"):
        remove(each)

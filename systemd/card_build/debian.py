"""Debian's packages for a Pi, unpacked and configured by mmdebstrap; under an emulator, unless this is one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from card_build.cache import Cache, key_of

SUITE: Final = "trixie"
MACHINE: Final = "arm64"
_COMPONENTS: Final = "main non-free-firmware"
_MIRROR: Final = "http://deb.debian.org/debian"
SOURCES: Final = (
    f"deb {_MIRROR} {SUITE} {_COMPONENTS}",
    f"deb {_MIRROR} {SUITE}-updates {_COMPONENTS}",
    f"deb {_MIRROR}-security {SUITE}-security {_COMPONENTS}",
)

PACKAGES: Final = (
    # What starts, and who may do what.
    *("systemd", "systemd-sysv", "dbus", "udev", "kmod", "polkitd", "tzdata", "netbase"),
    # A clock, networks of others, and one of its own.
    *("systemd-timesyncd", "network-manager", "wpasupplicant", "dnsmasq-base", "nftables", "wireless-regdb", "iw"),
    # The Pi: kernel, firmware, what unpacks it.
    *("linux-image-arm64", "initramfs-tools", "zstd", "busybox", "raspi-firmware", "firmware-brcm80211"),
    # The program, its partitions, its updates.
    *("python3", "e2fsprogs", "dosfstools", "rauc", "rauc-service"),
)
HEADERS: Final = ("libc6-dev", "libpython3-dev")
"""What is compiled is compiled against these; they do not get onto the card."""

_LEFT_OUT: Final = (
    "/usr/share/doc/*",
    "/usr/share/man/*",
    "/usr/share/info/*",
    "/usr/share/locale/*",
    *(f"/usr/lib/modules/*/kernel/drivers/{each}/*" for each in ("gpu", "media", "infiniband", "iio", "ata", "scsi/*")),
    *(
        f"/usr/lib/modules/*/kernel/drivers/net/{each}/*"
        for each in ("dsa", "can", "ethernet/[ac-z]*", "wireless/[ac-z]*")
    ),
    *(
        f"/usr/lib/modules/*/kernel/fs/{each}/*"
        for each in ("xfs", "btrfs", "ocfs2", "gfs2", "bcachefs", "smb", "ceph")
    ),
    "/usr/lib/modules/*/kernel/sound/*",
    # Device trees of machines by other makers than Broadcom.
    "/usr/lib/linux-image-*/[ac-z]*",
)
_STILL: Final = ("/usr/share/doc/*/copyright",)
_NO_INITIAL: Final = (
    # It is made once, at the end, with the scripts of the card; here it would be made twice, slowly.
    '--setup-hook=mkdir -p "$1/etc/initramfs-tools"',
    '--setup-hook=echo update_initramfs=no > "$1/etc/initramfs-tools/update-initramfs.conf"',
    "--dpkgopt=force-confold",
)
_MERGED: Final = '--setup-hook=mkdir -p "$1/usr/lib" && ln -s usr/lib "$1/lib"'
"""What the C library's own linker script goes through; no package brings it where nothing is configured."""
_EPOCH: Final = "1735689600"
"""When what the packages' own scripts write is said to be from; the same for every commit, so that it is kept."""


def debian_key() -> str:
    """What the unpacked packages depend on, besides the index of that day."""
    return key_of((*SOURCES, *PACKAGES, *_LEFT_OUT, *_STILL, *_NO_INITIAL, _EPOCH))


def debian_root(cache: Cache) -> Path:
    """An archive of the configured packages."""
    excluded = (f"--dpkgopt=path-exclude={each}" for each in _LEFT_OUT)
    included = (f"--dpkgopt=path-include={each}" for each in _STILL)
    options = ("--variant=essential", f"--include={','.join(PACKAGES)}", *excluded, *included, *_NO_INITIAL)
    return cache.file("debian.tar", debian_key(), lambda path: _bootstrap(path, "tar", options))


def debian_headers(cache: Cache) -> Path:
    """A folder of the headers and libraries that the program is compiled against; nothing in it is ever run."""
    options = ("--variant=extract", f"--include={','.join(HEADERS)}", _MERGED)
    return cache.file(
        "headers", key_of((*SOURCES, *HEADERS, _MERGED)), lambda path: _bootstrap(path, "directory", options)
    )


def _bootstrap(path: Path, form: str, options: tuple[str, ...]) -> None:
    basics = ("mmdebstrap", "--quiet", f"--architectures={MACHINE}", "--mode=root", f"--format={form}")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH, "INITRD": "No"}
    subprocess.run([*basics, *options, SUITE, path, *SOURCES], check=True, env=environment)

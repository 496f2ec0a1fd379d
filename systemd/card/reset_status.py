"""Which partition the Pi's firmware is asked to boot at the next restart, once: bits of the register PM_RSTS.

Raspberry Pi's own kernel writes them for `reboot 3`; Debian's does not, so it is done here. The firmware takes them
before `boot_partition=`, is not known to clear them, and finds nothing there once the plug was pulled: so the first
thing that every start does, before it mounts anything, is to clear them (initramfs-tools/scripts/init-top/quarto-pi).
"""

from __future__ import annotations

import ctypes
import mmap
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PASSWORD: Final = 0x5A000000
"""Without it in the highest byte a write to the power manager is not taken."""
RSTS_AT: Final = 0x20
PARTITION_BITS: Final = 0x555
"""Bits 0, 2, 4, 6, 8 and 10 of the register are bits 0 to 5 of the partition's number."""

_POWER_MANAGER: Final = {"brcm,bcm2711": 0xFE100000, "brcm,bcm2837": 0x3F100000}
_PAGE: Final = 4096


class NoPowerManagerError(Exception):
    """A machine of which it is not known where its power manager is."""


def requesting(value: int, partition: int) -> int:
    """The register's value, as it was read, with a request for this partition; 0 is none."""
    bits = sum((partition >> bit & 1) << 2 * bit for bit in range(6))
    return PASSWORD | value & 0x00FFFFFF & ~PARTITION_BITS | bits


def requested(value: int) -> int:
    """The partition that a value of the register asks for; 0 is none."""
    return sum((value >> 2 * bit & 1) << bit for bit in range(6))


def power_manager(compatible: bytes) -> int:
    """Where the power manager of a machine is, by what its device tree says it is."""
    for name, address in _POWER_MANAGER.items():
        if name.encode() in compatible.split(b"\0"):
            return address
    raise NoPowerManagerError("This is no Raspberry Pi 3, 4 or Zero 2 W: it can't be asked to try the other system.")


@dataclass(frozen=True, slots=True)
class ResetStatus:
    """The register of this machine."""

    memory: Path = Path("/dev/mem")
    compatible: Path = Path("/proc/device-tree/compatible")

    def request(self, partition: int) -> None:
        """Have the firmware boot this partition at the next restart."""
        address = power_manager(self.compatible.read_bytes())
        descriptor = os.open(self.memory, os.O_RDWR | os.O_SYNC)
        try:
            with mmap.mmap(descriptor, _PAGE, offset=address) as page:
                # One access of 32 bits, as the bus wants it.
                register = ctypes.c_uint32.from_buffer(page, RSTS_AT)
                register.value = requesting(register.value, partition)
                del register
        finally:
            os.close(descriptor)

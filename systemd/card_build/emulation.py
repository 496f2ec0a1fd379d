"""Has this machine's kernel run programs for a Pi's processor, with qemu-user, where it does not do so yet.

systemd does it wherever it runs, when the package is installed. A container or a minimal machine has nobody who does.
"""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NAME: Final = "qemu-aarch64"
_OWN: Final = ("aarch64", "arm64")


class CannotRunError(OSError):
    """Why programs for a Pi's processor can't be run here, and what to do; a sentence."""


@dataclass(frozen=True, slots=True)
class ForeignPrograms:
    """What the kernel does with programs for other processors."""

    machine: str = platform.machine()
    folder: Path = Path("/proc/sys/fs/binfmt_misc")
    line: Path = Path(f"/usr/lib/binfmt.d/{_NAME}.conf")
    """What the kernel has to be told, as Debian's package of qemu-user has it."""
    mount: Sequence[str] = ("mount", "-t", "binfmt_misc", "binfmt_misc")

    def let_run(self) -> bool:
        """Have programs for a Pi's processor run from now on; return whether anything had to be done for it."""
        if self.machine in _OWN or self._are_run():
            return False
        try:
            self._register()
        except OSError as error:
            raise CannotRunError(
                f"This kernel can't be told to run programs for a Pi's processor ({error}):"
                " make the card on a machine with binfmt_misc, or on a Pi with 64 bits."
            ) from error
        return True

    def _are_run(self) -> bool:
        registered = self.folder / _NAME
        return registered.exists() and registered.read_text(encoding="ascii").startswith("enabled")

    def _register(self) -> None:
        if not (self.folder / "register").exists():
            done = subprocess.run([*self.mount, self.folder], check=False, capture_output=True, text=True)
            if done.returncode:
                raise OSError(done.stderr.strip().rstrip(".") or f"{self.mount[0]} failed")
        if (self.folder / _NAME).exists():
            (self.folder / _NAME).write_text("1", encoding="ascii")
        else:
            line = self.line.read_text(encoding="ascii").strip()
            (self.folder / "register").write_text(line, encoding="ascii")

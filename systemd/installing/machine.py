"""What kind of machine and system this is, as far as installing depends on it."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from installing.telling import InstallError

OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)
NO_EDGES_FROM: Final = (6, 6)
"""The kernel from which RPi.GPIO can't watch pins any more: github.com/gpiozero/gpiozero/issues/1136."""


class Board(Enum):
    """What the program is to stand on, and which set of packages that takes."""

    PI4 = "pi4"
    PI5 = "pi5"
    SIMULATED = "simulation"


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts."""

    model: str
    system: str
    kernel: tuple[int, int]
    word: str
    python: tuple[int, int] = sys.version_info[:2]
    runs_systemd: bool = True
    is_pi_kernel: bool = True
    """Whether the kernel is Raspberry Pi's own, which alone drives the header of a Pi 5."""

    @property
    def is_pi(self) -> bool:
        """Whether this is a Raspberry Pi."""
        return "Raspberry Pi" in self.model

    @property
    def is_32_bit(self) -> bool:
        """Whether programs here are 32-bit ones, whatever the kernel is."""
        return self.word in ("armhf", "armel")

    def board(self) -> Board:
        """The set of packages for a real board here: RPi.GPIO itself only where it can still do what gpiozero asks."""
        if not self.is_pi:
            raise InstallError(
                f"This is no Raspberry Pi ({self.model or 'no model is told'}), so there are no readers: "
                "say --board simulated for a board that is only simulated."
            )
        return Board.PI5 if "Raspberry Pi 5" in self.model or self.kernel >= NO_EDGES_FROM else Board.PI4

    def refuse_if_unfit(self, board: Board) -> None:
        """Say at once what is in the way of installing here: packages take minutes."""
        if board is not Board.SIMULATED and "Raspberry Pi 5" in self.model and not self.is_pi_kernel:
            raise InstallError(
                f"{self.system} drives no pins on a Pi 5: use Raspberry Pi OS, or say --board simulated for a trial."
            )
        if not OLDEST_PYTHON <= self.python <= NEWEST_PYTHON:
            raise InstallError(
                f"The system's Python is {'.'.join(map(str, self.python))}, and quarto-pi needs 3.11 to 3.13: "
                "use Raspberry Pi OS Bookworm or Trixie."
            )


def this_machine(root: Path = Path("/")) -> Machine:
    """The machine that this runs on."""
    release = platform.freedesktop_os_release()
    kernel = re.match(r"(\d+)\.(\d+)", platform.release())
    return Machine(
        model=_text(root / "proc/device-tree/model"),
        system=release.get("PRETTY_NAME", "an unknown system"),
        kernel=(int(kernel[1]), int(kernel[2])) if kernel else (0, 0),
        word="armhf" if platform.machine().startswith("arm") or _is_32_bit_on_64() else platform.machine(),
        runs_systemd=(root / "run/systemd/system").is_dir(),
        is_pi_kernel="rpi" in platform.release() or "rpt" in platform.release(),
    )


def _is_32_bit_on_64() -> bool:
    # Raspberry Pi OS of 32 bit starts a kernel of 64.
    return platform.machine() == "aarch64" and sys.maxsize < 2**32


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip("\0\n")
    except OSError:
        return ""

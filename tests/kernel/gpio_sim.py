"""54 lines of gpio-sim as a Pi's header: made by configfs, pulled and looked at by sysfs (gpio-sim.rst of the kernel).

A line that a program drives has its level in `value`; one that nobody drives has the level that it is pulled to, which
is what a button or a resistor does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

LINES: Final = 54
LABEL: Final = "pinctrl-bcm2711"
"""As the header of a Pi 4 is called: gpiozero and rpi-lgpio look for it."""
CONFIGFS: Final = Path("/sys/kernel/config/gpio-sim")
DEVICES: Final = Path("/sys/devices/platform")


def make_chip(configfs: Path = CONFIGFS, devices: Path = DEVICES) -> Path:
    """Make the chip, and return the folder with its lines."""
    device = configfs / "header"
    bank = device / "bank0"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(f"{LINES}")
    (bank / "label").write_text(LABEL)
    (device / "live").write_text("1")
    return devices / (device / "dev_name").read_text().strip() / (bank / "chip_name").read_text().strip()


class SimulatedLines:
    """The lines' levels, by BCM number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._values: dict[int, int] = {}
        self._watched: dict[int, tuple[Callable[[bool], None], bool]] = {}

    def level(self, number: int) -> bool:
        """The level of a line, whoever drives or pulls it."""
        if number not in self._values:
            self._values[number] = os.open(self._folder / f"sim_gpio{number}" / "value", os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._values[number], 1, 0) == b"1"

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Have it told when a line has moved, at the next look."""
        self._watched[number] = moved, self.level(number)

    def look(self) -> None:
        """Tell of every watched line that has moved since the last look."""
        for number, (moved, before) in self._watched.items():
            level = self.level(number)
            if level != before:
                self._watched[number] = moved, level
                moved(level)

    def has_toggled(self, number: int) -> bool:
        """Yes: between two looks nobody sees what a line does, and a select line goes up after each transfer."""
        del number
        return True

    def pull(self, number: int, *, up: bool) -> None:
        """Pull a line up or down, as a resistor or a finger does."""
        (self._folder / f"sim_gpio{number}" / "pull").write_text("pull-up" if up else "pull-down")

    def pull_up(self, numbers: Iterable[int]) -> None:
        """Pull these lines up."""
        for number in numbers:
            self.pull(number, up=True)

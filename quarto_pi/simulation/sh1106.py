"""The SH1106: 132 columns, of which the glass shows the middle 128, addressed page by page."""

from __future__ import annotations

from typing import ClassVar

from quarto_pi.simulation.glass import LARGE_OF_132, Glass
from quarto_pi.simulation.oled_chip import Arguments, OledChip


class Sh1106(OledChip):
    """An SH1106 module; its column address stops at the last column instead of wrapping."""

    NAME: ClassVar[str] = "SH1106"
    COLUMNS: ClassVar[int] = 132

    def __init__(self, glass: Glass = LARGE_OF_132, seed: int = 0) -> None:
        super().__init__(glass, seed)

    def _learn(self) -> None:
        self.learn(range(0x10), 0, self._set_low_column)
        self.learn(range(0x10, 0x20), 0, self._set_high_column)
        self.learn(range(0x30, 0x34), 0, self._set_pump_voltage)
        self.learn((0xAD,), 1, self._set_dc_dc)
        self.learn(range(0xB0, 0xB8), 0, self._set_page)
        # read-modify-write only changes how the address moves while reading, and nobody reads here
        self.learn((0xE0, 0xEE), 0, self._read_modify_write)

    def _reset_own(self) -> None:
        self.column = 0
        self.page = 0
        self.dc_dc = True

    def _store(self, byte: int) -> None:
        if self.column >= self.COLUMNS:
            self.faults.append(f"data beyond column {self.COLUMNS - 1}")
            return
        self.memory[self.page * self.COLUMNS + self.column] = byte
        self.column += 1

    def _set_low_column(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.column = self.column & 0xF0 | value & 0x0F

    def _set_high_column(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.column = (value & 0x0F) << 4 | self.column & 0x0F

    def _set_page(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.page = value & 0x07

    def _set_pump_voltage(self, value: int, arguments: Arguments) -> None:
        """A little brighter or darker: nothing that is seen."""
        del value, arguments

    def _read_modify_write(self, value: int, arguments: Arguments) -> None:
        del value, arguments

    def _set_dc_dc(self, value: int, arguments: Arguments) -> None:
        if arguments[0] not in (0x8A, 0x8B):
            self.faults.append(f"{value:02X} has no mode {arguments[0]:02X}")
            return
        self.dc_dc = arguments[0] == 0x8B

    @property
    def has_panel_supply(self) -> bool:
        """Return whether the built-in converter is on, which it is after a reset."""
        return self.dc_dc

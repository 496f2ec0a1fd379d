"""The chips of small OLEDs: the SH1106, and the SSD1306 with the SSD1309, each with its way through its memory."""

from __future__ import annotations

from typing import ClassVar, Final

from quarto_pi.simulation.oled_chip import FLAT, LARGE_GLASS, LARGE_OF_132, PAGES, Arguments, Glass, OledChip

# --- The SH1106: 132 columns, of which the glass shows the middle 128, addressed page by page -------------------------


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


# --- The SSD1306 and the SSD1309: windows in memory, three ways to walk through them, and the supply of the panel -----

HORIZONTAL: Final = 0
VERTICAL: Final = 1
PAGE: Final = 2


class _Windowed(OledChip):
    """A chip with column and page windows (SSD1306 10.1.3 to 10.1.5)."""

    def _learn(self) -> None:
        self.learn(range(0x10), 0, self._set_low_column)
        self.learn(range(0x10, 0x20), 0, self._set_high_column)
        self.learn((0x20,), 1, self._set_mode)
        self.learn((0x21,), 2, self._set_columns)
        self.learn((0x22,), 2, self._set_pages)
        self.learn(range(0xB0, 0xB8), 0, self._set_page)
        self.learn((0x2E,), 0, self._stop_scrolling)
        self.learn((0x26, 0x27), 6, self._not_modelled)
        self.learn((0x29, 0x2A), 5, self._not_modelled)
        self.learn((0x2F,), 0, self._not_modelled)
        self.learn((0xA3,), 2, self._not_modelled)

    def _reset_own(self) -> None:
        self.mode = PAGE
        self.columns = (0, self.COLUMNS - 1)
        self.pages = (0, PAGES - 1)
        self.column = 0
        self.page = 0

    def _store(self, byte: int) -> None:
        self.memory[self.page * self.COLUMNS + self.column] = byte
        if self.mode == VERTICAL:
            if self._next_page():
                self._next_column()
        elif self._next_column() and self.mode == HORIZONTAL:
            self._next_page()

    def _next_column(self) -> bool:
        """Move one column on; whether that went back to the first one."""
        wraps = self.column == self.columns[1]
        self.column = self.columns[0] if wraps else (self.column + 1) % self.COLUMNS
        return wraps

    def _next_page(self) -> bool:
        """Move one page on; whether that went back to the first one."""
        wraps = self.page == self.pages[1]
        self.page = self.pages[0] if wraps else (self.page + 1) % PAGES
        return wraps

    def _set_low_column(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.column = self.column & 0x70 | value & 0x0F

    def _set_high_column(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.column = (value & 0x07) << 4 | self.column & 0x0F

    def _set_page(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.page = value & 0x07

    def _set_mode(self, value: int, arguments: Arguments) -> None:
        mode = arguments[0] & 0x03
        if mode > PAGE:
            self.faults.append(f"{value:02X} has no mode {mode}")
            return
        self.mode = mode

    def _set_columns(self, value: int, arguments: Arguments) -> None:
        first, last = arguments
        if not first <= last < self.COLUMNS:
            self.faults.append(f"{value:02X} sets the columns {first} to {last}")
            return
        self.columns, self.column = (first, last), first

    def _set_pages(self, value: int, arguments: Arguments) -> None:
        first, last = arguments
        if not first <= last < PAGES:
            self.faults.append(f"{value:02X} sets the pages {first} to {last}")
            return
        self.pages, self.page = (first, last), first

    def _stop_scrolling(self, value: int, arguments: Arguments) -> None:
        """Nothing scrolls here, so nothing stops."""
        del value, arguments

    def _not_modelled(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.faults.append(f"{value:02X} scrolls, and that is not modelled")


class Ssd1306(_Windowed):
    """An SSD1306 module whose panel is fed by the chip's own charge pump, 128 by 64 or 128 by 32."""

    NAME: ClassVar[str] = "SSD1306"

    def __init__(self, glass: Glass = LARGE_GLASS, seed: int = 0) -> None:
        super().__init__(glass, seed)

    @classmethod
    def of_size(cls, width: int, height: int, seed: int = 0) -> Ssd1306:
        """Return a module with a glass of this size."""
        return cls({(128, 64): LARGE_GLASS, (128, 32): FLAT}[width, height], seed)

    def _learn(self) -> None:
        super()._learn()
        self.learn((0x8D,), 1, self._set_charge_pump)

    def _reset_own(self) -> None:
        super()._reset_own()
        self.charge_pump = False

    def _set_charge_pump(self, value: int, arguments: Arguments) -> None:
        del value
        self.charge_pump = bool(arguments[0] & 0x04)

    @property
    def has_panel_supply(self) -> bool:
        """Return whether the charge pump was switched on."""
        return self.charge_pump


class Ssd1309(_Windowed):
    """An SSD1309 module: no charge pump, the panel has a supply of its own; commands can be locked."""

    NAME: ClassVar[str] = "SSD1309"

    def __init__(self, glass: Glass = LARGE_GLASS, seed: int = 0) -> None:
        super().__init__(glass, seed)

    def _learn(self) -> None:
        super()._learn()
        self.learn((0xFD,), 1, self._set_lock)

    def _reset_own(self) -> None:
        super()._reset_own()
        self.locked = False

    def _set_lock(self, value: int, arguments: Arguments) -> None:
        if arguments[0] not in (0x12, 0x16):
            self.faults.append(f"{value:02X} has no key {arguments[0]:02X}")
            return
        self.locked = arguments[0] == 0x16

    def _begin(self, value: int) -> None:
        if self.locked and value != 0xFD:
            self.faults.append(f"{value:02X} comes while commands are locked")
            return
        super()._begin(value)

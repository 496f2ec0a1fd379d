"""What the chips of small OLEDs have in common: commands and data into memory and registers, and what the eye sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar, Final

from PIL import Image

# --- The glass in front of a display's chip: which output of the chip each of its pixels hangs on ---------------------

COMS: Final = 64
ALTERNATIVE: Final = 0x10  # "set COM pins" (SSD1306 10.1.18): even lines leave on one side, odd ones on the other
SIDES_SWAPPED: Final = 0x20


@dataclass(frozen=True, slots=True)
class Glass:
    """A glass as it is on the usual modules, where the chip sits behind the picture's lower edge.

    So the picture stands upright only with segments and lines remapped (commands A1 and C8), as every driver sets it.
    `com_pins` is how the lines are laid, and has to be told to the chip.
    """

    width: int = 128
    height: int = 64
    first_segment: int = 0
    com_pins: int = ALTERNATIVE

    def column(self, segment: int) -> int | None:
        """Return the column that a segment output lights, counted from the left; None where it is not connected."""
        column = self.width - 1 - (segment - self.first_segment)
        return column if 0 <= column < self.width else None

    def line(self, com: int, com_pins: int) -> int | None:
        """Return the line that a COM signal lights, counted from above, when the chip is told this layout."""
        line = self.height - 1 - _LAID[self.com_pins].index(_LAID[com_pins & 0x30][com])
        return line if line >= 0 else None


def _pads(com_pins: int) -> tuple[int, ...]:
    """For each COM signal the pad where it leaves the chip."""
    other_side = COMS // 2
    laid = [com // 2 + other_side * (com % 2) if com_pins & ALTERNATIVE else com for com in range(COMS)]
    return tuple(pad ^ other_side for pad in laid) if com_pins & SIDES_SWAPPED else tuple(laid)


_LAID: Final = {pins: _pads(pins) for pins in (0, ALTERNATIVE, SIDES_SWAPPED, ALTERNATIVE | SIDES_SWAPPED)}

LARGE_GLASS: Final = Glass()
FLAT: Final = Glass(height=32, com_pins=0)
LARGE_OF_132: Final = Glass(first_segment=2)
"""The SH1106 has 132 segments, and the usual glass hangs on the middle 128."""


# --- What the chips of small OLEDs have in common ---------------------------------------------------------------------

PAGES: Final = 8
LIT_DOT: Final = 255
_ALL_LIT: Final = bytes([LIT_DOT] * 256)
_LIT_WHERE: Final = {
    (bit, level): bytes([LIT_DOT if (byte >> bit & 1) == level else 0 for byte in range(256)])
    for bit in range(8)
    for level in (False, True)
}
"""For each bit of a byte of the memory, and the level that is seen as light: what each byte looks like there."""
_FEWEST_LINES: Final = 16  # "set multiplex ratio": 0 to 14 are not allowed

Arguments = Sequence[int]
Handler = Callable[[int, Arguments], None]


class OledChip:
    """Registers, memory and panel; a chip that has its own way to address memory derives from it.

    What it does not know is written to `faults`, never passed over.
    """

    NAME: ClassVar[str] = ""
    COLUMNS: ClassVar[int] = 128

    def __init__(self, glass: Glass, seed: int = 0) -> None:
        self.glass = glass
        self.faults: list[str] = []
        self.plugged = True
        self.resets = 0
        self.memory = bytearray(self.COLUMNS * PAGES)
        self._rng = random.Random(seed)  # noqa: S311 - repeatable garbage, not secrets
        self._commands: dict[int, tuple[int, Handler]] = {}
        self._learn_common()
        self._learn()
        self.power_on_reset()

    # -- power -------------------------------------------------------------------------------------------------

    def power_on_reset(self) -> None:
        """Come up as after power was away: registers reset, the display off, and anything in memory."""
        self.memory[:] = self._rng.randbytes(len(self.memory))
        self.reset()

    def reset(self) -> None:
        """Do what the reset pin does: registers only."""
        self.resets += 1
        self.on = False
        self.contrast = 0x7F
        self.inverted = False
        self.all_on = False
        self.start_line = 0
        self.offset = 0
        self.lines = COMS
        self.segments_remapped = False
        self.lines_reversed = False
        self.com_pins = 0x12
        self._pending: tuple[int, int, Handler, list[int]] | None = None
        self._reset_own()

    def unplug(self) -> None:
        """Take the display off its wires: it is dark and answers nothing."""
        self.plugged = False

    def plug_in(self) -> None:
        """Put it back: it comes up in its reset state."""
        self.plugged = True
        self.power_on_reset()

    # -- what a chip adds --------------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Learn the commands of its own."""
        raise NotImplementedError

    def _reset_own(self) -> None:
        """Reset the registers of its own."""
        raise NotImplementedError

    def _store(self, byte: int) -> None:
        """Put a byte of data where the address points, and move the address on."""
        raise NotImplementedError

    @property
    def has_panel_supply(self) -> bool:
        """Return whether the panel gets the voltage that makes it shine."""
        return True

    # -- bytes -------------------------------------------------------------------------------------------------

    def take_commands(self, values: Iterable[int]) -> None:
        """Take command bytes; a command's arguments may come with a later call."""
        for value in values:
            if self._pending is None:
                self._begin(value)
            else:
                self._pending[3].append(value)
            self._run_if_complete()

    def take_data(self, values: Iterable[int]) -> None:
        """Take bytes for the memory."""
        if self._pending is not None:
            self.faults.append(f"data where command {self._pending[0]:02X} waits for an argument")
            self._pending = None
        for value in values:
            self._store(value)

    def _begin(self, value: int) -> None:
        if value not in self._commands:
            self.faults.append(f"{value:02X} is no command of the {self.NAME}")
            return
        count, handler = self._commands[value]
        self._pending = (value, count, handler, [])

    def _run_if_complete(self) -> None:
        if self._pending is not None and len(self._pending[3]) == self._pending[1]:
            value, _, handler, arguments = self._pending
            self._pending = None
            handler(value, arguments)

    # -- commands that all of them have ------------------------------------------------------------------------

    def learn(self, values: Iterable[int], arguments: int, handler: Handler) -> None:
        """Add commands that take so many arguments."""
        self._commands.update(dict.fromkeys(values, (arguments, handler)))

    def _learn_common(self) -> None:
        self.learn(range(0x40, 0x80), 0, self._set_start_line)
        self.learn((0x81,), 1, self._set_contrast)
        self.learn((0xA0, 0xA1), 0, self._set_segment_remap)
        self.learn((0xA4, 0xA5), 0, self._set_all_on)
        self.learn((0xA6, 0xA7), 0, self._set_inverted)
        self.learn((0xA8,), 1, self._set_multiplex)
        self.learn((0xAE, 0xAF), 0, self._set_on)
        self.learn(range(0xC0, 0xD0), 0, self._set_scan_direction)
        self.learn((0xD3,), 1, self._set_offset)
        self.learn((0xDA,), 1, self._set_com_pins)
        # clock, pre-charge and VCOMH change how it looks, not what is seen
        self.learn((0xD5, 0xD9, 0xDB), 1, _nothing)
        self.learn((0xE3,), 0, _nothing)

    def _set_start_line(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.start_line = value & 0x3F

    def _set_contrast(self, value: int, arguments: Arguments) -> None:
        del value
        self.contrast = arguments[0]

    def _set_segment_remap(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.segments_remapped = bool(value & 1)

    def _set_all_on(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.all_on = bool(value & 1)

    def _set_inverted(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.inverted = bool(value & 1)

    def _set_multiplex(self, value: int, arguments: Arguments) -> None:
        lines = (arguments[0] & 0x3F) + 1
        if lines < _FEWEST_LINES:
            self.faults.append(f"{value:02X} asks for {lines} lines, and the {self.NAME} has at least {_FEWEST_LINES}")
            return
        self.lines = lines

    def _set_on(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.on = bool(value & 1)

    def _set_scan_direction(self, value: int, arguments: Arguments) -> None:
        del arguments
        self.lines_reversed = bool(value & 8)

    def _set_offset(self, value: int, arguments: Arguments) -> None:
        del value
        self.offset = arguments[0] & 0x3F

    def _set_com_pins(self, value: int, arguments: Arguments) -> None:
        del value
        self.com_pins = arguments[0]

    # -- the eye -----------------------------------------------------------------------------------------------

    def picture(self) -> Image.Image:
        """Return what the eye sees, as an image of one bit a pixel."""
        seen = bytearray(self.glass.width * self.glass.height)
        if self.plugged and self.on and self.has_panel_supply:
            columns = itemgetter(*self._columns())
            for row in range(self.lines):
                line = self.glass.line(self._com_of(row), self.com_pins)
                if line is not None:
                    start = line * self.glass.width
                    seen[start : start + self.glass.width] = self._line_seen(row + self.start_line & 0x3F, columns)
        image = Image.frombytes("L", (self.glass.width, self.glass.height), bytes(seen))
        return image.convert("1", dither=Image.Dither.NONE)

    def _columns(self) -> list[int]:
        """The memory column that each column of the glass shows, from the left; -1 where none is connected."""
        shown = [-1] * self.glass.width
        for column in range(self.COLUMNS):
            seen_at = self.glass.column(self.COLUMNS - 1 - column if self.segments_remapped else column)
            if seen_at is not None:
                shown[seen_at] = column
        return shown

    def _com_of(self, row: int) -> int:
        """The COM signal of a row (SSD1306 10.1.15, the tables of display offset and start line)."""
        if self.lines_reversed:
            return (self.lines - 1 - row + self.offset) % COMS
        return (row - self.offset) % COMS

    def _line_seen(self, memory_row: int, columns: itemgetter[tuple[int, ...]]) -> bytes:
        """A row of the memory as the eye sees it, a byte for each of these columns."""
        page, bit = divmod(memory_row, 8)
        stored = self.memory[page * self.COLUMNS : (page + 1) * self.COLUMNS]
        # a dark byte at the end, for columns that are not connected
        lit = stored.translate(_ALL_LIT if self.all_on else _LIT_WHERE[bit, not self.inverted]) + bytes(1)
        return bytes(columns(lit))


def _nothing(value: int, arguments: Arguments) -> None:
    """A command that leaves what is seen as it is."""
    del value, arguments

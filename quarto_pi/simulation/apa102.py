"""A strip of APA102 lights: bytes clocked in at one end, colours seen on the squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

COLOUR_FULL_MA: Final = 20.0  # one colour of one light at full
_STEPS: Final = 31  # the global brightness has five bits
_MARK: Final = 0xE0  # a light's frame begins with three ones
_START_BYTES: Final = 4


class SeenLight(NamedTuple):
    """What one light sends out: three colours of 0 to 255, and its brightness of 0 to 31."""

    red: int
    green: int
    blue: int
    brightness: int

    @property
    def milliamperes(self) -> float:
        """Return the current that its colours take."""
        return COLOUR_FULL_MA * (self.red + self.green + self.blue) / 255 * self.brightness / _STEPS

    @property
    def dark(self) -> bool:
        """Return whether nothing is seen of it."""
        return not self.milliamperes


DARK: Final = SeenLight(0, 0, 0, 0)


class Apa102Strip:
    """Lights in a row, the first one next to the host; `squares` names what each of them lies under."""

    def __init__(self, squares: Sequence[str]) -> None:
        self.squares = tuple(squares)
        self.faults: list[str] = []
        self.frames = 0
        self.plugged = True
        self._lights = [DARK] * len(self.squares)
        self._forget()

    def _forget(self) -> None:
        self._zeros = 0
        self._frame: bytearray | None = None
        self._clocked = 0
        self._waiting: list[SeenLight] = []

    def unplug(self) -> None:
        """Take the strip off its wires."""
        self.plugged = False
        self._lights = [DARK] * len(self.squares)

    def plug_in(self) -> None:
        """Put it back: dark until it is told something."""
        self.plugged = True
        self._lights = [DARK] * len(self.squares)
        self._forget()

    def take(self, values: bytes) -> None:
        """Take the bytes of one transfer; the strip has no select line, so pauses mean nothing to it."""
        if not self.plugged:
            return
        for value in values:
            self._take(value)

    def _take(self, value: int) -> None:
        if self._frame is None:
            self._look_for_start(value)
            return
        self._clocked += 1
        if not self._frame and value & _MARK != _MARK:
            self._end_of_frames(value)
            return
        self._frame.append(value)
        if len(self._frame) == 4:
            first, blue, green, red = self._frame
            self._waiting.append(SeenLight(red, green, blue, first & 0x1F))
            self._frame.clear()
        self._pass_on()

    def _look_for_start(self, value: int) -> None:
        if value == 0:
            self._zeros += 1
            self._clocked += 1
            self._pass_on()
        elif value & _MARK == _MARK and self._zeros >= _START_BYTES:
            self.frames += 1
            self._clocked, self._waiting, self._frame = 1, [], bytearray([value])
        else:
            self.faults.append(f"{value:02X} where a start of 32 zero bits is due")
            self._zeros = 0

    def _end_of_frames(self, value: int) -> None:
        self._frame = None
        self._zeros = int(value == 0)
        if value:
            self.faults.append(f"{value:02X} begins no light's frame")
        self._pass_on()

    def _pass_on(self) -> None:
        """Each light delays the data by half a clock, so the last ones need clocks after the last frame."""
        for index, seen in enumerate(self._waiting[: len(self._lights)]):
            if 8 * self._clocked >= 32 * (index + 1) + index / 2:
                self._lights[index] = seen

    def seen(self, square: str) -> SeenLight:
        """Return what is seen under a square."""
        return self._lights[self.squares.index(square)]

    @property
    def lit(self) -> dict[str, SeenLight]:
        """Return the squares that shine, with their colours."""
        return {square: seen for square, seen in zip(self.squares, self._lights, strict=True) if not seen.dark}

    @property
    def milliamperes(self) -> float:
        """Return the current that all colours take together."""
        return sum(seen.milliamperes for seen in self._lights)

"""What a simulated board shows: displays on I2C and SPI below `smbus2` and `spidev`, a strip of lights."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import ClassVar, Final, NamedTuple, Protocol

from smbus2 import i2c_msg

from quarto_pi.simulation.bus import Pins, SpiBus
from quarto_pi.simulation.modules import SpiDev
from quarto_pi.simulation.oled_chip import OledChip

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


MOST_IN_A_BLOCK: Final = 32  # what SMBus allows
_READ: Final = 0x0001
_CONTINUES: Final = 0x80  # control byte (SSD1306 8.1.5.2): another control byte follows after one byte
_DATA: Final = 0x40


class I2cBus:
    """One bus; what can go wrong with it is an attribute that may be set."""

    def __init__(self, *, no_acknowledge: int = errno.EREMOTEIO) -> None:
        self.displays: dict[int, OledChip] = {}
        self.exists = True
        self.allowed = True
        self.stuck = False
        self.bytes = 0
        self.writes = 0
        self.openings = 0
        self._no_acknowledge = no_acknowledge
        self._cut_after: int | None = None

    def attach(self, display: OledChip, address: int = 0x3C) -> None:
        """Put a display on the bus."""
        self.displays[address] = display

    def cut_after(self, count: int) -> None:
        """Let the display at hand be unplugged when so many more bytes have gone over the bus."""
        self._cut_after = count

    def write(self, address: int, values: bytes) -> None:
        """Send one message; raises as the kernel does."""
        if self.stuck:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        display = self.displays.get(address)
        self.writes += 1
        if display is None or not display.plugged:
            self.bytes += 1
            raise self._unanswered()
        arriving = values if self._cut_after is None else values[: self._cut_after]
        self.bytes += 1 + len(arriving)
        _deliver(display, arriving)
        if self._cut_after is not None:
            self._cut_after -= len(arriving)
            if len(arriving) < len(values):
                self._cut_after = None
                display.unplug()
                raise self._unanswered()

    def _unanswered(self) -> OSError:
        return OSError(self._no_acknowledge, os.strerror(self._no_acknowledge))


def _deliver(display: OledChip, values: bytes) -> None:
    """Take a message apart by its control bytes."""
    at = 0
    while at < len(values):
        control = values[at]
        end = at + 2 if control & _CONTINUES else len(values)
        if control & 0x3F:
            display.faults.append(f"{control:02X} is no control byte")
            return
        take = display.take_data if control & _DATA else display.take_commands
        take(values[at + 1 : end])
        at = end


class SMBus:
    """What `smbus2.SMBus` offers for writing, over simulated buses."""

    _buses: ClassVar[Mapping[int, I2cBus]] = {}

    def __init__(self, bus: int) -> None:
        opened = self._buses.get(bus)
        name = f"/dev/i2c-{bus}"
        if opened is None or not opened.exists:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if not opened.allowed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        opened.openings += 1
        self._bus: I2cBus | None = opened

    def _opened(self) -> I2cBus:
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._bus

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Send a control byte and up to 32 more."""
        if len(data) > MOST_IN_A_BLOCK:
            raise ValueError(f"Data length cannot exceed {MOST_IN_A_BLOCK} bytes")
        self._opened().write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """Send messages of any length."""
        for message in messages:
            if message.flags & _READ:
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
            self._opened().write(message.addr, bytes(message))

    def close(self) -> None:
        """Close the device, open or not."""
        if self._bus is not None:
            self._bus.openings -= 1
        self._bus = None


def smbus2_over(buses: Mapping[int, I2cBus]) -> ModuleType:
    """Return a module that offers what luma uses of smbus2, over buses by number."""
    module = ModuleType("smbus2")
    module.SMBus = type("SMBus", (SMBus,), {"_buses": buses})  # type: ignore[attr-defined]
    module.i2c_msg = i2c_msg  # type: ignore[attr-defined]
    return module


MOST_IN_A_TRANSFER: Final = 4096  # the kernel driver's buffer, unless it is told otherwise


class Listener(Protocol):
    """Something that takes what is sent to it and has no answer."""

    def take(self, values: bytes) -> None:
        """Take the bytes of one transfer."""


class SpiLine:
    """One device of an SPI bus as the kernel shows it; what can go wrong is an attribute that may be set."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.exists = True
        self.stuck = False
        self.bytes = 0
        self.transfers = 0
        self.openings = 0

    def send(self, values: bytes) -> None:
        """Send the bytes of one transfer."""
        if self.stuck:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        self.bytes += len(values)
        self.transfers += 1
        self.listener.take(values)


class OledOnSpi:
    """A display on SPI: a pin tells commands from data, another one resets the chip; nothing is ever answered."""

    def __init__(self, display: OledChip, pins: Pins, dc_pin: int, reset_pin: int | None = None) -> None:
        self.display = display
        self._pins = pins
        self._dc_pin = dc_pin
        self._reset_pin = reset_pin

    def take(self, values: bytes) -> None:
        """Take the bytes of one transfer; unplugged, they go nowhere."""
        self._pins.has_toggled(self._dc_pin)  # asked so that the pin's record does not grow
        if self._reset_pin is not None:
            if self._pins.has_toggled(self._reset_pin):
                self.display.reset()
            if not self._pins.level(self._reset_pin):
                return
        if not self.display.plugged:
            return
        if self._pins.level(self._dc_pin):
            self.display.take_data(values)
        else:
            self.display.take_commands(values)


class _SpiDevWithDevices(SpiDev):
    """A `SpiDev` that opens these devices, and the readers' bus where there is one."""

    _devices: ClassVar[Mapping[tuple[int, int], SpiLine]] = {}
    _line: SpiLine | None = None

    def open(self, bus: int, device: int) -> None:
        """Open `/dev/spidev<bus>.<device>`."""
        line = self._devices.get((bus, device))
        if line is None and hasattr(self, "_bus"):
            super().open(bus, device)
            return
        if line is None or not line.exists:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        line.openings += 1
        self._line = line
        self._open = True

    def close(self) -> None:
        """Close the device, open or not."""
        if self._line is not None:
            self._line.openings -= 1
            self._line = None
        super().close()

    def _transfer(self, values: Iterable[int], speed_hz: int) -> list[int]:
        if self._line is None:
            return super()._transfer(values, speed_hz)
        data = bytes(values)
        if not data:
            raise ValueError("Argument list can't be empty")
        if len(data) > MOST_IN_A_TRANSFER:
            raise OverflowError(f"Argument list size exceeds {MOST_IN_A_TRANSFER} bytes.")
        self._line.send(data)
        return [0] * len(data)


def spidev_with(devices: Mapping[tuple[int, int], SpiLine], readers: SpiBus | None = None) -> ModuleType:
    """Return a module like spidev over these devices, by bus and device, and over the readers' bus."""
    inside: dict[str, object] = {"_devices": devices}
    if readers is not None:
        inside["_bus"] = readers
    module = ModuleType("spidev")
    module.SpiDev = type("SpiDev", (_SpiDevWithDevices,), inside)  # type: ignore[attr-defined]
    return module

"""Stand-ins for the modules `spidev`, `RPi.GPIO` and `lgpio`, and the one place that puts them where imports look."""

from __future__ import annotations

import errno
import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from types import ModuleType
from typing import IO, Any, Final, Self

from quarto_pi.simulation.bus import HeaderPins, SpiBus
from quarto_pi.simulation.oled_chip import OledChip
from quarto_pi.simulation.oled_models import Sh1106, Ssd1306, Ssd1309

_MODULES: Final = ("spidev", "RPi", "RPi.GPIO")
_PACKAGE: Final = ("mfrc522", "mfrc522.MFRC522", "mfrc522.SimpleMFRC522")
# header position to BCM number, for programs that number pins by position
_BCM_BY_POSITION: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip


class SpiDev:
    """What `spidev.SpiDev` offers, over a simulated bus."""

    _bus: SpiBus

    def __init__(self, bus: int | None = None, device: int | None = None) -> None:
        self.max_speed_hz = 500_000
        self.mode = 0
        self.bits_per_word = 8
        self.no_cs = False
        self.lsbfirst = False
        self._open = False
        self._node: IO[bytes] | None = None
        if bus is not None and device is not None:
            self.open(bus, device)

    def open(self, bus: int, device: int) -> None:
        """Open `/dev/spidev<bus>.<device>`."""
        if bus != 0 or device not in (0, 1):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        self._open = True

    def fileno(self) -> int:
        """The descriptor of a file that nobody else has open, as long as the device is open."""
        if self._node is None:
            self._node = TemporaryFile()  # noqa: SIM115 - `close` closes it
        return self._node.fileno()

    def close(self) -> None:
        """Close the device, open or not."""
        self._open = False
        if self._node is not None:
            self._node.close()
            self._node = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _transfer(self, values: Iterable[int], speed_hz: int) -> list[int]:
        if not self._open:
            raise OSError(errno.EBADF, "Bad file descriptor")
        data = list(values)
        if not data:
            raise ValueError("Argument list can't be empty")
        try:
            bytes(data)
        except ValueError as error:
            raise TypeError("Non-Int/Long value in arguments") from error
        return self._bus.transfer(data, speed_hz or self.max_speed_hz, self.mode)

    def xfer(self, values: Iterable[int], speed_hz: int = 0, delay_usec: int = 0, bits_per_word: int = 8) -> list[int]:
        """Exchange bytes; several blocks would each be selected anew."""
        del delay_usec, bits_per_word
        return self._transfer(values, speed_hz)

    def xfer2(self, values: Iterable[int], speed_hz: int = 0, delay_usec: int = 0, bits_per_word: int = 8) -> list[int]:
        """Exchange bytes and stay selected between blocks."""
        del delay_usec, bits_per_word
        return self._transfer(values, speed_hz)

    def writebytes(self, values: Iterable[int]) -> None:
        """Send bytes and drop what comes back."""
        self._transfer(values, 0)

    def readbytes(self, count: int) -> list[int]:
        """Send zeros and return what comes back."""
        return self._transfer([0] * count, 0)


def spidev_over(bus: SpiBus) -> ModuleType:
    """Return a module that offers `SpiDev` like spidev, over the given bus."""
    module = ModuleType("spidev")
    module.SpiDev = type("SpiDev", (SpiDev,), {"_bus": bus})  # type: ignore[attr-defined]
    return module


class _Gpio:
    """The functions of RPi.GPIO for outputs, with its checks."""

    def __init__(self, pins: HeaderPins) -> None:
        self._pins = pins
        self._mode: int | None = None
        self._outputs: set[int] = set()

    def setmode(self, mode: int) -> None:
        if mode not in (10, 11):
            raise ValueError("An invalid mode was passed to setmode()")
        if self._mode not in (None, mode):
            raise ValueError("A different mode has already been set!")
        self._mode = mode

    def getmode(self) -> int | None:
        return self._mode

    def setwarnings(self, flag: bool) -> None:
        del flag

    def _number(self, channel: int) -> int:
        if self._mode is None:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)")
        number = _BCM_BY_POSITION.get(channel) if self._mode == 10 else channel
        if number is None or number not in range(28):
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return number

    def setup(self, channel: int, direction: int, pull_up_down: int = 20, initial: int = -1) -> None:
        del pull_up_down
        number = self._number(channel)
        if direction == 0:
            self._outputs.add(number)
            self._pins.drive(number, initial > 0)

    def output(self, channel: int, value: int) -> None:
        number = self._number(channel)
        if number not in self._outputs:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self._pins.drive(number, bool(value))

    def input(self, channel: int) -> int:
        return int(self._pins.level(self._number(channel)))

    def cleanup(self, channel: int | None = None) -> None:
        released = self._outputs if channel is None else {self._number(channel)} & self._outputs
        for number in set(released):
            self._pins.release(number)
            self._outputs.discard(number)
        if channel is None:
            self._mode = None


def gpio_over(pins: HeaderPins) -> ModuleType:
    """Return a module that offers outputs like RPi.GPIO, over the given pins."""
    module = ModuleType("RPi.GPIO")
    gpio = _Gpio(pins)
    for name in ("setmode", "getmode", "setwarnings", "setup", "output", "input", "cleanup"):
        setattr(module, name, getattr(gpio, name))
    constants = {
        "BOARD": 10, "BCM": 11, "OUT": 0, "IN": 1, "LOW": 0, "HIGH": 1, "PUD_OFF": 20, "PUD_DOWN": 21, "PUD_UP": 22,
        "RISING": 31, "FALLING": 32, "BOTH": 33, "VERSION": "0.7.1",
    }  # fmt: skip
    vars(module).update(constants)
    return module


class _LgpioError(Exception):
    """What `lgpio.error` is: no OSError."""


class _Lgpio:
    """The functions of lgpio that gpiozero's factory needs for outputs and for inputs that are only read."""

    _HANDLE = 0
    _IS_OUT = 1 << 1

    def __init__(self, pins: HeaderPins) -> None:
        self._pins = pins
        self._modes: dict[int, int] = {}
        self._open = False

    def gpiochip_open(self, chip: int) -> int:
        if chip != 0:
            raise _LgpioError("can not open gpiochip")
        self._open = True
        return self._HANDLE

    def gpiochip_close(self, handle: int) -> None:
        for number in list(self._modes):
            self.gpio_free(handle, number)
        self._open = False

    def gpio_claim_input(self, handle: int, number: int, flags: int = 0) -> None:
        self._check(handle)
        self._modes[number] = flags << 5
        self._pins.release(number)

    def gpio_claim_output(self, handle: int, number: int, level: int = 0, flags: int = 0) -> None:
        # an output is low from its claim to its first write, as with lgpio itself
        self._check(handle)
        self._modes[number] = self._IS_OUT | flags << 5
        self._pins.drive(number, bool(level))

    def gpio_claim_alert(self, handle: int, number: int, edges: int, flags: int = 0) -> None:
        del edges
        self.gpio_claim_input(handle, number, flags >> 5)

    def gpio_set_debounce_micros(self, handle: int, number: int, duration: int) -> None:
        del number, duration
        self._check(handle)

    def gpio_free(self, handle: int, number: int) -> None:
        self._check(handle)
        if self._modes.pop(number, None) is not None:
            self._pins.release(number)

    def gpio_get_mode(self, handle: int, number: int) -> int:
        self._check(handle)
        return self._modes.get(number, 0)

    def gpio_read(self, handle: int, number: int) -> int:
        self._check(handle)
        return int(self._pins.level(number))

    def gpio_write(self, handle: int, number: int, level: int) -> None:
        self._check(handle)
        if not self._modes.get(number, 0) & self._IS_OUT:
            raise _LgpioError("GPIO not allocated")
        self._pins.drive(number, bool(level))

    def _check(self, handle: int) -> None:
        if not self._open or handle != self._HANDLE:
            raise _LgpioError("unknown handle")


class _NoAlerts:
    """What `lgpio.callback` returns; nothing is ever told."""

    def __init__(self, *_: object) -> None:
        pass

    def cancel(self) -> None:
        """Be told nothing any more."""


def lgpio_over(pins: HeaderPins) -> ModuleType:
    """Return a module like lgpio over the given pins, for gpiozero's own factory to stand on."""
    module = ModuleType("lgpio")
    lgpio = _Lgpio(pins)
    for name in dir(lgpio):
        if name.startswith("gpio"):
            setattr(module, name, getattr(lgpio, name))
    constants = {
        "error": _LgpioError, "callback": _NoAlerts, "RISING_EDGE": 1, "FALLING_EDGE": 2, "BOTH_EDGES": 3,
        "SET_PULL_UP": 1, "SET_PULL_DOWN": 2, "SET_PULL_NONE": 4,
    }  # fmt: skip
    vars(module).update(constants)
    return module


def put_in_place(spidev: ModuleType, gpio: ModuleType, smbus2: ModuleType | None = None) -> None:
    """Make `import spidev`, `import RPi.GPIO` and `import smbus2` find these modules from now on."""
    parent = ModuleType("RPi")
    parent.GPIO = gpio  # type: ignore[attr-defined]
    sys.modules.update({"spidev": spidev, "RPi": parent, "RPi.GPIO": gpio})
    if smbus2 is not None:
        sys.modules["smbus2"] = smbus2


@contextmanager
def unmodified_package(bus: SpiBus, pins: HeaderPins) -> Iterator[Any]:
    """Import the `mfrc522` package as it is over this bus and these pins, and put all imports back afterwards."""
    names = (*_MODULES, *_PACKAGE)
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        put_in_place(spidev_over(bus), gpio_over(pins))
        yield importlib.import_module("mfrc522")
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


# --- The displays that a simulated board may have, by the name of their chip ------------------------------------------


def display_with(chip: str, width: int, height: int) -> OledChip:
    """Return a display with this chip, as it is sold.

    >>> display_with("sh1106", 128, 64).NAME
    'SH1106'
    """
    if chip == "ssd1306":
        return Ssd1306.of_size(width, height)
    return {"sh1106": Sh1106, "ssd1309": Ssd1309}[chip]()

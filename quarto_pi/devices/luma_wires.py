"""The wires between luma's devices and their buses: opened and closed apart from the device, and opened again.

A luma device talks to its interface while it is built, stays registered until the program ends, and cannot be built
again and again. So each is built once, above a `Wire` that takes down what it says, and the wire is plugged into real
interfaces as they come and go.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, Protocol

from gpiozero import Factory, GPIOZeroError, OutputDevice
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c, noop, spi

from quarto_pi.devices.upkeep import Trouble

_NO_ANSWER: Final = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)


class Interface(Protocol):
    """What luma's devices use of an interface."""

    def command(self, *cmd: int) -> None:
        """Send command bytes."""

    def data(self, data: Sequence[int]) -> None:
        """Send data bytes."""

    def cleanup(self) -> None:
        """Let go of the bus."""


class Wire:
    """The interface that a luma device is given: it leads to the real one, or takes down what is said."""

    def __init__(self) -> None:
        self._leads_to: Interface | None = None
        self.said: list[tuple[int, ...]] = []
        self._data_came = False

    def plug_in(self, interface: Interface) -> None:
        """Lead to this interface from now on."""
        self._leads_to = interface

    def command(self, *cmd: int) -> None:
        """Pass commands on; unplugged, take down those that come before any data."""
        if self._leads_to is not None:
            self._leads_to.command(*cmd)
        elif not self._data_came:
            self.said.append(cmd)

    def data(self, data: Sequence[int]) -> None:
        """Pass data on; unplugged, it goes nowhere."""
        self._data_came = True
        if self._leads_to is not None:
            self._leads_to.data(data)

    def cleanup(self) -> None:
        """Unplug, and let go of the bus; a second call does nothing."""
        interface, self._leads_to = self._leads_to, None
        if interface is not None:
            interface.cleanup()

    def unplug(self) -> None:
        """Let go of a bus that may be lost already."""
        with suppress(OSError, LumaError, GPIOZeroError):
            self.cleanup()


class _Pins:
    """The part of RPi.GPIO that luma uses for its control pins, over gpiozero, so that it is the same on every Pi."""

    OUT: Final = 0
    LOW: Final = 0
    HIGH: Final = 1

    def __init__(self, factory: Factory | None) -> None:
        self._factory = factory
        self._pins: dict[int, OutputDevice] = {}

    def setup(self, pin: int, direction: int) -> None:
        """Make a pin an output; luma has no other use for one."""
        del direction
        self._pins[pin] = OutputDevice(pin, initial_value=True, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        """Set a pin."""
        self._pins[pin].value = bool(value)

    def close(self) -> None:
        """Give the pins back."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()


class _SpiWithPins:
    """A luma interface over SPI together with its control pins, which luma leaves to whoever brought them."""

    def __init__(self, interface: Interface, pins: _Pins) -> None:
        self._interface = interface
        self._pins = pins
        self.command = interface.command
        self.data = interface.data

    def cleanup(self) -> None:
        """Let go of the bus and the pins."""
        try:
            self._interface.cleanup()
        finally:
            self._pins.close()


def open_i2c(port: int, address: int) -> Interface:
    """Open a display on I2C."""
    opened: Interface = i2c(port=port, address=address)
    return opened


def open_spi_with_pins(  # noqa: PLR0913 - a plug has that many wires
    port: int, device: int, hz: int, dc_pin: int, reset_pin: int | None, pin_factory: Factory | None
) -> Interface:
    """Open a display on SPI, and reset it if its reset pin is connected."""
    pins = _Pins(pin_factory)
    try:
        return _SpiWithPins(
            spi(port=port, device=device, bus_speed_hz=hz, gpio=pins, gpio_DC=dc_pin, gpio_RST=reset_pin), pins
        )
    except (OSError, LumaError, GPIOZeroError):
        pins.close()
        raise


def open_plain_spi(port: int, device: int, hz: int) -> Interface:
    """Open an SPI device that has no control pins."""
    opened: Interface = spi(port=port, device=device, bus_speed_hz=hz, gpio=noop(), gpio_DC=None, gpio_RST=None)
    return opened


@contextmanager
def troubles(what: str, bus: str, group: str, check: str) -> Iterator[None]:
    """Tell everything that can go wrong with a bus as `Trouble`."""
    try:
        yield
    # gpiozero calls it an import error as well when there are no pins, so that comes first.
    except (OSError, LumaError, GPIOZeroError) as error:
        raise _trouble(error, what, bus, group, check) from error
    except ImportError as error:
        todo = "install quarto-pi with its set 'pi4' or 'pi5'"
        raise Trouble(f"{what} needs the package {error.name}, which is not installed", todo) from error


def _trouble(error: Exception, what: str, bus: str, group: str, check: str) -> Trouble:
    code = _errno_of(error)
    if code == errno.ENOENT:
        return Trouble(f"{bus} is not there", f"enable {group.upper()} with raspi-config, or name the right one")
    if code in (errno.EACCES, errno.EPERM):
        return Trouble(f"{bus} may not be used", f"be a member of the group {group}")
    if code in _NO_ANSWER:
        return Trouble(f"{what} does not answer on {bus}", check)
    if code == errno.ETIMEDOUT:
        return Trouble(f"{bus} is stuck", f"unplug {what} and look for wires that touch")
    return Trouble(f"{what} cannot be used on {bus} ({error})", check)


def _errno_of(error: BaseException) -> int | None:
    """The system's error number; luma's own errors hide it behind them."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno is not None:
            return cause.errno
        cause = cause.__cause__ or cause.__context__
    return None

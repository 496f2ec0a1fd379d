"""What lies below the drivers: the Pi's own bus and pins, or simulated ones; and what installs what is lacking.

Nothing above this file knows whether the board is a real one or a simulated one.
"""

from __future__ import annotations

import json
import shlex
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import quarto_pi
from quarto_pi.clock import Clock, MonotonicClock
from quarto_pi.config import Config
from quarto_pi.controller.loop import Output
from quarto_pi.devices.light_patterns import SquareLightsSettings
from quarto_pi.devices.settings import DisplayBus, OledSettings
from quarto_pi.first_start.network_manager import NetworkManagerRadio
from quarto_pi.first_start.set_up import WifiRadio
from quarto_pi.referee import Effect
from quarto_pi.rules import PIECES, QuartoError
from quarto_pi.sensing.tags import TagTable

if TYPE_CHECKING:
    from gpiozero import Factory

    from quarto_pi.devices.readers.spi import Spi
    from quarto_pi.simulation.board import SimulatedBoard

MFRC522: Final = "mfrc522>=0.0.7,<0.0.8"
"""Installed without what it asks for: that is RPi.GPIO, which only an older Pi can use."""
PAHO: Final = "paho-mqtt>=2.1,<3"
"""What speaks to the broker of a chain; nothing else needs it."""
COMPILER: Final = "sudo apt install gcc libc6-dev python3-dev"


@dataclass(frozen=True, slots=True)
class Installation:
    """The environment that this quarto-pi runs in, and the folder of sources that it was installed from."""

    prefix: Path
    python: str
    sources: Path | None

    @property
    def by_make(self) -> bool:
        """Whether `make` made this environment, and keeps it up to date."""
        return self.sources is not None and self.prefix == self.sources / ".venv"

    @property
    def by_pipx(self) -> bool:
        """Whether pipx made this environment."""
        return (self.prefix / "pipx_metadata.json").exists()

    @property
    def by_installer(self) -> bool:
        """Whether `systemd/install` made this environment."""
        return self.prefix.is_relative_to("/opt/quarto-pi")

    def with_simulation(self) -> str:
        """The commands that install everything the simulated board needs."""
        if self.by_make:
            return self._in_sources("make play")
        name = shlex.quote(f"{self.sources or '.'}[simulation]")
        if self.by_pipx:
            return f"pipx install --force {name} && {self.with_mfrc522()}"
        return f"{self._pip()} install {name} && {self.with_mfrc522()}"

    def with_chain(self) -> str:
        """What installs what a board of a chain needs besides."""
        if self.by_installer:
            return "install this version again, it is part of it"
        if self.by_pipx:
            return f"pipx inject quarto-pi {shlex.quote(PAHO)}"
        return f"{self._pip()} install {shlex.quote(PAHO)}"

    def with_mfrc522(self) -> str:
        """The command that installs the readers' package, and nothing that only a Pi can use."""
        if self.by_make:
            return self._in_sources("make play")
        pip = "pipx runpip quarto-pi" if self.by_pipx else self._pip()
        return f"{pip} install --no-deps {shlex.quote(MFRC522)}"

    def compiled(self) -> str:
        """The commands that have the search compiled."""
        if self.by_installer:
            return f"{COMPILER}, then sudo ./systemd/install"
        if self.by_make:
            return f"{COMPILER}, then {self._in_sources('make play')}"
        name = shlex.quote(str(self.sources or "."))
        if self.by_pipx:
            return f"{COMPILER}, then {self.with_simulation()}"
        return f"{COMPILER}, then {self._pip()} install --force-reinstall --no-deps {name}"

    def _pip(self) -> str:
        return f"{shlex.quote(self.python)} -m pip"

    def _in_sources(self, command: str) -> str:
        return command if self.sources == Path.cwd() else f"cd {shlex.quote(str(self.sources))} && {command}"


def this_installation() -> Installation:
    """The installation that runs."""
    return Installation(Path(sys.prefix), sys.executable, _sources())


def _sources() -> Path | None:
    """The folder of sources: the one that it runs from, or the one that pip says it was installed from."""
    folder = Path(quarto_pi.__file__).parent.parent
    if (folder / "pyproject.toml").exists():
        return folder
    try:
        told = distribution("quarto-pi").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    if told is None:
        return None
    address = urlsplit(json.loads(told)["url"])
    folder = Path(unquote(address.path))
    return folder if address.scheme == "file" and folder.is_dir() else None


class TableWatch:
    """Has it written down where the pieces stand."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look

    def perform(self, effect: Effect) -> None:
        """Nothing: hands move pieces, not the referee."""

    def tick(self, now: int) -> None:
        """Look whether hands have moved something."""
        del now
        self._look()


class HardwareMissing(QuartoError, RuntimeError):
    """Packages or devices that the board needs are not there; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What lies below the drivers: the bus, the pins, the time that passes, the time of day, and the radio.

    `missing` is told of what is not there where the board is to start without it; otherwise that is raised.
    """

    open_spi: Callable[[int, int, int], Spi]
    pin_factory: Factory | None
    clock: Clock
    wall: Callable[[], datetime] = datetime.now
    missing: Callable[[HardwareMissing], None] | None = None
    radio: WifiRadio = field(default_factory=NetworkManagerRadio)


def real_hardware() -> Platform:
    """The Pi's own bus and pins."""
    # gpiozero tells of every way to the pins that this machine does not have, before it takes the next one.
    warnings.filterwarnings("ignore", message="Falling back from")

    def open_spi(bus: int, device: int, speed_hz: int) -> Spi:
        # Imported only now: what needs no SPI is looked at by `check` even where its package is missing.
        try:
            from quarto_pi.devices.readers import spi
        except ImportError as error:
            raise not_installed(error) from error
        return spi.open_spi(bus, device, speed_hz)

    return Platform(open_spi, None, MonotonicClock())


def not_installed(error: ImportError) -> HardwareMissing:
    """What to do about a package that is not there: every command, where there is one for this computer."""
    here = this_installation()
    if error.name == "mfrc522":
        return HardwareMissing(f"the package mfrc522 is not installed: use {here.with_mfrc522()}")
    if error.name == "RPi.GPIO" and not isinstance(error, ModuleNotFoundError):
        return HardwareMissing(
            f"the package RPi.GPIO does not work here ({error}): on a newer Pi, install quarto-pi with its set 'pi5', "
            "elsewhere with its set 'simulation'."
        )
    if error.name is not None and error.name.startswith("paho"):
        return HardwareMissing(f"the package paho-mqtt is not installed: {here.with_chain()}")
    if error.name == "serial":
        return HardwareMissing("the package pyserial is not installed: install quarto-pi with its set 'node'.")
    if error.name in ("RPi", "RPi.GPIO"):
        return HardwareMissing(
            f"the package {error.name} is not installed: on a Pi, install quarto-pi with its set 'pi4' or 'pi5'; "
            "elsewhere say --simulated."
        )
    return HardwareMissing(
        f"the package {error.name} is not installed: on a Pi, install quarto-pi with its set 'pi4' or 'pi5', "
        f"elsewhere with its set 'simulation': {here.with_simulation()}"
    )


def simulated_hardware(
    seed: int = 0, *, paced: bool = False, speed: int = 1, config: Config | None = None
) -> tuple[Platform, SimulatedBoard]:
    """A simulated board on a table, its pins gpiozero's mock pins, with stand-ins below the real packages.

    Paced, it runs in real time, or `speed` times as fast.
    It has a display and a strip of lights where the configuration says so, otherwise where they usually are.
    """
    try:
        from gpiozero.pins.mock import MockFactory
    except ImportError as error:
        raise HardwareMissing(
            f"the simulated board needs gpiozero: use {this_installation().with_simulation()}"
        ) from error
    from quarto_pi.simulation.board import SimulatedBoard
    from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins, HeaderPins, Wiring
    from quarto_pi.simulation.modules import display_with, gpio_over, put_in_place
    from quarto_pi.simulation.outputs import OledOnSpi, SpiLine, smbus2_over, spidev_with
    from quarto_pi.simulation.wifi import SimulatedRadio

    config = config or Config()
    oled, lights = config.oled or OledSettings(), config.square_lights or SquareLightsSettings()
    factory = MockFactory(pin_class=ForgetfulPin)
    pins = GpiozeroPins(factory)
    display = display_with(oled.controller.value, oled.width, oled.height)
    wiring = Wiring(reset=config.readers.reset_pin or None)
    board = SimulatedBoard(pins, seed=seed, wiring=wiring, oled=display, strip=lights.order, paced=paced, speed=speed)
    on_spi = {(lights.spi_port, lights.spi_device): SpiLine(board.strip)}
    if oled.connection is DisplayBus.I2C:
        board.i2c.attach(display, oled.i2c_address)
    else:
        on_spi[oled.spi_port, oled.spi_device] = SpiLine(OledOnSpi(display, pins, oled.dc_pin, oled.reset_pin))
    put_in_place(spidev_with(on_spi, board.bus), gpio_over(HeaderPins()), smbus2_over({oled.i2c_port: board.i2c}))

    def open_spi(bus: int, device: int, speed_hz: int) -> Spi:
        device_of_board = board.spidev.SpiDev(bus, device)
        device_of_board.max_speed_hz = speed_hz
        spi: Spi = device_of_board
        return spi

    return Platform(open_spi, factory, board.clock, radio=SimulatedRadio()), board


def keep_table(board: SimulatedBoard, folder: Path) -> Output:
    """Put a simulated board's pieces where they stood when it was stopped, and see to it that this is known again."""
    from quarto_pi.simulation.workshop import Wood

    wood = Wood(board.table, folder)
    wood.put_back()
    return TableWatch(wood.look)


def simulated_tags() -> TagTable:
    """Which tag is which of the simulated pieces."""
    from quarto_pi.simulation.board import UIDS

    return TagTable(dict(zip(UIDS, PIECES, strict=True)))

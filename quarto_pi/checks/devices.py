"""What is wired to the board, readers and what people press, see and hear: does it work, and what is to be done."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quarto_pi.checks import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.config import Config
from quarto_pi.devices.light_patterns import PanelKind, PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.readers.fields import FieldMode, usable_mode
from quarto_pi.devices.readers.interface import Readers
from quarto_pi.devices.settings import DisplayBus, OledSettings
from quarto_pi.devices.speech import Speech, SpeechSettings
from quarto_pi.sensing.readings import OFFER, TagsError, squares_touch
from quarto_pi.wiring.board import (
    button_pins,
    open_buttons,
    open_oled,
    open_panel_lights,
    open_readers,
    open_square_lights,
)
from quarto_pi.wiring.guide import tags_file_of
from quarto_pi.wiring.platform import HardwareMissing, Platform

if TYPE_CHECKING:
    from quarto_pi.devices.readers.health import ReaderHealth

if TYPE_CHECKING:
    from quarto_pi.devices.oled import Oled
    from quarto_pi.devices.square_lights import SquareLights


# --- The computer's buses and pins: whether the kernel has their device nodes, and whether this user may open them ----

BOOT_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""The firmware's configuration: since Bookworm, and before."""
MAY_READ_AND_WRITE: Final = 0o6


@dataclass(frozen=True, slots=True)
class DeviceNode:
    """A device node that the board needs: the settings of the firmware that make it, and what switches those on."""

    device: str
    pattern: str
    enabled_by: re.Pattern[str] | None
    enable: str
    otherwise: str = "restart the Pi"


def nodes_of(config: Config) -> list[DeviceNode]:
    """The device nodes that a board of this wiring needs."""
    oled, lights = config.oled, config.square_lights
    # A board whose readers hang on a Pico needs nothing of the header but for its display and the strip of lights.
    kind = config.hung_on
    spi = set() if kind is not None else {(config.readers.spi_bus, config.readers.spi_device)}
    if oled is not None and oled.connection is DisplayBus.SPI:
        spi.add((oled.spi_port, oled.spi_device))
    if lights is not None:
        spi.add((lights.spi_port, lights.spi_device))
    i2c = [oled.i2c_port] if oled is not None and oled.connection is DisplayBus.I2C else []
    on_header = kind is None or kind.only_readers
    gpio = [_gpio()] if on_header or (oled is not None and oled.connection is DisplayBus.SPI) else []
    return [*gpio, *(_spi(*each) for each in sorted(spi)), *map(_i2c, i2c)]


def buses(machine: Machine, nodes: list[DeviceNode]) -> Iterator[Finding]:
    """What is the matter with these device nodes, if anything."""
    for node in nodes:
        there = sorted(machine.root.glob(f"dev/{node.pattern}"))
        if not there:
            yield _missing(machine, node)
        else:
            found = [_of_user(machine, node, file) for file in there]
            yield next((finding for finding in found if finding.ok), found[0])


def _gpio() -> DeviceNode:
    nowhere = "nothing: this is no Pi, or its kernel is not one for it"
    return DeviceNode("gpio", "gpiochip[0-9]*", None, nowhere)


def _spi(bus: int, device: int) -> DeviceNode:
    if bus == 0:
        enabled, enable = re.compile(r"^dtparam=(.*,)?spi(=on)?(,|$)"), "sudo raspi-config nonint do_spi 0"
    else:
        enabled = re.compile(rf"^dtoverlay=spi{bus}-[{device + 1}-3]cs\b")
        enable = f"add the line 'dtoverlay=spi{bus}-{device + 1}cs' to /{BOOT_FILES[0]}"
    return DeviceNode(f"spi {bus}.{device}", f"spidev{bus}.{device}", enabled, f"{enable}, and restart the Pi")


def _i2c(port: int) -> DeviceNode:
    if port == 1:
        enabled, enable = re.compile(r"^dtparam=(.*,)?i2c(_arm|1)?(=on)?(,|$)"), "sudo raspi-config nonint do_i2c 0"
    else:
        enabled, enable = re.compile(rf"^dtoverlay=i2c{port}\b"), f"add 'dtoverlay=i2c{port}' to /{BOOT_FILES[0]}"
    otherwise = "sudo modprobe i2c-dev, and add the line 'i2c-dev' to /etc/modules"
    return DeviceNode(f"i2c {port}", f"i2c-{port}", enabled, f"{enable}, and restart the Pi", otherwise)


def _missing(machine: Machine, node: DeviceNode) -> Finding:
    lines = [line.strip() for name in BOOT_FILES for line in (machine.text(name) or "").splitlines()]
    if node.enabled_by is not None and any(node.enabled_by.search(line) for line in lines):
        detail = f"/dev/{node.pattern} is not there, although the firmware is told to make it"
        return Finding(node.device, ok=False, detail=detail, fix=node.otherwise)
    detail = f"/dev/{node.pattern.partition('[')[0]} is not there"
    return Finding(node.device, ok=False, detail=detail, fix=node.enable)


def _of_user(machine: Machine, node: DeviceNode, file: Path) -> Finding:
    """Whether the user may open a node that is there; the groups of Raspberry Pi OS are spi, i2c and gpio."""
    name = f"/dev/{file.name}"
    state, user = file.stat(), machine.user
    mode = stat.S_IMODE(state.st_mode)
    if user.number == 0:
        return Finding(node.device, ok=True, detail=f"{name} is there")
    who = 6 if state.st_uid == user.number else 3 if state.st_gid in user.groups else 0
    if mode >> who & MAY_READ_AND_WRITE == MAY_READ_AND_WRITE:
        return Finding(node.device, ok=True, detail=f"{name} is there, and {user.name} may use it")
    group, members = _group(machine, state.st_gid)
    detail = f"{name} belongs to the group {group}, and {user.name} is not in it"
    fix = f"sudo usermod -aG {group} {user.name}, then log in again"
    if user.name in members:
        detail, fix = f"{detail} in this session", "log in again: the group is new to you"
    elif mode >> 3 & MAY_READ_AND_WRITE != MAY_READ_AND_WRITE or state.st_gid == 0:
        detail = f"{name} is for root alone"
        fix = "restart the Pi; if that does not help, its udev rules are missing: sudo apt install raspberrypi-sys-mods"
    return Finding(node.device, ok=False, detail=detail, fix=fix)


def _group(machine: Machine, number: int) -> tuple[str, list[str]]:
    """The name and the members of a group (group(5))."""
    for line in (machine.text("etc/group") or "").splitlines():
        name, _, told, members = (*line.split(":"), "", "", "", "")[:4]
        if told == str(number):
            return name, members.split(",")
    return str(number), []


# --- The readers: whether each answers, what kind of chip it is, and how well it reads --------------------------------

SWEEPS: Final = 20
"""How often every reader is looked at, at the least; the readers of a node have been looked at since it began."""
MOST_LOOKS: Final = 200
"""How often a reader is looked at that is neither good nor bad beyond doubt."""
GOOD, BAD = 0.01, 0.10
"""The shares of failed looks of a reader that is well, and of one that is not."""
FALSE_ALARM, MISSED = 0.001, 0.01
"""How often a reader that is well may be called bad (once in a thousand), and a bad one good (once in a hundred)."""
# Wald's sequential test: how much likelier it has become with each look that the reader is a bad one.
FAILED_LOOK: Final = log(BAD / GOOD)
GOOD_LOOK: Final = log((1 - BAD) / (1 - GOOD))
SURELY_BAD: Final = log((1 - MISSED) / FALSE_ALARM)
SURELY_GOOD: Final = log(MISSED / (1 - FALSE_ALARM))
NEIGHBOURS_ARE_HEARD_IN: Final = 3
"""Looks at readers that nobody asked for, to know what stands around one that has heard nothing."""
LEAST_AROUND: Final = 3
SHARE_AROUND: Final = 0.75
WAIT_US: Final = 5_000
# By the name of the version: the enum stands beside the driver, whose packages need not be installed.
CHIPS: Final = {
    "NXP": ("an MFRC522", None),
    "CLONE": ("a clone of the MFRC522 (an FM17522), which reads as well", None),
    "COUNTERFEIT": (
        "a counterfeit of the MFRC522 (version 0x12), which a reset does not bring back from everything",
        "if it drops out now and then, put another module in its place",
    ),
    "UNKNOWN": ("a chip of an unknown make", "if it drops out now and then, put another module in its place"),
}
"""What a version of the chip is to people, and what to do about it."""


def fields(config: Config) -> Finding:
    """Whether as many fields may be on at a time as the configuration wants."""
    wanted = config.fields
    usable = usable_mode(wanted.mode, wanted.calibration)
    if usable.trouble:
        file = wanted.calibration or "/etc/quarto-pi/apart.toml"
        fix = f"put a piece on every square and run 'quarto-pi calibrate {file}'"
        if not wanted.calibration:
            fix += f", then 'quarto-pi config set fields.calibration {file}'"
        return Finding("fields", ok=False, detail=f"one at a time: {usable.trouble.rstrip('.')}", fix=fix)
    if usable.mode is FieldMode.ONE_AT_A_TIME:
        return Finding("fields", ok=True, detail=usable.mode.value)
    return Finding("fields", ok=True, detail=f"{usable.mode.value}, {len(usable.apart)} pairs may be on together")


def readers(config: Config, platform: Platform, cells: Collection[str]) -> Iterator[Finding]:
    """How the readers of these cells are doing."""
    try:
        with ExitStack() as stack:
            bank = open_readers(config, platform, stack).readers
            bank.start()
            _look_until_sure(bank, platform, cells)
            others = [cell for cell in bank.cells if cell not in cells and any(_touch(cell, one) for one in cells)]
            for _ in range(NEIGHBOURS_ARE_HEARD_IN if others else 0):
                bank.sweep(others)
            health = bank.health()
    except HardwareMissing as error:
        yield Finding("readers", ok=False, detail=str(error), fix="see docs/installing.md, 'Two kinds of Pi'")
    else:
        yield from (reader(health[cell], health.values()) for cell in cells)


def _look_until_sure(bank: Readers, platform: Platform, cells: Collection[str]) -> None:
    """Look at each of these readers until it is good or bad beyond doubt."""
    doubtful = list(cells)
    for number in range(1, MOST_LOOKS + 1):
        began = platform.clock.now()
        bank.sweep(doubtful)
        health = bank.health()
        if number >= SWEEPS:
            doubtful = [cell for cell in doubtful if health[cell].answers and is_doubtful(health[cell])]
        if not doubtful:
            return
        # one that is being brought up anew cannot be looked at yet
        platform.clock.wait_until(began + WAIT_US)


def _evidence(figures: ReaderHealth) -> float:
    """How much likelier the looks are those of a bad reader than those of a good one, as a logarithm."""
    return figures.errors * FAILED_LOOK + (figures.polls - figures.errors) * GOOD_LOOK


def is_doubtful(figures: ReaderHealth) -> bool:
    """Whether the looks so far prove neither that a reader is good nor that it is bad."""
    return SURELY_GOOD < _evidence(figures) < SURELY_BAD


def _errs_too_often(figures: ReaderHealth) -> bool:
    return _evidence(figures) >= (SURELY_BAD if figures.polls < MOST_LOOKS else 0)


def _touch(cell: str, other: str) -> bool:
    return cell != other and OFFER not in (cell, other) and squares_touch(cell, other)


def _heard_around(figures: ReaderHealth, everywhere: Iterable[ReaderHealth]) -> int:
    """How many readers around one that has heard nothing hear a piece, 0 if too few to wonder at that."""
    around = [other for other in everywhere if other.answers and _touch(figures.cell, other.cell)]
    heard = sum(other.last_seen is not None for other in around)
    return heard if heard >= LEAST_AROUND and heard >= SHARE_AROUND * len(around) else 0


def reader(figures: ReaderHealth, everywhere: Iterable[ReaderHealth] = ()) -> Finding:
    """How one reader is doing, beside all others."""
    device = f"reader {figures.cell}"
    if figures.trouble is not None:
        detail, fix = figures.trouble
        return Finding(device, ok=False, detail=detail, fix=fix)
    chip, todo = CHIPS[figures.version.name]
    if figures.wants_command_again:
        chip += ", which wants its command again for every frame (it reads as well, a little more slowly)"
    seen = "nothing read" if figures.last_seen is None else "a tag read"
    detail = (
        f"{chip}; {seen}, {figures.miss_rate:.0%} missed, {figures.error_rate:.0%} errors, "
        f"{figures.cross_reads} cross-reads, {figures.resets} resets"
    )
    if _errs_too_often(figures):
        return Finding(device, ok=False, detail=detail, fix="shorten the SPI wires, or bring tag and reader closer")
    if figures.last_seen is None and (heard := _heard_around(figures, everywhere)):
        fix = "put a piece there and check again: if it still hears nothing, see to its antenna and what lies below it"
        return Finding(device, ok=False, detail=f"{detail}; {heard} readers around it hear a piece", fix=fix)
    return Finding(device, ok=True, detail=detail, fix=todo)


# --- The file that says which tag is which piece: there, complete, no tag twice ---------------------------------------


def tags(config: Config) -> Finding:
    """The tags of the pieces."""
    file = tags_file_of(config)
    try:
        is_there = file.exists()
    except PermissionError:
        return Finding("tags", ok=False, detail=f"{file.path} may not be looked at", fix="sudo quarto-pi check")
    try:
        table = file.read()
    except TagsError as error:
        # The guide goes on from what is there; what is wrong there is put right, or begun anew.
        fix = "put the file right, or run 'quarto-pi enrol --anew'" if is_there else "run 'quarto-pi enrol'"
        return Finding("tags", ok=False, detail=str(error).rstrip("."), fix=fix)
    return Finding("tags", ok=True, detail=f"{len(table.pieces)} tags for sixteen pieces, in {file.path}")


# --- What people press, see and hear of the board: does it work, and what is to be done where it does not -------------

INSTALL = "see docs/installing.md, 'Two kinds of Pi'"


def buttons(config: Config, platform: Platform) -> Iterator[Finding]:
    """Every button, and whether it is up as it should be while nobody presses it."""
    pins = button_pins(config)
    try:
        with open_buttons(config, platform) as opened:
            held = opened.held
    except HardwareMissing as error:
        yield Finding("buttons", ok=False, detail=str(error), fix=INSTALL)
        return
    for name, pin in pins.items():
        device = f"button {name}"
        if name in held:
            todo = f"let go of it; if nobody holds it, it is stuck, or GPIO {pin} is wired to ground"
            yield Finding(device, ok=False, detail=f"GPIO {pin}, held down", fix=todo)
        else:
            yield Finding(device, ok=True, detail=f"GPIO {pin}, up")


def displays(config: Config, platform: Platform, wanted: Callable[[str], bool] = lambda _: True) -> Iterator[Finding]:
    """Those of the displays and lights that the configuration says are there, as far as they are wanted."""
    if config.oled is not None and wanted("oled"):
        yield _oled(config.oled, platform)
    if config.panel_lights is not None and config.node is not None and wanted("panel lights"):
        yield Finding("panel lights", ok=True, detail="on the node; a light gives no answer")
    elif config.panel_lights is not None and wanted("panel lights"):
        yield _panel_lights(config.panel_lights, platform)
    if config.square_lights is not None and wanted("square lights"):
        yield _square_lights(config.square_lights, platform)


def speech(settings: SpeechSettings, language: str) -> Finding:
    """The voice: its program, and a voice for the language of the game."""
    program = settings.program
    with Speech(settings) as voice:
        if not voice.available:
            install = "sudo apt install espeak-ng" if program == "espeak-ng" else "install it, or name another program"
            return Finding("speech", ok=False, detail=f"{program} is not installed", fix=install)
        name = voice.voice_for(language)
    if name is None:
        detail = f"{program} has no voice for the language {language}"
        return Finding("speech", ok=False, detail=detail, fix="sudo apt install espeak-ng-data")
    return Finding("speech", ok=True, detail=f"{program}, voice {name}")


def _oled(settings: OledSettings, platform: Platform) -> Finding:
    kind = f"{settings.controller.value}, {settings.width} x {settings.height}"
    if settings.connection is DisplayBus.SPI:
        bus = f"/dev/spidev{settings.spi_port}.{settings.spi_device}"
        detail = f"{kind}: all sent on {bus}; on SPI no display gives an answer"
    else:
        detail = f"{kind}: answers at {settings.i2c_address:#04x} on I2C {settings.i2c_port}"
    return _after_a_step("oled", lambda: open_oled(settings, platform), detail)


def _panel_lights(settings: PanelLightsSettings, platform: Platform) -> Finding:
    pins = ", ".join(str(pin) for pin in settings.pins)
    what = "three lights" if settings.kind is PanelKind.THREE else "one RGB light"
    try:
        with open_panel_lights(settings, platform):
            return Finding("panel lights", ok=True, detail=f"{what}: GPIO {pins} driven; a light gives no answer")
    except HardwareMissing as error:
        return Finding("panel lights", ok=False, detail=str(error), fix=INSTALL)


def _square_lights(settings: SquareLightsSettings, platform: Platform) -> Finding:
    bus = f"/dev/spidev{settings.spi_port}.{settings.spi_device}"
    detail = f"all sent on {bus}; a strip on SPI gives no answer, so whether it is there only eyes can tell"
    return _after_a_step("square lights", lambda: open_square_lights(settings, platform), detail)


def _after_a_step(name: str, open_it: Callable[[], Oled | SquareLights], well: str) -> Finding:
    """What is to be said of a device that looks after itself, once it has been written to."""
    try:
        with open_it() as device:
            device.step()
            condition = device.condition
    except HardwareMissing as error:
        return Finding(name, ok=False, detail=str(error), fix=INSTALL)
    if not condition.ok:
        return Finding(name, ok=False, detail=condition.detail, fix=condition.todo)
    return Finding(name, ok=True, detail=well)

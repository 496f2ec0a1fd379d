"""The computer's buses and pins: whether the kernel has their device nodes, and whether this user may open them."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.config import Config
from quarto_pi.devices.oled_settings import Connection

BOOT_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""The firmware's configuration: since Bookworm, and before."""
MAY_READ_AND_WRITE: Final = 0o6


@dataclass(frozen=True, slots=True)
class Node:
    """A device node that the board needs: the settings of the firmware that make it, and what switches those on."""

    device: str
    pattern: str
    enabled_by: re.Pattern[str] | None
    enable: str
    otherwise: str = "restart the Pi"


def nodes_of(config: Config) -> list[Node]:
    """The device nodes that a board of this wiring needs."""
    oled, lights = config.oled, config.square_lights
    # A board whose readers hang on a Pico needs nothing of the header but for its display and the strip of lights.
    kind = config.hung_on
    spi = set() if kind is not None else {(config.readers.spi_bus, config.readers.spi_device)}
    if oled is not None and oled.connection is Connection.SPI:
        spi.add((oled.spi_port, oled.spi_device))
    if lights is not None:
        spi.add((lights.spi_port, lights.spi_device))
    i2c = [oled.i2c_port] if oled is not None and oled.connection is Connection.I2C else []
    on_header = kind is None or kind.only_readers
    gpio = [_gpio()] if on_header or (oled is not None and oled.connection is Connection.SPI) else []
    return [*gpio, *(_spi(*each) for each in sorted(spi)), *map(_i2c, i2c)]


def buses(machine: Machine, nodes: list[Node]) -> Iterator[Finding]:
    """What is the matter with these device nodes, if anything."""
    for node in nodes:
        there = sorted(machine.root.glob(f"dev/{node.pattern}"))
        if not there:
            yield _missing(machine, node)
        else:
            found = [_of_user(machine, node, file) for file in there]
            yield next((finding for finding in found if finding.ok), found[0])


def _gpio() -> Node:
    nowhere = "nothing: this is no Pi, or its kernel is not one for it"
    return Node("gpio", "gpiochip[0-9]*", None, nowhere)


def _spi(bus: int, device: int) -> Node:
    if bus == 0:
        enabled, enable = re.compile(r"^dtparam=(.*,)?spi(=on)?(,|$)"), "sudo raspi-config nonint do_spi 0"
    else:
        enabled = re.compile(rf"^dtoverlay=spi{bus}-[{device + 1}-3]cs\b")
        enable = f"add the line 'dtoverlay=spi{bus}-{device + 1}cs' to /{BOOT_FILES[0]}"
    return Node(f"spi {bus}.{device}", f"spidev{bus}.{device}", enabled, f"{enable}, and restart the Pi")


def _i2c(port: int) -> Node:
    if port == 1:
        enabled, enable = re.compile(r"^dtparam=(.*,)?i2c(_arm|1)?(=on)?(,|$)"), "sudo raspi-config nonint do_i2c 0"
    else:
        enabled, enable = re.compile(rf"^dtoverlay=i2c{port}\b"), f"add 'dtoverlay=i2c{port}' to /{BOOT_FILES[0]}"
    otherwise = "sudo modprobe i2c-dev, and add the line 'i2c-dev' to /etc/modules"
    return Node(f"i2c {port}", f"i2c-{port}", enabled, f"{enable}, and restart the Pi", otherwise)


def _missing(machine: Machine, node: Node) -> Finding:
    lines = [line.strip() for name in BOOT_FILES for line in (machine.text(name) or "").splitlines()]
    if node.enabled_by is not None and any(node.enabled_by.search(line) for line in lines):
        detail = f"/dev/{node.pattern} is not there, although the firmware is told to make it"
        return Finding(node.device, ok=False, detail=detail, fix=node.otherwise)
    detail = f"/dev/{node.pattern.partition('[')[0]} is not there"
    return Finding(node.device, ok=False, detail=detail, fix=node.enable)


def _of_user(machine: Machine, node: Node, file: Path) -> Finding:
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

"""The wiring of a board whose readers, buttons and lights hang on a Pico: from the configuration to an open node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from zlib import crc32

from quarto_pi.clock import Clock
from quarto_pi.devices.kinds import Surroundings
from quarto_pi.devices.lights.patterns import PanelLightsSettings
from quarto_pi.devices.node.board import Node
from quarto_pi.devices.node.firmware import build
from quarto_pi.devices.node.link import NodeLink
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.readers.health import Gain
from quarto_pi.firmware.protocol import CELLS as CELL_COUNT
from quarto_pi.firmware.protocol import CRC, NOTHING, Writer
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.sensing.readings import CELLS, LINES, OFFER

PLACES: Final = {"call": 0, "call0": 0, "call1": 1, "menu": 2}
"""Which of the node's three buttons each is, by the name that the referee knows it by."""


def build_node(settings: NodeSettings, around: Surroundings, clock: Clock, tell: Callable[[str], None]) -> Node:
    """The node that these settings describe; whether it is plugged in shows when it is first spoken to."""
    if around.trouble:
        tell(f"one reader's field is on at a time: {around.trouble}")
    link = NodeLink(settings, wiring_of(settings, around), clock, tell=tell, build=build())
    return Node(link, clock, around.cells, {name: PLACES[name] for name in around.buttons})


def wiring_of(settings: NodeSettings, around: Surroundings) -> Configuration:
    """What the node has to know of the board, with a number of its own: the same board has the same one."""
    cells, plan = around.cells, around.plan
    lines = {**around.lines, OFFER: LINES[OFFER]}
    groups = {cell: number for number, group in enumerate(plan.in_groups(cells)) for cell in group}
    lights = around.panel_lights or PanelLightsSettings()
    wiring = Configuration()
    wiring.spi_hz = settings.spi_hz
    wiring.address = list(settings.address_pins)
    wiring.enable, wiring.offer = settings.enable_pin, settings.offer_pin
    second = settings.second_pin if "call1" in around.buttons else NOTHING
    wiring.buttons = [settings.call_pin, second, settings.menu_pin]
    wiring.lights = [NOTHING] * 3 if around.panel_lights is None else list(settings.light_pins)
    wiring.active_high = int(lights.active_high)
    wiring.gain = int(Gain.DB_33)
    wiring.most = plan.most
    wiring.lines = [lines[cell] if cell in cells else NOTHING for cell in CELLS]
    wiring.groups = [groups.get(cell, CELL_COUNT - 1) for cell in CELLS]
    # over all but the frame's own checksum, with which it would always be the same; 0 is a node without a configuration
    wiring.number = crc32(wiring.write(Writer())[: -CRC - 1]) & 0xFFFF or 1
    return wiring

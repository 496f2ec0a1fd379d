"""The wiring of a board whose readers, buttons and lights hang on a Pico: from the configuration to an open node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final
from zlib import crc32

from quarto_pi.clock import Clock
from quarto_pi.config import Config
from quarto_pi.devices.calibration_file import usable_mode
from quarto_pi.devices.fields import FieldPlan, plan_fields
from quarto_pi.devices.light_settings import PanelLightsSettings
from quarto_pi.devices.node import Node
from quarto_pi.devices.node_firmware import build
from quarto_pi.devices.node_link import NodeLink
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.devices.reader_terms import Gain
from quarto_pi.firmware.protocol import CELLS as CELL_COUNT
from quarto_pi.firmware.protocol import CRC, NOTHING, Writer
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARES

OFFER_LINE: Final = 16
PLACES: Final = {"call": 0, "call0": 0, "call1": 1, "menu": 2}
"""Which of the node's three buttons each is, by the name that the referee knows it by."""


def open_node(
    config: Config, settings: NodeSettings, clock: Clock, names: Sequence[str], tell: Callable[[str], None]
) -> Node:
    """The node that the configuration describes; whether it is plugged in shows when it is first spoken to."""
    fields = config.fields
    if trouble := usable_mode(fields.mode, fields.calibration).trouble:
        tell(f"one reader's field is on at a time: {trouble}")
    link = NodeLink(settings, wiring_of(config, settings), clock, tell=tell, build=build())
    return Node(link, clock, _cells(config), {name: PLACES[name] for name in names})


def wiring_of(config: Config, settings: NodeSettings) -> Configuration:
    """What the node has to know of the board, with a number of its own: the same board has the same one."""
    cells = _cells(config)
    plan = _plan(config, cells)
    lines = {**config.readers.lines, OFFER: OFFER_LINE}
    groups = {cell: number for number, group in enumerate(plan.in_groups(cells)) for cell in group}
    lights = config.panel_lights or PanelLightsSettings()
    wiring = Configuration()
    wiring.spi_hz = settings.spi_hz
    wiring.address = list(settings.address_pins)
    wiring.enable, wiring.offer = settings.enable_pin, settings.offer_pin
    second = settings.second_pin if config.game.buttons == 2 else NOTHING
    wiring.buttons = [settings.call_pin, second, settings.menu_pin]
    wiring.lights = [NOTHING] * 3 if config.panel_lights is None else list(settings.light_pins)
    wiring.active_high = int(lights.active_high)
    wiring.gain = int(Gain.DB_33)
    wiring.most = plan.most
    wiring.lines = [lines[cell] if cell in cells else NOTHING for cell in CELLS]
    wiring.groups = [groups.get(cell, CELL_COUNT - 1) for cell in CELLS]
    # over all but the frame's own checksum, with which it would always be the same; 0 is a node without a configuration
    wiring.number = crc32(wiring.write(Writer())[: -CRC - 1]) & 0xFFFF or 1
    return wiring


def _cells(config: Config) -> tuple[str, ...]:
    return CELLS if config.readers.offer else SQUARES


def _plan(config: Config, cells: tuple[str, ...]) -> FieldPlan:
    fields = config.fields
    usable = usable_mode(fields.mode, fields.calibration)
    return plan_fields(usable.mode, replace(fields.budget, readers=len(cells)), usable.apart)

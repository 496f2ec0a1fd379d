"""A board whose readers, buttons and lights hang on a Pico, for whatever is tested on both kinds of board."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from quarto_pi.config import Config
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.firmware import pins
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import Wiring
from quarto_pi.wiring.platform import Platform
from tests.evening import Underneath
from tests.pico.node_pins import NodePins
from tests.pico.simulated_pico import NodeTime, SimulatedPico


@dataclass
class OnAPico(Underneath):
    """A board with a Pico below it."""

    pico: SimulatedPico
    pins: NodePins


def on_a_pico(
    stack: ExitStack,
    config: Config,
    *,
    plugged: bool = True,
    drift_ppm: int = 80,
    seed: int = 0,
    processor_time: bool = False,
) -> OnAPico:
    """Readers and buttons on a Pico that runs the real firmware; its clock is a little fast, as clocks are."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    node_pins = NodePins()
    wiring = Wiring(pins.ADDRESS, pins.ENABLE, pins.OFFER, pins.RESET)
    board = SimulatedBoard(node_pins, seed=seed, wiring=wiring)
    pico = SimulatedPico(board, node_pins, folder, drift_ppm=drift_ppm, processor_time=processor_time)
    stack.callback(pico.close)
    if plugged:
        pico.plug_in()
    config = replace(config, node=replace(config.node or NodeSettings(), port=str(pico.port)))
    platform = Platform(_no_spi, None, NodeTime(board.clock, pico))
    return OnAPico(config, platform, board, node_pins.finger(pins.CALL), pico, node_pins)


def _no_spi(*where: int) -> NoReturn:
    raise AssertionError(f"the readers are on the Pico, not at {where}")

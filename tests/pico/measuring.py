"""Runs the measurements of `measured` on MicroPython, above a board that is set up in some way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from quarto_pi.config import Config
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.firmware.protocol import HEADER, TRAILER, Writer
from quarto_pi.node_wiring import wiring_of
from quarto_pi.simulation.board import SimulatedBoard
from tests.pico.programs import output_of, simulated_board

PROGRAM = (Path(__file__).parent / "measured.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Measured:
    """What a sweep costs: bytes that stay allocated per sweep and per frame, and transfers."""

    swept: int
    written: int
    locked: bool
    frame: int
    transfers: tuple[int, ...]


def measure(
    standing: Mapping[str, str],
    config: Config | None = None,
    prepare: Callable[[SimulatedBoard], None] = lambda _: None,
) -> Measured:
    """Measure with these UIDs standing on these cells."""
    board, pins = simulated_board()
    for cell, uid in standing.items():
        board.table.rest(uid, cell)
    prepare(board)
    config = config or Config()
    frame = bytes(wiring_of(config, config.node or NodeSettings()).write(Writer()))
    payload = frame[HEADER:-TRAILER].hex()
    found = json.loads(output_of(PROGRAM, {"configuration.hex": payload}, (board, pins)))
    return Measured(found["swept"], found["written"], found["locked"], found["frame"], tuple(found["transfers"]))

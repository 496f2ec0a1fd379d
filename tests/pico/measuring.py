"""Runs the measurements of `measured` on MicroPython, above a board that is set up in some way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from quarto_pi.config import Config
from quarto_pi.devices.node.board import wiring_of
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.firmware.protocol import Writer
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.wiring.board import surroundings_of
from tests.pico.programs import output_of, simulated_board
from tests.pico.samples import frame_in

UIDS: dict[int, list[str]] = {
    0: [],
    4: [f"1{n:X}A0B1{n:02X}" for n in range(16)],
    7: [f"04{n:02X}A1B2C3D480" for n in range(16)],
}
BOUND_MS = {0: 90.0, 4: 100.0, 7: 132.0}
"""How long a sweep over 16 squares takes at the least, one field at a time, by the bytes of the UIDs there."""
BEFORE_MS = {0: (161, 151), 4: (235, 232), 7: (274, 277)}
"""What a sweep took before the node worked while fields get ready: on an RP2040 that was emulated cycle by cycle, and
by `processor`, which was made to agree with that."""
PROGRAM = (Path(__file__).parent / "measured.py").read_text(encoding="utf-8")


TURNED = (Path(__file__).parent / "measured_turns.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Measured:
    """What 20 sweeps and 20 frames allocate, and how many transfers each sweep takes."""

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
    found = json.loads(output_of(PROGRAM, {"configuration.hex": _payload(config)}, (board, pins)))
    return Measured(found["swept"], found["written"], found["locked"], found["frame"], tuple(found["transfers"]))


def turns_ms(standing: Mapping[str, str], config: Config | None = None) -> list[float]:
    """How long the node's turns take with the time of its processor, a sweep and all that belongs to it each."""
    board, pins = simulated_board()
    for cell, uid in standing.items():
        board.table.rest(uid, cell)
    printed = output_of(TURNED, {"configuration.hex": _payload(config)}, (board, pins), processor_time=True)
    return [turn / 1_000 for turn in json.loads(printed)]


def _payload(config: Config | None) -> str:
    config = config or Config()
    frame = frame_in(bytes(wiring_of(config.node or NodeSettings(), surroundings_of(config)).write(Writer())))
    assert frame is not None
    return bytes(frame.payload).hex()

"""Programs that run on MicroPython instead of the firmware's main.py, beside its modules."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from quarto_pi.firmware import pins
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import Wiring
from quarto_pi.simulation.clock import Spans
from tests.pico.node_pins import NodePins
from tests.pico.simulated_pico import SimulatedPico

DONE = "\nthat is all\n"
MOST_US = 600_000_000


def simulated_board(
    spans: Spans | None = None, forgetful: Collection[str] = (), seed: int = 0
) -> tuple[SimulatedBoard, NodePins]:
    """A board that is wired to a Pico."""
    node_pins = NodePins()
    wiring = Wiring(pins.ADDRESS, pins.ENABLE, pins.OFFER, pins.RESET)
    return SimulatedBoard(node_pins, wiring=wiring, spans=spans, forgetful=forgetful, seed=seed), node_pins


def output_of(
    program: str,
    files: Mapping[str, str] | None = None,
    under: tuple[SimulatedBoard, NodePins] | None = None,
    *,
    processor_time: bool = False,
) -> str:
    """What a program prints on MicroPython, above the board's chips."""
    board, node_pins = under or simulated_board()
    with tempfile.TemporaryDirectory() as folder:
        pico = SimulatedPico(board, node_pins, Path(folder), processor_time=processor_time)
        for name, text in (files or {}).items():
            (pico.flash / name).write_text(text, encoding="utf-8")
        (pico.flash / "main.py").write_text(f"{program}\nprint({DONE!r})\n", encoding="utf-8")
        pico.plug_in()
        try:
            while DONE not in pico.printed and "Error" not in pico.printed and board.clock.now() < MOST_US:
                pico.run_until(board.clock.now() + 10_000)
        finally:
            pico.close()
        return pico.printed.partition(DONE)[0]

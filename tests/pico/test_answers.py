"""No look of the node loses an answer, however late the chip hands it over and however long transfers take to begin."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import pytest

from quarto_pi.config import parse_config
from quarto_pi.devices.node.board import wiring_of
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.firmware.protocol import Writer
from quarto_pi.sensing.readings import CELLS
from quarto_pi.simulation.clock import VARIED, Spans
from quarto_pi.wiring.board import surroundings_of
from tests.pico.programs import output_of, simulated_board
from tests.pico.samples import frame_in

pytestmark = pytest.mark.slow

PROGRAM = (Path(__file__).parent / "measured_looks.py").read_text(encoding="utf-8")
SWEEPS = 12
UIDS = {
    cell: (f"1{n:X}A0B1{n:02X}", f"04{n:02X}A1B2C3D480", f"08{n:02X}2233445566778899")[n % 3]
    for n, cell in enumerate(CELLS[:-1])
}


def looks(
    spans: Spans, *, hertz: int = 4_000_000, forgetful: Collection[str] = (), seed: int = 0, sweeps: int = SWEEPS
) -> tuple[dict[str, dict[str, int]], list[int]]:
    """What so many sweeps have seen on each cell, and how often each reader has missed its tag."""
    board, pins = simulated_board(spans, forgetful, seed)
    for cell, uid in UIDS.items():
        board.table.rest(uid, cell)
    config = parse_config(f"[readers]\nspi_hz = {hertz}\n")
    frame = frame_in(bytes(wiring_of(config.node or NodeSettings(), surroundings_of(config)).write(Writer())))
    assert frame is not None
    files = {"configuration.hex": frame.payload.hex(), "sweeps": str(sweeps)}
    found = json.loads(output_of(PROGRAM, files, (board, pins)))
    return dict(zip(CELLS, found["seen"], strict=True)), found["misses"]


def every_look(sweeps: int = SWEEPS) -> dict[str, dict[str, int]]:
    return {cell: {f"tag  {UIDS[cell].lower()}" if cell in UIDS else "empty ": sweeps} for cell in CELLS}


@pytest.mark.parametrize(
    "hertz", [4_000_000, *(pytest.param(hertz, marks=pytest.mark.campaign) for hertz in (1_000_000, 8_000_000))]
)
def test_no_look_loses_an_answer_whatever_varies(hertz: int) -> None:
    seen, misses = looks(VARIED, hertz=hertz, seed=hertz)
    assert seen == every_look()
    assert set(misses) == {0}


@pytest.mark.parametrize(
    ("latency", "delay"),
    [
        (0, 5),
        (25, 200),
        *(pytest.param(*both, marks=pytest.mark.campaign) for both in ((9, 10), (16, 25), (20, 40), (25, 5))),
    ],
)
def test_no_look_loses_an_answer_at_the_latencies_that_cost_most(latency: int, delay: int) -> None:
    seen, misses = looks(Spans.of_host((delay, delay), (latency, latency)), sweeps=6)
    assert seen == every_look(6)
    assert set(misses) == {0}


def test_answer_that_comes_far_too_late_is_waited_for_and_not_torn() -> None:
    seen, misses = looks(Spans.of_host((5, 60), (100, 150)), sweeps=6)
    assert seen == every_look(6)
    assert set(misses) == {0}


def test_clone_that_ends_its_command_with_each_answer_is_given_it_again() -> None:
    seen, misses = looks(VARIED, forgetful=CELLS[::2], sweeps=8)
    assert seen == every_look(8)
    assert set(misses) == {0}

"""What the firmware's poll costs on MicroPython: no memory at all, and as few transfers as on the Pi."""

from __future__ import annotations

import pytest

from quarto_pi.config import parse_config
from quarto_pi.sensing.readings import SQUARES
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.faults import NOTHING_ANSWERS_LOW, LineFault
from tests.pico.measuring import measure

ONLY_SQUARES = "[readers]\noffer = false\n"


@pytest.mark.parametrize(
    ("uids", "transfers"),
    [
        ([], 8),
        ([f"1{number:X}A0B1{number:02X}" for number in range(16)], 13),
        ([f"04{number:02X}A1B2C3D480" for number in range(16)], 16),
    ],
    ids=["empty", "four bytes", "seven bytes"],
)
def test_poll_allocates_nothing_and_takes_as_few_transfers_as_on_the_pi(uids: list[str], transfers: int) -> None:
    standing = dict(zip(SQUARES, uids, strict=False))
    cost = measure(standing, parse_config(ONLY_SQUARES))
    assert (cost.swept, cost.written) == (0, 0)
    assert cost.locked
    # a survey, one poll in four, ends without the last level and without HLTA
    assert 16 * (transfers - 1) < max(cost.transfers) <= 16 * transfers


def test_trouble_of_all_kinds_allocates_nothing_either() -> None:
    def prepare(board: SimulatedBoard) -> None:
        board.table.rest("7A90C3F1", "a1")
        for cell in ("b1", "c1", "d1", "a2"):
            board.field.add_noise(cell, 0.4)
        board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
        board.faults.set("c2", LineFault(flip_to_host=0.02))

    standing = {"a1": "04A1B2C3D4E5F6", "b1": "1A90C3F1", "c1": "08112233445566778899", "d1": "04A1B2C3D4E5F7"}
    cost = measure(standing, prepare=prepare)
    assert (cost.swept, cost.written, cost.locked) == (0, 0, True)

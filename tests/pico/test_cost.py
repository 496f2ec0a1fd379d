"""What the firmware costs on MicroPython: a poll no memory at all, and a sweep little more time than it has to take."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarto_pi.config import parse_config
from quarto_pi.devices.readers.fields import NOT_TOUCHING, write_calibration
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from tests.pico.measuring import BOUND_MS, UIDS, measure, turns_ms

pytestmark = pytest.mark.slow

ONLY_SQUARES = "[readers]\noffer = false\n"


@pytest.mark.parametrize(
    ("uids", "transfers"),
    [
        pytest.param(UIDS[0], 9, id="empty", marks=pytest.mark.campaign),
        pytest.param(UIDS[4], 14, id="four bytes", marks=pytest.mark.campaign),
        pytest.param(UIDS[7], 17, id="seven bytes"),
    ],
)
def test_poll_allocates_nothing_and_takes_few_transfers(uids: list[str], transfers: int) -> None:
    standing = dict(zip(SQUARE_NAMES, uids, strict=False))
    cost = measure(standing, parse_config(ONLY_SQUARES))
    assert cost.swept == 0
    assert cost.locked
    # a frame allocates one number
    assert cost.written <= 32 * 20
    # a survey, one poll in four, may end without the last level; an audit, one in sixteen, takes one more
    assert 16 * (transfers - 1) < max(cost.transfers) <= 16 * transfers


@pytest.mark.parametrize(
    "size", [pytest.param(0, marks=pytest.mark.campaign), pytest.param(4, marks=pytest.mark.campaign), 7]
)
def test_sweep_takes_no_more_than_a_fourth_longer_than_its_bound_with_the_time_of_the_processor(size: int) -> None:
    turns = turns_ms(dict(zip(SQUARE_NAMES, UIDS[size], strict=False)), parse_config(ONLY_SQUARES))
    assert BOUND_MS[size] < sum(turns) / len(turns) <= 1.25 * BOUND_MS[size]


def test_four_fields_at_a_time_take_less_than_two_thirds_of_one(tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    fields = f'[fields]\nmode = "in turn"\nsupply_ma = 2000\ncalibration = "{file}"\n'
    standing = dict(zip(SQUARE_NAMES, UIDS[7], strict=True))
    four = turns_ms(standing, parse_config(f"{ONLY_SQUARES}{fields}"))
    assert sum(four) / len(four) <= 2 / 3 * 1.25 * BOUND_MS[7]


def test_trouble_of_all_kinds_allocates_nothing_either() -> None:
    def prepare(board: SimulatedBoard) -> None:
        board.table.rest("7A90C3F1", "a1")
        for cell in ("b1", "c1", "d1", "a2"):
            board.field.add_noise(cell, 0.4)
        board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
        board.faults.set("c2", LineFault(flip_to_host=0.02))

    standing = {"a1": "04A1B2C3D4E5F6", "b1": "1A90C3F1", "c1": "08112233445566778899", "d1": "04A1B2C3D4E5F7"}
    cost = measure(standing, prepare=prepare)
    assert (cost.swept, cost.locked) == (0, True)

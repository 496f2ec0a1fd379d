"""Readers that fail below a node: each alone, all at once, and what that costs the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarto_pi.devices.readers.fields import NOT_TOUCHING, write_calibration
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.chip import Hang
from quarto_pi.simulation.field import Noise
from tests.pico.conftest import OpenAtHost

pytestmark = pytest.mark.slow


def test_dead_reader_is_dead_alone_and_recovers(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.board.faults.set("c2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(1_500)
    assert [cell for cell, outcome in host.outcomes().items() if outcome is Outcome.DEAD] == ["c2"]
    host.wait_for(lambda: not host.node.bank.health()["c2"].answers)
    host.board.faults.clear("c2")
    host.wait_for(lambda: host.outcomes()["c2"] is Outcome.TAG)


def test_reader_that_does_nothing_but_err_is_reset_now_and_then(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.board.field.add_noise("a1", 1.0, (Noise.FLIPPED,))
    host.begin()
    host.wait(3_500)
    resets = {cell: figures.resets for cell, figures in host.node.bank.health().items()}
    assert 2 <= resets.pop("a1") <= 6
    assert set(resets.values()) == {1}


def test_board_without_a_single_reader_does_not_drown_the_host_in_frames(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    for cell in CELLS:
        host.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(500)
    frames = host.link.frames
    host.wait(1_000)
    assert host.link.frames - frames < 60
    assert set(host.outcomes().values()) == {Outcome.DEAD}


def test_brown_out_of_all_chips_is_recovered_from(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.board.brown_out()
    host.wait(3_000)
    assert {host.outcomes()[cell] for cell in SQUARE_NAMES} == {Outcome.TAG}


def test_lost_readers_take_their_share_of_the_current(open_at_host: OpenAtHost, tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    host = open_at_host(f'[fields]\nmode = "in turn"\nsupply_ma = 600\ncalibration = "{file}"\n')
    host.begin()
    for cell in ("a1", "c1"):
        host.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(300)
    host.board.field.most_on = 0
    host.wait(500)
    assert host.board.field.most_on - len(host.board.field.on & {"a1", "c1"}) == 1


@pytest.mark.parametrize("hang", [Hang.MUTE, pytest.param(Hang.DEAF, marks=pytest.mark.campaign)])
def test_chip_that_ignores_commands_is_brought_back_by_the_reset_line(open_at_host: OpenAtHost, hang: Hang) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.wait(7_000)
    host.board.chips["c2"].hang = hang
    host.wait_for(lambda: host.outcomes()["c2"] is not Outcome.TAG)
    host.wait_for(lambda: host.outcomes()["c2"] is Outcome.TAG)
    assert host.board.chips["c2"].hang is None
    host.wait_for(lambda: {host.outcomes()[cell] for cell in SQUARE_NAMES} == {Outcome.TAG})


def test_chip_that_hangs_when_the_node_is_configured_is_brought_back_then(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.board.chips["c2"].hang = Hang.MUTE
    host.begin()
    assert host.outcomes()["c2"] is Outcome.TAG


@pytest.mark.campaign
def test_reader_that_is_gone_for_good_has_the_others_reset_once(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.wait(7_000)
    before = host.board.chips["a1"].resets
    host.board.faults.set("c2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(20_000)
    assert host.board.chips["a1"].resets == before + 1
    assert {cell for cell, outcome in host.outcomes().items() if outcome is Outcome.DEAD} == {"c2"}

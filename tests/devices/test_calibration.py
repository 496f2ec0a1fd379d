"""Cross-talk as it is measured, with a piece on every square."""

from __future__ import annotations

import pytest

from quarto_pi.devices.readers.calibration import PairFigure
from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, pair, plan_fields
from quarto_pi.sensing.readings import CELLS
from quarto_pi.simulation.board import Reach
from tests.rig import Rig


@pytest.fixture
def full(rig: Rig, uids7: list[str]) -> Rig:
    rig.fill([*uids7, "04FFA1B2C3D480"], CELLS)
    return rig


@pytest.mark.slow
def test_a_clean_board_allows_all_pairs_that_do_not_touch(full: Rig) -> None:
    assert full.bank.calibrate(looks=1).apart() == NOT_TOUCHING


@pytest.mark.slow
def test_a_pair_that_disturbs_each_other_is_kept_apart(full: Rig) -> None:
    full.board.field.disturb("a1", "c1", 1.0)
    apart = full.bank.calibrate(looks=2).apart()
    assert apart == NOT_TOUCHING - {pair("a1", "c1")}
    assert not plan_fields(FieldMode.IN_TURN, apart=apart).admits("c1", ("a1",))


@pytest.mark.slow
def test_a_reader_that_hears_anothers_piece_is_kept_apart_from_it(full: Rig, uids7: list[str]) -> None:
    full.board.table.let_reach("a1", "c3", Reach(1.0))
    full.board.table.rest(uids7[0], "a1")
    calibration = full.bank.calibrate(looks=2)
    assert calibration.apart() == NOT_TOUCHING - {pair("a1", "c3")}
    figure = next(figure for figure in calibration.figures if (figure.cell, figure.other) == ("c3", "a1"))
    assert figure == PairFigure("c3", "a1", looks=2, heard=2, disturbed=0)


@pytest.mark.slow
def test_a_reader_that_reads_a_uid_which_stands_nowhere_stays_alone(full: Rig, uids7: list[str]) -> None:
    full.board.table.let_reach("a1", "b1", Reach(1.0, garbled_as="04A0A1B2C3D480"))
    full.board.table.rest(uids7[0], "a1")
    calibration = full.bank.calibrate(looks=1)
    assert calibration.strays == ("b1",)
    assert not any("b1" in two for two in calibration.apart())


@pytest.mark.slow
def test_a_square_without_a_piece_is_not_allowed_with_any_other(full: Rig, uids7: list[str]) -> None:
    full.board.table.lift(uids7[5])
    assert not any(CELLS[5] in two for two in full.bank.calibrate(looks=1).apart())


@pytest.mark.slow
def test_a_share_of_disturbed_looks_may_be_tolerated(full: Rig) -> None:
    full.board.field.disturb("a1", "c1", 0.3)
    calibration = full.bank.calibrate(looks=2)
    assert pair("a1", "c1") not in calibration.apart(0.0)
    assert pair("a1", "c1") in calibration.apart(0.9)

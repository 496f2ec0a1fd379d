"""Metal below the antennas: a second method agrees, and the design keeps to what the pages tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.dimensions import Dimensions
from hardware.metal import Sheet, facing_loss, losses, lost_inductances


# The farther below, the larger has to be what comes near to a sheet without an end, and the coarser is its grid.
@pytest.mark.parametrize(("below", "side"), [(15.0, 80.0), (30.0, 110.0)])
def test_a_large_sheet_takes_what_the_coil_s_image_in_it_takes(
    dimensions: Dimensions, below: float, side: float
) -> None:
    (meshed,) = lost_inductances(dimensions, [(0.0, 0.0)], Sheet("plane", (0.0, 0.0), (side, side), below))
    assert meshed == pytest.approx(facing_loss(dimensions, below), rel=0.1)


def test_no_antenna_loses_a_hundredth_of_its_inductance_to_what_is_in_the_case(dimensions: Dimensions) -> None:
    taken = losses(dimensions)
    assert {"hub board", "Pi", "rank board 1", "rank board 4"} <= set(taken)
    for cell in dimensions.cells:
        assert 0 <= sum(of[cell] for of in taken.values()) < 0.01, cell


def test_a_rank_board_right_below_the_coils_would_take_much(dimensions: Dimensions) -> None:
    under = replace(dimensions, electronics=replace(dimensions.electronics, rank_board_up=0.0))
    assert losses(under)["rank board 2"]["b2"] > 0.02

"""The perfboards: everything has its place, and no two parts share one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.placement import HOLE_MM, read_boards, unplaced
from hardware.wiring import wire
from tests.hardware.conftest import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_every_part_of_a_wiring_has_its_place(description: Description, name: str) -> None:
    assert unplaced(wire(description, description.profiles[name])) == []


def test_no_two_parts_share_a_hole_and_none_hangs_over_the_edge() -> None:
    assert [sentence for board in read_boards() for sentence in board.complaints()] == []


def test_a_part_on_another_one_is_found() -> None:
    hub = read_boards()[0]
    moved = tuple(replace(spot, column=2, row=18) if spot.ref == "U2" else spot for spot in hub.spots)
    assert "hub-board: U1 and U2 share a hole." in list(replace(hub, spots=moved).complaints())


@pytest.mark.parametrize(("column", "row"), [(55, 2), (2, 36)])
def test_a_part_that_hangs_over_an_edge_is_found(column: int, row: int) -> None:
    hub = read_boards()[0]
    moved = tuple(replace(spot, column=column, row=row) if spot.ref == "U1" else spot for spot in hub.spots)
    assert "hub-board: U1 hangs over the edge." in list(replace(hub, spots=moved).complaints())


def test_a_chip_s_capacitor_is_within_three_holes_of_it(description: Description) -> None:
    wiring = wire(description, description.profiles["pi-two-buttons"])
    spots = {spot.ref: spot for board in read_boards() for spot in board.spots}
    for part in wiring.of_kind("capacitor"):
        near, chip = spots[part.ref], spots[part.beside]
        reach = replace(chip, column=chip.column - 3, row=chip.row - 3, width=chip.width + 6, height=chip.height + 6)
        assert near.shares_a_hole(reach), (part.ref, part.beside)


def test_the_boards_are_as_large_as_the_room_for_them(dimensions: Dimensions) -> None:
    hub, rank, *_ = read_boards()
    for board, room in (hub, dimensions.electronics.hub_size), (rank, dimensions.electronics.rank_board):
        assert board.columns * HOLE_MM <= room[0]
        assert board.rows * HOLE_MM <= room[1]

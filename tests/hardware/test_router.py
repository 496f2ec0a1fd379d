"""The router on boards of a few pads: it goes round, it changes sides, and it says where there is no way."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hardware.carrier.checks import complaints
from hardware.carrier.copper import Copper, Gauge, Side
from hardware.carrier.footprints import PITCH, Footprint, Pad
from hardware.carrier.layout import Board, Placed
from hardware.carrier.reading import Drawn
from hardware.carrier.router import route
from hardware.carrier.smoothing import smoothed
from hardware.description import PartKind, Pin, PinKind
from hardware.dimensions import Point
from hardware.wiring import GROUND, Part

Spots = Mapping[str, list[tuple[int, int]]]
"""Nets, and the holes in which they have a pad."""


def board_with(nets: Spots, gauges: Mapping[str, Gauge] | None = None, holes: int = 8) -> Board:
    spots = [(net, spot) for net, places in {GROUND: [(0, 0)], **nets}.items() for spot in places]
    pins = tuple(Pin(str(number), f"P{number}", PinKind.PASSIVE) for number in range(len(spots)))
    kind = PartKind("test", "test", pins)
    pads = tuple(
        Pad(str(number), (column * PITCH, row * PITCH), 1.6, 0.8) for number, (_, (column, row)) in enumerate(spots)
    )
    footprint = Footprint("test", pads, (0, 0, 1, 1), (0, 0, 1, 1), 1, "", None, False, False, (), ())
    joins = {f"P{number}": net for number, (net, _) in enumerate(spots)}
    side = 2 * PITCH + (holes - 1) * PITCH
    placed = Placed(Part("X", kind, joins), footprint, (PITCH, PITCH), 0)
    return Board("test", "", "", (side, side), (PITCH, PITCH), (), 3, 6, (), gauges or {}, (placed,), ())


def faults(board: Board, copper: Copper) -> list[str]:
    pads = tuple(("X", pad, net) for net, of_net in board.pads.items() for pad in of_net)
    return list(complaints(Drawn(board.size, pads, {}, (), copper, (), ()), {}))


def ends(copper: Copper) -> set[Point]:
    return {end for track in copper.tracks for end in (track.start, track.end)}


def test_two_pads_in_a_row_are_joined_by_one_straight_track() -> None:
    copper = route(board_with({"A": [(1, 3), (6, 3)]}))
    (track,) = copper.tracks
    assert (track.net, track.side, copper.vias) == ("A", Side.TOP, ())


def test_nets_that_cross_do_so_on_two_sides() -> None:
    board = board_with({"A": [(1, 4), (6, 4)], "B": [(3, 1), (3, 7)], "C": [(4, 1), (4, 7)]})
    copper = route(board)
    assert faults(board, copper) == []
    assert {track.side for track in copper.tracks} == {Side.TOP, Side.BOTTOM}


def test_nets_that_want_the_same_gap_share_it_or_go_round() -> None:
    wall = [(3, row) for row in range(8) if row != 4]
    board = board_with({"WALL": wall, **{f"N{row}": [(1, row), (6, row)] for row in range(1, 7)}})
    assert faults(board, route(board)) == []


def test_a_wide_track_keeps_away_from_pads_that_a_thin_one_passes_between() -> None:
    nets: Spots = {"A": [(1, 3), (6, 3)], **{f"P{row}": [(3, row)] for row in range(2, 5) if row != 3}}
    thin = route(board_with(nets))
    assert len(thin.tracks) == 1
    wide = board_with(nets, {"A": Gauge(3.0)})
    assert faults(wide, route(wide)) == []
    assert len(route(wide).tracks) > 1


def test_a_net_without_a_way_is_named() -> None:
    ring = [(i, j) for i in range(2, 7) for j in range(2, 7) if (i, j) != (4, 4)]
    with pytest.raises(ValueError, match=r"test: A is walled in: give its parts other places\."):
        route(board_with({"A": [(4, 4), (0, 4)], **{f"R{i}{j}": [(i, j)] for i, j in ring}}, {"A": Gauge(2.0)}))


def test_cut_corners_leave_every_net_joined_and_clear_of_the_others() -> None:
    board = board_with({"A": [(1, 1), (6, 6), (6, 2)], "B": [(1, 6), (5, 1)], "C": [(2, 2), (2, 6), (7, 4)]})
    copper = route(board)
    cut = smoothed(board, copper)
    slanted = [t for t in cut.tracks if abs(abs(t.start[0] - t.end[0]) - abs(t.start[1] - t.end[1])) < 1e-6]
    assert slanted
    assert faults(board, cut) == []


def test_the_same_board_is_routed_the_same_way() -> None:
    nets: Spots = {"A": [(1, 1), (6, 6)], "B": [(1, 6), (6, 1)], "C": [(3, 1), (3, 6)]}
    assert route(board_with(nets)) == route(board_with(nets))

"""How the antenna boards lie in the wood: a grid with a slot for each in place of windows for modules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from hardware.antenna.design import read_antenna
from hardware.antenna.strip import CHANNELS, header
from hardware.carrier.footprints import Box
from hardware.carrier.layout import Board
from hardware.description import Profile
from hardware.dimensions import Dimensions
from hardware.leads import End, Lead, hub_end, lead_between
from hardware.plates import EVERYTHING, Cut, Plate, cells_of, grid, variants
from hardware.wiring import FILES, RANKS
from quarto_pi.sensing.readings import OFFER

_MODULE: Final = "the reader of "


def lying_boards(d: Dimensions) -> Mapping[str, Box]:
    """Where each board and the piece for the give place lie, seen from above: left, front, right and back edge.

    The side with the parts looks down, so x goes to the right as KiCad shows it, and its y away from the front.
    """
    antenna = read_antenna()
    (x, y), (width, depth) = antenna.coil_middle(0), antenna.board["size"]
    found: dict[str, Box] = {}
    for rank in RANKS:
        left, front = d.square(f"{FILES[0]}{rank}")
        found[f"rank {rank}"] = (left - x, front - y, left - x + width, front - y + depth)
    middle_x, middle_y = d.cells[OFFER]
    left, front, right, back = antenna.board["give_piece"]
    found["the give place"] = (middle_x + left, middle_y + front, middle_x + right, middle_y + back)
    return found


def coil_places(d: Dimensions) -> Iterator[tuple[str, tuple[float, float]]]:
    """Where the middle of each coil of the four boards comes to lie."""
    antenna = read_antenna()
    for rank in RANKS:
        left, front, *_ = lying_boards(d)[f"rank {rank}"]
        for channel in range(CHANNELS):
            x, y = antenna.coil_middle(channel)
            yield f"{FILES[channel]}{rank}", (left + x, front + y)


def antenna_grid(d: Dimensions, fittings: Collection[str] = EVERYTHING, name: str = "antenna-grid") -> Plate:
    """The grid for antenna boards, on a board with these fittings."""
    plain = grid(d, fittings)
    play: float = read_antenna().board["play"]
    x0, y0 = plain.corner
    slots = [
        Cut(
            f"the antenna board of {place}",
            (left + right) / 2 - x0,
            (front + back) / 2 - y0,
            right - left + 2 * play,
            back - front + 2 * play,
        )
        for place, (left, front, right, back) in lying_boards(d).items()
        if place.startswith("rank") or OFFER in cells_of(d, fittings)
    ]
    others = [cut for cut in plain.cuts if not cut.what.startswith(_MODULE)]
    return replace(plain, name=name, cuts=(*slots, *others))


def antenna_grids(d: Dimensions, profiles: Iterable[Profile]) -> Iterator[tuple[Plate, tuple[Profile, ...]]]:
    """The grids for antenna boards, each with the profiles whose holes it has."""
    for name, group in variants(profiles).items():
        yield antenna_grid(d, group[0].fittings, f"antenna-grid-{name}"), group


def give_lead(d: Dimensions) -> Lead:
    """The lead from the hub board to the piece for the give place."""
    antenna = read_antenna()
    left, front, *_ = antenna.board["give_piece"]
    # The piece begins so far from the middle of its coil, which comes to lie under the middle of the give place.
    piece_left, piece_front, *_ = lying_boards(d)["the give place"]
    x, y = header(antenna).at
    middle_x, middle_y = antenna.coil_middle(CHANNELS - 1)
    up = d.surface_z - antenna.board["thickness"]
    there = End("J20", piece_left - left + x - middle_x, piece_front - front + y - middle_y, up, on_lid=True)
    wider = replace(d, reader=replace(d.reader, antenna=antenna.coil.outer))
    return lead_between(wider, "the give place", hub_end(d, "READER_offer"), there)


def hangs_down(board: Board, d: Dimensions) -> float:
    """How far the tallest part reaches below the grid: the boards lie against the surface, the grid is around them."""
    thickness: float = read_antenna().board["thickness"]
    return thickness + board.height - d.case.grid

"""Wood and plastic: everything fits, nothing is too thin, and the antennas are where the pieces are.

What makes solids takes seconds to load, so the tests that need it load it, and no others wait for it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import dist

import pytest

from hardware.dimensions import Dimensions
from hardware.plates import plates, reader_middle
from quarto_pi.rules import PIECES


@pytest.mark.slow
def test_no_part_is_in_another_one_s_way(dimensions: Dimensions) -> None:
    from hardware.assembly import collisions, whole

    assert collisions(whole(dimensions)) == []


@pytest.mark.slow
def test_a_part_in_another_one_s_way_is_found(dimensions: Dimensions) -> None:
    from hardware.assembly import collisions, whole

    crowded = replace(dimensions, electronics=replace(dimensions.electronics, pi=(40.0, 40.0), pi_height=60.0))
    found = collisions([part for part in whole(crowded) if part.name in ("grid", "Pi")])
    assert any(sentence.startswith("grid and Pi overlap") for sentence in found), found


def test_a_tag_too_large_for_its_pocket_is_found(dimensions: Dimensions) -> None:
    from hardware.assembly import collisions, standing

    large = replace(dimensions, tag=replace(dimensions.tag, diameter=30.0))
    assert collisions(list(standing(large, PIECES[0], "a1")))[0].startswith("tag of LTRF and piece LTRF overlap")


def test_no_wood_between_two_cut_outs_is_too_thin(dimensions: Dimensions) -> None:
    walls = sorted(wall for plate in plates(dimensions) for wall in plate.walls())
    assert walls[0][0] >= dimensions.limits.wall, walls[0]


def test_the_wall_around_a_tag_s_pocket_is_thick_enough(dimensions: Dimensions) -> None:
    piece = dimensions.piece
    assert (piece.width - 2 * piece.chamfer - piece.pocket) / 2 >= dimensions.limits.wall
    assert piece.pocket > dimensions.tag.diameter
    assert piece.short - piece.hole_depth - piece.pocket_depth > 10


def test_modules_neither_touch_nor_share_a_square(dimensions: Dimensions) -> None:
    reader = dimensions.reader
    for one, other in combinations(dimensions.cells, 2):
        (x, y), (u, v) = reader_middle(dimensions, one), reader_middle(dimensions, other)
        assert abs(x - u) >= reader.length + 10 or abs(y - v) >= reader.width + 10


def test_no_two_antennas_are_nearer_than_the_pitch(dimensions: Dimensions) -> None:
    assert min(dist(a, b) for a, b in combinations(dimensions.cells.values(), 2)) == dimensions.board.pitch
    assert dimensions.board.pitch >= 2 * dimensions.reader.antenna


def test_a_tag_anywhere_in_its_ring_is_over_its_antenna(dimensions: Dimensions) -> None:
    aside = (dimensions.board.ring - dimensions.piece.width) / 2
    assert aside < dimensions.reader.antenna / 2


def test_square_pieces_fit_into_their_rings(dimensions: Dimensions) -> None:
    assert dimensions.piece.width * 2**0.5 < dimensions.board.ring < dimensions.board.pitch


def test_every_plate_fits_on_the_bed_of_a_laser_cutter(dimensions: Dimensions) -> None:
    for plate in plates(dimensions):
        assert max(plate.width, plate.height) <= max(dimensions.limits.bed)
        assert min(plate.width, plate.height) <= min(dimensions.limits.bed)


@pytest.mark.parametrize("piece", PIECES[:8], ids=str)
def test_pieces_are_one_solid_each_and_as_high_as_they_should(dimensions: Dimensions, piece: object) -> None:
    from hardware.solids import piece_solid

    solid = piece_solid(dimensions, piece)  # type: ignore[arg-type]
    tall = dimensions.piece.tall if "T" in str(piece) else dimensions.piece.short
    assert len(solid.solids()) == 1
    assert solid.is_valid
    assert pytest.approx(tall) == solid.bounding_box().size.Z


def test_a_hollow_piece_has_less_wood_than_a_solid_one(dimensions: Dimensions) -> None:
    from hardware.solids import piece_solid

    solid, hollow = (piece_solid(dimensions, PIECES[number]).volume for number in (0, 1))
    assert solid - hollow == pytest.approx(3.14159 * 8**2 * 12, rel=0.01)

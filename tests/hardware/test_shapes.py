"""Wood and plastic: everything fits, nothing is too thin, and the antennas are where the pieces are.

What makes solids takes seconds to load, so the tests that need it load it, and no others wait for it.
"""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from itertools import combinations
from math import dist

import pytest
from ezdxf.bbox import extents
from ezdxf.entities.polyline import Polyline
from ezdxf.filemanagement import read
from ezdxf.units import MM

from hardware.antenna.wood import antenna_grid
from hardware.carrier.layout import read_carriers
from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.drawings import plate_dxf
from hardware.fits import tight_fits
from hardware.lettering import square_names
from hardware.plates import (
    EVERYTHING,
    buttons_of,
    floor,
    grid,
    hatch_cover,
    hole,
    ledge,
    ledge_z,
    plates,
    plates_of,
    reader_middle,
    surface,
)
from hardware.shopping import read_items
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import SQUARE_NAMES


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


@pytest.mark.slow
def test_a_tag_too_large_for_its_pocket_is_found(dimensions: Dimensions) -> None:
    from hardware.assembly import collisions, standing

    large = replace(dimensions, tag=replace(dimensions.tag, diameter=30.0))
    assert collisions(list(standing(large, PIECES[0], "a1")))[0].startswith("tag of LTRF and piece LTRF overlap")


def test_no_wood_between_two_cut_outs_is_too_thin(dimensions: Dimensions) -> None:
    walls = sorted(wall for plate in plates(dimensions) for wall in plate.walls())
    assert walls[0][0] >= dimensions.limits.wall, walls[0]


def test_nothing_is_in_the_case_that_is_too_large_for_its_place(dimensions: Dimensions) -> None:
    assert list(tight_fits(dimensions)) == []


def test_a_grid_as_large_as_the_frame_and_a_clip_as_large_as_its_hole_are_found(dimensions: Dimensions) -> None:
    tight = replace(
        dimensions,
        fit=replace(dimensions.fit, frame=0.0),
        panel=replace(dimensions.panel, light_clip=(dimensions.panel.light, 8.0)),
    )
    assert [sentence.split(":")[0] for sentence in tight_fits(tight)] == [
        "the grid between the left and the right side",
        "the grid between front and back",
        "the clip in the hole of a light",
    ]


def test_the_clip_in_the_parts_list_is_the_one_that_the_holes_are_for(dimensions: Dimensions) -> None:
    (clip,) = [item.name for item in read_items() if item.counts == "light"]
    assert f"hole of {dimensions.panel.light:g} mm" in clip


def test_the_grid_lies_on_a_ledge_at_each_side(dimensions: Dimensions) -> None:
    plate, strip = grid(dimensions), ledge(dimensions)
    assert ledge_z(dimensions) + strip.height < dimensions.grid_z < ledge_z(dimensions) + strip.height + 1
    for left, right in (
        (dimensions.case.side, dimensions.case.side + strip.thickness),
        (
            dimensions.board.width - dimensions.case.side - strip.thickness,
            dimensions.board.width - dimensions.case.side,
        ),
    ):
        assert min(right, plate.corner[0] + plate.width) - max(left, plate.corner[0]) > 5


def test_the_floor_s_holes_are_under_those_of_the_hub_board(dimensions: Dimensions) -> None:
    (board,) = [each for each in read_carriers() if each.name == "hub"]
    x, y = dimensions.electronics.hub
    places = {(x + u, y + dimensions.electronics.hub_size[1] - v) for u, v in board.screws}
    assert {(cut.x, cut.y) for cut in floor(dimensions).cuts if cut.what == "a screw of the hub board"} == places
    assert board.size == dimensions.electronics.hub_size
    assert dimensions.electronics.hub_screw < board.screw


def test_two_fingers_reach_the_card_from_below(dimensions: Dimensions) -> None:
    (hatch,) = [cut for cut in floor(dimensions).cuts if "card" in cut.what]
    card = [
        corner + place for corner, place in zip(dimensions.electronics.pi, dimensions.electronics.pi_card, strict=True)
    ]
    assert hatch.x - hatch.width / 2 < card[0] < hatch.x + hatch.width / 2 - 30
    assert hatch.y == card[1]
    assert hatch.height > 30
    assert dimensions.case.floor + dimensions.electronics.pi_feet < 15
    cover = hatch_cover(dimensions)
    assert cover.corner[0] < hatch.x - hatch.width / 2
    assert cover.corner[1] < hatch.y - hatch.height / 2
    assert cover.corner[0] + cover.width > hatch.x + hatch.width / 2
    assert cover.corner[1] + cover.height > hatch.y + hatch.height / 2


@pytest.mark.slow
def test_every_hole_of_the_surface_is_closed_by_what_is_in_it(dimensions: Dimensions) -> None:
    from hardware.assembly import panel

    boxes = [part.solid.bounding_box() for part in panel(dimensions)]
    for cut in surface(dimensions).cuts:
        if cut.what == "a screw":
            continue
        room = dimensions.fit.pipe
        assert any(
            box.min.X - room <= cut.x - cut.width / 2
            and box.max.X + room >= cut.x + cut.width / 2
            and box.min.Y - room <= cut.y - cut.height / 2
            and box.max.Y + room >= cut.y + cut.height / 2
            and dimensions.surface_z - room <= box.max.Z
            and dimensions.top_z > box.min.Z
            for box in boxes
        ), cut.what


def test_every_profile_has_the_holes_of_what_is_built_in_and_no_others(
    description: Description, dimensions: Dimensions
) -> None:
    drawn = {plate.name: (plate, group) for plate, group in plates_of(dimensions, description.profiles.values())}
    for name, profile in description.profiles.items():
        (plate,) = [each for key, (each, group) in drawn.items() if key.startswith("surface") and profile in group]
        holes = [cut.what for cut in plate.cuts]
        lights = sum(what.startswith("the light of") for what in holes)
        assert lights == (16 if "square lights" in profile.fittings else 0), name
        assert holes.count("a light of the panel") == (3 if "panel lights" in profile.fittings else 0), name
        assert holes.count("the second button") == ("second button" in profile.fittings), name
        assert holes.count("the button") == holes.count("the display's window") == 1, name
        assert len(plate.engraved) == (17 if "offer" in profile.fittings else 16), name
        (below,) = [each for key, (each, group) in drawn.items() if key.startswith("grid") and profile in group]
        assert sum(cut.what.startswith("the reader of") for cut in below.cuts) == len(plate.engraved), name
        above = antenna_grid(dimensions, profile.fittings)
        assert len(above.cuts) == len(below.cuts) - len(plate.engraved) + 4 + ("offer" in profile.fittings), name
        # No other hole is cut in the one than in the other.
        readers = len(plate.engraved)
        assert len(below.cuts) - readers == len([what for what in holes if what != "a screw"]), name


def test_letters_and_figures_stand_in_line_with_their_squares_and_clear_of_everything(dimensions: Dimensions) -> None:
    named = list(square_names(dimensions))
    assert sorted(sign for sign, _, _ in named) == sorted("abcd1234" * 2)
    for sign, (x, y), _ in named:
        columns = {dimensions.square(square)[0] for square in SQUARE_NAMES if sign in square}
        rows = {dimensions.square(square)[1] for square in SQUARE_NAMES if sign in square}
        assert columns == {x} or rows == {y}, sign
    plate = surface(dimensions)
    for stroke in plate.strokes:
        for x, y in stroke:
            assert 10 < x < plate.width - 10
            assert 10 < y < plate.height - 10
            assert all(cut.gap(hole("a point", (x, y), 1.0)) > 2 for cut in (*plate.cuts, *plate.engraved))
            flanges = (
                hole(what, at, dimensions.panel.button_flange) for what, at in buttons_of(dimensions, EVERYTHING)
            )
            assert all(flange.gap(hole("a point", (x, y), 1.0)) > 1 for flange in flanges)


def test_every_drawing_to_cut_from_is_in_millimetres_and_closed(
    description: Description, dimensions: Dimensions
) -> None:
    for plate, _ in plates_of(dimensions, description.profiles.values()):
        document = read(StringIO(plate_dxf(plate)))
        assert document.units == MM, plate.name
        assert not document.audit().errors, plate.name
        cut = [each for each in document.modelspace() if each.dxf.layer == "CUT"]
        assert len(cut) == 1 + len(plate.cuts), plate.name
        assert all(each.dxftype() == "CIRCLE" or (isinstance(each, Polyline) and each.is_closed) for each in cut), (
            plate.name
        )
        extent = extents(cut)
        assert (extent.size.x, extent.size.y) == pytest.approx((plate.width, plate.height)), plate.name
        strokes = [each for each in document.modelspace() if each.dxf.layer == "ENGRAVE"]
        assert len(strokes) == len(plate.engraved) + len(plate.strokes), plate.name


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

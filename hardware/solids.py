"""The parts as solids, made with build123d: wood and plastic to be made, modules as boxes that have to fit."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Any

from build123d import (
    Axis,
    Box,
    Circle,
    Cylinder,
    Location,
    Part,
    Plane,
    Pos,
    Rectangle,
    Sketch,
    SlotCenterToCenter,
    chamfer,
    extrude,
)

from hardware.dimensions import Dimensions, Point
from hardware.plates import Cut, Plate
from quarto_pi.rules import Piece, TraitValue

Solid = Any  # build123d's classes differ by how a part was made


def plate_solid(plate: Plate, engraving: float = 0.0) -> Solid:
    """A flat part, lying with its lower left corner at the origin."""
    outline: Sketch = Pos(plate.width / 2, plate.height / 2) * Rectangle(plate.width, plate.height)
    for cut in plate.cuts:
        outline -= _outline(cut)
    solid = extrude(outline, plate.thickness)
    for cut in plate.pockets:
        solid -= Pos(0, 0, plate.thickness - cut.depth) * extrude(_outline(cut), cut.depth)
    if engraving and (plate.engraved or plate.strokes):
        solid -= Pos(0, 0, plate.thickness - engraving) * extrude(_engraved(plate), engraving)
    return solid


def _engraved(plate: Plate) -> Sketch:
    """What is engraved, each line a millimetre wide."""
    lines = Sketch()
    for cut in plate.engraved:
        lines += Pos(cut.x, cut.y) * (Circle(cut.width / 2 + 0.5) - Circle(cut.width / 2 - 0.5))
    return lines + [_slot(*ends) for stroke in plate.strokes for ends in pairwise(stroke)]


def _slot(start: Point, end: Point) -> Sketch:
    """A line of a millimetre with round ends."""
    across, along = end[0] - start[0], end[1] - start[1]
    middle = Location(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), degrees(atan2(along, across)))
    return middle * SlotCenterToCenter(hypot(across, along), 1.0)


def _outline(cut: Cut) -> Solid:
    return Pos(cut.x, cut.y) * (Circle(cut.width / 2) if cut.circle else Rectangle(cut.width, cut.height))


def piece_solid(d: Dimensions, piece: Piece) -> Solid:
    """A piece, standing on the origin, with the pocket for its tag and, if it is hollow, the hole in its top."""
    measures = d.piece
    tall = measures.tall if TraitValue.TALL in piece.values else measures.short
    base = Circle(measures.width / 2) if TraitValue.ROUND in piece.values else Rectangle(measures.width, measures.width)
    solid = extrude(base, tall)
    rims = [*solid.faces().sort_by(Axis.Z)[0].edges(), *solid.faces().sort_by(Axis.Z)[-1].edges()]
    solid = chamfer(rims, measures.chamfer)
    solid -= Pos(0, 0, measures.pocket_depth / 2) * Cylinder(measures.pocket / 2, measures.pocket_depth)
    if TraitValue.HOLLOW in piece.values:
        solid -= Pos(0, 0, tall - measures.hole_depth / 2) * Cylinder(measures.hole / 2, measures.hole_depth)
    return solid


def felt_solid(d: Dimensions) -> Solid:
    """The disc below a piece that hides its tag."""
    return Pos(0, 0, d.tag.felt / 2) * Cylinder((d.piece.width - 2 * d.piece.chamfer) / 2, d.tag.felt)


def tag_solid(d: Dimensions) -> Solid:
    """The sticker in a piece's pocket."""
    return Pos(0, 0, d.tag.thickness / 2) * Cylinder(d.tag.diameter / 2, d.tag.thickness)


def reader_solid(d: Dimensions) -> Part:
    """A reader module: the middle of its upper side is the origin, pins to the right."""
    reader = d.reader
    board = _box((0, 0, -reader.board), reader.length, reader.width, reader.board)
    crystal = _box((reader.length / 4, 0, -reader.board - reader.parts), 12, 12, reader.parts)
    middle, wide, deep = reader.pins
    return board + crystal + _box((middle, 0, -reader.board - deep), 2.5, wide, deep)


def board_solid(width: float, depth: float, height: float) -> Part:
    """A circuit board with what is on it, from its lower left corner: board, and parts as one block inside its edge."""
    board = _box((width / 2, depth / 2, 0), width, depth, 1.6)
    return board + _box((width / 2, depth / 2, 1.6), width - 12, depth - 12, height - 1.6)


def button_solid(d: Dimensions) -> Part:
    """An arcade button: its flange lies on the origin's plane."""
    panel = d.panel
    flange = Pos(0, 0, 1.5) * Cylinder(panel.button_flange / 2, 3)
    plunger = Pos(0, 0, 5) * Cylinder(panel.button_body / 2 - 3, 4)
    body = Pos(0, 0, -panel.button_depth / 2) * Cylinder(panel.button_body / 2, panel.button_depth)
    nut = Pos(0, 0, -d.board.surface - 4) * Cylinder(panel.button_nut / 2, 8)
    return flange + plunger + body + nut


def light_pipe_solid(d: Dimensions) -> Part:
    """The clear rod of a square's light: its upper end is the origin."""
    diameter, length = d.board.light_pipe
    return Pos(0, 0, -length / 2) * Cylinder(diameter / 2, length)


def light_clip_solid(d: Dimensions) -> Part:
    """An LED in its clip, whose rim lies on the origin's plane."""
    inner, rim = d.panel.light_clip
    behind = 12
    return Pos(0, 0, 0.5) * Cylinder(rim / 2, 1) + Pos(0, 0, -behind / 2) * Cylinder(inner / 2, behind)


def foot_solid(d: Dimensions) -> Part:
    """A foot, its upper side the origin."""
    diameter, height = d.case.feet
    return Pos(0, 0, -height / 2) * Cylinder(diameter / 2, height)


def display_solid(d: Dimensions) -> Part:
    """The OLED module: the middle of its upper side is the origin."""
    width, depth = d.panel.oled_module
    return _box((0, 0, -d.panel.oled_height), width, depth, d.panel.oled_height)


def _box(below: tuple[float, float, float], width: float, depth: float, height: float) -> Part:
    """A box by the middle of its lower side."""
    x, y, z = below
    return Pos(x, y, z + height / 2) * Box(width, depth, height)


def upright(plate: Plate, *, along_y: bool) -> Solid:
    """A side that stands on its lower edge: along the front, or along the left."""
    solid = plate_solid(plate)
    if along_y:
        return Plane(origin=(0, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0)) * solid
    return Plane(origin=(0, plate.thickness, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0)) * solid

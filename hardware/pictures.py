"""Pictures of the models, without a screen or a graphics card: solids to triangles, triangles to pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from typing import Any, Final

import numpy as np
from build123d import Pos
from PIL import Image

from hardware import assembly
from hardware.assembly import Placed
from hardware.dimensions import Dimensions
from quarto_pi.rules import PIECES

_SMOOTH: Final = 2
"""So many pixels, each way, become one."""
_TOLERANCE_MM: Final = 0.1
_TOLERANCE_RAD: Final = 0.3
_LIGHT: Final = np.array([-0.35, 0.5, 0.8])
"""Where the light comes from: right, up and towards the eye, so that nothing is seen from its dark side."""
_AMBIENT: Final = 0.45
_EDGE: Final = 0.45
"""How bright edges are beside their faces."""
_BIAS_MM: Final = 0.6
_COLOURS: Final = 128
_SHOWN: Final = ("offer", "oled", "panel lights", "square lights")
"""The board that most will build: one button."""
Array = Any  # numpy's own types say no more here than the comments do


@dataclass(frozen=True, slots=True)
class View:
    """Where one looks from: degrees around the board from its front, and above it (below, if negative)."""

    around: float = 25.0
    above: float = 38.0

    @property
    def axes(self) -> Array:
        """Right, up and towards the eye."""
        a, e = radians(self.around), radians(self.above)
        right = [cos(a), sin(a), 0]
        up = [-sin(a) * sin(e), cos(a) * sin(e), cos(e)]
        eye = [sin(a) * cos(e), -cos(a) * cos(e), sin(e)]
        return np.array([right, up, eye])


class Canvas:
    """Pixels and how far each of them is from the eye."""

    def __init__(self, width: int, height: int) -> None:
        self.colours = np.full((height, width, 3), 255.0)
        self.depths = np.full((height, width), -np.inf)

    def triangle(self, corners: Array, colour: Array) -> None:
        """A filled triangle: three corners, each x, y in pixels and the depth."""
        height, width = self.depths.shape
        low = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1, (width, height))
        if (low >= high).any():
            return
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            return
        xs, ys = np.arange(low[0], high[0]) + 0.5, (np.arange(low[1], high[1]) + 0.5)[:, None]
        second = ((xs - ax) * (cy - ay) - (cx - ax) * (ys - ay)) / area
        third = ((bx - ax) * (ys - ay) - (xs - ax) * (by - ay)) / area
        depth = az + second * (bz - az) + third * (cz - az)
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        seen = (second >= 0) & (third >= 0) & (second + third <= 1) & (depth > self.depths[part])
        self.depths[part][seen] = depth[seen]
        self.colours[part][seen] = colour

    def line(self, start: Array, end: Array, colour: Array) -> None:
        """A line, where nothing is before it."""
        steps = int(max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
        points = start + (end - start) * np.linspace(0, 1, steps + 1)[:, None]
        xs, ys = points[:, 0].astype(int), points[:, 1].astype(int)
        height, width = self.depths.shape
        inside = (xs >= 0) & (ys >= 0) & (xs < width) & (ys < height)
        xs, ys, depth = xs[inside], ys[inside], points[inside, 2]
        seen = depth + _BIAS_MM > self.depths[ys, xs]
        self.colours[ys[seen], xs[seen]] = colour


def render(parts: Sequence[Placed], view: View, width: int = 900) -> Image.Image:
    """A picture of these parts, as wide as asked for and as high as it takes."""
    axes = view.axes
    meshes = [_mesh(part, axes) for part in parts]
    every = np.concatenate([mesh.corners for mesh in meshes])
    low, high = every.min(axis=0), every.max(axis=0)
    margin = 0.02 * width * _SMOOTH
    scale = (width * _SMOOTH - 2 * margin) / (high[0] - low[0])
    for mesh in meshes:
        for points in (mesh.corners, *mesh.edges):
            points[:, 0] = margin + (points[:, 0] - low[0]) * scale
            points[:, 1] = margin + (high[1] - points[:, 1]) * scale
    canvas = Canvas(width * _SMOOTH, int((high[1] - low[1]) * scale + 2 * margin) + 1)
    for mesh in meshes:
        _paint(canvas, mesh)
    picture = Image.fromarray(canvas.colours.round().astype(np.uint8))
    size = width, round(picture.height / _SMOOTH)
    return picture.resize(size, Image.Resampling.BOX).quantize(_COLOURS, dither=Image.Dither.NONE)


@dataclass(frozen=True, slots=True)
class _Mesh:
    """A part as it is seen: corners (right, up, towards the eye), triangles and their brightness, edges, colour."""

    corners: Array
    triangles: Array
    brightness: Array
    edges: list[Array]
    colour: Array


def _mesh(part: Placed, axes: Array) -> _Mesh:
    vertices, triangles = part.solid.tessellate(_TOLERANCE_MM, _TOLERANCE_RAD)
    corners = np.array([(vertex.X, vertex.Y, vertex.Z) for vertex in vertices]) @ axes.T
    faces = corners[np.array(triangles)]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    shine = normals @ (_LIGHT / np.linalg.norm(_LIGHT)) / lengths
    brightness = _AMBIENT + (1 - _AMBIENT) * np.maximum(shine, 0)
    edges = [_polyline(edge) @ axes.T for edge in part.solid.edges()]
    return _Mesh(corners, np.array(triangles), brightness, edges, _rgb(part.colour))


def _paint(canvas: Canvas, mesh: _Mesh) -> None:
    for triangle, brightness in zip(mesh.triangles, mesh.brightness, strict=True):
        canvas.triangle(mesh.corners[triangle], mesh.colour * brightness)
    for edge in mesh.edges:
        for start, end in pairwise(edge):
            canvas.line(start, end, mesh.colour * _EDGE)


def _polyline(edge: Any) -> Array:  # noqa: ANN401 # build123d's edge
    steps = 2 if str(edge.geom_type).endswith("LINE") else 17
    return np.array([tuple(edge.position_at(share)) for share in np.linspace(0, 1, steps)])


def _rgb(colour: str) -> Array:
    return np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)], dtype=float)


def _raised(part: Placed, by: float) -> Placed:
    return Placed(part.name, Pos(0, 0, by) * part.solid, part.colour)


def pictures(d: Dimensions) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """Every picture of the docs by name, drawn when it is asked for."""
    game = dict(zip(("a1", "b2", "c3", "d4", "b4", "d1", "a3", "offer"), PIECES[1:16:2], strict=True))

    def board() -> Image.Image:
        pieces = [part for cell, piece in game.items() for part in assembly.standing(d, piece, cell)]
        return render(
            [*assembly.case(d), *assembly.fitted(d), assembly.surface(d, _SHOWN), *assembly.panel(d, _SHOWN), *pieces],
            View(),
        )

    def exploded() -> Image.Image:
        high = [_raised(part, 260) for part in (assembly.surface(d, _SHOWN), *assembly.panel(d, _SHOWN))]
        middle = [_raised(part, 110) for part in (assembly.grid(d, _SHOWN), *assembly.readers(d), *assembly.keepers(d))]
        boards, rank_boards = _boards(d)
        low = [*assembly.case(d), *assembly.fitted(d), *boards]
        middle += [_raised(part, 110) for part in rank_boards]
        return render([*low, *middle, *high], View(25, 25), 800)

    def inside() -> Image.Image:
        return render([*assembly.case(d), *assembly.fitted(d), *_boards(d)[0]], View(20, 50))

    def below() -> Image.Image:
        parts = [assembly.grid(d, _SHOWN), *assembly.readers(d), *assembly.keepers(d), *_boards(d)[1]]
        return render(parts, View(20, -55))

    def frame() -> Image.Image:
        return render([*assembly.case(d), *assembly.fitted(d)], View(20, 40), 700)

    def pieces() -> Image.Image:
        return render([part for number in range(16) for part in _in_a_row(d, number)], View(15, 25))

    yield from (
        ("board", board),
        ("exploded", exploded),
        ("case", frame),
        ("inside", inside),
        ("grid-from-below", below),
        ("pieces", pieces),
    )


def _boards(d: Dimensions) -> tuple[list[Placed], list[Placed]]:
    """The boards on the floor, and those below the grid."""
    boards = list(assembly.electronics(d))
    hanging = [board for board in boards if board.name.startswith("rank")]
    return [board for board in boards if board not in hanging], hanging


def _in_a_row(d: Dimensions, number: int) -> Iterator[Placed]:
    place = Pos(48 * (number % 8), 70 * (number // 8), 0)
    for part in assembly.standing(d, PIECES[number], "a1"):
        x, y = d.square("a1")
        yield Placed(part.name, place * Pos(-x, -y, -d.top_z) * part.solid, part.colour)

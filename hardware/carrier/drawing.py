"""The two sides of a board as pictures: what is printed, tracks, and the ground plane around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.carrier.board_file import BAR
from hardware.carrier.copper import Copper, Side
from hardware.carrier.footprints import Box, Pad
from hardware.carrier.layout import Board, Placed
from hardware.drawings import number
from hardware.wiring import GROUND

_SCALE: Final = 8
_PLANE_GAP: Final = 0.3
_NAME: Final = 0.9
"""Letters of a browser are wider than those of KiCad, so names are drawn a bit smaller than they are printed."""
_BARE, _PLANE, _TRACK, _PAD, _SILK, _HOLE = "#0b4a2a", "#1d7a48", "#3fae72", "#d9b45b", "#f4f4ec", "#fff"


def side_svg(board: Board, copper: Copper, side: Side) -> str:
    """One side of a board; the lower one as it looks when the board is turned over, with its parts as shadows."""
    width, height = board.size
    turned = f' transform="translate({number(width)} 0) scale(-1 1)"' if side is Side.BOTTOM else ""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{number(width * _SCALE)}" height="{number(height * _SCALE)}">',
        f"<style>path{{fill:none;stroke-linecap:round;stroke-linejoin:round}}"
        f"text{{font-family:sans-serif;fill:{_SILK};text-anchor:middle;dominant-baseline:central}}</style>",
        f'<rect width="100%" height="100%" rx="1" fill="{_BARE}"/><g{turned}>',
        _plane(board),
        *_copper(board, copper, side),
        *(_holes(board)),
        *_printed(board, side),
        "</g></svg>\n",
    ]
    return "\n".join(lines)


def _copper(board: Board, copper: Copper, side: Side) -> Iterator[str]:
    """First a gap in the plane around all that is not ground, then the copper itself."""
    shown = {net: [pad for pad in pads if pad.drill or side is Side.TOP] for net, pads in board.pads.items()}
    for pad in (pad for net, pads in shown.items() for pad in pads if net != GROUND):
        yield _pad(pad, _BARE, 2 * _PLANE_GAP)
    for via in copper.vias:
        if via.net != GROUND:
            yield _dot(via.at, via.size + 2 * _PLANE_GAP, _BARE)
    yield from _tracks(copper, side, _BARE, 2 * _PLANE_GAP, but=GROUND)
    yield from _tracks(copper, side, _TRACK, 0, but="")
    for pads in shown.values():
        for pad in pads:
            yield _pad(pad, _PAD, 0)
    for via in copper.vias:
        yield _dot(via.at, via.size, _TRACK)
        yield _dot(via.at, via.drill, _HOLE)


def _tracks(copper: Copper, side: Side, colour: str, more: float, but: str) -> Iterator[str]:
    widths = sorted({track.width for track in copper.tracks})
    for width in widths:
        ways = [
            f"M{number(track.start[0])} {number(track.start[1])}L{number(track.end[0])} {number(track.end[1])}"
            for track in copper.tracks
            if track.side is side and track.width == width and track.net != but
        ]
        if ways:
            yield f'<path stroke="{colour}" stroke-width="{number(width + more)}" d="{"".join(ways)}"/>'


def _holes(board: Board) -> Iterator[str]:
    for pads in board.pads.values():
        yield from (_dot(pad.at, pad.drill, _HOLE) for pad in pads if pad.drill)
    for screw in board.screws:
        yield _dot(screw, board.head, _BARE)
        yield _dot(screw, board.screw, _HOLE)


def _printed(board: Board, side: Side) -> Iterator[str]:
    faint = "" if side is Side.TOP else ' opacity=".25"'
    yield f'<g stroke-width=".15"{faint}>'
    for part in board.parts:
        yield _rect(part.box(part.footprint.body), f'fill="none" stroke="{_SILK}"')
        if side is Side.TOP:
            yield from _names(part)
    for area in board.areas:
        yield _rect(area, f'fill="none" stroke="{_SILK}"')
    if side is Side.TOP:
        for words in board.words:
            yield _text(words.text, words.at, words.size, upright=words.turned)
    yield "</g>"


def _names(part: Placed) -> Iterator[str]:
    footprint = part.footprint
    if footprint.on_surface and part.part.kind.pins:  # for the eye only: on the board there is no room
        yield _text(part.part.ref, part.at, 0.45)
    if footprint.name_at:
        upright = (part.quarters + footprint.upright) % 2 == 1
        yield _text(part.name, part.point(footprint.name_at), _NAME, upright=upright)
    for mark, at in footprint.marks:
        yield _text(mark, part.point(at), _NAME)
    for left, upper, right, lower in footprint.bars:
        half = BAR / 2
        yield _rect(part.box((left - half, upper - half, right + half, lower + half)), f'fill="{_SILK}"')


def _rect(box: Box, style: str) -> str:
    left, upper, right, lower = box
    place = f'x="{number(left)}" y="{number(upper)}" width="{number(right - left)}" height="{number(lower - upper)}"'
    return f"<rect {place} {style}/>"


def _pad(pad: Pad, colour: str, more: float) -> str:
    if not pad.square:
        return _dot(pad.at, pad.size + more, colour)
    (x, y), (half, high) = pad.at, pad.half
    return _rect(
        (x - half - more / 2, y - high - more / 2, x + half + more / 2, y + high + more / 2), f'fill="{colour}"'
    )


def _plane(board: Board) -> str:
    if not board.plane:
        (left, upper), _, (right, lower), _ = board.outline
        return _rect((left, upper, right, lower), f'fill="{_PLANE}"')
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in board.plane)
    return f'<polygon points="{corners}" fill="{_PLANE}"/>'


def _dot(at: tuple[float, float], size: float, colour: str) -> str:
    return f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(size / 2)}" fill="{colour}"/>'


def _text(words: str, at: tuple[float, float], size: float, *, upright: bool = False) -> str:
    x, y = (number(value) for value in at)
    turn = f' transform="rotate(-90 {x} {y})"' if upright else ""
    return f'<text x="{x}" y="{y}" font-size="{number(size * 1.25)}"{turn}>{words}</text>'

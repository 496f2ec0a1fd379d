"""Drawings of the pieces for a lathe or a saw, and the section that shows a tag over its antenna."""

from __future__ import annotations

from typing import Final

from hardware.dimensions import Dimensions
from hardware.drawings import across, line, number, sheet, text, upwards
from quarto_pi.rules import PIECES, Piece

FORMS: Final = PIECES[:8]
"""The eight forms; each is made once of light and once of dark wood."""


def form_name(form: Piece) -> str:
    """A form's name.

    >>> form_name(FORMS[0])
    'tall-round-solid'
    """
    return "-".join(form.words[1:])


def piece_svg(d: Dimensions, form: Piece) -> str:
    """One form: section and view from below."""
    piece = d.piece
    height, shape, top = form.words[1:]
    tall = piece.tall if height == "tall" else piece.short
    is_round = shape == "round"
    width, half = piece.width, piece.width / 2
    middle = half + 20
    lines = [
        _outline(piece.chamfer, middle, half, tall),
        line(middle, -6, middle, tall + 6),
        *_pocket(middle, piece.pocket / 2, piece.pocket_depth),
        *across(
            middle - half, middle + half, -10, f"{number(width)} dia." if is_round else f"{number(width)} square", 5
        ),
        *upwards(0, tall, middle - half - 8, size=5),
        text(
            (middle + half + 3, piece.pocket_depth / 2 - 1),
            f"pocket {number(piece.pocket)} dia., {number(piece.pocket_depth)} deep",
            4,
            anchor="start",
        ),
    ]
    if top == "hollow":
        inner = piece.hole / 2
        lines += [
            line(middle - inner, tall, middle - inner, tall - piece.hole_depth, "cut"),
            line(middle + inner, tall, middle + inner, tall - piece.hole_depth, "cut"),
            line(middle - inner, tall - piece.hole_depth, middle + inner, tall - piece.hole_depth, "cut"),
            *across(middle - inner, middle + inner, tall + 4, f"hole {number(piece.hole)} dia.", 5),
            *upwards(tall - piece.hole_depth, tall, middle + half + 14, size=5),
        ]
    below = middle + width + 60
    lines += [
        _from_below(is_round, below, half, width),
        f'<circle class="cut" cx="{number(below)}" cy="{number(-half)}" r="{number(piece.pocket / 2)}"/>',
        text((below, -8), "from below", 5),
        text((middle + 30, tall + 18), f"{height}, {shape}, {top}: once light, once dark", 6),
        text((middle + 30, -20), f"edges broken by {number(piece.chamfer)}; no metal, no metallic paint", 5),
    ]
    return sheet(below + half + 20, tall + 10, lines, scale=2.5)


def _outline(chamfer: float, middle: float, half: float, tall: float) -> str:
    left, right = middle - half, middle + half
    points = [
        (left + chamfer, 0), (right - chamfer, 0), (right, chamfer), (right, tall - chamfer),
        (right - chamfer, tall), (left + chamfer, tall), (left, tall - chamfer), (left, chamfer),
    ]  # fmt: skip
    path = "L".join(f"{number(x)} {number(-y)}" for x, y in points)
    return f'<path class="part" d="M{path}Z"/>'


def _pocket(middle: float, half: float, depth: float) -> list[str]:
    sides = [line(middle + side * half, 0, middle + side * half, depth, "cut") for side in (-1, 1)]
    return [*sides, line(middle - half, depth, middle + half, depth, "cut")]


def _from_below(is_round: bool, x: float, y: float, width: float) -> str:
    if is_round:
        return f'<circle class="part" cx="{number(x)}" cy="{number(-y)}" r="{number(width / 2)}"/>'
    corner = f'x="{number(x - width / 2)}" y="{number(-y - width / 2)}"'
    return f'<rect class="part" {corner} width="{number(width)}" height="{number(width)}"/>'


def section_svg(d: Dimensions) -> str:
    """Every layer between tag and coil, eight times as large: a piece over its antenna, cut through the middle."""
    scale = 8.0
    layers = (
        ("piece", 8.0, "#d9b380"),
        (f"tag {number(d.tag.diameter)} mm, at the pocket's upper end at worst", d.piece.pocket_depth, "#9bd"),
        (f"felt {number(d.tag.felt)} mm", d.tag.felt, "#6a6"),
        (f"surface {number(d.board.surface)} mm plywood", d.board.surface, "#e8cfa0"),
        (
            f"RC522 module, board {number(d.reader.board)} mm, coil {number(d.reader.antenna)} mm",
            d.reader.board,
            "#fc8",
        ),
        (f"foam {number(d.reader.pad)} mm, pressed", 4.0, "#ddd"),
    )
    lines = []
    y = sum(thickness for _, thickness, _ in layers) * scale
    width = d.reader.antenna * 4
    for words, thickness, colour in layers:
        tall = thickness * scale
        size = f'width="{number(width)}" height="{number(tall)}"'
        lines.append(f'<rect x="0" y="{number(-y)}" {size} fill="{colour}" stroke="#333"/>')
        lines.append(text((width + 8, y - tall / 2 - 2), words, 7, anchor="start"))
        y -= tall
    top = sum(thickness for _, thickness, _ in layers[4:]) * scale
    lines += upwards(top, top + d.tag_distance * scale, -8, f"{number(d.tag_distance)} mm", 7)
    height = sum(thickness for _, thickness, _ in layers) * scale
    return sheet(width + 230, height, lines, scale=1.8)

"""The grid that tracks run on: which of its places are free for which net, and which of them touch which."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil, hypot, inf
from typing import Final

from hardware.carrier.copper import CLEARANCE, EDGE, Gauge, from_pad, whole
from hardware.carrier.footprints import PITCH, Pad
from hardware.carrier.layout import Board
from hardware.dimensions import Point

STEP: Final = PITCH / 2

Node = int
"""A place on one of the two sides: those of the lower side follow those of the upper one."""

_NOBODY: Final = "-"


class Grid:
    """The places of a board, numbered row by row."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.columns, self.rows = (
            int((size - 2 * origin) / STEP + 0.01) + 1 for size, origin in zip(board.size, board.origin, strict=True)
        )
        self.places = self.columns * self.rows
        self._owners: dict[float, list[str]] = {}

    def point(self, node: Node) -> Point:
        """Where a node lies, in millimetres from the board's corner."""
        row, column = divmod(node % self.places, self.columns)
        x, y = self.board.origin
        return whole(x + column * STEP), whole(y + row * STEP)

    def around(self, point: Point, reach: float) -> Iterator[tuple[Node, float]]:
        """The places of the upper side within reach of a point, and how far they are."""
        column, row = ((point[axis] - self.board.origin[axis]) / STEP for axis in (0, 1))
        steps = ceil(reach / STEP)
        for j in range(max(round(row) - steps, 0), min(round(row) + steps + 1, self.rows)):
            for i in range(max(round(column) - steps, 0), min(round(column) + steps + 1, self.columns)):
                distance = hypot(i - column, j - row) * STEP
                if distance <= reach:
                    yield j * self.columns + i, distance

    def inside(self, pad: Pad) -> frozenset[Node]:
        """The nodes on a pad, on both sides."""
        found = {node for node, _ in self.around(pad.at, pad.size / 2 - 0.05)}
        if not found:
            raise ValueError(f"{self.board.name}: no track reaches the pad at {pad.at}: put its part onto the grid.")
        return frozenset(found | {node + self.places for node in found})

    def owners(self, width: float) -> list[str]:
        """For copper of that width, whose each place of the upper side is: empty where it is anybody's, - nobody's."""
        if width not in self._owners:
            self._owners[width] = self._owned(width)
        return self._owners[width]

    def _owned(self, width: float) -> list[str]:
        owners = [""] * self.places
        for name, pads in self.board.pads.items():
            for pad in pads:
                # Between two places a track comes closer to a pad that lies off the grid.
                need = width / 2 + CLEARANCE + (0 if self._on_grid(pad) else 0.12)
                for node, _ in self.around(pad.at, pad.size + need):
                    if from_pad(self.point(node), pad) < need - 1e-6:
                        owners[node] = name if owners[node] in ("", name) and name else _NOBODY
        for node in range(self.places):
            x, y = self.point(node)
            edge = min(x, y, self.board.size[0] - x, self.board.size[1] - y)
            hole = min((hypot(x - sx, y - sy) for sx, sy in self.board.screws), default=inf)
            if edge < width / 2 + EDGE or hole < self.board.head / 2 + width / 2:
                owners[node] = _NOBODY
        return owners

    def _on_grid(self, pad: Pad) -> bool:
        return any(distance < 0.01 for _, distance in self.around(pad.at, STEP))


@cache
def in_the_way(one: Gauge, other: Gauge) -> tuple[tuple[int, int], ...]:
    """The steps from a place of one net at which another net's copper would be too close."""
    widest = (max(gauge.width, gauge.via) / 2 for gauge in (one, other))
    need = sum(widest) + CLEARANCE
    reach = ceil(need / STEP)
    steps = range(-reach, reach + 1)
    return tuple((i, j) for j in steps for i in steps if hypot(i, j) * STEP < need - 1e-6)

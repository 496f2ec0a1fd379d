"""What a board is held against without KiCad: every net joined, no two nets touching, tracks wide enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot, inf
from typing import Final

from hardware.carrier.copper import CLEARANCE, EDGE, Side, Track, as_wide_as, carries_ma
from hardware.carrier.nearby import Nearby, Piece, apart, boxes_apart, pieces
from hardware.carrier.reading import Drawn

_TOUCH: Final = -0.05
"""So much two pieces have to overlap to count as joined."""


def complaints(board: Drawn, currents: Mapping[str, float], clearance: float = CLEARANCE) -> Iterator[str]:
    """A sentence for whatever is wrong with a board."""
    copper = list(pieces(board.pads_by_net, board.copper))
    nearby = Nearby(copper)
    yield from _unjoined(copper, nearby)
    yield from _too_close(copper, nearby, clearance)
    yield from _too_near_the_edge(board, copper)
    yield from _too_thin(board, currents)


def _unjoined(copper: Sequence[Piece], nearby: Nearby) -> Iterator[str]:
    nets = sorted({piece.net for piece in copper} - {""})
    for net in nets:
        of_net = [piece for piece in copper if piece.net == net]
        reached, waiting = {id(of_net[0])}, [of_net[0]]
        while waiting:
            piece = waiting.pop()
            for near in nearby.around(piece, 0):
                if near.net == net and id(near) not in reached and apart(piece, near) < _TOUCH:
                    reached.add(id(near))
                    waiting.append(near)
        if left := [piece for piece in of_net if id(piece) not in reached]:
            yield f"{net}: {len(left)} of {len(of_net)} pads, vias and tracks are not joined to the others."


def _too_close(copper: Sequence[Piece], nearby: Nearby, clearance: float) -> Iterator[str]:
    for piece in copper:
        for near in nearby.around(piece, clearance):
            if (piece.net != near.net or not piece.net) and id(piece) < id(near):
                gap = apart(piece, near)
                if gap < clearance - 1e-4:
                    one, other = (each.net or "an open pad" for each in (piece, near))
                    yield f"{one} and {other} are {max(gap, 0):.2f} mm apart."


def least_gap(board: Drawn, reach: float = 1.0) -> float:
    """The least distance between two nets."""
    copper = list(pieces(board.pads_by_net, board.copper))
    nearby, least = Nearby(copper), inf
    for piece in copper:
        for near in nearby.around(piece, reach):
            if (piece.net != near.net or not piece.net) and boxes_apart(piece, near) < least:
                least = min(least, apart(piece, near))
    return least


def _too_near_the_edge(board: Drawn, copper: Sequence[Piece]) -> Iterator[str]:
    width, height = board.size
    for piece in copper:
        left, upper, right, lower = piece.box
        if min(left, upper, width - right, height - lower) < EDGE - 1e-4:
            yield f"{piece.net} is too near the edge at {left:.1f}, {upper:.1f}."
        for (x, y), drill in board.screws:
            across, along = max(left - x, 0, x - right), max(upper - y, 0, y - lower)
            if hypot(across, along) < drill / 2 + EDGE:
                yield f"{piece.net} is too near the screw at {x:.1f}, {y:.1f}."


def _too_thin(board: Drawn, needed: Mapping[str, float]) -> Iterator[str]:
    for track in board.copper.tracks:
        if carries_ma(track.width) < needed.get(track.net, 0):
            yield f"{track.net}: a track of {track.width:g} mm is too thin for {needed[track.net]:.0f} mA."
    for via in board.copper.vias:
        if carries_ma(as_wide_as(via.drill)) < needed.get(via.net, 0):
            yield f"{via.net}: a via with a hole of {via.drill:g} mm is too narrow for {needed[via.net]:.0f} mA."


def millimetres(tracks: Sequence[Track], side: Side) -> float:
    """How long the tracks of a side are together."""
    return sum(hypot(t.end[0] - t.start[0], t.end[1] - t.start[1]) for t in tracks if t.side is side)

"""Corners cut at 45 degrees, wherever the cut comes too close to nothing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import dist

from hardware.carrier.copper import Copper, Side, Track, from_pad, whole
from hardware.carrier.layout import Board
from hardware.carrier.nearby import Nearby, Piece, apart, pieces
from hardware.dimensions import Point

_Place = tuple[str, Side, float, float]
"""A net's end of a track; measures rounded, so that two of them are equal."""


def smoothed(board: Board, copper: Copper) -> Copper:
    """The same copper with its corners cut."""
    step, clearance = board.rules.step, board.rules.clearance
    tracks = list(copper.tracks)
    nearby = Nearby(pieces(board.pads, copper))
    for first, second, corner in _corners(board, copper):
        one, other = tracks[first], tracks[second]
        shortest = min(dist(one.start, one.end), dist(other.start, other.end))
        cut = step if shortest >= 2 * step - 1e-6 else step / 2
        if shortest < cut - 1e-6:
            continue
        short_one, start = _shortened(one, corner, cut)
        short_other, end = _shortened(other, corner, cut)
        diagonal = replace(one, start=start, end=end)
        piece = Piece(one.net, diagonal)
        if all(near.net == one.net or apart(piece, near) >= clearance for near in nearby.around(piece, clearance)):
            tracks[first], tracks[second] = short_one, short_other
            tracks.append(diagonal)
            nearby.add(piece)
    return Copper(tuple(track for track in tracks if dist(track.start, track.end) > 1e-6), copper.vias)


def _corners(board: Board, copper: Copper) -> list[tuple[int, int, Point]]:
    """Where two tracks meet at a right angle, and nothing else of their net does."""
    ends: defaultdict[_Place, list[int]] = defaultdict(list)
    for index, track in enumerate(copper.tracks):
        for x, y in (track.start, track.end):
            ends[track.net, track.side, round(x, 3), round(y, 3)].append(index)
    vias = {(via.net, round(via.at[0], 3), round(via.at[1], 3)) for via in copper.vias}
    found = []
    for (net, _, x, y), tracks in ends.items():
        if len(tracks) != 2 or (net, x, y) in vias or any(from_pad((x, y), pad) == 0 for pad in board.pads[net]):
            continue
        one, other = (copper.tracks[index] for index in tracks)
        across, along = ((track.end[0] - track.start[0], track.end[1] - track.start[1]) for track in (one, other))
        if abs(across[0] * along[0] + across[1] * along[1]) < 1e-6:
            found.append((tracks[0], tracks[1], (x, y)))
    return found


def _shortened(track: Track, corner: Point, cut: float) -> tuple[Track, Point]:
    """A track that ends a bit before a corner, and where it does."""
    at_start = dist(track.start, corner) < dist(track.end, corner)
    near, far = (track.start, track.end) if at_start else (track.end, track.start)
    share = min(cut / dist(near, far), 1.0)
    end = whole(near[0] + share * (far[0] - near[0])), whole(near[1] + share * (far[1] - near[1]))
    return (replace(track, start=end) if at_start else replace(track, end=end)), end

"""Finds tracks between pads of chips, half a millimetre apart and on one side: on a fine grid, in a part of a board.

`router.py` finds those of boards whose parts have legs: there a pad is on both sides, and a via has room anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil, dist, floor, hypot, inf
from typing import Final

from hardware.carrier.copper import Copper, Gauge, Rules, Side, Track, Via, from_line, from_pad, whole
from hardware.carrier.footprints import Box, Pad
from hardware.carrier.nearby import Piece, pieces
from hardware.dimensions import Point

_ROUNDS: Final = 60
_VIA: Final = 9.0
_BEND: Final = 0.6
_AGAINST: Final = 1.1
"""In steps of the grid: what a via costs, a corner, and a step along on the upper side or across on the lower one."""
_PRESSURE: Final = 1.5
_DEARER: Final = 1.25
_MOST_PRESSURE: Final = 300.0
_REMEMBERED: Final = 0.8
_LARGE: Final = 2.0
"""A pad of so many millimetres may have vias in it: the solder that they drink is not missed."""
_NOBODY: Final = "-"
_SIDES: Final = tuple(Side)

Place = int
"""Of the lower side, those of the upper side and as many more."""


@dataclass(frozen=True)
class Task:
    """What is to be joined: pads and copper that is there already, by net, and where there must be none."""

    name: str
    box: Box
    pads: Mapping[str, Sequence[Pad]]
    copper: Copper
    gauges: Mapping[str, Gauge]
    rules: Rules
    bare: Sequence[tuple[Side, Box]] = ()
    left_alone: frozenset[str] = frozenset()
    """Nets that are whole already."""

    def gauge(self, net: str) -> Gauge:
        """How wide a net is drawn."""
        return self.gauges.get(net, self.rules.signal)


@dataclass
class _Net:
    """A net on its way: what is to be joined, where it may be, and what it takes by now."""

    name: str
    gauge: Gauge
    ends: list[frozenset[Place]]
    free: list[bool]
    free_for_vias: list[bool]
    paths: list[list[Place]] = field(default_factory=list)
    marked: dict[tuple[Gauge, bool], set[Place]] = field(default_factory=dict)


def route_closely(task: Task) -> Copper:
    """The tracks and vias that are missing."""
    router = _FineRouter(task)
    router.run()
    return router.found()


class _FineRouter:
    """The nets of a task while they look for their ways."""

    def __init__(self, task: Task) -> None:
        self.task = task
        step, (left, upper, right, lower) = task.rules.step, task.box
        self.columns, self.rows = (round((right - left) / step) + 1, round((lower - upper) / step) + 1)
        self.places = self.columns * self.rows
        self.there = list(pieces(task.pads, task.copper))
        self._owners: dict[float, list[str]] = {}
        self._drinks = self._near_pads()
        names = sorted({piece.net for piece in self.there} - {""} - task.left_alone)
        self.nets = [net for net in map(self._net, names) if len(net.ends) > 1]
        self.gauges = sorted({net.gauge for net in self.nets}, key=lambda gauge: (gauge.width, gauge.via))
        self.taken = {(gauge, via): [0] * (2 * self.places) for gauge in self.gauges for via in (False, True)}
        """For a track of each gauge, and for a via, how many nets are too close at each place."""
        self.dear = [0.0] * (2 * self.places)

    def point(self, place: Place) -> Point:
        row, column = divmod(place % self.places, self.columns)
        left, upper, *_ = self.task.box
        return whole(left + column * self.task.rules.step), whole(upper + row * self.task.rules.step)

    def _inside(self, box: Box, more: float) -> Iterator[tuple[Place, Point]]:
        step, (left, upper, *_) = self.task.rules.step, self.task.box
        columns = range(max(floor((box[0] - more - left) / step), 0), ceil((box[2] + more - left) / step) + 1)
        rows = range(max(floor((box[1] - more - upper) / step), 0), ceil((box[3] + more - upper) / step) + 1)
        for row in rows:
            for column in columns:
                if row < self.rows and column < self.columns:
                    place = row * self.columns + column
                    yield place, self.point(place)

    def _places(self, piece: Piece, reach: float) -> Iterator[Place]:
        """The places within reach of a piece of copper, on its sides."""
        for place, point in self._inside(piece.box, reach):
            if _from_piece(point, piece) < reach - 1e-6:
                yield from (place + _SIDES.index(side) * self.places for side in piece.sides)

    def _near_pads(self) -> set[Place]:
        """Where a via would drink the solder of a pad."""
        found = set()
        half = self.task.rules.signal.via / 2
        for piece in self.there:
            if isinstance(piece.shape, Pad) and not piece.shape.drill and 2 * min(piece.shape.half) < _LARGE:
                found |= {place % self.places for place in self._places(piece, half)}
        return found

    def _owned(self, width: float) -> list[str]:
        """For copper of that width, whose each place is: empty where it is anybody's, - nobody's."""
        if width not in self._owners:
            owners = [""] * (2 * self.places)
            for piece in self.there:
                for place in self._places(piece, width / 2 + self.task.rules.clearance):
                    owners[place] = piece.net if owners[place] in ("", piece.net) and piece.net else _NOBODY
            for side, box in self.task.bare:
                for place, (x, y) in self._inside(box, 0):
                    if box[0] < x < box[2] and box[1] < y < box[3]:
                        owners[place + _SIDES.index(side) * self.places] = _NOBODY
            self._owners[width] = owners
        return self._owners[width]

    def _net(self, name: str) -> _Net:
        gauge = self.task.gauge(name)
        mine = [piece for piece in self.there if piece.net == name]
        ends = [ends for piece in mine if (ends := frozenset(self._ends(piece)))]
        free = [owner in ("", name) for owner in self._owned(gauge.width)]
        wide = [owner in ("", name) for owner in self._owned(gauge.via)]
        vias = [wide[place] and wide[place + self.places] and place not in self._drinks for place in range(self.places)]
        return _Net(name, gauge, self._nearest_first(_joined(ends)), free, vias)

    def _nearest_first(self, ends: list[frozenset[Place]]) -> list[frozenset[Place]]:
        """The largest, then always what is nearest to one of those before it (Prim)."""
        if not ends:
            return []
        points = {end: [self.point(place) for place in sorted(end)[:: max(len(end) // 8, 1)]] for end in ends}
        last = max(ends, key=lambda end: (len(end), min(end)))
        left = {end: inf for end in sorted(ends, key=min) if end != last}
        ordered = [last]
        while left:
            near = points[last]
            left = {
                end: min(least, *(dist(one, other) for one in near for other in points[end]))
                for end, least in left.items()
            }
            last = min(left, key=lambda end: (left[end], min(end)))
            del left[last]
            ordered.append(last)
        return ordered

    def _ends(self, piece: Piece) -> Iterator[Place]:
        """The places on a piece of copper at which a track may begin."""
        inset = 0.05 if isinstance(piece.shape, Pad) else piece.shape.width / 2 - 0.02
        for place, point in self._inside(piece.box, 0):
            if _from_piece(point, piece) <= 0 and _depth(point, piece) >= inset - 1e-6:
                yield from (place + _SIDES.index(side) * self.places for side in piece.sides)

    def run(self) -> None:
        """Route every net, and again those that are in each other's way, until none is."""
        pressure, torn = _PRESSURE, self.nets
        for _ in range(_ROUNDS):
            for net in torn:
                self._mark(net, -1)
                net.paths = self._tree(net, pressure)
                self._mark(net, +1)
            torn = [net for net in self.nets if self._crowded(net)]
            if not torn:
                return
            for net in torn:
                for place in self._crowded(net):
                    self.dear[place] += _REMEMBERED
            pressure = min(pressure * _DEARER, _MOST_PRESSURE)
        names = ", ".join(net.name for net in torn)
        raise ValueError(f"{self.task.name}: no way is left for {names}: give its parts other places.")

    def _vias_of(self, net: _Net) -> set[Place]:
        return {min(pair) for path in net.paths for pair in pairwise(path) if abs(pair[0] - pair[1]) == self.places}

    def _mark(self, net: _Net, by: int) -> None:
        if by > 0:
            net.marked = {key: self._in_the_way(net, *key) for key in self.taken}
        for key, places in net.marked.items():
            taken = self.taken[key]
            for place in places:
                taken[place] += by

    def _in_the_way(self, net: _Net, other: Gauge, via: bool) -> set[Place]:
        """Where another net's track or via would be too close to this net."""
        mine, theirs = net.gauge, other.via if via else other.width
        need = self.task.rules.clearance + theirs / 2
        found = set()
        for place in {place for path in net.paths for place in path}:
            found |= self._around(place, need + mine.width / 2)
        for place in self._vias_of(net):
            found |= self._around(place, need + mine.via / 2)
            found |= self._around(place + self.places, need + mine.via / 2)
        if via:  # a via is on both sides, whichever of them is in its way
            found = {place % self.places for place in found}
        return found

    def _around(self, place: Place, need: float) -> set[Place]:
        step = self.task.rules.step
        reach = ceil(need / step)
        side, on_side = divmod(place, self.places)
        row, column = divmod(on_side, self.columns)
        return {
            side * self.places + (row + j) * self.columns + column + i
            for j in range(-reach, reach + 1)
            for i in range(-reach, reach + 1)
            if 0 <= row + j < self.rows and 0 <= column + i < self.columns and hypot(i, j) * step < need - 1e-6
        }

    def _crowded(self, net: _Net) -> list[Place]:
        """The places of a net that others are too close to; its own mark is one of those that are counted."""
        tracks, vias = self.taken[net.gauge, False], self.taken[net.gauge, True]
        found = [place for path in net.paths for place in path if tracks[place] > 1]
        return found + [place for place in self._vias_of(net) if vias[place] > 1]

    def _tree(self, net: _Net, pressure: float) -> list[list[Place]]:
        """A tree over what is to be joined: each in turn is joined to what is there."""
        first, *others = net.ends
        tree, paths = set(first), []
        vias: set[Place] = set()
        for end in others:
            if not end & tree:
                path = self._search(net, end, tree, vias, pressure)
                tree.update(path)
                vias |= {min(pair) for pair in pairwise(path) if abs(pair[0] - pair[1]) == self.places}
                paths.append(path)
            tree |= end
        return paths

    def _search(
        self, net: _Net, end: frozenset[Place], tree: set[Place], vias: set[Place], pressure: float
    ) -> list[Place]:
        """The cheapest way to what is joined already (Dijkstra; the direction is a state)."""
        taken, dear = self.taken[net.gauge, False], self.dear
        for_vias = self.taken[net.gauge, True]
        near_vias = {near for via in vias for near in self._around(via, net.gauge.via + 0.2)} - vias
        costs: dict[int, float] = {place * 3: 0.0 for place in end}
        before: dict[int, int] = {}
        heap = [(0.0, place * 3) for place in sorted(end)]
        done = set()
        while heap:
            cost, state = heappop(heap)
            if state in done:
                continue
            done.add(state)
            place, way = divmod(state, 3)
            if place in tree:
                return _path(state, before)
            for there, along, price in self._moves(net, place):
                if along == 0:
                    via = min(place, there)
                    if via in near_vias:
                        continue
                    worth = cost + (price if via not in vias else 0.0) + for_vias[via] * pressure
                else:
                    worth = cost + price + (_BEND if way and way != along else 0.0)
                worth += taken[there] * pressure + dear[there]
                state_there = there * 3 + along
                if worth < costs.get(state_there, 1e18):
                    costs[state_there] = worth
                    before[state_there] = state
                    heappush(heap, (worth, state_there))
        raise ValueError(f"{self.task.name}: {net.name} is walled in: give its parts other places.")

    def _moves(self, net: _Net, place: Place) -> list[tuple[Place, int, float]]:
        """Where a track may go on: the place, whether across (1), along (2) or through the board (0), what it costs."""
        below = place >= self.places
        across, along = (_AGAINST, 1.0) if below else (1.0, _AGAINST)
        on_side = place - self.places if below else place
        column, free = on_side % self.columns, net.free
        moves = []
        if column > 0 and free[place - 1]:
            moves.append((place - 1, 1, across))
        if column < self.columns - 1 and free[place + 1]:
            moves.append((place + 1, 1, across))
        if on_side >= self.columns and free[place - self.columns]:
            moves.append((place - self.columns, 2, along))
        if on_side < self.places - self.columns and free[place + self.columns]:
            moves.append((place + self.columns, 2, along))
        if net.free_for_vias[on_side]:
            moves.append((on_side if below else place + self.places, 0, _VIA))
        return moves

    def found(self) -> Copper:
        """What was found, as tracks and vias."""
        tracks = tuple(track for net in self.nets for path in net.paths for track in self._tracks(net, path))
        vias = [
            Via(net.name, self.point(place), net.gauge.via, net.gauge.drill)
            for net in self.nets
            for place in sorted(self._vias_of(net))
        ]
        return Copper(tracks, tuple(vias))

    def _tracks(self, net: _Net, path: list[Place]) -> Iterator[Track]:
        corners = [path[0]]
        corners += [b for a, b, c in zip(path, path[1:], path[2:], strict=False) if b - a != c - b]
        corners.append(path[-1])
        for start, end in pairwise(corners):
            if abs(start - end) != self.places:
                yield Track(net.name, _SIDES[start // self.places], self.point(start), self.point(end), net.gauge.width)


def _path(state: int, before: Mapping[int, int]) -> list[Place]:
    path = [state // 3]
    while state in before:
        state = before[state]
        path.append(state // 3)
    return path


def _from_piece(point: Point, piece: Piece) -> float:
    if isinstance(piece.shape, Pad):
        return from_pad(point, piece.shape)
    return max(from_line(point, piece.shape.start, piece.shape.end) - piece.shape.width / 2, 0)


def _depth(point: Point, piece: Piece) -> float:
    """How far a point inside a piece is from its edge."""
    if isinstance(piece.shape, Track):
        return piece.shape.width / 2 - from_line(point, piece.shape.start, piece.shape.end)
    pad = piece.shape
    if not pad.square:
        return pad.size / 2 - dist(point, pad.at)
    return min(half - abs(value - middle) for half, value, middle in zip(pad.half, point, pad.at, strict=True))


def _joined(ends: Iterable[frozenset[Place]]) -> list[frozenset[Place]]:
    """What lies on each other is one."""
    joined: list[frozenset[Place]] = []
    for end in ends:
        touching = [other for other in joined if other & end]
        joined = [other for other in joined if not other & end]
        joined.append(end.union(*touching))
    return joined

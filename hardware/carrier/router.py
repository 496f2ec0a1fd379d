"""The router: finds tracks for every net of a board, and tears them up again until none is in another's way.

Tracks run on a grid of half a hole. At first several nets may want the same place; each time they do it gets dearer for
all of them, until all but one go round (L. McMurchie and C. Ebeling, PathFinder, 1995). Then each looks for a shorter
way between the others. Ground is routed like them, and the planes around it come on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from math import dist, inf
from typing import Final

from hardware.carrier.copper import Copper, Gauge, Side, Track, Via
from hardware.carrier.footprints import Pad
from hardware.carrier.grid import STEP, Grid, Node, in_the_way
from hardware.carrier.layout import Board
from hardware.wiring import GROUND

_ROUNDS: Final = 120
_VIA: Final = 6.0
_BOTTOM: Final = 1.5
"""The lower side is dearer, because the ground plane wants to be whole there."""
_AGAINST: Final = 1.4
"""So is going up or down on the upper side, and across on the lower one."""
_AIR: Final = 1.5
"""What it costs to pass right beside a pad of ground, whose plane wants to reach it."""
_PRESSURE: Final = 2.0
_DEARER: Final = 1.3
_MOST_PRESSURE: Final = 30.0
"""What a place costs for each other net in it: at first, how much more from one round to the next, and at last."""
_REMEMBERED: Final = 3.0
"""How much a place stays dearer for each round in which it was wanted twice."""
_SHORTENING_ROUNDS: Final = 2
_FORBIDDEN: Final = 1e6
"""What a place of another net costs then: there is always a way without."""


@dataclass
class _Net:
    """A net on its way: where its pads are reached, where it may be, and which nodes its tracks take by now."""

    name: str
    gauge: Gauge
    pads: list[frozenset[Node]]
    free: list[bool]
    free_for_vias: list[bool]
    paths: list[list[Node]] = field(default_factory=list)

    @property
    def nodes(self) -> set[Node]:
        return {node for path in self.paths for node in path}

    @cached_property
    def on_pads(self) -> frozenset[Node]:
        return frozenset().union(*self.pads)


def route(board: Board) -> Copper:
    """Tracks and vias that join every net."""
    router = _Router(Grid(board))
    router.run()
    return router.copper()


class _Router:
    """The nets of a board while they look for their ways."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.nets = [_net(grid, name, pads) for name, pads in grid.board.pads.items() if name and len(pads) > 1]
        self.taken = {net.gauge: [0] * (2 * grid.places) for net in self.nets}
        """For each gauge how many nets are too close at each node."""
        self.dear = [0.0] * (2 * grid.places)
        self.air = [0.0] * (2 * grid.places)
        for pad in grid.board.pads[GROUND]:
            for node, _ in grid.around(pad.at, pad.size / 2 + STEP / 2):
                self.air[node] = self.air[node + grid.places] = _AIR

    def run(self) -> None:
        """Route every net, and again those that are in each other's way, until none is."""
        pressure, torn = _PRESSURE, self.nets
        for _ in range(_ROUNDS):
            self._lay(torn, pressure)
            torn = [net for net in self.nets if self._crowded(net)]
            if not torn:
                self._shorten()
                return
            for net in torn:
                for node in self._crowded(net):
                    self.dear[node] += _REMEMBERED
            pressure = min(pressure * _DEARER, _MOST_PRESSURE)
        names = ", ".join(net.name for net in torn)
        raise ValueError(f"{self.grid.board.name}: no way is left for {names}: give its parts other places.")

    def _lay(self, nets: list[_Net], pressure: float) -> None:
        """Route these nets anew, one after the other."""
        for net in nets:
            self._mark(net, -1)
            net.paths = self._paths(net, pressure)
            self._mark(net, +1)

    def _shorten(self) -> None:
        """Route every net again, now that no place is wanted twice: none is dearer than another."""
        self.dear = [0.0] * len(self.dear)
        for _ in range(_SHORTENING_ROUNDS):
            self._lay(self.nets, _FORBIDDEN)

    def _mark(self, net: _Net, by: int) -> None:
        places, columns, rows = self.grid.places, self.grid.columns, self.grid.rows
        for gauge, taken in self.taken.items():
            steps = in_the_way(net.gauge, gauge)
            around = set()
            for node in net.nodes:
                side, place = divmod(node, places)
                row, column = divmod(place, columns)
                around |= {
                    side * places + (row + j) * columns + column + i
                    for i, j in steps
                    if 0 <= row + j < rows and 0 <= column + i < columns
                }
            for node in around:
                taken[node] += by

    def _crowded(self, net: _Net) -> list[Node]:
        """The nodes of a net that others are too close to; its own mark is one of those that are counted."""
        taken = self.taken[net.gauge]
        return [node for node in net.nodes if taken[node] > 1]

    def _paths(self, net: _Net, pressure: float) -> list[list[Node]]:
        """A tree over a net's pads: each in turn is joined to what is there."""
        tree = set(net.pads[0])
        paths = []
        for pad in net.pads[1:]:
            path = self._search(net, pad, tree, pressure)
            tree |= pad.union(path)
            paths.append(path)
        return paths

    def _search(self, net: _Net, pad: frozenset[Node], tree: set[Node], pressure: float) -> list[Node]:
        """The cheapest way from a pad to what is joined already (Dijkstra)."""
        taken, dear = self.taken[net.gauge], self.dear
        air = self.air if net.name != GROUND else [0.0] * len(self.air)
        before: dict[Node, Node] = {}
        costs = dict.fromkeys(pad, 0.0)
        heap = [(0.0, node) for node in sorted(pad)]
        done = set()
        while heap:
            cost, node = heappop(heap)
            if node in done:
                continue
            done.add(node)
            if node in tree:
                path = [node]
                while path[-1] not in pad:
                    path.append(before[path[-1]])
                return path
            for there, price in self._moves(net, node):
                worth = cost + price + taken[there] * pressure + dear[there] + air[there]
                if worth < costs.get(there, inf):
                    costs[there] = worth
                    before[there] = node
                    heappush(heap, (worth, there))
        raise ValueError(f"{self.grid.board.name}: {net.name} is walled in: give its parts other places.")

    def _moves(self, net: _Net, node: Node) -> list[tuple[Node, float]]:
        """Where a track may go on from a node, and what each step costs."""
        places, columns, free = self.grid.places, self.grid.columns, net.free
        below = node >= places
        across, along = (_BOTTOM * _AGAINST, _BOTTOM) if below else (1.0, _AGAINST)
        place = node - places if below else node
        column = place % columns
        moves = []
        if column > 0 and free[place - 1]:
            moves.append((node - 1, across))
        if column < columns - 1 and free[place + 1]:
            moves.append((node + 1, across))
        if place >= columns and free[place - columns]:
            moves.append((node - columns, along))
        if place < places - columns and free[place + columns]:
            moves.append((node + columns, along))
        if node in net.on_pads:
            moves.append((node - places if below else node + places, 0.0))
        elif net.free_for_vias[place]:
            moves.append((node - places if below else node + places, _VIA))
        return moves

    def copper(self) -> Copper:
        """What was found, as tracks and vias."""
        tracks = tuple(track for net in self.nets for path in net.paths for track in _tracks(self.grid, net, path))
        return Copper(tracks, tuple(via for net in self.nets for via in _vias(self.grid, net)))


def _net(grid: Grid, name: str, pads: tuple[Pad, ...]) -> _Net:
    gauge = grid.board.gauge(name)
    free, free_for_vias = (
        [owner in ("", name) for owner in grid.owners(width)] if width else [False] * grid.places
        for width in (gauge.width, gauge.via)
    )
    return _Net(name, gauge, [grid.inside(pad) for pad in _nearest_first(pads)], free, free_for_vias)


def _nearest_first(pads: tuple[Pad, ...]) -> Iterator[Pad]:
    """The pads in the order in which each is nearest to one of those before it (Prim)."""
    left = dict.fromkeys(pads[1:], inf)
    last = pads[0]
    yield last
    while left:
        left = {pad: min(distance, dist(pad.at, last.at)) for pad, distance in left.items()}
        last = min(left, key=lambda pad: (left[pad], pad.at))
        del left[last]
        yield last


def _tracks(grid: Grid, net: _Net, path: list[Node]) -> Iterator[Track]:
    corners = [path[0]]
    corners += [two for one, two, three in zip(path, path[1:], path[2:], strict=False) if two - one != three - two]
    corners.append(path[-1])
    for start, end in pairwise(corners):
        if abs(start - end) != grid.places:
            side = Side.BOTTOM if start >= grid.places else Side.TOP
            yield Track(net.name, side, grid.point(start), grid.point(end), net.gauge.width)


def _vias(grid: Grid, net: _Net) -> Iterator[Via]:
    changes = {min(pair) for path in net.paths for pair in pairwise(path) if abs(pair[0] - pair[1]) == grid.places}
    for node in sorted(changes - net.on_pads):
        yield Via(net.name, grid.point(node), net.gauge.via, net.gauge.drill)

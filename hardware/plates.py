"""The flat parts: what a laser cutter or a saw and a drill make of a sheet, each with its cut-outs and engravings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from hardware.description import Profile
from hardware.dimensions import Dimensions, Point
from hardware.lettering import Stroke, lettering
from quarto_pi.sensing.readings import OFFER

EVERYTHING: Final = ("offer", "oled", "panel lights", "square lights", "second button", "menu button")
"""What there may be on a board, by the names of `board.toml`."""
_SCREW_INSET: Final = 6.0
_OVER: Final = 4.0
"""So far the hatch's cover reaches beyond its front edge."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-out around a middle: a rectangle, or a circle where it has a diameter instead of sides.

    With a depth it is a pocket, taken from the side that is up on the drawing.
    """

    what: str
    x: float
    y: float
    width: float
    height: float
    circle: bool = False
    depth: float = 0.0

    def gap(self, other: Cut) -> float:
        """The wood that is left between two cut-outs; below 0 where they overlap."""
        across = abs(self.x - other.x) - (self.width + other.width) / 2
        along = abs(self.y - other.y) - (self.height + other.height) / 2
        if self.circle and other.circle:
            return float(((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5 - (self.width + other.width) / 2)
        return max(across, along) if min(across, along) < 0 else float((across**2 + along**2) ** 0.5)


@dataclass(frozen=True, slots=True)
class Plate:
    """A flat part, its lower left corner at `corner` of the board."""

    name: str
    width: float
    height: float
    thickness: float
    cuts: tuple[Cut, ...] = ()
    engraved: tuple[Cut, ...] = ()
    corner: Point = (0.0, 0.0)
    pockets: tuple[Cut, ...] = ()
    strokes: tuple[Stroke, ...] = ()

    def walls(self) -> Iterator[tuple[float, str]]:
        """What is left between any two cut-outs, and between each and the edge."""
        for one, other in combinations(self.cuts, 2):
            yield one.gap(other), f"{self.name}: {one.what} and {other.what}"
        for cut in self.cuts:
            left, right = cut.x - cut.width / 2, self.width - cut.x - cut.width / 2
            below, above = cut.y - cut.height / 2, self.height - cut.y - cut.height / 2
            yield min(left, right, below, above), f"{self.name}: {cut.what} and the edge"


def hole(what: str, middle: Point, diameter: float) -> Cut:
    """A round cut-out."""
    return Cut(what, *middle, diameter, diameter, circle=True)


def surface(d: Dimensions, fittings: Collection[str] = EVERYTHING, name: str = "surface") -> Plate:
    """The playing surface of a board with these fittings."""
    board, panel = d.board, d.panel
    cells = cells_of(d, fittings)
    rings = [hole(f"the ring of {cell}", middle, board.ring) for cell, middle in cells.items()]
    strokes = tuple(lettering(d, offer=OFFER in cells))
    cuts = [
        *_screws(d),
        *(hole(f"the light of {square}", light_middle(d, square), pipe_hole(d)) for square in _lit(d, fittings)),
        *(hole("a light of the panel", middle, panel.light) for middle in _lamps(d, fittings)),
        *(hole(what, middle, panel.button_hole) for what, middle in buttons_of(d, fittings)),
    ]
    if "oled" in fittings:
        x, y = panel.oled
        cuts.append(Cut("the display's window", x, y + panel.oled_window_up, *panel.oled_window))
    size = board.width, board.depth, board.surface
    return Plate(name, *size, tuple(cuts), tuple(rings), strokes=strokes)


def grid(d: Dimensions, fittings: Collection[str] = EVERYTHING, name: str = "grid") -> Plate:
    """The plate below it, with a window for each reader."""
    panel, reader, behind = d.panel, d.reader, d.fit.behind
    play = 2 * reader.play
    cuts = [
        *(
            Cut(f"the reader of {cell}", *reader_middle(d, cell), reader.length + play, reader.width + play)
            for cell in cells_of(d, fittings)
        ),
        *(
            hole(f"the light of {square}", light_middle(d, square), pipe_hole(d) + 2 * behind)
            for square in _lit(d, fittings)
        ),
        *(hole("a light of the panel", middle, panel.light_clip[1] + behind) for middle in _lamps(d, fittings)),
        *(hole(what, middle, panel.button_nut + behind) for what, middle in buttons_of(d, fittings)),
    ]
    if "oled" in fittings:
        cuts.append(Cut("the display", *panel.oled, panel.oled_module[0] + behind, panel.oled_module[1] + behind))
    width, depth = inside(d)
    left, front_edge = (d.case.side + d.fit.frame / 2,) * 2
    moved = tuple(replace(cut, x=cut.x - left, y=cut.y - front_edge) for cut in cuts)
    return Plate(name, width - d.fit.frame, depth - d.fit.frame, d.case.grid, moved, corner=(left, front_edge))


def inside(d: Dimensions) -> Point:
    """The room between the sides."""
    return d.board.width - 2 * d.case.side, d.board.depth - 2 * d.case.side


def cells_of(d: Dimensions, fittings: Collection[str]) -> Mapping[str, Point]:
    """The middle of every place that has a reader on a board with these fittings."""
    return {cell: middle for cell, middle in d.cells.items() if cell != OFFER or "offer" in fittings}


def buttons_of(d: Dimensions, fittings: Collection[str]) -> Iterator[tuple[str, Point]]:
    """What each button is called, and where it is."""
    yield "the button", d.panel.call_button
    if "second button" in fittings:
        yield "the second button", d.panel.second_button
    if "menu button" in fittings:
        yield "the menu button", d.panel.menu_button


def pipe_hole(d: Dimensions) -> float:
    """The hole for the rod of a square's light."""
    return d.board.light_pipe[0] + d.fit.pipe


def _lit(d: Dimensions, fittings: Collection[str]) -> Iterator[str]:
    yield from (cell for cell in d.cells if cell != OFFER and "square lights" in fittings)


def _lamps(d: Dimensions, fittings: Collection[str]) -> tuple[Point, ...]:
    return d.panel.lights if "panel lights" in fittings else ()


def floor(d: Dimensions) -> Plate:
    """The floor: slots for the air below the Pi, the hatch to its card, holes for the screws of Pi and hub board."""
    board, case, parts = d.board, d.case, d.electronics
    x, y = parts.pi
    _, depth = parts.pi_size
    # The last stretch below the Pi belongs to the hatch.
    step = (parts.pi_card[0] - case.hatch_under - 2 * d.limits.wall) / case.vents
    slots = [Cut("a vent", x + step * (number + 0.5), y + depth / 2, *case.vent) for number in range(case.vents)]
    screws = [
        *(hole("a screw of the Pi", (x + u, y + v), parts.pi_screw + d.fit.screw) for u, v in parts.pi_holes),
        *(hole("a screw of the hub board", at, parts.hub_screw + d.fit.screw) for at in hub_screws(d)),
        hole("the pivot of the hatch's cover", hatch_pivot(d), case.screw + d.fit.screw),
    ]
    hatch = Cut("the hatch to the card", *hatch_middle(d), *case.hatch)
    return Plate("floor", board.width, board.depth, case.floor, (*_screws(d), *slots, *screws, hatch))


def hub_screws(d: Dimensions) -> Iterator[Point]:
    """Where the hub board is screwed onto the floor."""
    x, y = d.electronics.hub
    width, depth = d.electronics.hub_size
    aside = d.electronics.hub_screw_aside
    yield from ((x + u, y + v) for u in (aside, width - aside) for v in (aside, depth - aside))


def hatch_middle(d: Dimensions) -> Point:
    """The middle of the opening below the Pi's card."""
    x, y = (corner + card for corner, card in zip(d.electronics.pi, d.electronics.pi_card, strict=True))
    return x - d.case.hatch_under + d.case.hatch[0] / 2, y


def hatch_pivot(d: Dimensions) -> Point:
    """The one screw that the cover of the hatch turns around, by hand."""
    cover = d.case.hatch_cover
    x, y = _cover_corner(d)
    return x + cover[0] - _SCREW_INSET, y + cover[1] - _SCREW_INSET


def _cover_corner(d: Dimensions) -> Point:
    x, y = hatch_middle(d)
    return x - d.case.hatch_cover[0] / 2, y - d.case.hatch[1] / 2 - _OVER


def hatch_cover(d: Dimensions) -> Plate:
    """What closes the hatch from below."""
    width, depth, thickness = d.case.hatch_cover
    pivot, corner = hatch_pivot(d), _cover_corner(d)
    turn = hole("the pivot", (pivot[0] - corner[0], pivot[1] - corner[1]), d.case.screw + d.fit.screw)
    return Plate("hatch-cover", width, depth, thickness, (turn,), corner=corner)


def ledge(d: Dimensions) -> Plate:
    """The strip inside the left and the right side that the grid is laid onto; two of them."""
    width, height = d.case.ledge
    length = inside(d)[1] - 2 * d.fit.frame
    return Plate("ledge", length, height, width, corner=(d.case.side, d.case.side + d.fit.frame))


def ledge_z(d: Dimensions) -> float:
    """How high the lower side of a ledge is."""
    return d.grid_z - d.fit.ledge - d.case.ledge[1]


def side_height(d: Dimensions) -> float:
    """How high the four sides are."""
    return d.case.clear + d.case.grid


def front(d: Dimensions) -> Plate:
    """The side that the player with the button sees; it lies flat here, its upper edge up and its inside to the eye."""
    return Plate("front", d.board.width, side_height(d), d.case.side)


def back(d: Dimensions) -> Plate:
    """The side opposite, with the supply's socket, and holes for warm air."""
    x, _, z = jack_middle(d)
    jack = hole("the supply's socket", (x, z - d.case.floor), d.case.jack)
    wide, deep = d.case.jack_pocket
    pocket = replace(hole("room for its nut", (jack.x, jack.y), wide), depth=deep)
    diameter, count, up = d.case.outer_vents
    first, last = d.case.side + 4 * diameter, x - wide
    step = (last - first) / (count - 1)
    vents = [hole("a vent", (first + step * number, up), diameter) for number in range(count)]
    size = d.board.width, side_height(d), d.case.side
    return Plate("back", *size, (jack, *vents), corner=(0, d.board.depth - d.case.side), pockets=(pocket,))


def left(d: Dimensions) -> Plate:
    """The left side, with the opening beside the Pi's sockets."""
    height = side_height(d)
    _, y = d.electronics.pi
    middle = y + d.electronics.pi_size[1] / 2 - d.case.side
    ports = Cut("the Pi's sockets", middle, d.electronics.pi_feet + d.case.ports[1] / 2, *d.case.ports)
    return Plate("left", inside(d)[1], height, d.case.side, (ports,), corner=(0, d.case.side))


def right(d: Dimensions) -> Plate:
    """The right side."""
    size = inside(d)[1], side_height(d)
    return Plate("right", *size, d.case.side, corner=(d.board.width - d.case.side, d.case.side))


def keeper(d: Dimensions) -> Plate:
    """A strip below the grid that presses a row of modules up; two for each rank."""
    length = 3 * d.board.pitch + d.reader.length + 20
    return Plate("keeper", length, *d.reader.keeper, corner=(d.square("a1")[0] - d.reader.antenna_middle - 10, 0))


def offer_keeper(d: Dimensions) -> Plate:
    """The same for the give place; two of them."""
    length = d.reader.length + 20
    return Plate("offer-keeper", length, *d.reader.keeper, corner=(d.board.offer[0] - d.reader.antenna_middle - 10, 0))


def keeper_corners(d: Dimensions) -> Iterator[tuple[Plate, Point]]:
    """Each strip and where its lower left corner is."""
    rows = [(keeper(d), d.square(f"a{rank}")[1]) for rank in (1, 2, 3, 4)]
    for plate, middle in (*rows, (offer_keeper(d), d.board.offer[1])):
        for aside in (-d.reader.keeper_aside, d.reader.keeper_aside):
            yield plate, (plate.corner[0], middle + aside - plate.height / 2)


def variants(profiles: Iterable[Profile]) -> Mapping[str, tuple[Profile, ...]]:
    """Profiles whose wood has the same holes, by the name of the first of them."""
    alike: dict[frozenset[str], list[Profile]] = {}
    for profile in profiles:
        alike.setdefault(frozenset(profile.fittings), []).append(profile)
    return {group[0].name: tuple(group) for group in alike.values()}


def plates_of(d: Dimensions, profiles: Iterable[Profile]) -> Iterator[tuple[Plate, tuple[Profile, ...]]]:
    """Every drawing that there is, and whose it is: surface and grid have the holes of a profile, and no others."""
    every = tuple(profiles)
    for plate in plates(d):
        if plate.name not in ("surface", "grid"):
            yield plate, every
    for name, group in variants(every).items():
        yield surface(d, group[0].fittings, f"surface-{name}"), group
        yield grid(d, group[0].fittings, f"grid-{name}"), group


def plates(d: Dimensions) -> tuple[Plate, ...]:
    """All flat parts of the fullest board."""
    sides = front(d), back(d), left(d), right(d)
    return surface(d), grid(d), floor(d), *sides, ledge(d), hatch_cover(d), keeper(d), offer_keeper(d)


def reader_middle(d: Dimensions, cell: str) -> Point:
    """The middle of a reader module whose antenna is below the middle of its square."""
    x, y = d.cells[cell]
    return x + d.reader.length / 2 - d.reader.antenna_middle, y


def light_middle(d: Dimensions, square: str) -> Point:
    """The middle of the hole for a square's light."""
    x, y = d.square(square)
    return x + d.board.light_offset[0], y + d.board.light_offset[1]


def rank_board_middle(d: Dimensions, rank: int) -> Point:
    """Where a rank's board hangs below the grid: in the middle of its rank, between two rows of readers."""
    _, y = d.square(f"a{rank}")
    return d.board.width / 2, y + d.electronics.rank_board_up


def jack_middle(d: Dimensions) -> tuple[float, float, float]:
    """Where the leads of the supply's socket are, behind its hole in the back."""
    return d.board.width - 40, d.board.depth - d.case.side, d.case.floor + side_height(d) / 3


def _screws(d: Dimensions) -> list[Cut]:
    """Holes for screws into the four sides: at the corners, and in the middle of each side."""
    board = d.board
    xs = (_SCREW_INSET, board.width / 2, board.width - _SCREW_INSET)
    ys = (_SCREW_INSET, board.depth / 2, board.depth - _SCREW_INSET)
    centre = xs[1], ys[1]
    return [hole("a screw", (x, y), d.case.screw + d.fit.screw) for x in xs for y in ys if (x, y) != centre]

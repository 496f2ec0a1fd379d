"""The flat parts: what a laser cutter or a saw and a drill make of a sheet, each with its cut-outs and engravings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from hardware.dimensions import Dimensions, Point

_SCREW_INSET = 6.0


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-out around a middle: a rectangle, or a circle where it has a diameter instead of sides."""

    what: str
    x: float
    y: float
    width: float
    height: float
    circle: bool = False

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


def surface(d: Dimensions) -> Plate:
    """The playing surface."""
    board, panel = d.board, d.panel
    x, y = panel.oled
    cuts = [
        *_screws(d),
        *(hole(f"the light of {name}", light_middle(d, name), board.light_hole) for name in d.cells if name != "offer"),
        *(hole("a light of the panel", middle, panel.light) for middle in panel.lights),
        hole("the button", panel.call_button, panel.button_hole),
        hole("the second button", panel.second_button, panel.button_hole),
        Cut("the display's window", x, y + panel.oled_window_up, *panel.oled_window),
    ]
    rings = [hole(f"the ring of {name}", middle, board.ring) for name, middle in d.cells.items()]
    return Plate("surface", board.width, board.depth, board.surface, tuple(cuts), tuple(rings))


def grid(d: Dimensions) -> Plate:
    """The plate below it, with a window for each reader."""
    panel, reader, side = d.panel, d.reader, d.case.side
    play = 2 * reader.play
    cuts = [
        *(
            Cut(f"the reader of {name}", *reader_middle(d, name), reader.length + play, reader.width + play)
            for name in d.cells
        ),
        *(
            hole(f"the light of {name}", light_middle(d, name), 2 * d.board.light_hole)
            for name in d.cells
            if name != "offer"
        ),
        *(hole("a light of the panel", middle, panel.light + 1) for middle in panel.lights),
        hole("the button", panel.call_button, panel.button_nut + 3),
        hole("the second button", panel.second_button, panel.button_nut + 3),
        Cut("the display", *panel.oled, panel.oled_module[0] + 2, panel.oled_module[1] + 2),
    ]
    moved = tuple(Cut(cut.what, cut.x - side, cut.y - side, cut.width, cut.height, cut.circle) for cut in cuts)
    size = d.board.width - 2 * side, d.board.depth - 2 * side
    return Plate("grid", *size, d.case.grid, moved, corner=(side, side))


def floor(d: Dimensions) -> Plate:
    """The floor, with slots for the air below the Pi."""
    board, case = d.board, d.case
    x, y = d.electronics.pi
    width, depth = d.electronics.pi_size
    step = width / case.vents
    slots = [
        Cut("a vent", x + step * (number + 0.5), y + depth / 2, case.vent[0], case.vent[1])
        for number in range(case.vents)
    ]
    screws = _screws(d)
    return Plate("floor", board.width, board.depth, case.floor, (*screws, *slots))


def side_height(d: Dimensions) -> float:
    """How high the four sides are."""
    return d.case.clear + d.case.grid


def front(d: Dimensions) -> Plate:
    """The side that the player with the button sees; it lies flat here, its upper edge up."""
    return Plate("front", d.board.width, side_height(d), d.case.side)


def back(d: Dimensions) -> Plate:
    """The side opposite, with the supply's socket."""
    height = side_height(d)
    x, _, z = jack_middle(d)
    jack = hole("the supply's socket", (x, z - d.case.floor), d.case.jack)
    return Plate("back", d.board.width, height, d.case.side, (jack,), corner=(0, d.board.depth - d.case.side))


def left(d: Dimensions) -> Plate:
    """The left side, with the opening beside the Pi's sockets."""
    height = side_height(d)
    _, y = d.electronics.pi
    middle = y + d.electronics.pi_size[1] / 2 - d.case.side
    ports = Cut("the Pi's sockets", middle, d.electronics.pi_feet + d.case.ports[1] / 2, *d.case.ports)
    return Plate("left", d.board.depth - 2 * d.case.side, height, d.case.side, (ports,), corner=(0, d.case.side))


def right(d: Dimensions) -> Plate:
    """The right side."""
    size = d.board.depth - 2 * d.case.side, side_height(d)
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


def plates(d: Dimensions) -> tuple[Plate, ...]:
    """All flat parts."""
    sides = front(d), back(d), left(d), right(d)
    return surface(d), grid(d), floor(d), *sides, keeper(d), offer_keeper(d)


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
    return [hole("a screw", (x, y), d.case.screw) for x in xs for y in ys if (x, y) != centre]

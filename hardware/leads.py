"""Leads: from where to where each of them goes, its way between the coils, and how long it is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil
from typing import Final

from hardware.carrier.layout import read_carriers
from hardware.description import read_description
from hardware.dimensions import Dimensions, Point
from hardware.plates import jack_middle, light_middle, rank_board_middle, reader_middle
from hardware.wiring import RANKS, Wiring, wire
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES

SNAKE: Final = tuple(
    f"{file}{rank}" for rank in RANKS for file in ("abcd" if rank % 2 else "dcba")
)  # as the square lights are joined
_HEADER_UP: Final = 10.0
"""How high over its board a plug leaves it."""
_HALF_TWIST: Final = 51.0
"""The Pi's header and the hub board's lie half a turn apart: their ribbon is twisted, which takes its width."""
_PICO_USB: Final = ("1", "40")
"""The pins of a Pico beside its USB socket."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a lead: on what, where, and whether that is lifted with the lid."""

    on: str
    x: float
    y: float
    z: float
    on_lid: bool


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead: its two ends, and the corners of its way as seen from above."""

    name: str
    here: End
    there: End
    way: tuple[Point, ...]
    slack: float
    step: float

    @property
    def needed_mm(self) -> float:
        """How long it has to be at least: the way, up or down, plugs, and the lifting of the lid."""
        flat = sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(self.way))
        return flat + abs(self.here.z - self.there.z) + self.slack

    @property
    def cut_mm(self) -> int:
        """How long it is cut."""
        return ceil(self.needed_mm / self.step) * int(self.step)


@dataclass(frozen=True, slots=True)
class Reach:
    """The longest ribbon to a rank board, and the longest lead from there to a reader, in metres."""

    ribbon_m: float
    lead_m: float


def leads(wiring: Wiring, d: Dimensions) -> tuple[Lead, ...]:
    """Every lead of a wiring, in the order of its parts."""
    ribbon_to_pi = not wiring.of_kind("pico")
    return tuple(
        lead_between(d, name, here, there, _HALF_TWIST if ribbon_to_pi and name == "PI" else 0.0)
        for name, here, there in _ends(wiring, d)
    )


@cache
def reach_of(d: Dimensions) -> Reach:
    """The lengths that the fast lines and the supply of the readers are calculated with."""
    description = read_description()
    every = leads(wire(description, description.profiles["pi"]), d)
    ribbons = [lead.cut_mm for lead in every if lead.name.startswith("ribbon")]
    # The offer reader hangs on the hub board: its lead is longer, and there is no ribbon before it.
    readers = [
        lead.cut_mm for lead in every if lead.here.on.startswith("rank board") and lead.name.startswith("READER")
    ]
    return Reach(max(ribbons) / 1000, max(readers) / 1000)


def short_leads(lengths: Mapping[str, float], wiring: Wiring, d: Dimensions) -> Iterator[str]:
    """A sentence for each lead that does not reach with the length that it is given, by the lead's name."""
    for lead in leads(wiring, d):
        if lengths[lead.name] < lead.needed_mm:
            yield (
                f"{lead.name} is {lengths[lead.name]:.0f} mm long and needs {lead.needed_mm:.0f} mm"
                f" from {lead.here.on} to {lead.there.on}."
            )


def _ends(wiring: Wiring, d: Dimensions) -> Iterator[tuple[str, End, End]]:
    for part in wiring.parts:
        if part.kind.key == "pi":
            yield part.ref, hub_end(d, part.ref), _pi_end(d, "the Pi's header", d.electronics.pi_header)
        elif part.kind.key == "pico":
            yield (
                f"USB cable {part.ref}",
                hub_end(d, part.ref, _PICO_USB),
                _pi_end(d, "the Pi's USB", d.electronics.pi_usb),
            )
        elif part.kind.key == "rank_socket" and part.place == "hub board":
            rank = int(part.ref[-1])
            yield f"ribbon {rank}", hub_end(d, part.ref), _rank_end(d, rank, f"J2{rank}")
        elif part.kind.key == "reader":
            cell = part.ref.removeprefix("READER_")
            board = hub_end(d, part.ref) if cell == OFFER else _rank_end(d, int(cell[1]), part.ref)
            yield part.ref, board, _reader_end(d, cell)
        elif part.kind.key in _ELSEWHERE:
            yield part.ref, hub_end(d, part.ref), _ELSEWHERE[part.kind.key](d, part.ref)
        if part.kind.key == "strip":
            for one, other in pairwise(SNAKE):
                yield f"{part.ref} {one} {other}", _light_end(d, one), _light_end(d, other)


def lead_between(d: Dimensions, name: str, here: End, there: End, twist: float = 0.0) -> Lead:
    """A lead between two ends, on the shortest way that passes under no coil."""
    slack = twist + 2 * d.leads.plug + (d.leads.lift if here.on_lid != there.on_lid else 0.0)
    return Lead(name, here, there, way_between(d, (here.x, here.y), (there.x, there.y)), slack, d.leads.step)


def hub_end(d: Dimensions, ref: str, pins: tuple[str, ...] = ()) -> End:
    """Where a lead leaves the hub board: the middle of a part's pins, or of those named."""
    parts = d.electronics
    x, y = _header("hub", ref, pins)
    up = d.case.floor + parts.hub_feet + _HEADER_UP
    return End("the hub board", parts.hub[0] + x, parts.hub[1] + parts.hub_size[1] - y, up, on_lid=False)


def _rank_end(d: Dimensions, rank: int, ref: str) -> End:
    # It hangs with its parts downwards: what is its upper edge on the drawing is nearest to its own readers.
    x, y = _header("rank", f"{ref[:-1]}1")
    middle = rank_board_middle(d, rank)
    width, depth = d.electronics.rank_board
    place = middle[0] - width / 2 + x, middle[1] - depth / 2 + y
    return End(f"rank board {rank}", *place, d.grid_z - _HEADER_UP, on_lid=True)


def _header(name: str, ref: str, pins: tuple[str, ...] = ()) -> Point:
    """The middle of a part's pads, or of those pins alone, from the upper left corner of its board."""
    board = next(board for board in read_carriers() if board.name == name)
    placed = next(placed for placed in board.parts if placed.part.ref == ref)
    places = [pad.at for pad, _ in placed.pads if not pins or pad.number in pins]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _reader_end(d: Dimensions, cell: str) -> End:
    x, y = reader_middle(d, cell)
    return End(f"reader {cell}", x + d.reader.pins[0], y, d.surface_z - d.reader.board - d.reader.pins[2], on_lid=True)


def _pi_end(d: Dimensions, on: str, place: Point) -> End:
    parts = d.electronics
    up = d.case.floor + parts.pi_feet + _HEADER_UP
    return End(on, parts.pi[0] + place[0], parts.pi[1] + place[1], up, on_lid=False)


def _light_end(d: Dimensions, square: str) -> End:
    return End(f"the light of {square}", *light_middle(d, square), d.surface_z, on_lid=True)


def _lamp_end(d: Dimensions, ref: str) -> End:
    place = d.panel.lights[("LED_1", "LED_2", "LED_ATTENTION").index(ref)]
    return End(ref, *place, d.grid_z, on_lid=True)


def _button_end(d: Dimensions, ref: str) -> End:
    panel = d.panel
    places = {"BUTTON_CALL": panel.call_button, "BUTTON_SECOND": panel.second_button, "BUTTON_MENU": panel.menu_button}
    return End(ref, *places[ref], d.top_z - d.panel.button_depth, on_lid=True)


_ELSEWHERE: Final[Mapping[str, Callable[[Dimensions, str], End]]] = {
    "usb_plug": lambda d, _: _pi_end(d, "the Pi's USB-C socket", d.electronics.pi_power),
    "jack": lambda d, _: End("the supply's socket", *jack_middle(d), on_lid=False),
    "oled": lambda d, _: End("the display", *d.panel.oled, d.surface_z, on_lid=True),
    "light": _lamp_end,
    "button": _button_end,
    "strip": lambda d, _: _light_end(d, SNAKE[0]),
}
"""Kinds of parts that are joined to a header of their own name on the hub board, and where they are."""


_DIGITS: Final = 4
"""Of a millimetre: ways that are equally long stay so, in whatever order a Python adds up."""


def coil_boxes(d: Dimensions) -> tuple[tuple[float, float, float, float], ...]:
    """Left, front, right and rear edge of every coil."""
    half = d.reader.antenna / 2
    return tuple((x - half, y - half, x + half, y + half) for x, y in d.cells.values())


@cache
def way_between(d: Dimensions, start: Point, end: Point) -> tuple[Point, ...]:
    """The shortest way along the edges that passes under no coil; its corners, the two ends included."""
    start, end = (round(start[0], _DIGITS), round(start[1], _DIGITS)), (round(end[0], _DIGITS), round(end[1], _DIGITS))
    xs = sorted({start[0], end[0], *_lanes([d.square(square)[0] for square in SQUARE_NAMES], d.board.pitch)})
    ys = sorted({start[1], end[1], *_lanes([d.square(square)[1] for square in SQUARE_NAMES], d.board.pitch)})
    boxes = coil_boxes(d)
    waiting: list[tuple[float, int, tuple[Point, ...]]] = [(0.0, 0, (start,))]
    seen: set[Point] = set()
    while waiting:
        length, bends, way = heappop(waiting)
        here = way[-1]
        if here == end:
            return _corners(way)
        if here in seen:
            continue
        seen.add(here)
        for there in _neighbours(here, xs, ys):
            if there not in seen and not any(_crosses(here, there, box) for box in boxes):
                far = abs(here[0] - there[0]) + abs(here[1] - there[1])
                turns = len(way) > 1 and (way[-2][0] == here[0]) != (here[0] == there[0])
                heappush(waiting, (round(length + far, _DIGITS), bends + turns, (*way, there)))
    raise ValueError(f"A lead from {start} to {end} would have to pass under a coil: move what it leads to.")


def _lanes(middles: list[float], pitch: float) -> Iterator[float]:
    """The middles of the ways between rows of coils, and beside the outermost."""
    first, *_, last = sorted(middles)
    yield from (first - pitch / 2 + step * pitch for step in range(round((last - first) / pitch) + 2))


def _neighbours(here: Point, xs: list[float], ys: list[float]) -> Iterator[Point]:
    column, row = xs.index(here[0]), ys.index(here[1])
    yield from ((xs[index], here[1]) for index in (column - 1, column + 1) if 0 <= index < len(xs))
    yield from ((here[0], ys[index]) for index in (row - 1, row + 1) if 0 <= index < len(ys))


def _crosses(one: Point, other: Point, box: tuple[float, float, float, float]) -> bool:
    """Whether a stretch along an edge passes through a box; along its border it does not."""
    (x1, x2), (y1, y2) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    left, front, right, rear = box
    return x1 < right and x2 > left and y1 < rear and y2 > front


def _corners(way: tuple[Point, ...]) -> tuple[Point, ...]:
    kept = [way[0]]
    for here, there in pairwise(way[1:]):
        before = kept[-1]
        if not (before[0] == here[0] == there[0] or before[1] == here[1] == there[1]):
            kept.append(here)
    return (*kept, way[-1])

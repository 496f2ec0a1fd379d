"""What flows through the wide tracks of the boards, and what is lost on the way."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import count
from math import dist, inf
from typing import Final

from hardware.carrier.copper import COPPER_MM, Track, as_wide_as
from hardware.carrier.nearby import Nearby, Piece, apart, pieces
from hardware.carrier.reading import Drawn
from hardware.currents import budget_of, total
from hardware.description import Description
from hardware.wiring import FILES, wire

_LARGEST: Final = "pico-two-buttons"
_COPPER_OHM_MM: Final = 1.72e-5
"""The resistivity of copper at 20 degrees, in ohm for a cube of 1 mm."""
_BOARD_MM: Final = 1.6


def currents(description: Description) -> Mapping[str, Mapping[str, float]]:
    """What flows through each net of the supply at worst, in mA, by board."""
    wiring = wire(description, description.profiles[_LARGEST])
    budget, power = budget_of(wiring), description.power
    gates = sum(part.kind.ma for part in wiring.of_kind("gates") if part.ref == "U11")
    return {
        "hub": {
            "3V3": total(budget.rail),
            "5V": total(budget.board),
            "5V_CONVERTER": budget.board[0].ma,
            "5V_PI": power.pi_ma + power.node_ma,
            **dict.fromkeys(("5V_IN", "5V_MID", "5V_ON"), total(budget.whole)),
        },
        "rank": {"3V3": len(FILES) * (power.reader_ma + power.field_ma) + gates},
    }


def ohms_between(board: Drawn, net: str, start: tuple[str, str], end: tuple[str, str]) -> float:
    """The resistance of a net between two pins (part and number), by its best single way: in truth less."""
    of_net = [piece for piece in pieces(board.pads_by_net, board.copper) if piece.net == net]
    nearby = Nearby(of_net)
    places = {(ref, pad.number): pad for ref, pad, _ in board.pads}
    lost = dict.fromkeys(of_net, inf)
    first, last = Piece(net, places[start]), Piece(net, places[end])
    order = count()
    heap = [(0.0, next(order), first)]
    lost[first] = 0.0
    while heap:
        ohms, _, piece = heappop(heap)
        if piece == last:
            return ohms
        for near in nearby.around(piece, 0):
            through = ohms + _ohms(near)
            if through < lost[near] and apart(piece, near) < 0:
                lost[near] = through
                heappush(heap, (through, next(order), near))
    return inf


def _ohms(piece: Piece) -> float:
    if isinstance(piece.shape, Track):
        length = dist(piece.shape.start, piece.shape.end)
        return _COPPER_OHM_MM * length / (piece.shape.width * COPPER_MM)
    return _COPPER_OHM_MM * _BOARD_MM / (as_wide_as(piece.shape.drill) * COPPER_MM)

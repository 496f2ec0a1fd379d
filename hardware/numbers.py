"""The calculations behind the design: field of an antenna, speed of the bus, drops along the cables."""

from __future__ import annotations

from itertools import pairwise
from math import dist, pi, sqrt
from typing import Final

from hardware.description import Description, Timing
from hardware.dimensions import Dimensions
from hardware.leads import Reach
from hardware.wiring import GROUND, wire

_TURNS_APART: Final = 0.9
"""The middle turn of a printed coil, as a share of its outer edge."""
_STEPS: Final = 9
"""A tag is looked at in so many points each way."""


def flux(d: Dimensions, height: float, aside: float = 0.0) -> float:
    """How much of an antenna's field goes through a tag lying that high over it and that far aside; no unit.

    Biot and Savart for the four sides of the coil, summed over the tag's disc. At 13.56 MHz the wave is 22 m long, so
    this is the near field and nothing else; wood, felt and plastic don't change it.
    """
    radius = d.tag.diameter / 2
    half = _TURNS_APART * d.reader.antenna / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
    total = 0.0
    for row in range(_STEPS):
        for column in range(_STEPS):
            x, y = (((2 * index + 1) / _STEPS - 1) * radius for index in (column, row))
            if x * x + y * y <= radius * radius:
                point = (x + aside, y, height)
                total += sum(_upwards(point, start, end) for start, end in pairwise(corners))
    return total * (2 * radius / _STEPS) ** 2 / (4 * pi)


def _upwards(point: tuple[float, float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """The vertical part of the field of a straight wire that lies at height 0, for a current of 1."""
    x, y, z = point
    (x1, y1), (x2, y2) = start, end
    length = dist(start, end)
    along = ((x2 - x1) / length, (y2 - y1) / length)
    first = (x - x1) * along[0] + (y - y1) * along[1]
    side = along[0] * (y - y1) - along[1] * (x - x1)
    square = side * side + z * z
    if square == 0:
        return 0.0
    sines = first / sqrt(first * first + square) + (length - first) / sqrt((length - first) ** 2 + square)
    return side / square * sines


def margin(description: Description, d: Dimensions, height: float, aside: float = 0.0) -> float:
    """How many times the field that a tag needs it gets there: below 1 it is not read."""
    return abs(flux(d, height, aside)) / flux(d, description.radio.range_mm)


def round_trip_ns(timing: Timing, reach: Reach, ranks_series_ohm: float = 47.0) -> float:
    """From an edge of the hub's SCK to the answer on its MISO, at worst."""
    cable = 2 * (reach.ribbon_m + reach.lead_m) * timing.ns_per_m
    into_drivers = 0.69 * 100.0 * 4 * timing.input_pf / 1000
    load_pf = 5 * timing.board_pf + timing.pf_per_m * (reach.ribbon_m + reach.lead_m)
    into_rank = 0.69 * ranks_series_ohm * load_pf / 1000
    return cable + into_drivers + into_rank + timing.driver_ns + timing.reader_ns + timing.gate_ns


def most_hz(timing: Timing, reach: Reach) -> float:
    """The fastest SCK at which an answer is there in time: half a clock has to hold the round trip."""
    return 1e9 / (2 * (round_trip_ns(timing, reach) + timing.setup_ns))


def longest_ribbon_m(timing: Timing, reach: Reach, hz: float) -> float:
    """How long a ribbon may be at that speed, all else as it is."""
    spare = 1e9 / (2 * hz) - timing.setup_ns - round_trip_ns(timing, reach)
    per_m = 2 * timing.ns_per_m + 0.69 * 47.0 * timing.pf_per_m / 1000
    return reach.ribbon_m + spare / per_m


def unterminated_m(timing: Timing) -> float:
    """Up to this length a line may do without a series resistor: the echo is back within the edge."""
    return timing.rise_ns / (2 * timing.ns_per_m)


def ribbon_wires(description: Description, net: str) -> int:
    """How many wires of a rank's ribbon carry that net."""
    ribbon = wire(description, description.profiles["pi"]).part("J11")
    return sum(ribbon.net(pin) == net for pin in ribbon.kind.pins)


def reader_volts(description: Description, reach: Reach) -> float:
    """What the last reader of a rank gets of 3.3 V when all four of its rank have their fields on."""
    timing, power = description.timing, description.power
    reader = (power.reader_ma + power.field_ma) / 1000
    wire_ohm = timing.ribbon_ohm_per_m * reach.ribbon_m
    ribbon = 4 * reader * sum(wire_ohm / ribbon_wires(description, net) for net in ("3V3", GROUND))
    lead = reader * 2 * timing.lead_ohm_per_m * reach.lead_m
    return 3.3 - ribbon - lead


def lead_volts_lost(description: Description, mm: float, mm2: float, ma: float) -> float:
    """What is lost to and fro on two wires so long and so thick."""
    return 2 * mm / 1000 * description.timing.copper_ohm_mm2_per_m / mm2 * ma / 1000


def diode_fall_ns(pull_down_ohm: float, loads: int = 17, diode_pf: float = 10.0, cable_pf: float = 100.0) -> float:
    """How long MISO takes to fall to a low level where diodes and a pull-down stand in for gates."""
    return 1.2 * pull_down_ohm * (loads * diode_pf + cable_pf) / 1000

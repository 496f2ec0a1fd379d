"""`antenna.toml` as data: coil, network, spreads, and where everything sits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import pi
from pathlib import Path
from typing import Any, Final

from hardware.dimensions import Point

_FILE: Final = Path(__file__).parent / "antenna.toml"


@dataclass(frozen=True, slots=True)
class Coil:
    """A square spiral on one side, in millimetres."""

    outer: float
    turns: int
    width: float
    gap: float
    feed: Point
    apart: float
    thickness: float
    keep_out: float

    @property
    def half(self) -> float:
        """From the middle to the line in the middle of the outermost track."""
        return (self.outer - self.width) / 2


@dataclass(frozen=True, slots=True)
class Drive:
    """What the chip gives, and what it bears."""

    hz: float
    volts: float
    driver_ohm: float
    most_ma: float
    receiver_volts: float

    @property
    def omega(self) -> float:
        """The angular frequency."""
        return 2 * pi * self.hz


@dataclass(frozen=True, slots=True)
class Network:
    """What is between the chip and the coil on each of the two sides, in henry, farad and ohm."""

    quality: float
    target_ohm: float
    stray_farad: float
    filter_henry: float
    filter_ohm: float
    filter_farad: float
    receive_farad: float
    receive_ohm: float
    bias_ohm: float
    series_farad: tuple[float, ...]
    parallel_farad: tuple[float, ...]
    damping_ohm: float


@dataclass(frozen=True, slots=True)
class Spreads:
    """By which share each value may be off."""

    capacitor: float
    filter_capacitor: float
    inductor: float
    resistor: float
    coil: float
    seed: int


@dataclass(frozen=True, slots=True)
class Antenna:
    """Everything that `antenna.toml` says; what only the board's drawing reads stays as tables."""

    revision: str
    coil: Coil
    drive: Drive
    network: Network
    tolerance: Spreads
    board: Mapping[str, Any]
    bus: Mapping[str, Any]
    ways: Mapping[str, Any]
    types: Mapping[str, Any]
    channel: tuple[Mapping[str, Any], ...]
    orders: tuple[Mapping[str, Any], ...]

    def coil_middle(self, channel: int) -> Point:
        """The middle of the coil of a channel, 0 to 3, from the board's corner."""
        x, y = self.board["first_coil"]
        return x + channel * self.board["pitch"], y


@cache
def read_antenna(file: Path = _FILE) -> Antenna:
    """The design in a file."""
    whole = tomllib.loads(file.read_text(encoding="utf-8"))
    return Antenna(
        whole["revision"],
        Coil(**{**whole["coil"], "feed": tuple(whole["coil"]["feed"])}),
        Drive(**whole["drive"]),
        _network(whole["network"]),
        Spreads(**whole["tolerance"]),
        whole["board"],
        whole["bus"],
        whole["ways"],
        whole["types"],
        tuple(whole["channel"]),
        tuple(whole["orders"]),
    )


def _network(table: Mapping[str, Any]) -> Network:
    pairs = {key: tuple(table[key]) for key in ("series_farad", "parallel_farad")}
    return Network(**{**table, **pairs})

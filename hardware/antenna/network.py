"""The network between chip and coil as a circuit: solved node by node, and written for SPICE, which solves it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import pi
from typing import Final

import numpy as np

from hardware.antenna.design import Drive, Network
from hardware.antenna.filaments import Array, Impedance

_SOURCE: Final = ("TX1", "TX2")


class Element(Enum):
    """What a branch is, by the letter that SPICE gives it."""

    RESISTOR = "R"
    INDUCTOR = "L"
    CAPACITOR = "C"


@dataclass(frozen=True, slots=True)
class Branch:
    """Something with two ends; node 0 is ground."""

    name: str
    element: Element
    ends: tuple[str, str]
    value: float
    group: str
    """Which of the tolerances is its own."""


def branches(network: Network, coil: Impedance, driver_ohm: float = 0.0) -> tuple[Branch, ...]:
    """Every branch between the chip's two outputs; with their own resistance, or as an analyser sees it without."""
    return tuple(_branches(network, coil, driver_ohm))


def _branches(network: Network, coil: Impedance, driver_ohm: float) -> Iterator[Branch]:
    for side in ("1", "2"):
        tx, inner, filtered, matched, end = (f"{node}{side}" for node in ("TX", "I", "F", "M", "K"))
        if driver_ohm:
            yield Branch(f"driver{side}", Element.RESISTOR, (tx, f"D{side}"), driver_ohm, "")
            tx = f"D{side}"
        yield Branch(f"filter{side}", Element.INDUCTOR, (tx, inner), network.filter_henry, "inductor")
        yield Branch(f"filter{side}", Element.RESISTOR, (inner, filtered), network.filter_ohm, "")
        yield Branch(f"filter{side}", Element.CAPACITOR, (filtered, "0"), network.filter_farad, "filter_capacitor")
        for number, farad in enumerate(network.series_farad):
            yield Branch(f"series{side}{number}", Element.CAPACITOR, (filtered, matched), farad, "capacitor")
        for number, farad in enumerate(network.parallel_farad):
            yield Branch(f"parallel{side}{number}", Element.CAPACITOR, (matched, "0"), farad, "capacitor")
        yield Branch(f"damping{side}", Element.RESISTOR, (matched, end), network.damping_ohm, "resistor")
    yield Branch("coil", Element.INDUCTOR, ("K1", "KR"), coil.henry, "coil")
    yield Branch("coil", Element.RESISTOR, ("KR", "K2"), coil.ohm, "")
    yield Branch("coil", Element.CAPACITOR, ("K1", "K2"), network.stray_farad, "")
    # The receiver sits on the second side: VMID is ground for what is not a direct current.
    yield Branch("receive", Element.CAPACITOR, ("F2", "X"), network.receive_farad, "")
    yield Branch("receive", Element.RESISTOR, ("X", "RX"), network.receive_ohm, "resistor")
    yield Branch("bias", Element.RESISTOR, ("RX", "0"), network.bias_ohm, "resistor")


@dataclass(frozen=True)
class Answer:
    """What one volt between the two outputs does; with several sets of values, one of each."""

    ohm: Array
    """The impedance between the outputs."""
    nodes: Mapping[str, Array]
    """The volts at each node."""
    coil_ampere: Array


def answer(parts: Sequence[Branch], omega: float, values: Array = None) -> Answer:
    """Solve a circuit driven with half a volt at TX1 and less half a volt at TX2; `values` has a row for each board."""
    rows = np.array([[part.value for part in parts]]) if values is None else np.asarray(values)
    names = sorted({end for part in parts for end in part.ends} - {"0", *_SOURCE})
    order = {name: index for index, name in enumerate([*names, *_SOURCE])}
    matrix = np.zeros((len(rows), len(order), len(order)), dtype=complex)
    for part, column in zip(parts, rows.T, strict=True):
        let = _admittance(part.element, column, omega)
        ends = [order[end] for end in part.ends if end != "0"]
        for one in ends:
            for other in ends:
                matrix[:, one, other] += let if one == other else -let
    free = len(names)
    driven = np.array([0.5, -0.5])
    inner = np.linalg.solve(matrix[:, :free, :free], -(matrix[:, :free, free:] @ driven)[..., None])[..., 0]
    currents = (matrix[:, free:, :free] @ inner[..., None])[..., 0] + matrix[:, free:, free:] @ driven
    nodes = {name: inner[:, index] for index, name in enumerate(names)}
    coil = next(index for index, part in enumerate(parts) if (part.name, part.element) == ("coil", Element.INDUCTOR))
    through = (nodes["K1"] - nodes["KR"]) * _admittance(Element.INDUCTOR, rows[:, coil], omega)
    # What the two outputs give differs a little where the sides do; the mean is what the volt between them drives.
    return Answer(2 / (currents[:, 0] - currents[:, 1]), nodes, through)


def _admittance(element: Element, value: Array, omega: float) -> Array:
    match element:
        case Element.RESISTOR:
            return 1 / value
        case Element.INDUCTOR:
            return 1 / (1j * omega * value)
        case Element.CAPACITOR:
            return 1j * omega * value


def supply_ma(found: Answer, drive: Drive) -> Array:
    """What the transmitter takes from its supply: both outputs switch between 0 and TVDD, in turn.

    Of the square wave only the fundamental counts, 4 / pi of TVDD between the outputs: the filter keeps the rest out.
    """
    peak = 4 / pi * drive.volts
    return 1000 * peak**2 * np.real(1 / found.ohm) / 2 / drive.volts


def receiver_volts(found: Answer, drive: Drive) -> Array:
    """What comes to the pin RX, peak to peak."""
    return 2 * np.abs(found.nodes["RX"]) * 4 / pi * drive.volts


def coil_ampere(found: Answer, drive: Drive) -> Array:
    """The current in the coil, as its root mean square."""
    return np.abs(found.coil_ampere) * 4 / pi * drive.volts / np.sqrt(2)


def spice_deck(parts: Sequence[Branch], drive: Drive) -> str:
    """The same circuit for ngspice, which prints the currents that one volt drives, and the receiver's volts."""
    rows = [f"{part.element.value}{part.name} {' '.join(part.ends)} {part.value:.9e}" for part in parts]
    return "\n".join(
        [
            "one side of the antenna board: from the outputs of the chip to the coil",
            "V1 TX1 0 dc 0 ac 0.5",
            "V2 TX2 0 dc 0 ac -0.5",
            *rows,
            "Rsettle K1 0 1e12",
            f".ac lin 1 {drive.hz:.9e} {drive.hz:.9e}",
            ".control",
            "run",
            "print i(v1) i(v2) v(rx)",
            ".endc",
            ".end\n",
        ]
    )

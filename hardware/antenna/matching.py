"""Finds the capacitors that make a coil look like a given resistance to the chip, and what spreads of all values do.

The order of steps is that of NXP, AN1445, Antenna design guide for MFRC52x, PN51x and PN53x: the coil's equivalent
circuit, damping to a quality, the filter, then series and parallel capacitors. Where the application note simplifies,
the equations are solved as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from hardware.antenna.design import Antenna, Drive, Network, Spreads
from hardware.antenna.filaments import Array, Impedance
from hardware.antenna.network import Answer, Branch, answer, branches, coil_ampere, receiver_volts, supply_ma

_E12: Final = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2)
SOLD_FARAD: Final = tuple(step * decade for decade in (1e-12, 1e-11, 1e-10) for step in _E12)
"""What capacitors of C0G with 1 % are sold in everywhere."""
SOLD_OHM: Final = tuple(step * decade for decade in (0.1, 1.0) for step in _E12)


def damping(network: Network, coil: Impedance) -> float:
    """The resistor on each side with which the coil gets its quality (AN1445: calculation of the damping resistor)."""
    return (coil.omega * coil.henry / network.quality - coil.ohm) / 2


def damped_quality(network: Network, coil: Impedance) -> float:
    """The quality that the resistors make which are soldered."""
    return coil.omega * coil.henry / (coil.ohm + 2 * network.damping_ohm)


def capacitors(network: Network, coil: Impedance) -> tuple[float, float]:
    """Series and parallel capacitor of each side that make the target resistance exactly.

    One side is half of the whole: half of the coil and twice its stray capacitance against the middle, which rests.
    """
    omega = coil.omega
    half = 1 / (1 / (coil.ohm / 2 + 1j * omega * coil.henry / 2) + 2j * omega * network.stray_farad)
    load = 1 / (network.damping_ohm + half)
    behind = network.target_ohm / 2 - network.filter_ohm - 1j * omega * network.filter_henry
    wanted = 1 / (1 / behind - 1j * omega * network.filter_farad)
    room = load.real / wanted.real - load.real**2
    if room < 0:
        raise ValueError(f"No capacitors make {network.target_ohm:g} ohm of this coil: choose another target.")
    together = -sqrt(room)  # still inductive: the series capacitor takes the rest away
    parallel = (together - load.imag) / omega
    series = 1 / (omega * (-wanted.imag - together / (load.real**2 + together**2)))
    if min(series, parallel) <= 0:
        raise ValueError(f"No capacitors make {network.target_ohm:g} ohm of this coil: choose another target.")
    return series, parallel


def two_sold(farad: float) -> tuple[float, float]:
    """The two capacitors in parallel, of those that are sold, that come nearest.

    >>> [round(each * 1e12, 1) for each in two_sold(105e-12)]
    [100.0, 4.7]
    """
    pairs = ((one, other) for one in SOLD_FARAD for other in SOLD_FARAD if one >= other)
    return min(pairs, key=lambda pair: (round(abs(sum(pair) - farad), 15), -pair[0]))


@dataclass(frozen=True)
class Spread:
    """What came out of boards with values drawn at random."""

    boards: int
    supply_ma: Array
    receiver_volts: Array
    coil_ampere: Array
    """Each in ascending order."""


def nominal(antenna: Antenna, coil: Impedance, driver_ohm: float = 0.0) -> Answer:
    """The circuit with every value as it is written."""
    return answer(branches(antenna.network, coil, driver_ohm), antenna.drive.omega)


def spread(antenna: Antenna, coil: Impedance, boards: int = 2000) -> Spread:
    """Boards whose every value is off by its tolerance at most, each its own way."""
    parts = branches(antenna.network, coil, antenna.drive.driver_ohm)
    values = drawn(parts, antenna.tolerance, boards)
    found = answer(parts, antenna.drive.omega, values)
    of = (supply_ma, receiver_volts, coil_ampere)
    return Spread(boards, *(np.sort(measure(found, antenna.drive)) for measure in of))


def drawn(parts: Sequence[Branch], tolerance: Spreads, boards: int) -> Array:
    """The values of so many boards, a row for each."""
    chance = np.random.default_rng(tolerance.seed)
    shares = np.array([getattr(tolerance, part.group) if part.group else 0.0 for part in parts])
    nominal_values = np.array([part.value for part in parts])
    return nominal_values * (1 + shares * chance.uniform(-1, 1, (boards, len(parts))))


def resonance_hz(antenna: Antenna, coil: Impedance) -> tuple[float, float, float]:
    """Where the impedance between the outputs is real, near the field's frequency; its size 1 % below and above."""
    parts = branches(antenna.network, coil)
    drive: Drive = antenna.drive
    sweep = np.linspace(0.95, 1.05, 401) * drive.omega
    reactance = np.array([answer(parts, omega).ohm[0].imag for omega in sweep])
    crossings = np.nonzero(np.diff(np.sign(reactance)))[0]
    nearest = min((sweep[index] for index in crossings), key=lambda omega: abs(omega - drive.omega), default=np.nan)
    below, above = (abs(answer(parts, share * drive.omega).ohm[0]) for share in (0.99, 1.01))
    return float(nearest / (2 * np.pi)), float(below), float(above)

"""From what an analyser has shown of a coil to what has to be soldered to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from hardware.antenna.design import Antenna, read_antenna
from hardware.antenna.filaments import Impedance
from hardware.antenna.matching import SOLD_OHM, capacitors, damping, nominal, spread, two_sold
from hardware.antenna.network import coil_ampere, receiver_volts, supply_ma
from hardware.antenna.tables import own_coil

_BOARDS = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what belongs to a coil; what was not measured is as calculated."""
    antenna, calculated = read_antenna(), own_coil()
    parser = argparse.ArgumentParser(prog="python -m hardware.antenna", description=__doc__)
    parser.add_argument(
        "--uh", type=float, default=calculated.henry * 1e6, help="inductance of the coil, in microhenry"
    )
    parser.add_argument("--ohm", type=float, default=calculated.ohm, help="its resistance in series at 13.56 MHz")
    parser.add_argument(
        "--mhz", type=float, help="where the coil alone is in resonance, in megahertz: gives its capacitance"
    )
    parser.add_argument(
        "--target", type=float, default=antenna.network.target_ohm, help="what the chip is to see, in ohm"
    )
    chosen = parser.parse_args(arguments)
    try:
        print(_report(antenna, chosen.uh * 1e-6, chosen.ohm, chosen.mhz, chosen.target))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _report(antenna: Antenna, henry: float, ohm: float, mhz: float | None, target: float) -> str:
    if not 0.3e-6 < henry < 5e-6 or not 0 < ohm < 20:
        raise ValueError(
            "A coil of this board has 0.3 to 5 uH and less than 20 ohm: measure again, with the analyser calibrated."
        )
    stray = antenna.network.stray_farad
    if mhz is not None:
        if mhz < 2 * antenna.drive.hz / 1e6:
            raise ValueError(
                f"A coil that is in resonance at {mhz:g} MHz is no longer a coil at 13.56: look for a short or water."
            )
        stray = 1 / ((mhz * 6.283185307e6) ** 2 * henry)
    coil = Impedance(ohm, henry, antenna.drive.omega)
    network = replace(antenna.network, target_ohm=target, stray_farad=stray)
    resistor = damping(network, coil)
    if resistor < 0:
        raise ValueError(
            f"This coil's quality is below {network.quality:g} without a resistor: something near it takes its field."
        )
    network = replace(network, damping_ohm=min(SOLD_OHM, key=lambda each: abs(each - resistor)))
    series, parallel = (two_sold(farad) for farad in capacitors(network, coil))
    network = replace(network, series_farad=series, parallel_farad=parallel)
    board = replace(antenna, network=network)
    seen = complex(nominal(board, coil).ohm[0])
    drive = antenna.drive
    driven, many = nominal(board, coil, drive.driver_ohm), spread(board, coil, _BOARDS)
    takes, hears = supply_ma(driven, drive)[0], receiver_volts(driven, drive)[0]
    return "\n".join(
        (
            f"coil: {henry * 1e6:.2f} uH, {ohm:.2f} ohm, {stray * 1e12:.1f} pF of its own",
            f"C_13, C_14: {series[0] * 1e12:.3g} pF    C_15, C_16: {series[1] * 1e12:.3g} pF",
            f"C_17, C_18: {parallel[0] * 1e12:.3g} pF    C_19, C_20: {parallel[1] * 1e12:.3g} pF",
            f"R_05, R_06: {network.damping_ohm:g} ohm for a quality of {network.quality:g}",
            f"between the outputs: {seen.real:.0f} {seen.imag:+.0f} j ohm",
            f"a field takes {takes:.0f} mA; with values that are off {many.supply_ma[0]:.0f} to"
            f" {many.supply_ma[-1]:.0f} (at most {drive.most_ma:g})",
            f"at RX {hears:.1f} V peak to peak; with values that are off up to {many.receiver_volts[-1]:.1f}"
            f" (at most {drive.receiver_volts:g})",
            f"in the coil {1000 * coil_ampere(driven, drive)[0]:.0f} mA",
        )
    )


if __name__ == "__main__":
    sys.exit(main())

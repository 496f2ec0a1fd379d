"""The supply of the board as a circuit for ngspice: its parts are those of the wiring, their models are our own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from shutil import which
from tempfile import NamedTemporaryFile
from typing import Final

from hardware.levels import FROM_THE_PLUG
from hardware.wiring import GROUND, Part, Wiring

# Parameters from the datasheets named; where makers differ, the worse one of the parts list.
_MODELS: Final = """\
* Vishay SUP90P06-09L: threshold -1 to -3 V, 11.8 mOhm at -4.5 V, 9200 pF, 60 V
.model mosfet VDMOS(pchan VTO={mosfet} KP=60 RD=3.5m RS=2m RG=2 CGS=8n CGDMAX=2n CGDMIN=0.4n CJO=1n IS=1p RB=5m)
* onsemi BC327-25: gain 160 to 400, 0.8 A
.model pnp PNP(BF={pnp} IS=2e-14 RB=5 RC=0.3 CJE=50p CJC=20p TF=1n)
* Nexperia BAT85: 0.24 V at 1 mA, 0.32 V at 10 mA, 10 pF, 30 V
.model schottky D(IS=2e-7 N=1.05 RS=2.5 CJO=10p BV=30)
* Littelfuse 1.5KE6.8A: 6.45 to 7.14 V at 10 mA, 10.5 V at 145 A
.model clamp D(IS=1n RS=26m BV=6.8 IBV=10m CJO=8n)
* ST LM339: sinks 6 mA at least, 1.3 us, works from 2 V on
.subckt comparator plus minus out vcc
Cplus plus 0 5p
Cminus minus 0 5p
Bin ctl0 0 V = (1 + tanh((v(minus) - v(plus)) / 3m)) * (1 + tanh((v(vcc) - 2) * 10)) / 4
Rin ctl0 ctl 1k
Cin ctl 0 1.9n
Bout out 0 I = 6m * tanh(v(out) / 0.15) * (1 + tanh(10 * (v(ctl) - 0.5))) / 2
.ends
* TI TLV431A: 1.24 V
.subckt reference k
B1 k 0 I = max(0, v(k) - 1.24) / 0.3
.ends
"""
CORNERS: Final = {
    "typical": {"mosfet": -2.0, "pnp": 250},
    "early": {"mosfet": -1.0, "pnp": 160},
    "late": {"mosfet": -3.0, "pnp": 160},
}
"""Thresholds and gains of the transistors: as they mostly are, and the ends of what their datasheets allow."""
CUT_OFF: Final = ("mosfet", "pnp", "comparator", "reference", "schottky", "clamp", "fuse")
"""The kinds of parts that the cut-off is made of."""
_ELECTROLYTIC_OHM_FARAD: Final = 0.25 * 470e-6
"""What a plain electrolytic capacitor has in series, times its capacitance."""
_FUSE_OHM: Final = 0.03
_UNITS: Final = {"u": 1e-6, "n": 1e-9, "k": 1e3, "M": 1e6}
_MEASURED: Final = re.compile(r"^(\w+)\s*=\s*([-+.\deE]+)", re.MULTILINE)


def circuit_of(wiring: Wiring, corner: str) -> str:
    """Everything between the plug and the 3.3 V that the boards carry, but the converter, with such transistors."""
    kinds = (*CUT_OFF, "resistor", "capacitor", "electrolytic")
    nets = {GROUND, "3V3", *FROM_THE_PLUG}
    nets |= {net for key in CUT_OFF for part in wiring.of_kind(key) for net in part.joins.values()}
    nets |= {net for net, pins in wiring.nets.items() if all(part.kind.key in kinds for part, _ in pins)}
    parts = [part for kind in kinds for part in wiring.of_kind(kind) if nets.issuperset(part.joins.values())]
    return _MODELS.format(**CORNERS[corner]) + "".join(f"{card}\n" for part in parts for card in _cards(part))


def node(net: str) -> str:
    """A net's name in the circuit."""
    return "0" if net == GROUND else f"n{net.lower()}"


def _cards(part: Part) -> Iterator[str]:
    ref, at = part.ref.lower(), {pin: node(net) for pin, net in part.joins.items()}
    match part.kind.key:
        case "mosfet":
            # What flows into its drain is measured by a source of 0 V.
            yield f"V{ref} {at['D']} {ref}_d 0"
            yield f"M{ref} {ref}_d {at['G']} {at['S']} mosfet"
        case "pnp":
            yield f"Q{ref} {at['C']} {at['B']} {at['E']} pnp"
        case "comparator":
            for number in (pin.removeprefix("OUT") for pin in at if pin.startswith("OUT")):
                pins = at[f"PLUS{number}"], at[f"MINUS{number}"], at[f"OUT{number}"], at["VCC"]
                yield f"X{ref}_{number} {' '.join(pins)} comparator"
            yield f"R{ref} {at['VCC']} 0 4k"
        case "reference":
            yield f"X{ref} {at['K']} reference"
        case "schottky" | "clamp":
            yield f"V{ref} {at['A']} {ref}_a 0"
            yield f"D{ref} {ref}_a {at['K']} {part.kind.key}"
        case "fuse":
            yield f"R{ref} {at['A']} {at['B']} {_FUSE_OHM}"
        case "resistor":
            yield f"R{ref} {at['A']} {at['B']} {amount(part.value):g}"
        case _:
            farad = amount(part.value.split()[0])
            yield f"R{ref} {at['A']} {ref}_c {_ELECTROLYTIC_OHM_FARAD / farad if farad > 1e-6 else 0.01:g}"
            yield f"C{ref} {ref}_c {at['B']} {farad:g}"


def amount(value: str) -> float:
    """A value as a number: ohm or farad.

    >>> amount("4k7"), amount("220n"), amount("330")
    (4700.0, 2.2e-07, 330.0)
    """
    found = re.fullmatch(r"(\d+)([a-zM]?)(\d*)", value)
    if found is None:
        raise ValueError(f"{value} is no value: write it like 330, 4k7 or 100n.")
    whole, unit, rest = found.groups()
    return float(f"{float(f'{whole}.{rest or 0}') * _UNITS.get(unit, 1):g}")


def run(deck: str) -> Mapping[str, float]:
    """What ngspice measured in a circuit, by the names of its .meas lines."""
    printed = printed_by_ngspice(deck)
    measured = {name: float(value) for name, value in _MEASURED.findall(printed)}
    wanted = set(re.findall(r"^\.meas tran (\w+)", deck, re.MULTILINE))
    if missing := wanted - set(measured):
        raise ValueError(f"ngspice did not measure {', '.join(sorted(missing))}: {printed[-600:]}")
    return {name: measured[name] for name in sorted(wanted)}


def printed_by_ngspice(deck: str) -> str:
    """What ngspice prints of a circuit, whose first line is its title."""
    if which("ngspice") is None:
        raise FileNotFoundError("This needs ngspice: '.ci/system-packages test' installs it.")
    # A file, and not standard input: of that ngspice 44 passes over the first line, and takes the second for the title.
    with NamedTemporaryFile("w", suffix=".cir", encoding="utf-8") as file:
        file.write(deck)
        file.flush()
        ran = subprocess.run(["ngspice", "-b", file.name], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return ran.stdout + ran.stderr

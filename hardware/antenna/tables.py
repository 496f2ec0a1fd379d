"""The tables on the page about the antenna board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from hardware.antenna.coil import direct_ohm, length_mm, sheet_inductance, surface_ohm, wheeler_inductance
from hardware.antenna.design import Network, read_antenna
from hardware.antenna.field import LEAST_FIELD, MOST_FIELD, tag_field
from hardware.antenna.filaments import Array, Impedance, coupling, impedance, outline_loss
from hardware.antenna.matching import (
    Spread,
    capacitors,
    damped_quality,
    damping,
    nominal,
    resonance_hz,
    spread,
)
from hardware.antenna.network import coil_ampere, receiver_volts, supply_ma
from hardware.antenna.order import BOARDS, order_lines, with_antenna_boards
from hardware.antenna.strip import antenna_board, header
from hardware.antenna.wood import give_lead
from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.markdown import markdown
from hardware.shopping import read_items
from hardware.wiring import FILES, wire

_DRAWN = 1000


@cache
def own_coil() -> Impedance:
    """The coil of the board, as the filaments say."""
    antenna = read_antenna()
    return impedance(antenna.coil, antenna.drive.omega)


@cache
def own_spread() -> Spread:
    """Boards of this design with values that are off."""
    return spread(read_antenna(), own_coil(), _DRAWN)


def antenna_coil(_: Description, __: Dimensions) -> str:
    """The coil, in both ways."""
    antenna, found = read_antenna(), own_coil()
    coil, drive = antenna.coil, antenna.drive
    shared = coupling(coil, antenna.board["pitch"])
    left, right, down = antenna.board["plane"]["fields"]
    field = [(left, -34.0), (right, -34.0), (right, down), (left, down)]
    rows = [
        ("length of the track", f"{length_mm(coil):.0f} mm", ""),
        (
            "inductance",
            f"current sheets {1e6 * sheet_inductance(coil):.2f} uH, Wheeler {1e6 * wheeler_inductance(coil):.2f} uH",
            f"{1e6 * found.henry:.2f} uH",
        ),
        (
            "resistance",
            f"{direct_ohm(coil):.2f} ohm (direct current), {surface_ohm(coil, drive.hz):.2f} ohm (even skin) at least",
            f"{found.ohm:.2f} ohm",
        ),
        ("quality, copper alone", "", f"{found.quality:.0f}"),
        ("shared with the next coil, 80 mm away", "", f"{100 * shared:.2f} %"),
        (
            "taken by the next circuit, tuned alike, at most",
            "",
            f"{100 * (shared * damped_quality(antenna.network, found)) ** 2:.1f} %",
        ),
        ("inductance lost to a plane beside it, at most", "", f"{100 * outline_loss(coil, field):.2f} %"),
    ]
    return markdown(["coil", "formulas", "filaments"], rows, 3)


def antenna_network(_: Description, __: Dimensions) -> str:
    """What is soldered between chip and coil, and what was calculated for it."""
    antenna, coil = read_antenna(), own_coil()
    network = antenna.network
    series, parallel = capacitors(network, coil)
    rows = [
        ("L_1, L_2", "filter", "chosen", f"{network.filter_henry * 1e9:.0f} nH"),
        ("C_11, C_12", "filter, to ground", "chosen", f"{network.filter_farad * 1e12:.0f} pF"),
        (
            "C_13 + C_15, C_14 + C_16",
            "in series",
            f"{series * 1e12:.1f} pF",
            " + ".join(f"{farad * 1e12:.3g}" for farad in network.series_farad) + " pF",
        ),
        (
            "C_17 + C_19, C_18 + C_20",
            "in parallel, to ground",
            f"{parallel * 1e12:.1f} pF",
            " + ".join(f"{farad * 1e12:.3g}" for farad in network.parallel_farad) + " pF",
        ),
        (
            "R_05, R_06",
            f"damping to a quality of {network.quality:.0f}",
            f"{damping(network, coil):.2f} ohm",
            f"{network.damping_ohm:g} ohm: quality {damped_quality(network, coil):.1f}",
        ),
        (
            "R_03, R_04, C_10",
            "to the receiver",
            "chosen",
            f"{network.receive_ohm:g} ohm, {network.bias_ohm:g} ohm, {network.receive_farad * 1e9:g} nF",
        ),
    ]
    return markdown(["_: number of the channel", "what", "calculated", "soldered"], rows, 4)


def antenna_spread(_: Description, d: Dimensions) -> str:
    """What comes of it, and of boards whose values are off."""
    antenna, many = read_antenna(), own_spread()
    drive, coil = antenna.drive, antenna.coil
    alone, driven = nominal(antenna, own_coil()), nominal(antenna, own_coil(), drive.driver_ohm)
    ohm = complex(alone.ohm[0])
    ampere = float(coil_ampere(driven, drive)[0])
    resonance, below, above = resonance_hz(antenna, own_coil())
    tag, ring = d.tag.diameter, (d.board.ring - d.piece.width) / 2
    heights = (
        ("a tag in the middle", d.tag_distance, 0.0),
        ("at the ring's edge, wood of 6 mm", d.tag_distance + 3, ring),
    )

    def least_most(values: Array) -> str:
        return f"{values[0]:.2g} to {values[-1]:.2g}"

    rows = [
        ("between the chip's outputs", f"{ohm.real:.0f} {ohm.imag:+.0f} j ohm", ""),
        ("no reactance at", f"{resonance / 1e6:.2f} MHz; 1 % below and above {below:.0f} and {above:.0f} ohm", ""),
        ("a field takes, mA", f"{supply_ma(driven, drive)[0]:.1f}", least_most(many.supply_ma)),
        (
            "at the receiver's pin, V peak to peak",
            f"{receiver_volts(driven, drive)[0]:.1f}",
            least_most(many.receiver_volts),
        ),
        ("in the coil, mA", f"{1000 * ampere:.0f}", least_most(1000 * many.coil_ampere)),
    ]
    for what, height, aside in heights:
        fields = [
            tag_field(coil, each, height, tag, aside) for each in (ampere, many.coil_ampere[0], many.coil_ampere[-1])
        ]
        rows.append(
            (f"field, A/m: {what} ({height:.1f} mm)", f"{fields[0]:.1f}", f"{fields[1]:.1f} to {fields[2]:.1f}")
        )
    away = tag_field(coil, ampere, d.tag_distance, tag, d.board.pitch - ring)
    rows.append(("field of the neighbour's coil there, A/m", f"{away:.2f}", ""))
    rows.append((f"ISO/IEC 14443-2 asks for, A/m: {LEAST_FIELD} to {MOST_FIELD}", "", ""))
    return markdown(["what", "as drawn", f"of {many.boards} boards"], rows)


def antenna_parts(_: Description, __: Dimensions) -> str:
    """What is on one board, with the order codes of two makers."""
    rows: list[tuple[object, ...]] = [
        (
            line.value or "",
            line.what,
            len(line.refs),
            " or ".join(line.codes),
            "yes" if line.memory else "",
            f"{line.euro:.2f}",
        )
        for line in order_lines()
    ]
    one = sum(len(line.refs) * line.euro for line in order_lines())
    rows.append(("", f"**parts of one board; of {BOARDS}: {BOARDS * one:.0f} euro**", "", "", "", f"**{one:.0f}**"))
    return markdown(["value", "what", "number", "order code", "from memory", "euro"], rows, 5)


def antenna_measures(_: Description, __: Dimensions) -> str:
    """What an analyser has to show, and how much it may be off."""
    antenna, coil = read_antenna(), own_coil()
    width, depth = antenna_board().size
    ohm = complex(nominal(antenna, coil).ohm[0])
    rows = [
        (
            "coil alone (R_05 and R_06 off)",
            f"{coil.henry * 1e6:.2f} uH, {coil.ohm:.1f} to {1.5 * coil.ohm:.1f} ohm",
            "3 %",
        ),
        ("its own resonance", f"above {_self_resonance_mhz():.0f} MHz", "above 40 MHz"),
        (
            "between L_1 and L_2, on the chip's side",
            f"{ohm.real:.0f} {ohm.imag:+.0f} j ohm at 13.56 MHz",
            "see the table of changes",
        ),
        ("board", f"{width:g} x {depth:g} x {antenna.board['thickness']:g} mm", "0.2 mm"),
    ]
    return markdown(["what", "calculated", "may be off by"], rows, 3)


def _self_resonance_mhz() -> float:
    antenna, coil = read_antenna(), own_coil()
    return float((coil.henry * antenna.network.stray_farad) ** -0.5 / 6.283185307 / 1e6)


def changes() -> Mapping[str, tuple[Network, Impedance]]:
    """What may be changed, or found otherwise than it was calculated, on both sides at once."""
    network, coil = read_antenna().network, own_coil()
    (one, two), (three, four) = network.series_farad, network.parallel_farad
    found = {"as drawn": (network, coil)}
    for step in (-3, 3):
        found[f"C_15, C_16: {step:+} pF"] = replace(network, series_farad=(one, two + step * 1e-12)), coil
    for step in (-3, 3):
        found[f"C_19, C_20: {step:+} pF"] = replace(network, parallel_farad=(three, four + step * 1e-12)), coil
    for ohm in (-0.5, 0.5):
        found[f"R_05, R_06: {ohm:+} ohm"] = replace(network, damping_ohm=network.damping_ohm + ohm), coil
    for percent in (-3, 3):
        found[f"coil: {percent:+} % inductance"] = network, replace(coil, henry=coil.henry * (1 + percent / 100))
    found["coil: twice the resistance"] = network, replace(coil, ohm=2 * coil.ohm)
    for step in (-4, 4, 8):
        stray = max(network.stray_farad + step * 1e-12, 1e-15)
        found[f"coil: {step:+} pF of its own"] = replace(network, stray_farad=stray), coil
    return found


def antenna_changes(_: Description, __: Dimensions) -> str:
    """What each change does alone: to what an analyser shows, to the coil's current, and at the receiver."""
    antenna, rows = read_antenna(), []
    drive = antenna.drive
    for what, (network, coil) in changes().items():
        changed = replace(antenna, network=network)
        ohm = complex(nominal(changed, coil).ohm[0])
        driven = nominal(changed, coil, drive.driver_ohm)
        ampere, volts = coil_ampere(driven, drive)[0], receiver_volts(driven, drive)[0]
        rows.append((what, f"{ohm.real:.0f} {ohm.imag:+.0f} j", f"{1000 * ampere:.0f}", f"{volts:.1f}"))
    return markdown(["on both sides", "ohm between the outputs", "mA in the coil", "V at the receiver"], rows)


def antenna_give_lead(description: Description, d: Dimensions) -> str:
    """How the piece for the give place is joined to the header that a module's lead would come to, and its length."""
    wiring = wire(description, description.profiles["pi"])
    module, own = wiring.part("READER_offer"), header(read_antenna()).part
    select = f"S{FILES[-1].upper()}"
    names = {"SDA": select, "3.3V": "3V3"}
    rows = []
    for pin in module.kind.pins:
        name = names.get(pin.name, pin.name)
        there = [other.number for other in own.kind.pins if other.name == name]
        rows.append((f"{pin.number} {pin.name}", ", ".join(there) or "not joined"))
    lead = give_lead(d)
    rows.append(("length", f"has to be {lead.needed_mm:.0f} mm, cut to {lead.cut_mm} mm"))
    return markdown(["pin of READER OFFER", "pins of J20"], rows, 2)


def antenna_shopping(description: Description, _: Dimensions) -> str:
    """What the list of parts has more or less of with antenna boards."""
    modules = wire(description, description.profiles["pi"])
    boards = with_antenna_boards(modules)
    counts = [(item.name, item.needed(modules), item.needed(boards)) for item in read_items()]
    rows = [(name, many, few or "none") for name, many, few in counts if many != few]
    return markdown(["part", "modules", "antenna boards"], rows)


TABLES_OF_ANTENNA: Final[Mapping[str, Callable[[Description, Dimensions], str]]] = {
    "antenna coil": antenna_coil,
    "antenna network": antenna_network,
    "antenna spread": antenna_spread,
    "antenna measures": antenna_measures,
    "antenna changes": antenna_changes,
    "antenna parts": antenna_parts,
    "antenna give lead": antenna_give_lead,
    "antenna shopping": antenna_shopping,
}

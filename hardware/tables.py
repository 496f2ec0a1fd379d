"""The tables of the build guide and of the page of numbers, each made from the description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from hardware.antenna.tables import TABLES_OF_ANTENNA
from hardware.antenna.wood import antenna_grids
from hardware.carrier.tables import boards, connectors, left_at_the_readers, tracks
from hardware.currents import budget_of, most_fields, total
from hardware.decoding import line_of
from hardware.description import Description, Profile
from hardware.dimensions import Dimensions
from hardware.fits import fits
from hardware.heat import warmth_of
from hardware.leads import Lead, leads, reach_of
from hardware.markdown import markdown
from hardware.metal import losses, sheets
from hardware.numbers import (
    diode_fall_ns,
    lead_volts_lost,
    longest_ribbon_m,
    margin,
    most_hz,
    reader_volts,
    round_trip_ns,
    unterminated_m,
)
from hardware.pico_pins import pico_pins, wires_from_the_pi
from hardware.plates import Plate, plates_of
from hardware.power_safety import power_table
from hardware.shopping import cost, read_items, read_prices
from hardware.wiring import FILES, Wiring, wire

Table = Callable[[Description, Dimensions], str]

_THICKNESSES: Final = (2, 3, 4, 6, 8, 10, 12, 15)
_PITCHES: Final = (50, 60, 70, 80, 100)
_ALIKE: Final = (*(f"READER_{file}" for file in FILES), "STRIP ")
"""How the names of leads begin that there are several alike of."""
_TWO_LEGS: Final = ("resistor", "capacitor", "electrolytic", "fuse", "clamp", "schottky", "indicator")
_THREE_LEGS: Final = ("mosfet", "pnp", "npn", "reference")
_SPEEDS_HZ: Final = (1e6, 2e6, 4e6)


def _wirings(description: Description, names: Sequence[str]) -> list[Wiring]:
    return [wire(description, description.profiles[name]) for name in names]


def profiles(description: Description, _: Dimensions) -> str:
    """Which profiles there are."""
    rows = [
        (f"`{profile.name}`", profile.summary, f"[{profile.name}.svg](made/wiring/{profile.name}.svg)")
        for profile in description.profiles.values()
    ]
    return markdown(["profile", "what it is", "wiring"], rows, 3)


def shopping(description: Description, _: Dimensions) -> str:
    """What to buy, and how many of it for which profile."""
    wirings = _wirings(description, tuple(description.profiles))
    rows: list[Sequence[object]] = []
    for item in read_items():
        counts = [item.needed(wiring) or "" for wiring in wirings]
        rows.append((item.name, *counts, f"{item.euro:.2f}", ", ".join(item.sources)))
    prices = read_prices()
    sums = [f"**{cost(read_items(), wiring):.0f}**" for wiring in wirings]
    rows.append(("**together, in euro**", *sums, "", ""))
    euro = f"euro each, {prices.date}, {prices.known}"
    return markdown(["part", *(f"`{name}`" for name in description.profiles), euro, "sources"], rows)


def order_codes(_: Description, __: Dimensions) -> str:
    """What to write on an order, and the package that the board has holes for."""
    rows: list[Sequence[object]] = []
    for item in read_items():
        if item.codes:
            packages = dict.fromkeys(code.package for code in item.codes)
            codes = "; ".join(f"{code.seller} {code.code}" for code in item.codes)
            rows.append((item.name.split(",")[0].split(" (")[0], ", ".join(packages), codes))
    return markdown(["part", "package", "order codes"], rows, 3)


def advice(_: Description, __: Dimensions) -> str:
    """What may stand in for a part, and what not to buy."""
    rows = [
        (item.name.split(",")[0].split(" (")[0], item.substitute, item.avoid)
        for item in read_items()
        if item.substitute or item.avoid
    ]
    return markdown(["part", "instead", "don't buy"], rows, 3)


def header_pins(description: Description, _: Dimensions) -> str:
    """Which pin of the Pi or the Pico carries what."""
    rows = set()
    for wiring in _wirings(description, ("pi-two-buttons", "pico-two-buttons")):
        for hub, signal in wiring.signals:
            pin = hub.pin(signal.pins[hub.key])
            key = f"`{signal.keys[hub.key]}`" if signal.keys else signal.function
            rows.add((hub.ref, int(pin.number), pin.name, signal.net, key))
    return markdown(["on", "pin", "name", "net", "configured by"], sorted(rows), 5)


def decoder_lines(description: Description, _: Dimensions) -> str:
    """Which output of the decoder selects which reader, and where it leaves the hub board."""
    wiring = wire(description, description.profiles["pi"])
    selects = {part.joins["SDA"]: part.ref.removeprefix("READER_") for part in wiring.of_kind("reader")}
    rows = []
    for net, line in line_of(wiring).items():
        decoder, pin = next((part, pin) for part, pin in wiring.nets[net] if part.kind.key == "decoder")
        socket, place = next((part, pin) for part, pin in wiring.nets[net] if part.kind.key == "rank_socket")
        chip, header = f"{decoder.ref} pin {pin.number} ({pin.name})", f"{socket.ref} pin {place.number}"
        rows.append((selects[net], line, net, chip, header))
    return markdown(["reader", "address", "net", "decoder", "box header"], rows, 5)


def chips(description: Description, _: Dimensions) -> str:
    """Every pin of every chip, for the one who solders."""
    wiring = wire(description, description.profiles["pi-two-buttons"])
    rows = []
    for part in wiring.parts:
        if part.kind.key in ("decoder", "gates", "drivers", "shifter", "comparator"):
            pins = ", ".join(f"{pin.number} {part.joins.get(pin.name, 'open')}" for pin in part.kind.pins)
            rows.append((part.ref, part.kind.name, pins))
    return markdown(["chip", "type", "pins and their nets"], rows, 3)


def passives(description: Description, _: Dimensions) -> str:
    """Resistors, capacitors, fuses, diodes and transistors, and between which nets each of them is."""
    wiring = wire(description, description.profiles["pi-two-buttons"])
    rows = []
    for part in wiring.parts:
        if part.kind.key in _TWO_LEGS:
            first, second = (part.joins[pin.name] for pin in part.kind.pins)
            rows.append((part.ref, part.value or part.kind.name, first, second, part.beside))
        elif part.kind.key == "resistor_network":
            common, *others = (part.joins[pin.name] for pin in part.kind.pins)
            rows.append((part.ref, f"4 x {part.value}", ", ".join(others), common, ""))
        elif part.kind.key in _THREE_LEGS:
            legs = ", ".join(f"{pin.number} {pin.name} {part.joins[pin.name]}" for pin in part.kind.pins)
            rows.append((part.ref, part.kind.name, legs, "", ""))
    return markdown(["part", "value", "from", "to", "close to"], rows, 5)


def plate_list(description: Description, d: Dimensions) -> str:
    """The flat parts to cut."""
    every = tuple(description.profiles.values())
    return _plates(plates_of(d, every), every)


def antenna_grid_list(description: Description, d: Dimensions) -> str:
    """The grids that take antenna boards."""
    every = tuple(description.profiles.values())
    return _plates(antenna_grids(d, every), every)


def _plates(plates: Iterable[tuple[Plate, tuple[Profile, ...]]], every: tuple[Profile, ...]) -> str:
    rows = [
        (
            plate.name,
            "all" if group == every else ", ".join(f"`{profile.name}`" for profile in group),
            f"{plate.width:g} x {plate.height:g} x {plate.thickness:g}",
            f"[{plate.name}.svg](made/drawings/{plate.name}.svg)",
            f"[{plate.name}.dxf](made/drawings/{plate.name}.dxf)",
        )
        for plate, group in plates
    ]
    return markdown(["part", "profiles", "mm", "drawing", "to cut from"], rows, 5)


def lead_list(description: Description, d: Dimensions) -> str:
    """Every lead and how long it is cut, for the fullest wirings; those alike, of other ranks or lights, once."""
    rows: dict[tuple[str, int], list[Lead]] = {}
    for wiring in _wirings(description, ("pi-two-buttons", "pico-two-buttons")):
        for lead in leads(wiring, d):
            kind = next((start for start in _ALIKE if lead.name.startswith(start)), lead.name)
            before = rows.setdefault((kind, lead.cut_mm), [])
            if lead.name not in [each.name for each in before]:
                before.append(lead)
    head = ["lead", "from", "to", "lifted with the lid", "has to be, mm", "cut to, mm"]
    return markdown(head, [_lead_row(alike) for alike in rows.values()], 4)


def _lead_row(alike: Sequence[Lead]) -> Sequence[object]:
    first, *others = alike
    lid = "yes" if first.here.on_lid != first.there.on_lid else ""
    names = f"{first.name} and {len(others)} more like it" if others else first.name
    return names, first.here.on, first.there.on, lid, f"{first.needed_mm:.0f}", first.cut_mm


def heat(description: Description, d: Dimensions) -> str:
    """How warm it gets in the case at worst."""
    rows = []
    for wiring in _wirings(description, ("pi", "pi-simple", "pico")):
        warmth = warmth_of(wiring, d)
        rise = warmth.rise()
        rows.append(
            (
                f"`{wiring.profile.name}`",
                f"{warmth.watt:.1f}",
                f"{warmth.walls:.2f}",
                f"{warmth.through_vents(rise):.1f}",
                f"{rise:.0f}",
                f"{warmth.rise(vents=False):.0f}",
            )
        )
    head = ["profile", "W at worst", "W per K through the wood", "W through the vents"]
    return markdown([*head, "K warmer than the room", "with the vents closed"], rows)


def room_list(_: Description, d: Dimensions) -> str:
    """What goes into what, and the room that is left at worst."""
    rows = [(fit.what, f"{fit.room:.1f}", f"{sum(fit.errors):.1f}", f"{fit.spare:.1f}") for fit in fits(d)]
    return markdown(["what", "room, mm", "may be off, mm", "left at worst, mm"], rows, 1)


def metal(_: Description, d: Dimensions) -> str:
    """What the metal in the case takes of the antennas' inductance."""
    taken = losses(d)
    rows = []
    for sheet in sheets(d):
        cell = _first_of_most(taken[sheet.name])
        rows.append((sheet.name, f"{sheet.below:g}", cell, f"{100 * taken[sheet.name][cell]:.2f} %"))
    whole = {cell: sum(of[cell] for of in taken.values()) for cell in d.cells}
    most = _first_of_most(whole)
    rows.append(("**all together**", "", most, f"**{100 * whole[most]:.2f} %**"))
    return markdown(["metal", "mm below the antennas", "most of it at", "inductance lost"], rows, 1)


def _first_of_most(shares: Mapping[str, float]) -> str:
    """The cell that has most; of those that differ by what is lost in adding up, the first."""
    return max(shares, key=lambda name: round(shares[name], 9))


def currents(description: Description, _: Dimensions) -> str:
    """The current budget at worst, for each profile."""
    rows = []
    for name in description.profiles:
        wiring = wire(description, description.profiles[name])
        budget = budget_of(wiring)
        quiet = len(wiring.of_kind("reader")) * description.power.reader_ma
        rows.append(
            (
                f"`{name}`",
                f"{quiet:.0f}",
                f"{quiet + description.power.field_ma:.0f}",
                most_fields(wiring),
                f"{total(budget.rail):.0f}",
                f"{total(budget.board):.0f}",
                f"{total(budget.whole):.0f}",
            )
        )
    head = ["mA", "readers, no field", "one field", "most fields", "3.3 V at worst", "board's fuse", "supply"]
    return markdown(head, rows)


def supply_lines(description: Description, _: Dimensions) -> str:
    """Where every milliampere of the largest profile goes."""
    budget = budget_of(wire(description, description.profiles["pico-two-buttons"]))
    rows: list[Sequence[object]] = []
    for what, loads, most in (
        ("3.3 V converter", budget.rail, budget.power.buck_ma),
        ("board's fuse (80 % of it), at 5 V", budget.board, budget.power.board_fuse_ma * 0.8),
        ("supply", budget.whole, budget.power.supply_ma),
    ):
        rows += [(what, load.what, f"{load.ma:.0f}") for load in loads]
        rows.append((f"**{what}**", f"**good for {most:.0f}**", f"**{total(loads):.0f}**"))
    return markdown(["from", "what", "mA"], rows, 2)


def wood(description: Description, d: Dimensions) -> str:
    """The field that a tag gets through wood of several thicknesses."""
    rows = []
    for thickness in _THICKNESSES:
        height = d.tag_distance - d.board.surface + thickness
        aside = (d.board.ring - d.piece.width) / 2
        rows.append(
            (
                thickness,
                f"{height:.1f}",
                f"{margin(description, d, height):.1f}",
                f"{margin(description, d, height, aside):.1f}",
            )
        )
    aside_words = f"piece at the ring's edge ({(d.board.ring - d.piece.width) / 2:g} mm aside)"
    return markdown(["wood, mm", "tag to coil, mm", "piece in the middle", aside_words], rows, 0)


def pitch(description: Description, d: Dimensions) -> str:
    """How much of a neighbour's field a tag gets."""
    aside = (d.board.ring - d.piece.width) / 2
    rows = []
    for distance in _PITCHES:
        middle = margin(description, d, d.tag_distance, distance)
        edge = margin(description, d, d.tag_distance, distance - aside)
        rows.append((distance, f"{middle:.2f}", f"{edge:.2f}", f"{4 * distance + 2 * d.case.side:.0f}"))
    return markdown(["pitch, mm", "piece in the middle", "piece at the edge towards it", "board at least, mm"], rows, 0)


def bus(description: Description, d: Dimensions) -> str:
    """How fast the bus may be with which cables."""
    timing, reach = description.timing, reach_of(d)
    rows = [
        (f"{hz / 1e6:g} MHz", f"{1e9 / (2 * hz):.0f} ns", f"{longest_ribbon_m(timing, reach, hz):.1f} m")
        for hz in _SPEEDS_HZ
    ]
    return markdown(["SCK", "half a clock", "longest ribbon"], rows)


def lines(description: Description, d: Dimensions) -> str:
    """What else is calculated about cables."""
    timing, reach = description.timing, reach_of(d)
    loss = "lost on the lead of {}, {} mm to and fro, everything on"
    wiring = wire(description, description.profiles["pico-two-buttons"])
    taken = total(budget_of(wiring).whole), description.power.pi_ma + description.power.node_ma
    cut = {lead.name: lead.cut_mm for lead in leads(wiring, d)}
    power_leads = [
        (loss.format(name, cut[name]), f"{lead_volts_lost(description, cut[name], mm2, ma) * 1000:.0f} mV")
        for name, mm2, ma in zip(("J1", "J2"), (timing.supply_lead_mm2, timing.pi_lead_mm2), taken, strict=True)
    ]
    rows = [
        ("from the hub's SCK to the answer at its MISO, at worst", f"{round_trip_ns(timing, reach):.0f} ns"),
        ("the fastest SCK for that", f"{most_hz(timing, reach) / 1e6:.1f} MHz"),
        ("a line needs a series resistor from", f"{unterminated_m(timing):.2f} m"),
        ("at the last reader of a rank with four fields on", f"{reader_volts(description, reach):.2f} V"),
        ("the same through the boards to order, all fields on", f"{left_at_the_readers(description, reach):.2f} V"),
        *power_leads,
        ("MISO falls in, with a diode for each reader and 1 kohm to ground", f"{diode_fall_ns(1000):.0f} ns"),
        ("the same with 330 ohm, which takes 9 mA from a reader's pin", f"{diode_fall_ns(330):.0f} ns"),
    ]
    return markdown(["what", "calculated"], rows)


def power_safety(_: Description, __: Dimensions) -> str:
    """What ngspice measured of the supply."""
    return power_table()


def pico_table(description: Description, _: Dimensions) -> str:
    """Which pin of the Pico is for what."""
    return pico_pins(description)


def _pico_wires(description: Description) -> str:
    *pins, last = wires_from_the_pi(description)
    return f"{', '.join(pins)} and {last}"


VALUES: Final[Mapping[str, Callable[[Description], str]]] = {"wires from the Pi": _pico_wires}
"""What stands within a sentence of a page."""


TABLES: Final[Mapping[str, Table]] = {
    "profiles": profiles,
    "shopping": shopping,
    "order codes": order_codes,
    "advice": advice,
    "header pins": header_pins,
    "decoder lines": decoder_lines,
    "chips": chips,
    "passives": passives,
    "plates": plate_list,
    "antenna grids": antenna_grid_list,
    "leads": lead_list,
    "heat": heat,
    "fits": room_list,
    "metal": metal,
    "currents": currents,
    "supply": supply_lines,
    "wood": wood,
    "pitch": pitch,
    "bus": bus,
    "lines": lines,
    "boards": boards,
    "connectors": connectors,
    "tracks": tracks,
    **TABLES_OF_ANTENNA,
    "power safety": power_safety,
    "pico pins": pico_table,
}


def fill_in(page: str, description: Description, dimensions: Dimensions) -> str:
    """A page with every table and every value between its two marks made anew.

    >>> from hardware.description import read_description
    >>> from hardware.dimensions import read_dimensions
    >>> fill_in("no table here", read_description(), read_dimensions())
    'no table here'
    """
    for name, table in TABLES.items():
        begin, end = f"<!-- made: {name} -->", f"<!-- end: {name} -->"
        before, found, rest = page.partition(begin)
        if found:
            _, _, after = rest.partition(end)
            page = f"{before}{begin}\n{table(description, dimensions)}\n{end}{after}"
    for name, value in VALUES.items():
        inside = re.compile(rf"(<!-- value: {name} -->).*?(<!-- end -->)")
        page = inside.sub(rf"\g<1>{value(description)}\g<2>", page)
    return page

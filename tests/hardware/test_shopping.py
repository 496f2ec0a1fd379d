"""The parts list: everything that is wired is bought, once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from hardware.antenna.order import with_antenna_boards
from hardware.carrier.footprints import read_footprints
from hardware.description import Description
from hardware.shopping import COPPER_ALONE, Item, cost, misfits, read_items, read_packages, read_prices
from hardware.wiring import Wiring, wire
from tests.hardware.conftest import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_every_part_of_a_wiring_is_on_the_list(description: Description, name: str) -> None:
    for part in wire(description, description.profiles[name]).parts:
        if part.kind.key in COPPER_ALONE:
            continue
        kinds = [item.name for item in read_items() if item.is_for(part) and not item.leads]
        assert len(kinds) == 1, (part.ref, kinds)


def test_every_item_is_needed_by_some_profile(description: Description) -> None:
    wirings = [wire(description, profile) for profile in description.profiles.values()]
    assert [item.name for item in read_items() if not any(item.needed(wiring) for wiring in wirings)] == []


def test_every_item_has_two_kinds_of_sources() -> None:
    assert [item.name for item in read_items() if len(set(item.sources)) < 2] == []


def test_seventeen_readers_and_two_spares_are_bought(wiring: Wiring) -> None:
    readers = next(item for item in read_items() if item.counts == "reader")
    assert readers.needed(wiring) == 19


def test_no_ribbon_to_the_pi_is_bought_where_a_pico_takes_its_place(description: Description, wiring: Wiring) -> None:
    ribbon = next(item for item in read_items() if item.leads == ("PI",))
    assert ribbon.needed(wiring) == 1
    pico = [name for name in PROFILES if name.startswith("pico")]
    assert {ribbon.needed(wire(description, description.profiles[name])) for name in pico} == {0}


def test_one_lead_is_bought_for_the_reader_of_each_square(wiring: Wiring) -> None:
    (lead,) = [item for item in read_items() if "for one reader of a square" in item.name]
    assert lead.needed(wiring) == 16


def test_with_antenna_boards_neither_modules_nor_rank_boards_are_bought(description: Description) -> None:
    modules = wire(description, description.profiles["pi"])
    boards = with_antenna_boards(modules)
    counts = {item.name: (item.needed(modules), item.needed(boards)) for item in read_items()}
    assert {name for name, (_, few) in counts.items() if not few} == {
        name
        for name in counts
        if name.startswith(("RC522", "Resistor network", "Capacitor 100 uF", "Lead", "Circuit boards of the ranks"))
        or not counts[name][0]
    }
    # The hub board keeps its parts and gets the same ribbons, and the give place one with a single socket.
    sockets = next(counts[name] for name in counts if name.startswith("Ribbon cable socket"))
    assert sockets == (8, 9)
    assert next(counts[name] for name in counts if name.startswith("Box header 2 x 7")) == (8, 4)


@pytest.mark.parametrize(("name", "mm2"), [("Wire 1.0 mm2", "supply_lead_mm2"), ("USB-C plug", "pi_lead_mm2")])
def test_the_wires_of_the_supply_are_bought_as_thick_as_is_calculated_with(
    description: Description, name: str, mm2: str
) -> None:
    (item,) = [item for item in read_items() if item.name.startswith(name)]
    assert f"{getattr(description.timing, mm2)} mm2" in item.name


def test_a_simple_board_is_cheaper(description: Description, wiring: Wiring) -> None:
    simple = wire(description, description.profiles["pi-simple"])
    assert 100 < cost(read_items(), simple) < cost(read_items(), wiring) < 350


def lands_on(item: Item, wiring: Wiring) -> set[str]:
    """The footprints of the boards that an item is soldered into."""
    if item.on:
        return {item.on}
    of_kind = [part.kind.footprint for part in wiring.parts if item.counts and item.is_for(part)]
    elsewhere = {name for name, footprint in read_footprints().items() if footprint.soldered}
    return set(of_kind) - elsewhere


def test_every_item_but_wood_has_order_codes_of_two_makers_or_sellers() -> None:
    bought = [item for item in read_items() if not {"timber", "print"} & set(item.sources)]
    assert len(bought) > 60
    assert [item.name for item in bought if len({(code.seller, code.code) for code in item.codes}) < 2] == []


def test_every_code_s_package_fits_the_footprint_that_it_lands_on(description: Description) -> None:
    packages, footprints = read_packages(), read_footprints()
    fullest = wire(description, description.profiles["pico-two-buttons"])
    landed = set()
    for item in read_items():
        for name in lands_on(item, fullest):
            for code in item.codes:
                found = list(misfits(code.package, packages[code.package], footprints[name]))
                assert found == [], (item.name, code, found)
                landed.add(name)
    bare = {part.kind.footprint for part in fullest.parts if part.kind.key in COPPER_ALONE}
    assert landed | bare >= {part.kind.footprint for part in fullest.parts}


def test_a_chip_of_another_width_or_length_is_found() -> None:
    wide, footprints = read_packages()["DIP-14"], read_footprints()
    found = list(misfits("DIP-14", wide, footprints["Package_DIP:DIP-16_W7.62mm"]))
    assert found == ["DIP-14 has 14 legs, and Package_DIP:DIP-16_W7.62mm holes for 16."]
    found = list(misfits("N", replace(wide, rows=15.24, body=(19.7, 14.2)), footprints["Package_DIP:DIP-14_W7.62mm"]))
    assert found == [
        "N has rows 15.24 mm apart, and Package_DIP:DIP-14_W7.62mm 7.62 mm.",
        "N is 19.7 x 14.2 mm, and Package_DIP:DIP-14_W7.62mm has room for 19.8 x 9.7 mm.",
    ]


def test_a_leg_that_is_too_thick_or_in_the_wrong_place_is_found() -> None:
    can, footprint = read_packages()["radial 8"], read_footprints()["Capacitor_THT:CP_Radial_D8.0mm_P3.50mm"]
    assert any("holes of 0.8 mm" in sentence for sentence in misfits("can", replace(can, leg=0.9), footprint))
    assert any("holes 3.5 mm apart" in sentence for sentence in misfits("can", replace(can, pitch=5.0), footprint))


def test_prices_say_of_which_day_they_are_and_where_they_are_from() -> None:
    prices = read_prices()
    assert prices.known == "from memory"
    assert date.fromisoformat(prices.date)


BOUGHT = [
    "Step-down",
    "Power supply",
    "Ribbon cable 40",
    "Screw terminal 2",
    "Box header 2 x 20",
    "Circuit board of",
    "Feet",
]


@pytest.mark.parametrize("start", BOUGHT)
def test_what_no_diagram_shows_is_in_the_sum(wiring: Wiring, start: str) -> None:
    (item,) = (item for item in read_items() if item.name.startswith(start))
    assert item.needed(wiring) * item.euro > 0

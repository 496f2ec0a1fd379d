"""The list of pins and KiCad's netlist say what the description says."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from hardware.description import Description
from hardware.making import MADE, export_netlists
from hardware.netlist import netlist_text
from hardware.pin_list import HEAD, joined_pins, pins_of
from hardware.wiring import Wiring, wire
from tests.hardware.conftest import PROFILES

KEPT = (MADE / "pins.csv").read_text(encoding="utf-8")


def nets_of(text: str) -> dict[str, set[tuple[str, str]]]:
    """The pins of each net in a netlist."""
    nets = {}
    for block in text.split("(net\n")[1:]:
        name = re.search(r'\(name "([^"]+)"\)', block)
        assert name is not None
        nets[name[1]] = set(re.findall(r'\(ref "([^"]+)"\)\s*\(pin "([^"]+)"\)', block))
    return nets


@pytest.mark.parametrize("name", PROFILES)
def test_the_list_has_every_pin_of_a_wiring_on_its_net(description: Description, name: str) -> None:
    wiring = wire(description, description.profiles[name])
    listed = pins_of(KEPT, name)
    assert listed == set(joined_pins(wiring))
    assert {(ref, pin) for ref, pin, _, _ in listed} == {
        (part.ref, pin.number) for pins in wiring.nets.values() for part, pin in pins
    }


def test_the_list_names_each_pin_on_each_of_its_nets_once() -> None:
    head, *rows = csv.reader(io.StringIO(KEPT))
    assert tuple(head) == HEAD
    assert len({tuple(row[:4]) for row in rows}) == len(rows)


@pytest.mark.campaign
def test_every_netlist_has_the_pins_of_the_list(tmp_path: Path) -> None:
    written = list(export_netlists(tmp_path))
    assert [file.stem for file in written] == list(PROFILES)
    for file in written:
        for net, pins in nets_of(file.read_text(encoding="utf-8")).items():
            assert pins == {(ref, pin) for ref, pin, _, joined in pins_of(KEPT, file.stem) if joined == net}


@pytest.mark.slow
def test_netlist_has_the_pins_of_the_wiring_a_footprint_for_every_part_and_no_date(wiring: Wiring) -> None:
    text = netlist_text(wiring)
    nets = nets_of(text)
    for net, pins in wiring.nets.items():
        assert nets[net] == {(part.ref, pin.number) for part, pin in pins}
    assert len(re.findall(r"\(footprint \"[^\"]+:[^\"]+\"\)", text)) == len(wiring.parts)
    assert "(date" not in text
    assert text == netlist_text(wiring)

"""KiCad's netlist says what the description says."""

from __future__ import annotations

import re

import pytest

from hardware.netlist import netlist_text
from hardware.wiring import Wiring


@pytest.mark.slow
def test_every_net_of_the_netlist_has_the_pins_of_the_wiring(wiring: Wiring) -> None:
    text = netlist_text(wiring)
    nets = {}
    for block in text.split("(net\n")[1:]:
        name = re.search(r'\(name "([^"]+)"\)', block)
        assert name is not None
        nets[name[1]] = set(re.findall(r'\(ref "([^"]+)"\)\s*\(pin "([^"]+)"\)', block))
    for net, pins in wiring.nets.items():
        assert nets[net] == {(part.ref, pin.number) for part, pin in pins}


@pytest.mark.slow
def test_every_part_has_a_footprint_and_the_netlist_no_date(wiring: Wiring) -> None:
    text = netlist_text(wiring)
    assert len(re.findall(r"\(footprint \"[^\"]+:[^\"]+\"\)", text)) == len(wiring.parts)
    assert "(date" not in text
    assert text == netlist_text(wiring)

"""The drawings of what cannot be undone, read from their files and compared with a picture of others and the board."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot, pi
from xml.etree import ElementTree as ET

import pytest
from gpiozero.pins import data

from hardware.carrier.files import board_file, ordered_boards
from hardware.carrier.reading import read_board
from hardware.dimensions import Dimensions, Point
from hardware.leads import leads
from hardware.making import MADE
from hardware.wiring import Wiring

SVG = "{http://www.w3.org/2000/svg}"
METAL = "#c9a227"


def drawn(name: str) -> ET.Element:
    return ET.parse(MADE / "drawings" / name).getroot()  # noqa: S314 # a file of our own


def pins(*, red: bool) -> list[Point]:
    """The pins of the Pi and then those of the hub board, or of each pin 1 alone, in the case's millimetres."""
    circles = [each.attrib for each in drawn("pin-1.svg").iter(f"{SVG}circle")]
    return [(float(at["cx"]), -float(at["cy"])) for at in circles if not red or at["fill"] == "#c00"]


def test_pin_1_of_the_pi_is_drawn_where_gpiozero_s_picture_of_a_pi_has_it(dimensions: Dimensions) -> None:
    # There the header is at the upper edge, counted from the left; in our case the Pi is turned by half a turn.
    rows = re.sub(r"\{style[^}]*\}", "", data.B4_BOARD).splitlines()
    assert [row.split("}")[0] for row in rows if "{J8:" in row] == ["| {J8: col2", "| {J8: col1"]
    assert all(row.rstrip().endswith(("USB2", "USB3")) for row in rows if "USB" in row)

    parts, every, one = dimensions.electronics, pins(red=False)[:40], pins(red=True)[0]
    sockets, edge = parts.pi[0], parts.pi[1]
    assert len(every) == 40
    assert one == max(every, key=lambda at: (at[0] - sockets, at[1] - edge))


def test_pin_1_of_the_hub_board_is_drawn_where_its_file_has_a_square_pad(dimensions: Dimensions) -> None:
    hub = next(board for board in ordered_boards() if board.name == "hub")
    pads = {pad.number: pad for ref, pad, _ in read_board(board_file(hub)).pads if ref == "PI"}
    assert [number for number, pad in pads.items() if pad.square] == ["1"]
    x, y = pads["1"].at
    corner, size = dimensions.electronics.hub, dimensions.electronics.hub_size
    assert pins(red=True)[1] == pytest.approx((corner[0] + x, corner[1] + size[1] - y), abs=0.01)


def test_the_ribbon_between_the_two_headers_is_long_enough_for_the_half_twist_that_it_needs(
    wiring: Wiring, dimensions: Dimensions
) -> None:
    every = pins(red=False)
    first, last = every[0], every[38]
    assert first[0] > last[0]
    assert every[40][0] < every[78][0]
    ribbon = next(lead for lead in leads(wiring, dimensions) if lead.name == "PI")
    flat = sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(ribbon.way))
    straight = max(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(ribbon.way))
    # In half a twist the outermost wire goes half around the middle one.
    twisted = hypot(straight, pi * (first[0] - last[0]) / 2) - straight
    assert ribbon.cut_mm >= flat + twisted + 2 * dimensions.leads.plug


def test_only_the_header_that_is_right_ends_flush_with_the_flat_side_and_points_away_from_the_wood() -> None:
    blocks = [each.attrib for each in drawn("header.svg").iter(f"{SVG}rect") if "fill" in each.attrib]
    modules = [at for at in blocks if at["fill"] == "#7fa6dc"]
    legs = [at for at in blocks if at["fill"] == METAL]
    flush = [float(leg["y"]) == float(module["y"]) for leg, module in zip(legs, modules, strict=True)]
    assert flush == [True, False, False, False, True]  # right, not clipped, wrong side, before and after clipping


@pytest.mark.parametrize("name", ["header.svg", "pin-1.svg"])
def test_what_cannot_be_undone_is_shown_in_the_guide(name: str) -> None:
    assert f"](made/drawings/{name})" in (MADE.parent / "README.md").read_text(encoding="utf-8")

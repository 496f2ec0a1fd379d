"""Leads reach, lift with the lid, and keep out from under the coils."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from hardware.antenna.design import read_antenna
from hardware.antenna.strip import antenna_board
from hardware.antenna.wood import give_lead, lying_boards
from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.leads import coil_boxes, leads, reach_of, short_leads, way_between
from hardware.shopping import read_items, too_short
from hardware.wiring import Wiring, wire
from quarto_pi.sensing.readings import SQUARE_NAMES
from tests.hardware.conftest import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_every_lead_that_the_diagrams_ask_for_reaches(
    description: Description, dimensions: Dimensions, name: str
) -> None:
    wiring = wire(description, description.profiles[name])
    lengths = {lead.name: lead.cut_mm for lead in leads(wiring, dimensions)}
    assert list(short_leads(lengths, wiring, dimensions)) == []


def test_leads_of_the_lengths_that_were_drawn_before_are_found_too_short(
    wiring: Wiring, dimensions: Dimensions
) -> None:
    lengths = {lead.name: float(lead.cut_mm) for lead in leads(wiring, dimensions)}
    found = list(short_leads({**lengths, "READER_offer": 150, "PI": 200}, wiring, dimensions))
    assert [sentence.split(" is ")[0] for sentence in found] == ["PI", "READER_offer"]
    assert "needs" in found[0]
    assert found[0].endswith("from the hub board to the Pi's header.")


def test_a_board_that_is_moved_away_takes_longer_leads(wiring: Wiring, dimensions: Dimensions) -> None:
    before = {lead.name: lead.cut_mm for lead in leads(wiring, dimensions)}
    moved = replace(dimensions, electronics=replace(dimensions.electronics, pi=(62.0, 400.0)))
    assert [sentence.split(" is ")[0] for sentence in short_leads(before, wiring, moved)] == ["PI", "J2"]


@pytest.mark.parametrize("name", PROFILES)
def test_the_lid_can_be_lifted_with_everything_plugged(
    description: Description, dimensions: Dimensions, name: str
) -> None:
    every = leads(wire(description, description.profiles[name]), dimensions)
    across = [lead for lead in every if lead.here.on_lid != lead.there.on_lid]
    assert len(across) >= 6
    for lead in across:
        floor, lid = sorted((lead.here, lead.there), key=lambda end: end.on_lid)
        # As far as a lead has to go when the lid hangs straight over the case.
        lifted = abs(floor.x - lid.x) + abs(floor.y - lid.y) + lid.z + dimensions.leads.lift - floor.z
        assert lead.cut_mm >= lifted + 2 * dimensions.leads.plug, lead.name


@pytest.mark.parametrize("name", PROFILES)
def test_no_lead_passes_under_a_coil(description: Description, dimensions: Dimensions, name: str) -> None:
    boxes = coil_boxes(dimensions)
    for lead in leads(wire(description, description.profiles[name]), dimensions):
        for (x, y), (u, v) in pairwise(lead.way):
            assert x == u or y == v, lead.name
            for share in range(101):
                along = x + (u - x) * share / 100, y + (v - y) * share / 100
                assert not any(
                    left < along[0] < right and front < along[1] < rear for left, front, right, rear in boxes
                ), lead.name


def test_a_way_goes_around_a_coil(dimensions: Dimensions) -> None:
    x, y = dimensions.square("b2")
    way = way_between(dimensions, (x - 30, y), (x + 30, y))
    assert sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(way)) > 60
    assert way[0] == (x - 30, y)
    assert way[-1] == (x + 30, y)


def test_what_lies_under_a_coil_is_to_be_moved(dimensions: Dimensions) -> None:
    with pytest.raises(ValueError, match="would have to pass under a coil: move what it leads to"):
        way_between(dimensions, dimensions.square("b2"), (40.0, 40.0))


def test_the_bus_is_calculated_with_the_longest_ribbon_and_lead(wiring: Wiring, dimensions: Dimensions) -> None:
    lengths = {lead.name: lead.cut_mm for lead in leads(wiring, dimensions)}
    reach = reach_of(dimensions)
    assert reach.ribbon_m * 1000 == max(lengths[f"ribbon {rank}"] for rank in (1, 2, 3, 4))
    assert reach.lead_m * 1000 == max(lengths[f"READER_{square}"] for square in SQUARE_NAMES)
    assert reach.ribbon_m + reach.lead_m >= lengths["READER_offer"] / 1000


def test_the_ribbons_reach_antenna_boards_as_well(wiring: Wiring, dimensions: Dimensions) -> None:
    board, places = antenna_board(), lying_boards(dimensions)
    (header,) = [placed for placed in board.parts if placed.part.kind.key == "rank_socket"]
    pads = [pad.at for pad, _ in header.pads]
    x, y = (sum(at[axis] for at in pads) / len(pads) for axis in (0, 1))
    wider = replace(dimensions, reader=replace(dimensions.reader, antenna=read_antenna().coil.outer))
    for lead in leads(wiring, dimensions):
        if lead.name.startswith("ribbon"):
            left, front, *_ = places[f"rank {lead.name[-1]}"]
            way = way_between(wider, (lead.here.x, lead.here.y), (left + x, front + y))
            flat = sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(way))
            up = dimensions.surface_z - lead.here.z
            assert flat + up + dimensions.leads.lift + 2 * dimensions.leads.plug <= lead.cut_mm, lead.name


def test_the_lead_of_the_antenna_board_s_give_place_reaches_and_is_bought(
    wiring: Wiring, dimensions: Dimensions
) -> None:
    lead = give_lead(dimensions)
    left, front, *_ = lying_boards(dimensions)["the give place"]
    assert left < lead.there.x < left + 40
    assert front < lead.there.y < front + 40
    flat = sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(lead.way))
    up = lead.there.z - lead.here.z + dimensions.leads.lift
    assert lead.cut_mm >= flat + up + 2 * dimensions.leads.plug
    ribbons = sum(other.cut_mm for other in leads(wiring, dimensions) if other.name.startswith("ribbon"))
    (bought,) = [item for item in read_items() if item.leads == ("ribbon",)]
    assert ribbons + lead.cut_mm <= bought.lead_mm


@pytest.mark.parametrize("name", PROFILES)
def test_what_is_bought_to_make_leads_of_is_long_enough(
    description: Description, dimensions: Dimensions, name: str
) -> None:
    wiring = wire(description, description.profiles[name])
    assert list(too_short(read_items(), leads(wiring, dimensions), wiring)) == []


@pytest.mark.parametrize("name", PROFILES)
def test_every_lead_is_bought_or_something_to_make_it_of(
    description: Description, dimensions: Dimensions, name: str
) -> None:
    bought = tuple(start for item in read_items() for start in item.leads)
    every = [lead.name for lead in leads(wire(description, description.profiles[name]), dimensions)]
    # The plug for the Pi and the Pico's cable are bought with their leads on.
    assert [lead for lead in every if not lead.startswith((*bought, "J2", "USB cable"))] == []


def test_too_little_ribbon_cable_is_found(wiring: Wiring, dimensions: Dimensions) -> None:
    scarce = tuple(replace(item, lead_mm=item.lead_mm // 2) for item in read_items())
    found = list(too_short(scarce, leads(wiring, dimensions), wiring))
    assert any("Ribbon cable" in sentence for sentence in found), found
    assert any("for one reader of a square" in sentence for sentence in found), found
    assert any("to the square lights" in sentence for sentence in found), found

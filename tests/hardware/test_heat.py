"""It stays cool enough in the closed case, and no table closes its vents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.heat import Warmth, warmth_of
from hardware.plates import back, floor, grid, surface
from hardware.wiring import wire
from tests.hardware.conftest import PROFILES

ROOM = 30.0  # degrees, on a summer's day
MOST = 60.0  # what a Pi with a heat sink stands around it without being slowed down for long, and all else for hours


@pytest.mark.parametrize("name", PROFILES)
def test_with_everything_on_for_hours_and_every_vent_closed_it_stays_below_sixty_degrees(
    description: Description, dimensions: Dimensions, name: str
) -> None:
    warmth = warmth_of(wire(description, description.profiles[name]), dimensions)
    assert warmth.rise(vents=True) < warmth.rise(vents=False) < MOST - ROOM


def test_as_much_heat_goes_out_as_comes_in() -> None:
    warmth = Warmth(watt=20.0, walls=0.8, opening=1e-3, height=0.05)
    rise = warmth.rise()
    assert warmth.walls * rise + warmth.through_vents(rise) == pytest.approx(20.0)
    # Air of 1.16 kg/m3 and 1005 J/kg, sucked up 50 mm by its lightness: worked out by hand for 10 K.
    assert warmth.through_vents(10.0) == pytest.approx(1.16 * 1005 * 0.6e-3 * (2 * 9.81 * 0.05 / 30) ** 0.5 * 10)


def test_larger_vents_and_thinner_wood_keep_it_cooler(wiring: object, dimensions: Dimensions) -> None:
    case = replace(dimensions.case, outer_vents=(10.0, 12, 38.0))
    before, larger = (warmth_of(wiring, each).rise() for each in (dimensions, replace(dimensions, case=case)))  # type: ignore[arg-type]
    assert larger < before


def test_a_table_closes_no_vent(dimensions: Dimensions) -> None:
    assert sum(cut.what == "a vent" for cut in floor(dimensions).cuts) == dimensions.case.vents
    # The feet leave more room around the floor than its vents are large.
    around = 2 * (dimensions.board.width + dimensions.board.depth) * dimensions.case.feet[1]
    assert around > 4 * dimensions.case.vents * dimensions.case.vent[0] * dimensions.case.vent[1]
    assert sum(cut.what == "a vent" for cut in back(dimensions).cuts) == dimensions.case.outer_vents[1]
    assert dimensions.case.feet[1] > dimensions.case.hatch_cover[2] + 3


def test_no_vent_is_where_something_may_be_spilled(dimensions: Dimensions) -> None:
    for plate in (surface(dimensions), grid(dimensions)):
        assert not [cut for cut in plate.cuts if "vent" in cut.what]

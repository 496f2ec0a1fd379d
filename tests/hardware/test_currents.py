"""The current budget: everything is added up, and every part of the supply is strong enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.currents import budget_of, most_fields, total
from hardware.description import Description
from hardware.wiring import Wiring, wire
from tests.hardware.conftest import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_every_part_of_the_supply_is_strong_enough(description: Description, name: str) -> None:
    assert list(budget_of(wire(description, description.profiles[name])).complaints()) == []


def test_seventeen_readers_take_280_ma_and_as_many_fields_as_the_program_allows(wiring: Wiring) -> None:
    readers, fields, _ = budget_of(wiring).rail
    assert readers.ma == pytest.approx(280.5)
    assert fields.ma == 100.0 * most_fields(wiring) == 1700.0


def test_a_supply_for_the_pi_alone_is_too_weak(description: Description) -> None:
    weak = replace(description, power=replace(description.power, supply_ma=3000.0))
    found = list(budget_of(wire(weak, weak.profiles["pi"])).complaints())
    assert found == ["The supply is good for 3000 mA and has to give 4232."]


def test_the_pi_s_own_converter_could_not_feed_the_readers(description: Description) -> None:
    weak = replace(description, power=replace(description.power, buck_ma=500.0))
    assert any("3.3 V converter" in sentence for sentence in budget_of(wire(weak, weak.profiles["pi"])).complaints())


def test_a_fuse_carries_no_more_than_four_fifths_of_its_rating(description: Description) -> None:
    small = replace(description, power=replace(description.power, board_fuse_ma=2000.0))
    found = list(budget_of(wire(small, small.profiles["pi"])).complaints())
    assert found == ["The board's fuse is good for 1600 mA and has to give 1832."]


def test_the_whole_is_the_sum_of_its_lines(wiring: Wiring) -> None:
    budget = budget_of(wiring)
    assert total(budget.whole) == pytest.approx(total(budget.board) + budget.power.pi_ma)

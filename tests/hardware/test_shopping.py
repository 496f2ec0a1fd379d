"""The parts list: everything that is wired is bought, once."""

from __future__ import annotations

import pytest

from hardware.description import Description
from hardware.shopping import cost, read_items
from hardware.wiring import Wiring, wire
from tests.hardware.conftest import PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_every_part_of_a_wiring_is_on_the_list(description: Description, name: str) -> None:
    for part in wire(description, description.profiles[name]).parts:
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


def test_a_simple_board_is_cheaper(description: Description, wiring: Wiring) -> None:
    simple = wire(description, description.profiles["pi-simple"])
    assert 100 < cost(read_items(), simple) < cost(read_items(), wiring) < 350

"""The description that all tests of the hardware look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hardware.description import Description, read_description
from hardware.dimensions import Dimensions, read_dimensions
from hardware.wiring import Part, Wiring, wire

PROFILES = tuple(read_description().profiles)
Change = Callable[[str, dict[str, str]], Wiring]


@pytest.fixture
def description() -> Description:
    return read_description()


@pytest.fixture
def dimensions() -> Dimensions:
    return read_dimensions()


@pytest.fixture
def wiring(description: Description) -> Wiring:
    """The largest wiring on a Pi."""
    return wire(description, description.profiles["pi-two-buttons"])


@pytest.fixture
def rejoined(wiring: Wiring) -> Change:
    """The largest wiring with some pins of one part joined elsewhere; an empty name takes the wire off."""

    def change(ref: str, joins: dict[str, str]) -> Wiring:
        def changed(part: Part) -> Part:
            if part.ref != ref:
                return part
            return replace(part, joins={pin: net for pin, net in {**part.joins, **joins}.items() if net})

        return replace(wiring, parts=tuple(changed(part) for part in wiring.parts))

    return change

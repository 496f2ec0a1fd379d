"""The numbers behind the design, and that the design keeps to them."""

from __future__ import annotations

from math import pi

import pytest

from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.leads import Reach, reach_of
from hardware.numbers import (
    diode_fall_ns,
    flux,
    lead_volts_lost,
    margin,
    most_hz,
    reader_volts,
    ribbon_wires,
    round_trip_ns,
    unterminated_m,
)


@pytest.fixture
def reach(dimensions: Dimensions) -> Reach:
    return reach_of(dimensions)


def test_far_from_the_coil_its_field_is_that_of_a_dipole(dimensions: Dimensions) -> None:
    side = 0.9 * dimensions.reader.antenna / 1000
    tag = pi * (dimensions.tag.diameter / 2000) ** 2
    height = 1.0
    dipole = side * side / (2 * pi * height**3) * tag
    assert flux(dimensions, height * 1000) / 1000 == pytest.approx(dipole, rel=0.15)


def test_a_piece_in_the_middle_gets_four_times_the_field_that_it_needs(
    description: Description, dimensions: Dimensions
) -> None:
    assert margin(description, dimensions, dimensions.tag_distance) > 4


def test_a_piece_at_the_edge_of_its_ring_is_still_read_through_twice_the_wood(
    description: Description, dimensions: Dimensions
) -> None:
    aside = (dimensions.board.ring - dimensions.piece.width) / 2
    assert margin(description, dimensions, dimensions.tag_distance, aside) > 3
    assert margin(description, dimensions, dimensions.tag_distance + dimensions.board.surface, aside) > 2


def test_a_neighbour_s_field_alone_wakes_no_tag_at_this_pitch(description: Description, dimensions: Dimensions) -> None:
    aside = (dimensions.board.ring - dimensions.piece.width) / 2
    nearest = dimensions.board.pitch - aside
    assert margin(description, dimensions, dimensions.tag_distance, nearest) < 0.1


def test_answers_are_in_time_at_the_configured_speed_and_not_at_the_chip_s_fastest(
    description: Description, reach: Reach
) -> None:
    timing = description.timing
    assert round_trip_ns(timing, reach) + timing.setup_ns < 1e9 / (2 * timing.spi_hz)
    assert timing.spi_hz * 1.5 < most_hz(timing, reach) < 10e6


def test_the_ribbons_are_long_enough_to_need_their_series_resistors(description: Description, reach: Reach) -> None:
    timing = description.timing
    assert unterminated_m(timing) < reach.ribbon_m + reach.lead_m


def test_the_last_reader_of_a_rank_has_volts_enough(description: Description, reach: Reach) -> None:
    assert description.timing.least_reader_volts < reader_volts(description, reach) < 3.3


def test_each_fast_line_of_a_ribbon_has_a_ground_and_four_bring_the_current_back(description: Description) -> None:
    assert (ribbon_wires(description, "3V3"), ribbon_wires(description, "GND"), ribbon_wires(description, "RESET")) == (
        2,
        4,
        1,
    )


def test_a_longer_and_thinner_lead_loses_more(description: Description) -> None:
    assert lead_volts_lost(description, 500, 1.0, 4000) == pytest.approx(0.07)
    assert lead_volts_lost(description, 1000, 0.5, 4000) == pytest.approx(4 * 0.07)


def test_diodes_in_place_of_gates_would_be_too_slow(description: Description) -> None:
    assert diode_fall_ns(1000) > 1e9 / (2 * description.timing.spi_hz)

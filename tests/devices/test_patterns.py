"""Patterns and colours: pure functions of the time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.devices.light_patterns import BLACK, Colour, Pattern, brightness_of


@given(st.sampled_from(Pattern), st.integers(0, 10**9))
def test_a_level_lies_between_dark_and_full(pattern: Pattern, now: int) -> None:
    assert 0 <= brightness_of(pattern, now) <= 1


@pytest.mark.parametrize("pattern", Pattern)
def test_no_pattern_flashes_more_than_three_times_a_second(pattern: Pattern) -> None:
    lit = [brightness_of(pattern, now) >= 0.5 for now in range(0, 10_000, 10)]
    for start in range(len(lit) - 100):
        second = lit[start : start + 100]
        assert sum(after and not before for before, after in pairwise(second)) <= 3


def test_patterns_differ_from_one_another() -> None:
    courses = {tuple(brightness_of(pattern, now) for now in range(0, 4_000, 50)) for pattern in Pattern}
    assert len(courses) == len(Pattern)


@pytest.mark.parametrize("pattern", [Pattern.SLOW, Pattern.FAST])
def test_a_flash_is_lit_for_half_of_its_time(pattern: Pattern) -> None:
    assert sum(brightness_of(pattern, now) for now in range(2_000)) == 1_000


def test_a_pulse_never_goes_out() -> None:
    assert min(brightness_of(Pattern.PULSE, now) for now in range(2_000)) == pytest.approx(0.1)


def test_a_colour_that_is_dimmed_does_not_go_out_by_rounding() -> None:
    assert Colour(255, 3, 0).dimmed(0.01) == Colour(3, 1, 0)
    assert Colour(255, 3, 0).dimmed(0) == BLACK

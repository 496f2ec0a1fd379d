"""The cells of the board, and what a reading is."""

from __future__ import annotations

import dataclasses

import pytest

from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES, Outcome, Reading


def test_squares_count_from_the_button_side_left_to_right() -> None:
    assert SQUARE_NAMES[:5] == ("a1", "b1", "c1", "d1", "a2")
    assert SQUARE_NAMES[-1] == "d4"
    assert (*SQUARE_NAMES, OFFER) == CELLS


def test_a_reading_does_not_change() -> None:
    reading = Reading("a1", Outcome.TAG, ("DEADBEEF",), 10)
    with pytest.raises(dataclasses.FrozenInstanceError):
        reading.at = 11  # type: ignore[misc]

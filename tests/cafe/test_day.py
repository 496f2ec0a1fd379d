"""The short version of `make cafe`: a controller that is killed loses nothing and goes on."""

from __future__ import annotations

import pytest

from tests.cafe.day import day_with_cuts


@pytest.mark.slow
def test_controller_that_is_killed_again_and_again_loses_nothing_and_goes_on() -> None:
    day = day_with_cuts(2, cut_after=(0.0, 0.6))
    assert day.games >= 2
    assert day.cuts >= 1
    assert day.settled > 2 * 8
    assert not any(day.lost)
    assert not day.notes

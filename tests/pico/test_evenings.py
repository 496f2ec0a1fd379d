"""Whole evenings on a board with a Pico: some of tests/games; `python -m tests.pico.evenings` plays them all.

`make test` plays one game on a Pico, that of test_unplugged; these are in `make soak`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.evening import read_evening
from tests.pico.evenings import complaints_about

pytestmark = pytest.mark.slow

GAMES = Path(__file__).parent.parent / "games"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("d01-call-before-placing", marks=pytest.mark.campaign),
        pytest.param("fix-two-pieces-on-the-give-place", marks=pytest.mark.campaign),
        pytest.param("sensing-brown-out", marks=pytest.mark.campaign),
        pytest.param("button-bounces", marks=pytest.mark.campaign),
        pytest.param("d06-on-an-occupied-square", marks=pytest.mark.campaign),
        pytest.param("fix-two-pieces-swapped", marks=pytest.mark.campaign),
        pytest.param("fault-reader-dies-under-a-piece", marks=pytest.mark.campaign),
    ],
)
def test_evening_is_the_same_on_a_pico(name: str) -> None:
    assert complaints_about(read_evening(GAMES / f"{name}.game")) == []

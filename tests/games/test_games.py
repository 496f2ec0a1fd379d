"""Whole evenings, each a plain file beside this one: README.md explains how they are written."""

import pytest

from tests.games.evening import Evening, evenings
from tests.games.judging import complaints
from tests.games.performance import Performance

EVENINGS = evenings()
SEEDS = (1, 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.name)
def test_the_referee_says_what_the_evening_expects(evening: Evening, seed: int) -> None:
    performance = Performance(evening, seed)
    played = performance.play()
    found = complaints(played, performance.effects())
    assert not found, f"{evening.name}: {evening.header['title']}\n" + "\n".join(found)

"""The node's clock in the host's terms: late frames, drifting crystals, a count that starts again."""

from __future__ import annotations

import random

import pytest

from quarto_pi.devices.node.settings import NodeClock
from quarto_pi.firmware.protocol import TICKS


def test_fastest_frame_tells_the_difference_of_the_clocks() -> None:
    clock = NodeClock()
    for sent, late in ((100, 40), (200, 3), (300, 25)):
        clock.note(sent, 5_000 + sent + late)
    assert clock.to_host(250) == 5_000 + 250 + 3


@pytest.mark.parametrize("drift_ppm", [-100, 0, 100])
def test_drifting_crystal_is_followed(drift_ppm: int) -> None:
    clock, rng = NodeClock(), random.Random(1)
    worst = 0.0
    for host_at in range(0, 600_000, 100):
        sent = host_at + host_at * drift_ppm // 1_000_000
        clock.note(sent, host_at + rng.randrange(1, 15))
        worst = max(worst, abs(clock.to_host(sent) - host_at))
    assert worst <= 5


def test_count_that_starts_again_goes_on() -> None:
    clock = NodeClock()
    for step in range(20):
        clock.note((TICKS - 950 + 100 * step) & TICKS, 7_000 + 100 * step)
    newest = (TICKS - 950 + 1_900) & TICKS
    assert clock.to_host(newest) == 8_900
    assert clock.to_host(TICKS - 50) == 7_900

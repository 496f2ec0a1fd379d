"""The clock that a test holds."""

from __future__ import annotations

import pytest

import quarto_pi.simulation.clock
from quarto_pi.simulation.clock import PACE_NS, SimulatedClock


def test_time_passes_only_when_it_is_waited_for() -> None:
    clock = SimulatedClock()
    assert clock.now() == clock.now() == 0
    clock.wait_until(1_500)
    clock.wait_until(1_000)
    assert clock.now() == 1_500


def test_planned_actions_happen_at_their_moment_and_in_order() -> None:
    clock = SimulatedClock()
    happened: list[tuple[str, int]] = []
    clock.plan(2, lambda: happened.append(("second", clock.now())))
    clock.plan(1, lambda: happened.append(("first", clock.now())))
    clock.plan(2, lambda: happened.append(("third", clock.now())))
    clock.advance_ms(1.5)
    assert happened == [("first", 1_000)]
    clock.advance_ms(5)
    assert happened[1:] == [("second", 2_000), ("third", 2_000)]


class RealTime:
    """Real time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.ns = 1_000

    def monotonic_ns(self) -> int:
        return self.ns

    def sleep(self, seconds: float) -> None:
        self.ns += round(seconds * 1_000_000_000)


@pytest.mark.parametrize("speed", [1, 8])
def test_a_paced_clock_runs_as_many_times_as_fast_as_real_time_as_it_is_told(
    speed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = RealTime()
    monkeypatch.setattr(quarto_pi.simulation.clock, "time", real)
    clock = SimulatedClock(paced=True, speed=speed)
    for _ in range(2):
        before = real.ns
        for _ in range(100):
            clock.advance_ms(80)
        assert abs((real.ns - before) * speed - 8_000_000_000) <= PACE_NS * speed
        # What was done in no time is not waited for afterwards.
        clock.ns += 60_000_000_000
        clock.keep_pace()

"""The clock that a test holds."""

from __future__ import annotations

from quarto_pi.simulation.clock import SimulatedClock


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

"""The machine's own clock."""

from quarto_pi.clock import MonotonicClock


def test_waiting_for_a_moment_that_has_passed_returns_at_once() -> None:
    clock = MonotonicClock()
    before = clock.now()
    clock.wait_until(before - 1_000_000)
    assert clock.now() - before < 100_000


def test_waiting_never_ends_early() -> None:
    clock = MonotonicClock()
    moment = clock.now() + 1_500
    clock.wait_until(moment)
    assert clock.now() >= moment

"""The push buttons through gpiozero's mock pins."""

import threading

from gpiozero.pins.mock import MockFactory

from quarto_pi.devices.panel import PushButtons
from quarto_pi.devices.readers.interface import Movement
from quarto_pi.simulation.clock import SimulatedClock


def test_every_movement_is_kept_with_its_moment() -> None:
    factory, clock = MockFactory(), SimulatedClock()
    with PushButtons({"call": 5}, clock, factory) as buttons:
        pin = factory.pin("GPIO5")
        clock.advance_ms(100)
        pin.drive_low()
        clock.advance_ms(3)
        pin.drive_high()
        assert buttons.movements() == [Movement("call", down=True, at=100), Movement("call", down=False, at=103)]
        assert buttons.movements() == []


def test_two_buttons_are_told_apart() -> None:
    factory = MockFactory()
    with PushButtons({"call0": 5, "call1": 6}, SimulatedClock(), factory) as buttons:
        factory.pin("GPIO6").drive_low()
        factory.pin("GPIO5").drive_low()
        assert [movement.name for movement in buttons.movements()] == ["call1", "call0"]


def test_buttons_that_are_down_at_this_moment_are_named() -> None:
    factory = MockFactory()
    with PushButtons({"call0": 5, "call1": 6}, SimulatedClock(), factory) as buttons:
        assert list(buttons.held) == []
        factory.pin("GPIO6").drive_low()
        assert list(buttons.held) == ["call1"]


def test_button_that_is_held_down_has_no_thread_that_would_be_waited_for() -> None:
    factory, before = MockFactory(), set(threading.enumerate())
    with PushButtons({"call0": 5, "call1": 6}, SimulatedClock(), factory):
        factory.pin("GPIO6").drive_low()
        assert set(threading.enumerate()) <= before


def test_pins_are_given_back_even_after_a_second_close() -> None:
    factory = MockFactory()
    buttons = PushButtons({"call": 5}, SimulatedClock(), factory)
    buttons.close()
    buttons.close()
    PushButtons({"call": 5}, SimulatedClock(), factory).close()

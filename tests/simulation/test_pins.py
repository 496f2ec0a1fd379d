"""The pins of a simulated board, which may run for weeks."""

from __future__ import annotations

from gpiozero import PWMLED, DigitalOutputDevice
from gpiozero.pins.mock import MockFactory

from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins
from quarto_pi.wiring.platform import simulated_hardware


def test_a_pin_that_changes_all_the_time_remembers_none_of_it() -> None:
    factory = MockFactory(pin_class=ForgetfulPin)
    with DigitalOutputDevice(17, pin_factory=factory) as line, PWMLED(5, pin_factory=factory) as light:
        for _ in range(1_000):
            line.toggle()
            light.value = 0.3 if light.value > 0.5 else 0.9
        assert len(line.pin.states) == len(light.pin.states) == 1


def test_a_pin_that_has_changed_is_known_to_have_toggled_once() -> None:
    factory = MockFactory(pin_class=ForgetfulPin)
    pins = GpiozeroPins(factory)
    with DigitalOutputDevice(24, pin_factory=factory) as line:
        pins.has_toggled(24)
        assert not pins.has_toggled(24)
        for _ in range(3):
            line.toggle()
        assert pins.level(24)
        assert pins.has_toggled(24)
        assert not pins.has_toggled(24)


def test_the_simulated_board_has_such_pins() -> None:
    factory = simulated_hardware()[0].pin_factory
    assert isinstance(factory, MockFactory)
    assert isinstance(factory.pin("GPIO17"), ForgetfulPin)

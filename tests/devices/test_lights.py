"""The panel's lights, above gpiozero's mock pins."""

from __future__ import annotations

import threading

import pytest
from gpiozero import GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPWMPin

from quarto_pi.devices.light_patterns import (
    BLACK,
    BLUE,
    ORANGE,
    TURN_MS,
    WHITE,
    PanelKind,
    PanelLamp,
    PanelLightsSettings,
    Pattern,
    brightness_of,
    colour_of,
)
from quarto_pi.devices.panel import PanelLights
from quarto_pi.devices.settings import SettingsError

PLAIN = PanelLightsSettings()


@pytest.fixture
def dimming() -> MockFactory:
    return MockFactory(pin_class=MockPWMPin)


def states(factory: MockFactory, settings: PanelLightsSettings = PLAIN) -> list[float]:
    return [float(factory.pin(f"GPIO{pin}").state) for pin in settings.pins]


def test_each_light_shows_its_pattern(dimming: MockFactory) -> None:
    with PanelLights(PLAIN, dimming) as lights:
        lights.show({PanelLamp.A: Pattern.ON, PanelLamp.ATTENTION: Pattern.FAST}, 0)
        assert states(dimming) == [1, 0, 1]
        lights.show({PanelLamp.A: Pattern.ON, PanelLamp.ATTENTION: Pattern.FAST}, 250)
        assert states(dimming) == [1, 0, 0]
        lights.show({PanelLamp.B: Pattern.PULSE}, 1_000)
        assert states(dimming) == pytest.approx([0, 0.1, 0])


def test_pins_that_cannot_dim_are_on_or_off() -> None:
    factory = MockFactory()
    with PanelLights(PLAIN, factory) as lights:
        lights.show({PanelLamp.A: Pattern.PULSE, PanelLamp.B: Pattern.ON}, 1_000)
        assert states(factory) == [0, 1, 0]
        lights.show({PanelLamp.A: Pattern.PULSE}, 0)
        assert states(factory) == [1, 0, 0]


def test_a_pin_is_only_touched_when_something_changes() -> None:
    factory = MockFactory()
    with PanelLights(PLAIN, factory) as lights:
        pin = factory.pin("GPIO5")
        pin.clear_states()
        for now in range(0, 1_000, 10):
            lights.show({PanelLamp.A: Pattern.SLOW}, now)
        assert [bool(state.state) for state in pin.states] == [False, True, False]


def test_one_light_shows_everything_by_colour(dimming: MockFactory) -> None:
    settings = PanelLightsSettings(kind=PanelKind.RGB, active_high=False, brightness=0.5)
    with PanelLights(settings, dimming) as lights:
        lights.show({PanelLamp.B: Pattern.ON}, 0)
        assert states(dimming) == pytest.approx([1 - part / 255 / 2 for part in ORANGE])


def test_one_light_shows_all_that_are_lit_in_turn_attention_first() -> None:
    both = {PanelLamp.A: Pattern.ON, PanelLamp.B: Pattern.ON}
    assert [colour_of(both, now) for now in (0, TURN_MS, 2 * TURN_MS)] == [BLUE, ORANGE, BLUE]
    everything = {**both, PanelLamp.ATTENTION: Pattern.ON}
    assert [colour_of(everything, turn * TURN_MS) for turn in range(4)] == [WHITE, BLUE, ORANGE, WHITE]
    assert colour_of({}, 0) == BLACK
    assert colour_of({**both, PanelLamp.ATTENTION: Pattern.OFF, PanelLamp.B: Pattern.OFF}, TURN_MS) == BLUE


def test_who_sees_no_colours_tells_the_players_by_the_wink_of_one() -> None:
    burning = {
        lamp: [colour_of({lamp: Pattern.ON}, now) != BLACK for now in range(0, TURN_MS, 50)] for lamp in PanelLamp
    }
    assert all(burning[PanelLamp.A])
    assert not all(burning[PanelLamp.B])


@pytest.mark.parametrize("pattern", Pattern)
def test_every_pattern_fits_into_the_turn_of_a_light(pattern: Pattern) -> None:
    one, next_one = ([brightness_of(pattern, turn * TURN_MS + now) for now in range(0, TURN_MS, 10)] for turn in (0, 1))
    assert one == next_one


def test_closing_switches_off_gives_the_pins_back_and_leaves_no_thread(dimming: MockFactory) -> None:
    before = threading.active_count()
    lights = PanelLights(PLAIN, dimming)
    lights.show({PanelLamp.A: Pattern.ON}, 0)
    lights.close()
    lights.close()
    lights.show({PanelLamp.A: Pattern.ON}, 0)
    assert all(factory_pin.function == "input" for factory_pin in (dimming.pin(f"GPIO{pin}") for pin in PLAIN.pins))
    with PanelLights(PLAIN, dimming):
        assert threading.active_count() == before


def test_pins_that_are_in_use_are_refused_and_the_others_given_back(dimming: MockFactory) -> None:
    with PanelLights(PanelLightsSettings(pins=(13, 12, 19)), dimming), pytest.raises(GPIOPinInUse):
        PanelLights(PLAIN, dimming)
    with PanelLights(PLAIN, dimming):
        pass


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"pins": (1, 2)}, "write three pins"),
        ({"pins": (5, 6, 5)}, r"pins\[2\] is 5: pins\[0\] has this pin already"),
        ({"pins": (5, 6, 28)}, r"pins\[2\] is 28: the header has GPIO 0 to 27"),
        ({"brightness": 0}, "brightness is 0"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object], text: str) -> None:
    with pytest.raises(SettingsError, match=text):
        PanelLightsSettings(**settings)  # type: ignore[arg-type]

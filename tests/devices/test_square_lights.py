"""The lights under the squares: real luma above a simulated strip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.devices.light_patterns import (
    BLUE,
    GREEN,
    LEFT_TO_RIGHT,
    ORANGE,
    SNAKE,
    VERMILION,
    WHITE,
    YELLOW,
    Colour,
    Pattern,
    SquareLight,
    SquareLightsSettings,
)
from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.square_lights import SquareLights
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.outputs import Apa102Strip, SpiLine, spidev_with
from tests.displays import in_place


@dataclass
class Strip:
    """A strip with its drivers; the worker is driven by hand."""

    lights: SquareLights
    strip: Apa102Strip
    line: SpiLine
    clock: SimulatedClock

    def show(self, lights: dict[str, SquareLight], now: int = 0) -> dict[str, Colour]:
        self.lights.show(lights, now)
        self.lights.step()
        return self.seen()

    def seen(self) -> dict[str, Colour]:
        return {square: Colour(*seen[:3]) for square, seen in self.strip.lit.items()}

    def wait_ms(self, milliseconds: int) -> None:
        for _ in range(milliseconds // 100):
            self.clock.advance_ms(100)
            self.lights.step()


@contextmanager
def strip_with(settings: SquareLightsSettings | None = None) -> Iterator[Strip]:
    settings = settings or SquareLightsSettings()
    strip = Apa102Strip(settings.order)
    line = SpiLine(strip)
    clock = SimulatedClock()
    with in_place(spidev=spidev_with({(1, 0): line})), SquareLights(settings, clock) as lights:
        yield Strip(lights, strip, line, clock)
    assert not strip.lit, "a light was left on"
    assert line.openings == 0
    assert not strip.faults


FULL = SquareLightsSettings(brightness=1, budget_ma=1_000)


@pytest.mark.parametrize(
    "order", [LEFT_TO_RIGHT, SNAKE, tuple(reversed(SQUARE_NAMES))], ids=["rows", "snake", "reversed"]
)
def test_every_square_lights_under_itself_however_the_strip_is_laid(order: tuple[str, ...]) -> None:
    with strip_with(SquareLightsSettings(order=order, brightness=1)) as it:
        for square in SQUARE_NAMES:
            assert it.show({square: SquareLight(VERMILION)}) == {square: VERMILION}


def test_a_snake_goes_to_and_fro() -> None:
    assert SNAKE[:8] == ("a1", "b1", "c1", "d1", "d2", "c2", "b2", "a2")


def test_patterns_are_shown_as_they_are_at_the_moment() -> None:
    with strip_with(FULL) as it:
        lights = {"a1": SquareLight(BLUE, Pattern.SLOW), "d4": SquareLight(ORANGE)}
        assert it.show(lights, 0) == {"a1": BLUE, "d4": ORANGE}
        assert it.show(lights, 500) == {"d4": ORANGE}
        assert it.show(lights, 1_000) == {"a1": BLUE, "d4": ORANGE}


def test_nothing_is_sent_while_nothing_changes() -> None:
    with strip_with() as it:
        it.show({"a1": SquareLight(GREEN)})
        before = it.line.bytes
        for now in range(0, 1_000, 50):
            it.show({"a1": SquareLight(GREEN)}, now)
        assert it.line.bytes == before
        it.show({"a2": SquareLight(GREEN)})
        assert it.line.bytes - before == 69


colours = st.builds(Colour, *[st.integers(0, 255)] * 3)


@given(st.dictionaries(st.sampled_from(SQUARE_NAMES), colours), st.floats(20, 500), st.floats(0.1, 1))
def test_the_current_stays_within_its_budget(shown: dict[str, Colour], budget_ma: float, brightness: float) -> None:
    with strip_with(SquareLightsSettings(brightness=brightness, budget_ma=budget_ma)) as it:
        it.show({square: SquareLight(colour) for square, colour in shown.items()})
        assert it.strip.milliamperes <= budget_ma


def test_a_full_board_is_dimmed_evenly() -> None:
    with strip_with(SquareLightsSettings(brightness=1, budget_ma=200)) as it:
        seen = it.show({square: SquareLight(WHITE if square < "b" else YELLOW) for square in SQUARE_NAMES})
        assert len(set(seen.values())) == 2
        assert 190 < it.strip.milliamperes <= 200


def test_a_bus_that_is_missing_is_told_and_tried_again() -> None:
    with strip_with(FULL) as it:
        it.line.exists = False
        it.show({"a1": SquareLight(GREEN)})
        assert it.lights.condition.detail == "/dev/spidev1.0 is not there"
        it.line.exists = True
        it.wait_ms(1_000)
        assert it.lights.condition.ok
        assert it.seen() == {"a1": GREEN}


def test_a_stuck_bus_is_told_and_recovers() -> None:
    with strip_with(FULL) as it:
        it.show({"a1": SquareLight(GREEN)})
        it.line.stuck = True
        it.show({"b1": SquareLight(GREEN)})
        assert it.lights.condition.detail == "/dev/spidev1.0 is stuck"
        it.line.stuck = False
        it.wait_ms(1_000)
        assert it.seen() == {"b1": GREEN}


def test_a_strip_that_was_unplugged_shines_again() -> None:
    with strip_with(FULL) as it:
        it.show({"a1": SquareLight(GREEN)})
        it.strip.unplug()
        it.wait_ms(6_000)
        it.strip.plug_in()
        assert not it.seen()
        it.wait_ms(6_000)
        assert it.seen() == {"a1": GREEN}


def test_older_frames_are_dropped_and_counted() -> None:
    with strip_with(FULL) as it:
        it.lights.step()
        for index in range(100):
            it.lights.show({SQUARE_NAMES[index % 16]: SquareLight(GREEN)}, 0)
        it.lights.step()
        assert it.lights.dropped == 99
        assert it.seen() == {SQUARE_NAMES[99 % 16]: GREEN}


def test_a_thread_sends_and_closing_switches_off() -> None:
    with strip_with(FULL) as it:
        it.lights.start()
        it.lights.show({"c3": SquareLight(GREEN)}, 0)
        it.lights.close()
        it.lights.close()


def test_a_square_that_does_not_exist_is_refused() -> None:
    with strip_with() as it, pytest.raises(ValueError, match="no square e5"):
        it.lights.show({"e5": SquareLight(GREEN)}, 0)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"order": SQUARE_NAMES[1:]}, "name each of the sixteen squares once"),
        ({"spi_hz": 1}, "spi_hz is 1: choose from"),
        ({"spi_port": -1}, "spi_port is -1"),
        ({"brightness": 2}, "brightness is 2"),
        ({"budget_ma": 0}, "a current is above 0"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object], text: str) -> None:
    with pytest.raises(SettingsError, match=text):
        SquareLightsSettings(**settings)  # type: ignore[arg-type]

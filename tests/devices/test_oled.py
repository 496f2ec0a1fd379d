"""The OLED: real luma above simulated chips, pixel by pixel, through every trouble a display can have."""

from __future__ import annotations

import random
import threading

import pytest
from gpiozero import BadPinFactory
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from quarto_pi.devices.luma_wires import troubles
from quarto_pi.devices.oled import Oled
from quarto_pi.devices.settings import Controller, DevicePatience, DisplayBus, OledSettings, SettingsError
from quarto_pi.devices.upkeep import SilenceWatch, Trouble
from tests.displays import KINDS, Desk, chip_for, desk, name_of, noise, same

UNKNOWN_TO = {
    # luma sends what these two chips do not know, and they do not mind.
    Controller.SH1106: ["20 is no command of the SH1106", "8D is no command of the SH1106"],
    Controller.SSD1309: ["8D is no command of the SSD1309"],
    Controller.SSD1306: [],
}


@pytest.mark.parametrize("settings", KINDS, ids=name_of)
def test_a_picture_is_seen_pixel_by_pixel_on_every_display(settings: OledSettings) -> None:
    with desk(settings) as it:
        for seed in range(4):
            picture = noise(it.oled.size, seed)
            it.oled.show(picture)
            it.settle()
            assert same(it.seen(), picture)
        assert it.oled.condition.ok
        assert it.chip.faults == UNKNOWN_TO[settings.controller]


def test_luma_s_own_display_method_is_seen_as_well() -> None:
    with desk() as it:
        it.settle()
        picture = noise((128, 64), 1)
        from luma.core.interface.serial import i2c  # noqa: PLC0415 - below it stands the simulated bus
        from luma.oled.device import ssd1306  # noqa: PLC0415

        serial = i2c(port=1, address=0x3C)
        device = ssd1306(serial)
        device.persist = True
        device.display(picture)
        assert same(it.seen(), picture)
        serial.cleanup()


changes = st.lists(
    st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(1, 60), st.integers(1, 30), st.booleans()),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@limits(max_examples=40)
@given(st.sampled_from([kind for kind in KINDS if kind.rotate in (0, 1)]), st.lists(changes, min_size=1, max_size=5))
def test_after_any_changes_the_newest_picture_is_seen(
    settings: OledSettings, frames: list[list[tuple[int, int, int, int, bool]]]
) -> None:
    with desk(settings) as it:
        picture = noise(it.oled.size, 1)
        it.oled.show(picture)
        it.settle()
        for frame in frames:
            draw = ImageDraw.Draw(picture)
            for left, top, width, height, filled in frame:
                draw.rectangle((left, top, left + width, top + height), fill=int(filled))
            it.oled.show(picture)
            it.settle()
            assert same(it.seen(), picture)


@pytest.mark.parametrize("settings", [kind for kind in KINDS if kind.rotate == 0], ids=name_of)
def test_a_small_change_takes_few_bytes_and_none_takes_none(settings: OledSettings) -> None:
    with desk(settings) as it:
        picture = Image.new("1", it.oled.size)
        whole = it.bytes_of(noise(it.oled.size, 1))
        it.bytes_of(picture)
        ImageDraw.Draw(picture).rectangle((40, 9, 47, 14), fill=1)
        assert it.bytes_of(picture) <= 18 < whole
        assert it.bytes_of(picture) == 0
        assert same(it.seen(), picture)


def test_a_partial_update_never_takes_more_than_the_whole_picture() -> None:
    for settings in (OledSettings(), OledSettings(controller=Controller.SH1106)):
        with desk(settings) as it:
            it.bytes_of(noise(it.oled.size, 0))
            for seed in range(1, 5):
                assert it.bytes_of(noise(it.oled.size, seed)) <= 1024 + 8 * 7


@pytest.mark.slow
def test_older_pictures_are_dropped_and_counted() -> None:
    with desk() as it:
        it.settle()
        for seed in range(100):
            it.oled.show(noise((128, 64), seed))
        it.settle()
        assert it.oled.dropped == 99
        assert same(it.seen(), noise((128, 64), 99))


def test_a_picture_may_be_drawn_on_after_it_was_shown() -> None:
    with desk() as it:
        picture = noise((128, 64), 1)
        it.oled.show(picture)
        picture.paste(0, (0, 0, 128, 64))
        it.settle()
        assert same(it.seen(), noise((128, 64), 1))


def test_a_picture_of_another_size_is_refused() -> None:
    with desk() as it, pytest.raises(ValueError, match="the display takes"):
        it.oled.show(Image.new("1", (64, 64)))


def test_a_grey_picture_is_shown_without_patterns() -> None:
    with desk() as it:
        it.oled.show(Image.new("L", (128, 64), 100))
        it.settle()
        assert it.seen().getbbox() is None


def test_contrast_sleep_and_shift_are_operations() -> None:
    with desk() as it:
        picture = noise((128, 64), 1)
        it.oled.show(picture)
        it.oled.set_contrast(3)
        it.oled.sleep()
        it.settle()
        assert it.chip.contrast == 3
        assert it.seen().getbbox() is None
        it.oled.wake()
        it.oled.set_shift(2, -1)
        it.settle()
        moved = Image.new("1", (128, 64))
        moved.paste(picture, (2, -1))
        assert same(it.seen(), moved)
        assert it.oled.dropped == 0
        with pytest.raises(ValueError, match="0 to 255"):
            it.oled.set_contrast(256)


# -- troubles --------------------------------------------------------------------------------------------------------


def test_a_display_that_is_missing_at_the_start_is_told_and_comes_later() -> None:
    with desk() as it:
        it.chip.unplug()
        picture = noise((128, 64), 1)
        it.oled.show(picture)
        it.settle()
        condition = it.oled.condition
        assert not condition.ok
        assert condition.detail == "the display at 0x3c does not answer on /dev/i2c-1"
        assert condition.todo == "look at its plug; 'i2cdetect -y 1' lists what answers"
        it.chip.plug_in()
        it.wait_ms(1_000)
        assert it.oled.condition.ok
        assert same(it.seen(), picture)


def test_people_are_told_of_a_display_that_is_gone_for_a_while_and_not_of_a_loose_wire_again_and_again() -> None:
    with desk() as it:
        watch = SilenceWatch(it.oled, it.clock)

        def silent_after(seconds: int) -> bool:
            it.wait_ms(seconds * 1_000)
            return watch.is_silent()

        it.oled.show(noise((128, 64), 1))
        assert not silent_after(60)
        it.chip.unplug()
        it.oled.show(noise((128, 64), 2))
        assert [silent_after(seconds) for seconds in (1, 8, 3)] == [False, False, True]
        it.chip.plug_in()
        assert silent_after(30), "it answers, but not for long"
        it.chip.unplug()
        it.oled.show(noise((128, 64), 3))
        assert [silent_after(seconds) for seconds in (1, 5)] == [True, True]
        it.chip.plug_in()
        assert not silent_after(100)


def test_it_is_tried_again_with_growing_patience() -> None:
    with desk() as it:
        it.chip.unplug()
        waits = []
        for _ in range(8):
            due = it.oled.step()
            assert due is not None
            waits.append((due - it.clock.now()) // 1_000)
            it.clock.wait_until(due)
        assert waits == [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]
        assert it.i2c.openings == 0
        assert it.i2c.writes == 8


@pytest.mark.parametrize("count", [0, 1, 5, 300, 900])
def test_a_display_unplugged_in_the_middle_of_a_picture_is_drawn_again(count: int) -> None:
    with desk() as it:
        it.oled.show(noise((128, 64), 1))
        it.settle()
        it.i2c.cut_after(count)
        it.oled.show(noise((128, 64), 2))
        it.settle()
        first = it.oled.condition
        assert not first.ok
        it.wait_ms(5_000)
        assert it.oled.condition == first
        it.chip.plug_in()
        it.wait_ms(10_000)
        assert it.oled.condition.ok
        assert same(it.seen(), noise((128, 64), 2))


def test_a_display_that_comes_back_is_as_bright_and_as_asleep_as_it_was() -> None:
    with desk() as it:
        it.oled.show(noise((128, 64), 1))
        it.oled.set_contrast(9)
        it.settle()
        it.chip.unplug()
        it.oled.sleep()
        it.settle()
        it.chip.plug_in()
        it.wait_ms(1_000)
        assert not it.chip.on
        assert it.chip.contrast == 9
        it.oled.wake()
        it.settle()
        assert same(it.seen(), noise((128, 64), 1))


@pytest.mark.parametrize("settings", [kind for kind in KINDS if kind.rotate == 0], ids=name_of)
def test_a_display_that_lost_its_power_unnoticed_is_told_everything_again(settings: OledSettings) -> None:
    with desk(settings) as it:
        picture = noise(it.oled.size, 1)
        it.oled.show(picture)
        it.settle()
        it.chip.power_on_reset()
        assert it.seen().getbbox() is None
        it.wait_ms(31_000)
        assert same(it.seen(), picture)


def test_telling_everything_again_switches_a_working_display_off_at_no_moment() -> None:
    with desk() as it:
        it.oled.show(noise((128, 64), 1))
        it.settle()
        seen = []
        send = it.i2c.write

        def watched(address: int, values: bytes) -> None:
            send(address, values)
            seen.append(it.chip.on)

        it.i2c.write = watched  # type: ignore[method-assign]
        it.wait_ms(31_000)
        assert len(seen) > 3
        assert all(seen)


def test_a_stuck_bus_is_told_and_recovers() -> None:
    with desk() as it:
        it.oled.show(noise((128, 64), 1))
        it.settle()
        it.i2c.stuck = True
        it.oled.show(noise((128, 64), 2))
        it.settle()
        assert it.oled.condition.detail == "/dev/i2c-1 is stuck"
        it.i2c.stuck = False
        it.wait_ms(1_000)
        assert same(it.seen(), noise((128, 64), 2))


def test_a_bus_that_is_not_there_or_not_allowed_is_told_with_what_to_do() -> None:
    with desk() as it:
        it.i2c.exists = False
        it.settle()
        assert it.oled.condition.detail == "/dev/i2c-1 is not there"
        assert it.oled.condition.todo == "enable I2C with raspi-config, or name the right one"
        it.i2c.exists, it.i2c.allowed = True, False
        it.wait_ms(1_000)
        assert it.oled.condition.todo == "be a member of the group i2c"
    with desk(OledSettings(connection=DisplayBus.SPI)) as it:
        it.spi.exists = False
        it.settle()
        assert it.oled.condition.detail == "/dev/spidev0.1 is not there"
        it.spi.exists, it.spi.stuck = True, True
        it.wait_ms(1_000)
        assert it.oled.condition.detail == "/dev/spidev0.1 is stuck"
        it.spi.stuck = False
        it.wait_ms(10_000)
        assert it.oled.condition.ok


def test_any_evening_of_troubles_ends_with_the_newest_picture() -> None:
    draw = random.Random(5)
    with desk() as it:
        for seed in range(60):
            match draw.randrange(6):
                case 0:
                    it.chip.unplug()
                case 1:
                    it.i2c.stuck = not it.i2c.stuck
                case 2:
                    it.chip.power_on_reset()
                case 3 if it.chip.plugged:
                    it.i2c.cut_after(draw.randrange(1_200))
                case _ if not it.chip.plugged:
                    it.chip.plug_in()
            it.oled.show(noise((128, 64), seed))
            it.wait_ms(draw.randrange(0, 3_000))
        it.i2c.stuck = False
        it.i2c.cut_after(10**9)
        if not it.chip.plugged:
            it.chip.plug_in()
        it.wait_ms(60_000)
        assert same(it.seen(), noise((128, 64), 59))


# -- the thread ------------------------------------------------------------------------------------------------------


class SlowBus:
    """Holds every message up until it is let go."""

    def __init__(self, it: Desk) -> None:
        self.reached = threading.Event()
        self.let_go = threading.Event()
        self._write = it.i2c.write
        it.i2c.write = self.write  # type: ignore[method-assign]

    def write(self, address: int, values: bytes) -> None:
        self.reached.set()
        assert self.let_go.wait(30)
        self._write(address, values)


def test_the_caller_goes_on_while_the_bus_holds_the_worker_up() -> None:
    with desk() as it:
        slow = SlowBus(it)
        it.oled.start()
        assert slow.reached.wait(30)
        for seed in range(10):
            it.oled.show(noise((128, 64), seed))
        it.clock.advance_ms(2_500)
        assert it.oled.condition.detail == "the bus does not come back"
        slow.let_go.set()
        it.oled.close()
        assert same(it.seen(), noise((128, 64), 9))
        assert it.oled.condition.ok


def test_closing_twice_does_nothing_more_and_leaves_no_thread() -> None:
    before = threading.active_count()
    with desk() as it:
        it.oled.start()
        it.oled.close()
        it.oled.close()
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"controller": Controller.SH1106, "height": 32}, "with the sh1106 is 128 by 64"),
        ({"rotate": 4}, "rotate is 4: write 0 to 3"),
        ({"contrast": 256}, "contrast is 256"),
        ({"i2c_address": 3}, "i2c_address is 3: displays are at 60"),
        ({"i2c_port": -1}, "i2c_port is -1"),
        ({"spi_hz": 3}, "spi_hz is 3: choose from"),
        ({"controller": Controller.SH1106, "spi_hz": 8_000_000}, "the sh1106 takes at most 4000000"),
        ({"connection": DisplayBus.SPI, "dc_pin": 26}, "reset_pin is 26: dc_pin has this pin already"),
        ({"connection": DisplayBus.SPI, "dc_pin": 40}, "the header has GPIO 0 to 27"),
        ({"connection": DisplayBus.SPI, "dc_pin": 0}, "GPIO 0 belongs to"),
    ],
)
def test_settings_that_no_display_can_work_with_are_named(settings: dict[str, object], text: str) -> None:
    with pytest.raises(SettingsError, match=text):
        OledSettings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "times",
    [{"first_ms": 0}, {"most_ms": 1}, {"refresh_ms": -1}, {"stuck_after_ms": 0}],
    ids=lambda times: next(iter(times)),
)
def test_times_that_make_no_sense_are_named(times: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match=next(iter(times))):
        DevicePatience(**times)


def test_the_display_is_closed_by_leaving_its_block() -> None:
    with desk() as it:
        assert isinstance(it.oled, Oled)
        assert chip_for(it.settings).NAME == "SSD1306"


def test_pins_that_nobody_may_use_are_no_package_that_is_missing() -> None:
    with (
        pytest.raises(Trouble, match=r"cannot be used on /dev/spidev0\.1 \(Unable to load"),
        troubles("the display", "/dev/spidev0.1", "spi", "look at its wires"),
    ):
        raise BadPinFactory("Unable to load any default pin factory!")  # which is an ImportError as well

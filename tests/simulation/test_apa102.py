"""The simulated strip of APA102 lights: frames, passing on, and what it does not understand."""

from __future__ import annotations

from quarto_pi.simulation.outputs import Apa102Strip, SeenLight

START = bytes(4)
RED = bytes([0xFF, 0, 0, 255])


def strip_of(count: int) -> Apa102Strip:
    return Apa102Strip([f"light {index}" for index in range(count)])


def test_the_first_frame_is_for_the_first_light() -> None:
    strip = strip_of(2)
    strip.take(START + RED + bytes([0xE1, 1, 2, 3]) + bytes(1))
    assert strip.seen("light 0") == SeenLight(255, 0, 0, 31)
    assert strip.seen("light 1") == SeenLight(3, 2, 1, 1)
    assert strip.milliamperes == 20 + 20 * 6 / 255 / 31


def test_the_last_lights_need_clocks_after_their_frames() -> None:
    strip = strip_of(16)
    strip.take(START + RED * 16)
    assert len(strip.lit) == 15
    strip.take(bytes(1))
    assert len(strip.lit) == 16


def test_bytes_may_come_in_any_portions_and_frames_follow_one_another() -> None:
    strip = strip_of(2)
    for byte in (START + RED * 2 + bytes(1)) * 2:
        strip.take(bytes([byte]))
    assert strip.frames == 2
    assert len(strip.lit) == 2
    assert not strip.faults


def test_what_is_no_frame_is_written_down() -> None:
    strip = strip_of(1)
    strip.take(RED)
    strip.take(START + RED + b"\x12")
    assert strip.faults[0] == "FF where a start of 32 zero bits is due"
    assert strip.faults[-1] == "12 begins no light's frame"


def test_an_unplugged_strip_is_dark_and_stays_so_until_it_is_told_something() -> None:
    strip = strip_of(1)
    strip.take(START + RED + bytes(1))
    strip.unplug()
    strip.take(START + RED + bytes(1))
    strip.plug_in()
    assert not strip.lit
    strip.take(START + RED + bytes(1))
    assert strip.lit

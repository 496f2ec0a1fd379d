"""The simulated SH1106: 132 columns, pages, and no windows."""

from __future__ import annotations

from quarto_pi.simulation.oled_models import Sh1106


def lit(chip: Sh1106) -> set[tuple[int, int]]:
    picture = chip.picture()
    return {(x, y) for x in range(128) for y in range(64) if picture.getpixel((x, y))}


def started() -> Sh1106:
    chip = Sh1106()
    chip.memory[:] = bytes(len(chip.memory))
    chip.take_commands((0xA1, 0xC8, 0xAF))
    return chip


def test_the_glass_begins_at_the_third_column() -> None:
    chip = started()
    chip.take_data([1, 1, 1, 0, 1])
    assert lit(chip) == {(0, 0), (2, 0)}


def test_data_goes_to_the_chosen_page_and_column() -> None:
    chip = started()
    chip.take_commands((0xB7, 0x01, 0x18))
    chip.take_data([0x80])
    assert lit(chip) == {(127, 63)}


def test_the_column_stops_at_the_end() -> None:
    chip = started()
    chip.take_commands((0x03, 0x18))
    chip.take_data([1, 1])
    assert chip.faults == ["data beyond column 131"]
    assert chip.memory[0] == 0


def test_windows_and_modes_are_no_commands_of_it() -> None:
    chip = started()
    chip.take_commands((0x20,))
    chip.take_commands((0x21,))
    assert chip.faults == ["20 is no command of the SH1106", "21 is no command of the SH1106"]


def test_its_converter_is_on_after_a_reset_and_can_be_switched_off() -> None:
    chip = started()
    chip.take_commands((0xA5, 0x30, 0xE0, 0xEE))
    assert len(lit(chip)) == 128 * 64
    chip.take_commands((0xAD, 0x8A))
    assert not lit(chip)
    chip.take_commands((0xAD, 0x00))
    assert chip.faults == ["AD has no mode 00"]

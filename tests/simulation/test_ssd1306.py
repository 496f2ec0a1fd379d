"""The simulated SSD1306 and SSD1309 against the datasheets: addressing, panel, and what they refuse."""

from __future__ import annotations

import pytest
from PIL import Image

from quarto_pi.simulation.oled_chip import FLAT, LARGE_GLASS, OledChip
from quarto_pi.simulation.oled_models import Ssd1306, Ssd1309

UPRIGHT = (0xA1, 0xC8)
POWERED = (0x8D, 0x14)


def started(chip: OledChip | None = None) -> OledChip:
    """A chip with an empty memory, switched on as drivers do it."""
    chip = chip or Ssd1306()
    chip.memory[:] = bytes(len(chip.memory))
    chip.take_commands((*UPRIGHT, *(POWERED if isinstance(chip, Ssd1306) else ()), 0xAF))
    return chip


def lit(chip: OledChip) -> set[tuple[int, int]]:
    picture = chip.picture()
    width, height = picture.size
    return {(x, y) for x in range(width) for y in range(height) if picture.getpixel((x, y))}


def test_it_comes_up_dark_with_anything_in_memory() -> None:
    chip = Ssd1306()
    assert len(set(chip.memory)) > 100
    assert not lit(chip)
    chip.take_commands((*POWERED, 0xAF))
    assert lit(chip)


def test_the_panel_stays_dark_without_the_charge_pump() -> None:
    chip = started()
    chip.take_commands((0xA5,))
    assert len(lit(chip)) == 128 * 64
    chip.take_commands((0x8D, 0x10))
    assert not lit(chip)


def test_the_lowest_bit_of_a_byte_is_its_topmost_line() -> None:
    chip = started()
    chip.take_data([0x81])
    assert lit(chip) == {(0, 0), (0, 7)}


def test_page_mode_stays_on_its_page() -> None:
    chip = started()
    chip.take_commands((0xB3, 0x0E, 0x17))
    chip.take_data([1, 1, 1])
    assert lit(chip) == {(126, 24), (127, 24), (0, 24)}


def test_horizontal_mode_walks_through_its_window_line_by_line() -> None:
    chip = started()
    chip.take_commands((0x20, 0, 0x21, 10, 11, 0x22, 2, 3))
    chip.take_data([1, 2, 4, 8, 16])
    assert lit(chip) == {(10, 20), (11, 17), (10, 26), (11, 27)}


def test_vertical_mode_walks_through_its_window_column_by_column() -> None:
    chip = started()
    chip.take_commands((0x20, 1, 0x21, 10, 11, 0x22, 2, 3))
    chip.take_data([1, 2, 4, 8])
    assert lit(chip) == {(10, 16), (10, 25), (11, 18), (11, 27)}


def test_without_remapping_the_picture_stands_on_its_head() -> None:
    chip = started()
    chip.take_data([0x01])
    chip.take_commands((0xA0, 0xC0))
    assert lit(chip) == {(127, 63)}
    chip.take_commands((0xA1,))
    assert lit(chip) == {(0, 63)}


def test_start_line_and_offset_move_the_picture() -> None:
    chip = started()
    chip.take_data([0x01])
    chip.take_commands((0x41,))
    assert lit(chip) == {(0, 63)}
    chip.take_commands((0x40, 0xD3, 8))
    assert lit(chip) == {(0, 56)}


def test_inverting_and_switching_everything_on() -> None:
    chip = started()
    chip.take_data([0x01])
    chip.take_commands((0xA7,))
    assert (0, 0) not in lit(chip)
    assert len(lit(chip)) == 128 * 64 - 1
    chip.take_commands((0xA6, 0xA5))
    assert len(lit(chip)) == 128 * 64
    chip.take_commands((0xA4, 0xAE))
    assert not lit(chip)


def test_lines_that_are_laid_otherwise_than_told_are_mixed_up() -> None:
    chip = started()
    chip.take_data([0x03])
    chip.take_commands((0xDA, 0x02))
    assert lit(chip) == {(0, 0), (0, 2)}
    chip.take_commands((0xDA, 0x12))
    assert lit(chip) == {(0, 0), (0, 1)}


def test_a_flat_display_shows_half_of_the_memory() -> None:
    chip = started(Ssd1306(FLAT))
    chip.take_commands((0xA8, 31, 0xDA, 0x02, 0x20, 0, 0xA5))
    assert chip.picture().size == (128, 32)
    assert len(lit(chip)) == 128 * 32
    chip.take_commands((0xA8, 15))
    assert len(lit(chip)) == 128 * 16


def test_arguments_may_come_in_a_later_message() -> None:
    chip = started()
    chip.take_commands((0x81,))
    chip.take_commands((0x33,))
    assert chip.contrast == 0x33


@pytest.mark.parametrize(
    ("commands", "fault"),
    [
        ((0xF0,), "F0 is no command of the SSD1306"),
        ((0x20, 3), "20 has no mode 3"),
        ((0x21, 9, 8), "21 sets the columns 9 to 8"),
        ((0x22, 0, 8), "22 sets the pages 0 to 8"),
        ((0xA8, 3), "A8 asks for 4 lines, and the SSD1306 has at least 16"),
        ((0x2F,), "2F scrolls, and that is not modelled"),
        ((0xFD,), "FD is no command of the SSD1306"),
    ],
)
def test_what_it_does_not_know_is_written_down(commands: tuple[int, ...], fault: str) -> None:
    chip = started()
    chip.take_commands(commands)
    assert chip.faults == [fault]


def test_data_in_the_middle_of_a_command_is_written_down() -> None:
    chip = started()
    chip.take_commands((0x81,))
    chip.take_data([1])
    assert chip.faults == ["data where command 81 waits for an argument"]


def test_the_reset_pin_keeps_the_memory_and_switches_the_display_off() -> None:
    chip = started()
    chip.take_data([7])
    chip.reset()
    assert not chip.on
    assert chip.memory[0] == 7


def test_an_unplugged_display_is_dark_and_comes_back_reset() -> None:
    chip = started()
    chip.take_commands((0xA5,))
    chip.unplug()
    assert not lit(chip)
    chip.plug_in()
    assert not chip.on


def test_an_ssd1309_needs_no_charge_pump_and_can_be_locked() -> None:
    chip = started(Ssd1309())
    chip.take_data([1])
    assert lit(chip) == {(0, 0)}
    chip.take_commands((0x8D, 0xFD, 0x16, 0xAE, 0xFD, 0x12, 0x81, 5, 0xFD, 0x99))
    assert chip.faults == [
        "8D is no command of the SSD1309",
        "AE comes while commands are locked",
        "FD has no key 99",
    ]
    assert chip.contrast == 5


def test_pictures_have_one_bit_a_pixel() -> None:
    assert Ssd1306(LARGE_GLASS).picture().mode == Image.new("1", (1, 1)).mode

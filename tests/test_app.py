"""The wiring: the bank that a configuration describes, above the simulated board."""

from pathlib import Path

import pytest

from quarto_pi.config import Config, parse_config
from quarto_pi.devices.readers.fields import NOT_TOUCHING, CalibrationError, read_calibration, write_calibration
from quarto_pi.sensing.readings import SQUARE_NAMES, Outcome
from quarto_pi.wiring.board import open_bank
from quarto_pi.wiring.platform import HardwareMissing, real_hardware, simulated_hardware


def test_the_bank_above_the_simulated_board_reads_every_piece() -> None:
    platform, board = simulated_hardware()
    board.set_up()
    with open_bank(Config(), platform) as bank:
        bank.start()
        outcomes = {reading.cell: reading.outcome for reading in bank.sweep()}
    assert outcomes == {**dict.fromkeys(SQUARE_NAMES, Outcome.TAG), "offer": Outcome.EMPTY}


def test_a_board_without_offer_reader_has_sixteen_cells() -> None:
    platform, _ = simulated_hardware()
    with open_bank(parse_config("[readers]\noffer = false"), platform) as bank:
        assert bank.cells == SQUARE_NAMES


def test_swapped_select_lines_swap_what_is_read() -> None:
    platform, board = simulated_hardware()
    board.table.rest("04A1B2C3D4E580", "a1")
    with open_bank(parse_config("[readers.lines]\na1 = 1\nb1 = 0"), platform) as bank:
        bank.start()
        seen = {reading.cell for reading in bank.sweep() if reading.uids}
    assert seen == {"b1"}


def test_fields_go_on_together_only_as_the_calibration_allows(tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    for apart, together in ((NOT_TOUCHING, True), (frozenset(), False)):
        write_calibration(file, apart)
        assert read_calibration(file) == apart
        platform, board = simulated_hardware()
        board.set_up()
        with open_bank(parse_config(f'[fields]\nmode = "in turn"\ncalibration = "{file}"'), platform) as bank:
            bank.start()
            bank.sweep()
            assert (bank.most_fields_at_once > 1) == together


@pytest.mark.parametrize("calibration", ["", 'calibration = "{folder}/gone.toml"', 'calibration = "{folder}"'])
@pytest.mark.parametrize("mode", ["in turn", "interleaved"])
def test_board_without_a_calibration_reads_one_field_at_a_time_and_says_so(
    tmp_path: Path, mode: str, calibration: str
) -> None:
    platform, board = simulated_hardware()
    board.set_up()
    said: list[str] = []
    config = parse_config(f'[fields]\nmode = "{mode}"\n{calibration.format(folder=tmp_path)}')
    with open_bank(config, platform, said.append) as bank:
        bank.start()
        assert sum(bool(reading.uids) for reading in bank.sweep()) == 16
        assert bank.most_fields_at_once == 1
    (sentence,) = said
    assert sentence.startswith("one reader's field is on at a time: ")
    assert "calibrat" in sentence


NO_CALIBRATIONS = [
    "apart = 3",
    'apart = [["a1"]]',
    'apart = [["a1", "b1"]]',
    'apart = [["a1", []]]',
    "apart = [[",
    "",
    f"apart = {'[' * 5000}",
]


@pytest.mark.parametrize("text", NO_CALIBRATIONS)
def test_a_calibration_file_that_makes_no_sense_is_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CalibrationError, match=r"apart\.toml: "):
        read_calibration(file)


def test_a_bus_that_is_not_there_is_told_with_what_to_do() -> None:
    platform, _ = simulated_hardware()
    with pytest.raises(HardwareMissing, match=r"/dev/spidev7\.0 cannot be opened .* enable SPI"):
        open_bank(parse_config("[readers]\nspi_bus = 7"), platform)


def test_pins_that_cannot_be_driven_are_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    platform = real_hardware()
    with pytest.raises(HardwareMissing, match="is this a Pi"):
        open_bank(Config(), platform)

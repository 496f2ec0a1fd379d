"""What stands in two places because neither can read the other is the same in both."""

import ast
import tomllib
from pathlib import Path

from quarto_pi.devices.readers import chip
from quarto_pi.firmware import pins, protocol
from quarto_pi.sensing.readings import CELLS, LINES, OFFER, OFFER_LINE, SQUARE_NAMES, Outcome

ROOT = Path(__file__).parents[2]


def numbers_of(module: Path) -> dict[str, int]:
    """The numbers that a module names, of one that only MicroPython can import."""
    found = {}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):
            found.update({target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)})
    return found


def test_host_and_firmware_know_the_chip_by_the_same_numbers() -> None:
    firmware = numbers_of(ROOT / "firmware" / "rc522.py")
    host = {name: value for name, value in vars(chip).items() if isinstance(value, int) and not isinstance(value, bool)}
    shared = firmware.keys() & host.keys()
    assert len(shared) >= 12
    assert {name: firmware[name] for name in shared} == {name: host[name] for name in shared}


def test_firmware_counts_cells_and_select_lines_as_the_host_does() -> None:
    assert len(CELLS) == protocol.CELLS
    assert pins.OFFER_LINE == OFFER_LINE
    assert [LINES[cell] for cell in (*SQUARE_NAMES, OFFER)] == list(range(protocol.CELLS))
    assert set(protocol.OUTCOMES) == {outcome.value for outcome in Outcome}


def test_description_of_the_board_has_the_clock_that_readers_usually_have() -> None:
    board = tomllib.loads((ROOT / "hardware" / "board.toml").read_text(encoding="utf-8"))
    assert [part["spi_hz"] for part in board.values() if isinstance(part, dict) and "spi_hz" in part] == [pins.SPI_HZ]

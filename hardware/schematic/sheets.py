"""Which files are made of the schematics; they are kept beside the boards, so that KiCad opens both at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.carrier.files import MADE, board_file, ordered_boards
from hardware.carrier.layout import Board
from hardware.schematic.sheet_drawing import schematic_svg
from hardware.schematic.sheet_file import schematic_text

RULE_CHECK: Final = MADE / "schematic-verdict.toml"
"""What KiCad's electrical rule check said, and of which files."""


def schematic_file(board: Board) -> Path:
    """The schematic for KiCad."""
    return board_file(board).with_suffix(".kicad_sch")


def schematic_files() -> Iterator[tuple[Path, str]]:
    """Every schematic, for KiCad and as a picture."""
    for board in ordered_boards():
        yield schematic_file(board), schematic_text(board)
        yield MADE / f"{board.name}-schematic.svg", schematic_svg(board)

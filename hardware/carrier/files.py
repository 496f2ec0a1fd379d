"""Which files are made of the boards, and where they are kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from hardware.antenna.order import parts_text, positions_text
from hardware.antenna.strip import antenna_board
from hardware.antenna.strip_tracks import strip_copper
from hardware.carrier.board_file import board_text
from hardware.carrier.copper import Copper, Side
from hardware.carrier.drawing import side_svg
from hardware.carrier.layout import Board, Placed, read_carriers
from hardware.carrier.project import project_text
from hardware.carrier.router import route
from hardware.carrier.smoothing import smoothed
from hardware.description import FOLDER, read_description
from hardware.wiring import wire

MADE: Final = FOLDER / "made" / "carrier"
VERDICT: Final = MADE / "verdict.toml"
"""What KiCad said, and of which files."""


def ordered_boards() -> tuple[Board, ...]:
    """Every board that is ordered."""
    return *read_carriers(), antenna_board()


def board_file(board: Board) -> Path:
    """The board for KiCad."""
    return MADE / f"{board.name}.kicad_pcb"


def order_file(board: Board) -> Path:
    """What is sent to whoever makes the board."""
    return MADE / f"quarto-{board.name}-board.zip"


def positions_file(board: Board) -> Path:
    """Where a machine puts its parts."""
    return MADE / f"{board.name}-positions.csv"


def routed(board: Board) -> Copper:
    """The tracks of a board, found anew: the same ones for the same board."""
    return strip_copper() if board.on_surface else smoothed(board, route(board))


def routed_files(board: Board, copper: Copper) -> Iterator[tuple[Path, str]]:
    """The files that show a board's tracks."""
    yield board_file(board), board_text(board, copper)
    for side in Side:
        yield MADE / f"{board.name}-{side.name.lower()}.svg", side_svg(board, copper, side)


def plain_files() -> Iterator[tuple[Path, str]]:
    """The files that don't: KiCad's rules, and what sits on each board."""
    for board in ordered_boards():
        yield board_file(board).with_suffix(".kicad_pro"), project_text(board.rules)
        yield MADE / f"{board.name}-parts.csv", parts_text() if board.on_surface else _bill(board)
    yield positions_file(antenna_board()), positions_text()


def judged_files() -> Iterator[Path]:
    """What `make carrier` writes, which needs KiCad."""
    yield VERDICT
    yield from (order_file(board) for board in ordered_boards())


def _bill(board: Board) -> str:
    """What is soldered onto a board, and which wirings leave it out."""
    description = read_description()
    wirings = [wire(description, profile) for profile in description.profiles.values()]

    def left_out(placed: Placed) -> str:
        return " ".join(
            wiring.profile.name for wiring in wirings if all(part.ref != placed.part.ref for part in wiring.parts)
        )

    def key(placed: Placed) -> tuple[str, str, str, str]:
        part = placed.part
        soldered = placed.footprint.soldered
        name = part.kind.name if soldered in ("", part.kind.name) else f"{soldered}, for: {part.kind.name}"
        return name, part.value, placed.footprint.name, left_out(placed)

    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["quantity", "part", "value", "footprint", "names", "left out in"])
    for (name, value, footprint, without), parts in groupby(sorted(board.parts, key=key), key=key):
        refs = sorted(placed.part.ref for placed in parts)
        table.writerow([len(refs), name, value, footprint, " ".join(refs), without])
    return text.getvalue()

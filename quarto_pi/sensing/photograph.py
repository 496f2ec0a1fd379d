"""The photograph of the whole board, and whether anything on it is still in doubt."""

from __future__ import annotations

from collections.abc import Mapping

from quarto_pi.rules import Piece
from quarto_pi.sensing.cell import Cell
from quarto_pi.sensing.events import Photograph
from quarto_pi.sensing.times import SensingTimes


def take_photograph(cells: Mapping[str, Cell]) -> Photograph:
    """What stands where, as far as it is known."""
    pieces: list[tuple[str, Piece]] = []
    foreign: list[tuple[str, str]] = []
    for name, cell in cells.items():
        if cell.presence is None:
            continue
        thing = cell.presence.thing
        if isinstance(thing, Piece):
            pieces.append((name, thing))
        else:
            foreign.append((name, thing))
    crowds = tuple(name for name, cell in cells.items() if cell.crowd is not None)
    lost = tuple(name for name, cell in cells.items() if cell.condition.lost)
    return Photograph(tuple(pieces), tuple(foreign), crowds, lost)


def is_calm(cells: Mapping[str, Cell], times: SensingTimes) -> bool:
    """Whether every cell has been judged and none is about to change."""
    answering = {cell.presence.thing for cell in cells.values() if cell.presence is not None and cell.is_answered}
    return all(_is_calm(cell, times) for cell in cells.values()) and not any(
        candidate.thing not in answering and not candidate.garbled
        for cell in cells.values()
        for candidate in cell.candidates
    )


def _is_calm(cell: Cell, times: SensingTimes) -> bool:
    if cell.crowding is not None:
        return False
    if cell.presence is not None:
        return cell.presence.misses < times.removed_after_sweeps
    return cell.known or cell.condition.lost

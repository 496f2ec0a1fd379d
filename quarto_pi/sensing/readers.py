"""What the readers' conditions do to their cells: a lost reader is an event, and says nothing about its cell."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.sensing.cell import Cell, Cells, Judged
from quarto_pi.sensing.events import BoardEvent, ReaderLost, ReaderRecovered
from quarto_pi.sensing.looks import FAILED, Look
from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.sensing.times import SensingTimes


def check_readers(cells: Cells, looks: dict[str, Look], at: int, times: SensingTimes) -> list[BoardEvent]:
    """Note in `cells` which readers fail, and take in `looks` what a lost one says for nothing."""
    events: list[BoardEvent] = []
    for name, look in looks.items():
        before = cells[name].condition
        after = before.after(look.failed, at, times)
        if after is not before or look.failed:
            cells[name] = replace(cells[name], condition=after, judged=_counted(cells[name]))
        if after.lost is not before.lost:
            cells[name] = _forgotten(cells[name])
            events.append(ReaderLost(name, at) if after.lost else ReaderRecovered(name, at))
        if after.lost:
            looks[name] = FAILED
    return events


def _counted(cell: Cell) -> Judged:
    match cell.reading:
        case Reading(outcome=Outcome.ERROR):
            return replace(cell.judged, errors=cell.judged.errors + 1)
        case Reading(outcome=Outcome.DEAD):
            return replace(cell.judged, dead=cell.judged.dead + 1)
        case _:
            return cell.judged


def _forgotten(cell: Cell) -> Cell:
    """The cell without what was suspected of it: what rests there stays, because nobody has seen it go."""
    return replace(
        cell,
        presence=cell.presence and cell.presence.cleared(),
        candidates=(),
        crowding=None,
        crowd=cell.crowd and cell.crowd.cleared(),
        empty_looks=0,
    )

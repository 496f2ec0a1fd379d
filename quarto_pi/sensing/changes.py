"""What a judgement does to the cells, and the events that tell of it."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.rules import Piece
from quarto_pi.sensing.cell import Cells
from quarto_pi.sensing.events import BoardEvent, ForeignTag, ForeignTagGone, Found, Lifted, Moved, Placed
from quarto_pi.sensing.judgement import Arrival, Judgement
from quarto_pi.sensing.presence import Presence


def make_changes(cells: Cells, judgement: Judgement, at: int) -> list[BoardEvent]:
    """Bring `cells` up to date and tell what has happened: first what left, then what came."""
    events: list[BoardEvent] = []
    for name in judgement.left:
        presence = cells[name].presence
        if presence is not None:
            cells[name] = replace(cells[name], presence=None)
            events.append(_departure(name, presence, at))
    missed = {arrival.cell: _missed_at(cells, arrival) for arrival in judgement.arrivals}
    for arrival in judgement.arrivals:
        if arrival.origin is not None:
            cells[arrival.origin] = replace(cells[arrival.origin], presence=None)
    for arrival in judgement.arrivals:
        events += _arrival_events(arrival, missed[arrival.cell], known=cells[arrival.cell].known, at=at)
        _settle_in(cells, arrival)
    return events


def _missed_at(cells: Cells, arrival: Arrival) -> int:
    """When what has arrived was missed where it comes from; a reader may hear it there to the last."""
    presence = None if arrival.origin is None else cells[arrival.origin].presence
    return presence.missing_since if presence is not None and presence.misses else arrival.candidate.since


def _departure(name: str, presence: Presence, at: int) -> BoardEvent:
    if isinstance(presence.thing, Piece):
        return Lifted(name, presence.thing, at, presence.missing_since)
    return ForeignTagGone(name, presence.thing, at)


def _arrival_events(arrival: Arrival, missed: int, *, known: bool, at: int) -> list[BoardEvent]:
    name, origin, since, thing = arrival.cell, arrival.origin, arrival.candidate.since, arrival.candidate.thing
    if isinstance(thing, str):
        gone: list[BoardEvent] = [] if origin is None else [ForeignTagGone(origin, thing, at)]
        return [*gone, ForeignTag(name, thing, at)]
    if origin is not None:
        return [Moved(origin, name, thing, at, since, missed)]
    return [Placed(name, thing, at, since) if known else Found(name, thing, at)]


def _settle_in(cells: Cells, arrival: Arrival) -> None:
    candidate = arrival.candidate
    for name, cell in cells.items():
        rival = cell.candidate(candidate.thing)
        if rival is None:
            continue
        judged = cell.judged
        if name != arrival.cell:
            judged = replace(judged, cross_reads=judged.cross_reads + rival.hits)
        others = tuple(other for other in cell.candidates if other is not rival)
        cells[name] = replace(cell, candidates=others, judged=judged)
    presence = Presence(candidate.thing, candidate.hits + candidate.gaps, candidate.gaps)
    cells[arrival.cell] = replace(cells[arrival.cell], presence=presence, known=True)
